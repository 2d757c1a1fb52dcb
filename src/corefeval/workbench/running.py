"""From a command to a running server: where the project is, what it starts with, and at which address it is served."""

from __future__ import annotations

import socket
import webbrowser
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import uvicorn

from corefeval import measures as known
from corefeval.corpus.corpus import Corpus
from corefeval.errors import OptionError, OutputError
from corefeval.measures import Measure
from corefeval.profiles.registry import resolve_options
from corefeval.workbench.opening import create_project, join_sides, open_example
from corefeval.workbench.project import SUFFIX, Project
from corefeval.workbench.scores import ScoringRules
from corefeval.workbench.server import build_application, make_token
from corefeval.workbench.workspace import Workspace

_DEFAULT_NAME = "workbench"
_MOST_BESIDE = 3
_DEFAULT_EXAMPLE = "popescu-belis-1"
HOST = "127.0.0.1"


def is_project(path: str) -> bool:
    """Return whether a path is that of a project."""
    return path.endswith(SUFFIX) and Path(path).is_file()


def choose_rules(measures: Iterable[str | Measure] | None, decisions: Mapping[str, Any]) -> ScoringRules:
    """Return which measures are shown, by default all that work on any data, and how they are counted."""
    options = resolve_options(**decisions)
    chosen = known.select_measures("all" if measures is None else measures)
    return ScoringRules(known.resolve_measures(chosen, options), options)


def choose_place(path: str | None, key: str | None) -> Path:
    """Return the path of a project: as given, the key itself if it is one, beside the key, or in this folder."""
    if path is not None:
        return Path(path if path.endswith(SUFFIX) else path + SUFFIX)
    if key is None or key == "-":
        return Path(_DEFAULT_NAME + SUFFIX)
    if is_project(key):
        return Path(key)
    plain = Path(key)
    return plain.parent / (plain.name.partition(".")[0] + SUFFIX)


def prepare_project(
    place: Path, corpora: Mapping[str, Corpus], *, adjudicate: bool = False, example: str | None = None
) -> list[str]:
    """Make a project, or add to one that is there the sides that it lacks; return what there is to tell."""
    if not place.exists():
        if example is not None and corpora:
            raise OptionError("an example has files of its own: give --example or files")
        opened = join_sides(corpora, empty_key=adjudicate) if corpora else open_example(example or _DEFAULT_EXAMPLE)
        create_project(str(place), place.name.removesuffix(SUFFIX), opened).close()
        return opened.notices
    if example is not None:
        raise OptionError(f"{place} is there already; --project names another one")
    project = Project(str(place))
    try:
        return _add_sides(project, corpora)
    finally:
        project.close()


def _add_sides(project: Project, corpora: Mapping[str, Corpus]) -> list[str]:
    """Add to a project the sides that it lacks; return what there is to tell."""
    told = [f"{project.path}: goes on after {project.revision} edits; the files are not read into it again"]
    new = {name: corpus for name, corpus in corpora.items() if name not in project.sides}
    if new:
        first = next(iter(project.sides))
        opened = join_sides({first: project.build_corpus(first)} | new)
        for name in new:
            project.add_side(name, opened.sides[name])
        told += opened.notices
    return told


def write_view(place: Path, *, adjudicate: bool) -> str:
    """Return the part of the address that says what is shown: the project; annotators beside the key made from them."""
    name = quote(place.name.removesuffix(SUFFIX))
    if not adjudicate:
        return name
    project = Project(str(place))
    key, *others = project.sides
    project.close()
    return f"{name}?{urlencode([('side', key), *(('beside', each) for each in others[:_MOST_BESIDE])])}"


def run_server(
    place: Path, rules: ScoringRules, port: int, *, view: str, opens_browser: bool, tell: Callable[[str], None]
) -> None:
    """Serve the folder of a project until it is interrupted, and tell the address, which ends with a view."""
    # asyncio sends without delay (TCP_NODELAY) only where the protocol is named
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
        listening.listen(128)  # whoever reads the address can connect at once
    except OSError as error:
        raise OutputError(f"port {port}: cannot be used ({error.strerror})") from None
    chosen = listening.getsockname()[1]
    token = make_token()
    workspace = Workspace(str(place.parent), rules)
    address = f"http://{HOST}:{chosen}/?token={token}#{view}"
    tell(f"{address}\nCtrl-C ends it; all edits are in {place}")
    application = build_application(workspace, token, chosen, lambda: server.should_exit)
    server = uvicorn.Server(uvicorn.Config(application, log_level="warning", timeout_graceful_shutdown=1))
    if opens_browser:
        webbrowser.open(address)
    try:
        server.run(sockets=[listening])
    finally:
        workspace.close()
