"""The workbench: from the request of an edit to its answer, on a short text and on the paper's largest.

    python benchmarks/workbench.py [EDITS]

The sizes are those of Popescu-Belis 1999, table 5 (28,576 words, 3,359 mentions), and of a short story. Requests go
over a socket to a server of its own process, as a browser's do; a preview is what hovering asks for.
"""

from __future__ import annotations

import http.client
import json
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from corefeval.workbench.opening import create_project, join_sides
from corpora import Size, corpus

SIZES = {"300 mentions": Size(1, 300, 2500), "3,359 mentions": Size(1, 3375, 28576)}


def main() -> None:
    edits = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    with tempfile.TemporaryDirectory() as folder:
        for name, size in SIZES.items():
            sides = {"key": corpus(size, noise=None), "response": corpus(size, noise=0.3)}
            path = Path(folder) / f"{size.mentions}.corefeval"
            create_project(str(path), name, join_sides(sides)).close()
            print(f"{name}: {len(sides['key']):,} in the key, {len(sides['response']):,} in the response")
            for measures in ("default", "all"):
                _measure(path, measures, edits)


def _measure(path: Path, measures: str, edits: int) -> None:
    command = [sys.executable, "-m", "corefeval", "serve", str(path), "--no-browser", "-q", "-m", measures]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        address, _, rest = server.stdout.readline().strip().partition("/?token=")
        client = _Client(address.removeprefix("http://"), rest.partition("#")[0], path.stem)
        times = _make_edits(client, edits)
    finally:
        server.terminate()
        server.wait()
    for kind, taken in times.items():
        median, high = statistics.median(taken), statistics.quantiles(taken, n=20)[-1]
        print(f"  {measures:<8} {kind:<8} median {1000 * median:6.1f} ms   95 % within {1000 * high:6.1f} ms")


class _Client:
    def __init__(self, host: str, token: str, project: str) -> None:
        self._connection = http.client.HTTPConnection(host)
        self._connection.connect()
        self._connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # as browsers do
        self._headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
        self._path = f"/api/projects/{project}"

    def ask(self, method: str, path: str, body: Any = None) -> tuple[Any, float]:
        start = time.perf_counter()
        self._connection.request(method, self._path + path, body and json.dumps(body), self._headers)
        answer = self._connection.getresponse()
        data = answer.read()
        taken = time.perf_counter() - start
        assert answer.status == 200, data
        return json.loads(data), taken


def _make_edits(client: _Client, edits: int) -> dict[str, list[float]]:
    draw = random.Random(1)
    sides = client.ask("GET", "/document?document=0")[0]["sides"]
    mentions = {side: list(annotation["mentions"]) for side, annotation in sides.items()}
    times: dict[str, list[float]] = {"edit": [], "preview": [], "undo": []}
    pair = {"key": "key", "response": "response", "document": 0}
    client.ask("GET", "/scores?document=0&key=key&response=response")
    for number in range(edits):
        side = "key" if number % 5 == 0 else "response"
        edit = {"kind": "move", "mentions": draw.sample(mentions[side], 3), "entity": None}
        body = pair | {"side": side, "edit": edit}
        times["preview"].append(client.ask("POST", "/preview", body)[1])
        times["edit"].append(client.ask("POST", "/edits", body)[1])
        if number % 4 == 3:
            times["undo"].append(client.ask("POST", "/undo", pair)[1])
    return times


if __name__ == "__main__":
    main()
