"""The report in Firefox, which Playwright cannot drive here: a page of our own holds the report in a frame and looks at it."""

from __future__ import annotations

import json
import shutil
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

import corefeval
from corefeval.show import pages
from tests.browser.made import KEY, RESPONSE, hard

VIEWS = ("overview", "errors", "text", "entities", "documents", "compare")
WAIT = 120  # seconds: Firefox makes itself at home first
LOOK = """<!DOCTYPE html><title>frame</title><body style="margin: 0"><iframe style="border: 0"></iframe><script>
const frame = document.querySelector("iframe");
const ready = "#overview #costliest li, #errors .error, #text .m, #entities .group, #documents tbody td, #compare .change";
const find = (selector) => [...frame.contentDocument.querySelectorAll(selector)];
const isShown = (element) => element.checkVisibility();
const pause = (time) => new Promise((done) => setTimeout(done, time));

async function look(view, width) {
  const errors = [];
  Object.assign(frame, {width, height: 800});
  await new Promise((done) => { frame.onload = done; frame.src = "/blank"; });
  await new Promise((done) => { frame.onload = done; frame.src = `/report#${view}`; });
  frame.contentWindow.addEventListener("error", (event) => errors.push(String(event.message)));
  while (!find(ready).some(isShown)) await pause(50);
  const root = frame.contentDocument.documentElement;
  const box = (element) => { const {left, top, right, bottom} = element.getBoundingClientRect(); return [left, top, right, bottom]; };
  return {
    view, width, errors, sideways: root.scrollWidth - frame.contentWindow.innerWidth,
    hidden: find(".scroll").filter(isShown).map((each) => [each.getAttribute("aria-label"), each.scrollWidth - each.clientWidth]),
    boxes: Object.fromEntries([".matrix tbody td", "#headline strong", ".sentence", "table.kinds td", "#costliest .snippet"]
      .map((part) => [part, find(part).filter(isShown).map(box)])),
  };
}

(async () => {
  const found = [];
  for (const view of VIEWS) for (const width of [1280, 390]) found.push(await look(view, width));
  await fetch("/found", {method: "POST", body: JSON.stringify(found)});
})();
</script>""".replace("VIEWS", json.dumps(VIEWS))


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What Firefox shows of each view of five systems, in a wide and in a narrow window."""
    firefox = shutil.which("firefox-esr") or shutil.which("firefox")
    if firefox is None:
        pytest.skip("pages are looked at in Firefox, too, which is not here: apt-get install firefox-esr")
    folder = tmp_path_factory.mktemp("firefox")
    key, response = hard(KEY, "key"), hard(RESPONSE, "response")
    given = {f"response-{number}5": corefeval.score(key, key if number == 1 else response) for number in range(5)}
    pages.write(given, folder / "a.html", resamples=100)
    contents = {"/": LOOK.encode(), "/blank": b"<!DOCTYPE html>", "/report": (folder / "a.html").read_bytes()}
    found: list[dict[str, Any]] = []
    told = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        """Gives the pages, and takes what was found."""

        def do_GET(self) -> None:
            content = contents.get(self.path)
            self.send_response(404 if content is None else 200)
            self.send_header("content-type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(content or b"")

        def do_POST(self) -> None:
            found.extend(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(204)
            self.end_headers()
            told.set()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/"
    command = [firefox, "--headless", "--no-remote", "--profile", str(folder), "--window-size=1300,900", address]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        assert told.wait(WAIT), "Firefox has not answered"
    finally:
        running.terminate()
        running.wait(20)
        server.shutdown()
        server.server_close()
    return found


def test_every_view_is_as_wide_as_its_window(seen: list[dict[str, Any]]) -> None:
    assert [(each["view"], each["width"]) for each in seen] == [
        (view, width) for view in VIEWS for width in (1280, 390)
    ]
    assert [(each["view"], each["width"]) for each in seen if each["sideways"] > 0] == []
    assert [each["errors"] for each in seen if each["errors"]] == []


def test_the_first_screen_holds_the_answer(seen: list[dict[str, Any]]) -> None:
    first = seen[0]
    counts = {part: len(boxes) for part, boxes in first["boxes"].items()}
    assert counts == {
        ".matrix tbody td": 5 * 8,
        "#headline strong": 1,
        ".sentence": 1,
        "table.kinds td": 7 * 7,
        "#costliest .snippet": 5,
    }
    for part, boxes in first["boxes"].items():
        for left, top, right, bottom in boxes:
            assert left >= 0, part
            assert top >= 0, part
            assert right <= 1280, part
            assert bottom <= 800, part
    # No column is hidden at the edge of its box.
    wide = dict(first["hidden"])
    assert wide["Types of errors"] <= 1
    assert wide["Systems by measures"] <= 1
