"""What a browser can ask for: functions from a workspace and plain objects of JSON to plain objects of JSON."""

from __future__ import annotations

import base64
import binascii
import contextlib
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from corefeval import formats
from corefeval._lazy import NamedTuple
from corefeval.errors import CorefevalError, OptionError
from corefeval.formats import registry
from corefeval.lab.registry import STUDIES, has_partitions, list_studies, study
from corefeval.workbench import adjudication, opening, resolvers, scores
from corefeval.workbench.annotations import build_corpus, dump_annotation, dump_content, read_annotations
from corefeval.workbench.edits import Change, EditConflictError, EditError, dump_change, plan_replacement
from corefeval.workbench.project import LogEntry, Project
from corefeval.workbench.workspace import OpenProject, Workspace

Value = TypeVar("Value", str, int, bool, list[Any], dict[str, Any])

LONGEST_TEXT = 200
_MOST_SIDES = 20


class Request(NamedTuple):
    """What was asked: in the path, behind the question mark, and in the body."""

    workspace: Workspace
    path: Mapping[str, str]
    body: Mapping[str, Any]

    @property
    def opened(self) -> OpenProject:
        """The project that the path names."""
        return self.workspace.open(self.path["project"])

    def read(self, name: str, kind: type[Value], default: Value | None = None) -> Value:
        """Return a field of the body; EditError if it is missing without a default, or of another type."""
        value = self.body.get(name, default)
        if type(value) is not kind or (isinstance(value, str) and len(value) > LONGEST_TEXT):
            kinds = {str: f"text of at most {LONGEST_TEXT} characters", int: "a number", bool: "true or false"}
            raise EditError(f"{name}: expected {kinds.get(kind, 'a list' if kind is list else 'an object')}")
        return value

    def read_optional(self, name: str, kind: type[Value]) -> Value | None:
        """Return a field of the body; None if it is missing or null."""
        return None if self.body.get(name) is None else self.read(name, kind)

    def read_texts(self, name: str, default: list[str] | None = None) -> list[str]:
        """Return a field that is a list of a few short texts."""
        texts = self.read(name, list, default)
        if len(texts) > _MOST_SIDES or not all(isinstance(text, str) and len(text) <= LONGEST_TEXT for text in texts):
            raise EditError(f"{name}: expected at most {_MOST_SIDES} short texts")
        return texts

    def read_place(self) -> tuple[str, int]:
        """Return the fields side and document."""
        return self.read("side", str), self.read("document", int, 0)

    @property
    def author(self) -> str:
        """Who asks."""
        return self.read("author", str, "anonymous") or "anonymous"


class Download(NamedTuple):
    """A file as an answer."""

    name: str
    data: bytes


def load_everything(workspace: Workspace) -> None:
    """Load what is loaded at its first use otherwise, by several threads at once, half of it for some of them."""
    dict(registry.list_formats())
    list_studies()
    opened = opening.open_example("luo-1a")
    sides = {name: side.annotations for name, side in opened.sides.items()}
    pair = scores.SidePair(opened.contents, *sides.values())
    with contextlib.suppress(CorefevalError):  # the example may lack what the rules need, such as words
        evaluation = scores.ScoreCache(workspace.rules).evaluate(pair)
        scores.describe_scores(evaluation, evaluation, evaluation)
        scores.explain_measure(pair, "muc", workspace.rules)
    adjudication.compare_sides(opened.contents, sides)


def list_projects(request: Request) -> dict[str, Any]:
    """Return the projects of the folder, the papers' examples, and the formats that can be written."""
    written = {name: each.SUFFIXES[0] for name, each in registry.list_formats() if each.CAPACITY is not None}
    return {
        "projects": request.workspace.list_projects(),
        "examples": opening.list_examples(),
        "formats": {"read": list(registry.list_names()), "write": written},
        "resolvers": list(resolvers.RESOLVERS),
        "rules": list(resolvers.RULES),
        "measures": [str(measure) for measure in request.workspace.rules.measures],
    }


def name_author(request: Request) -> dict[str, Any]:
    """Return the name under which a browser edits and undoes: the one that it asks for, if it can have it."""
    return {"author": request.workspace.name_author(request.read("browser", str), request.read_optional("known", str))}


def create_project(request: Request) -> dict[str, Any]:
    """Make a project of an example, a study, or files that are sent (the key first), and return its name."""
    example = request.read_optional("example", str)
    if example is not None:
        return _create(request, example, opening.open_example(example))
    files = request.read("files", list)
    if not 0 < len(files) <= _MOST_SIDES:
        raise EditError(f"files: expected 1 to {_MOST_SIDES} of them")
    corpora = {}
    for place, file in enumerate(files):
        if not isinstance(file, dict):
            raise EditError("files: expected objects with name and data")
        each = request._replace(body=file)
        name, data = each.read("name", str), file.get("data")
        try:
            content = base64.b64decode(data, validate=True) if isinstance(data, str) else None
        except (binascii.Error, ValueError):
            content = None
        if content is None:
            raise EditError("data: expected the file's bytes in Base64")
        side = each.read("side", str, "") or ("key" if place == 0 else Path(name).name or f"side {place + 1}")
        if side in corpora:
            raise EditError(f"side: two files are named {side!r}")
        corpora[side] = opening.read_upload(name, content, each.read_optional("format", str))
    opened = opening.join_sides(corpora, empty_key=request.read("adjudicate", bool, default=False))
    return _create(request, request.read("name", str, "upload") or "upload", opened)


def _create(request: Request, name: str, opened: opening.Opened) -> dict[str, Any]:
    """Make a project of what was opened, and return its name and its sides."""
    return {"project": request.workspace.create(name, opened), "sides": list(opened.sides)}


def show_project(request: Request) -> dict[str, Any]:
    """Return a project's title, documents, sides, notices and last revision."""
    project = request.opened.project
    return {
        "title": project.title,
        "revision": project.revision,
        "documents": [{"name": content.name, "length": content.length} for content in project.contents],
        "sides": list(project.sides),
        "notices": project.notices,
        "turns": project.count_turns(request.author),
    }


def show_document(request: Request) -> dict[str, Any]:
    """Return the text of a document and all sides of it as they are now."""
    project = request.opened.project
    document = request.read("document", int, 0)
    sides = {side: dump_annotation(project.get_annotation(side, document)) for side in project.sides}
    text = dump_content(project.contents[document])
    text.pop("word_attributes", None)
    text.pop("labels", None)
    return {"revision": project.revision, "content": text, "sides": sides}


def make_edit(request: Request) -> dict[str, Any]:
    """Make an edit; return its row of the log, and the scores where two sides are named to be scored."""
    opened = request.opened
    side, document = request.read_place()
    revision = request.read_optional("revision", int)
    entry = opened.project.make_edit(request.author, side, document, request.read("edit", dict), revision)
    return _answer(request, opened, entry)


def preview_edit(request: Request) -> dict[str, Any]:
    """Return what an edit would change, and the scores that two sides would have, without making it."""
    opened = request.opened
    side, document = request.read_place()
    change = opened.project.plan(side, document, request.read("edit", dict))
    key, response = request.read("key", str), request.read("response", str)
    return {
        "change": dump_change(change),
        "scores": opened.preview(key, response, document, side, change),
    }


def undo(request: Request) -> dict[str, Any]:
    """Take back the author's last edit."""
    opened = request.opened
    entry = opened.project.undo(request.author, skip=request.read("skip", bool, default=False))
    return _answer(request, opened, entry)


def redo(request: Request) -> dict[str, Any]:
    """Make the edit again that the author took back last."""
    opened = request.opened
    entry = opened.project.redo(request.author, skip=request.read("skip", bool, default=False))
    return _answer(request, opened, entry)


def show_scores(request: Request) -> dict[str, Any]:
    """Return the scores of two sides of a document, or of all documents if its number is missing."""
    document = request.read_optional("document", int)
    return request.opened.score(request.read("key", str), request.read("response", str), document)


def explain(request: Request) -> dict[str, Any]:
    """Return how a measure comes to its number."""
    opened = request.opened
    document = request.read_optional("document", int)
    pair = opened.pair_sides(request.read("key", str), request.read("response", str), document)
    return scores.explain_measure(pair, request.read("measure", str), opened.rules)


def list_events(request: Request) -> dict[str, Any]:
    """Return the rows of the log behind a revision, and the sides that there are."""
    project = request.opened.project
    since = request.read("since", int, 0)
    entries = [entry.describe() for entry in project.entries[max(0, since) :]]
    return {"revision": project.revision, "sides": list(project.sides), "entries": entries}


def export_patch(request: Request) -> dict[str, Any]:
    """Return the sides at the start, and all edits as a JSON patch of that."""
    project = request.opened.project
    return {"start": project.export_start(), "patch": project.export_patch()}


def show_agreement(request: Request) -> dict[str, Any]:
    """Return how far sides agree on a document, and on what they do not."""
    project, document = request.opened.project, request.read("document", int, 0)
    sides = _choose_sides(request, project)
    annotations = {side: project.get_annotation(side, document) for side in sides}
    return adjudication.describe_agreement(project.contents[document], annotations)


def show_chance(request: Request) -> dict[str, Any]:
    """Return the agreement of sides by chance, and above it; {"outdated": true} if an edit is made in the meantime."""
    project, document = request.opened.project, request.read("document", int, 0)
    sides = _choose_sides(request, project)
    annotations = {side: project.get_annotation(side, document) for side in sides}
    revision = project.revision

    def stop_after_edit(_: int) -> None:
        """Raise an _OutdatedError once an edit has been made."""
        if project.revision != revision:
            raise _OutdatedError

    try:
        return adjudication.describe_chance(project.contents[document], annotations, stop_after_edit)
    except _OutdatedError:
        return {"outdated": True}


class _OutdatedError(Exception):
    """What is computed is about to be asked for again."""


def take(request: Request) -> dict[str, Any]:
    """Take a mention, or a whole entity, as another side has it."""
    opened, source = request.opened, request.read("source", str)
    side, document = request.read_place()
    theirs, ours = (opened.project.get_annotation(each, document) for each in (source, side))
    mention, entity = request.read_optional("mention", str), request.read_optional("entity", str)
    if (mention is None) == (entity is None):
        raise EditError("expected a mention or an entity to take")
    if mention is not None:
        change = adjudication.take_mention(ours, theirs, mention)
    else:
        change = adjudication.take_entity(ours, theirs, entity or "")
    return _make_change(request, opened, "take", change)


def draft_majority(request: Request) -> dict[str, Any]:
    """Give a side what more than half of some sides agree on."""
    opened = request.opened
    project = opened.project
    side, document = request.read_place()
    sides = _choose_sides(request, project)
    annotations = {each: project.get_annotation(each, document) for each in sides}
    target = project.get_annotation(side, document)
    change = adjudication.draft_by_majority(project.contents[document], target, annotations)
    return _make_change(request, opened, "majority", change)


def resolve(request: Request) -> dict[str, Any]:
    """Give a side the answer of a resolver to the mentions of the key."""
    opened = request.opened
    side, document = request.read_place()
    content = opened.project.contents[document] if 0 <= document < len(opened.project.contents) else None
    target = opened.project.get_annotation(side, document)
    key = opened.project.get_annotation(request.read("key", str), document)
    assert content is not None  # noqa: S101 - else there is no annotation
    corpus = build_corpus(content, key, "key")
    off = request.read_texts("off", [])
    answer = resolvers.resolve(corpus, request.read("resolver", str), off=off, seed=abs(request.read("seed", int, 0)))
    (found,), _ = read_annotations(answer, [content])
    change = plan_replacement(target, adjudication.group_mentions_by_entity(found))
    return _make_change(request, opened, "resolve", change)


def tabulate_rules(request: Request) -> dict[str, Any]:
    """Return the scores of the salience resolver with its rules switched off singly and in pairs."""
    opened, document = request.opened, request.read("document", int, 0)
    key = opened.project.get_annotation(request.read("key", str), document)
    corpus = build_corpus(opened.project.contents[document], key, "key")
    measures = request.read_texts("measures", ["muc", "bcub", "ceafe"])
    rows = resolvers.tabulate_rules(corpus, measures, opened.rules.options)
    return {"rows": [row._asdict() for row in rows]}


def add_side(request: Request) -> dict[str, Any]:
    """Add a side without mentions."""
    opened = request.opened
    opened.project.add_side(request.read("name", str))
    return {"sides": list(opened.project.sides), "revision": opened.project.revision}


def save(request: Request) -> dict[str, Any]:
    """Write a side to a file of the folder, and return notices of what the format has no place for."""
    name = request.read("file", str)
    if not name or Path(name).name != name or name.startswith(".") or not name.isprintable() or "\\" in name:
        raise OptionError("file: expected the plain name of a file in the project's folder")
    if name.endswith(opening.PROJECT_SUFFIXES):
        raise OptionError("file: that is the name of a project")
    corpus = request.opened.project.build_corpus(request.read("side", str))
    force = request.read("force", bool, default=False)
    path = Path(request.workspace.folder) / name
    if path.exists() and not force:
        raise OptionError(f"{name} is there already; choose to overwrite it, or another name")
    lost = formats.write(corpus, path, request.read_optional("format", str), force=force)
    return {"file": name, "notices": [notice.message for notice in (*corpus.notices, *lost)]}


def download(request: Request) -> Download:
    """Return a side as a file in a format."""
    side, name = request.read("side", str), request.read("format", str)
    chosen = registry.load_format(registry.parse_spec(name)[0])
    corpus = request.opened.project.build_corpus(side)
    with tempfile.TemporaryDirectory() as folder:
        plain = "".join(letter if letter.isalnum() else "-" for letter in side)[:60]
        path = Path(folder) / (plain + chosen.SUFFIXES[0])
        formats.write(corpus, path, name)
        written = [each for each in Path(folder).rglob("*") if each.is_file()]
        if len(written) != 1:
            raise OptionError(f"{name} writes several files; save them to the folder instead")
        return Download(written[0].name, written[0].read_bytes())


def show_studies(request: Request) -> dict[str, Any]:  # noqa: ARG001 - as all of these
    """Return the laboratory's studies of papers: name, title, source, and whether it has partitions to open."""
    return {
        "studies": [
            [name, title, source, has_partitions(name)]
            for name, title, source, takes in list_studies().studies
            if not takes
        ]
    }


def run_study(request: Request) -> dict[str, Any]:
    """Run a study of the laboratory, and return its text."""
    name = request.path["name"]
    if name not in STUDIES:
        raise OptionError(f"there is no study {name[:LONGEST_TEXT]!r}")
    return {"name": name, "text": study(name).to_text()}


def _choose_sides(request: Request, project: Project) -> list[str]:
    """Return the sides that a request names, two or more; by default all of the project."""
    sides = request.read_texts("sides", list(project.sides)[:_MOST_SIDES])
    if len(set(sides)) < 2 or len(set(sides)) < len(sides):
        raise EditError("sides: expected two or more different ones")
    return sides


def _make_change(request: Request, opened: OpenProject, kind: str, change: Change) -> dict[str, Any]:
    """Write a planned change to the log and answer as to an edit."""
    side, document = request.read_place()
    asked = {name: value for name, value in request.body.items() if name not in ("author", "revision")}
    revision = request.read_optional("revision", int)
    entry = opened.project.make_change(request.author, side, document, kind, asked, change, revision)
    return _answer(request, opened, entry)


def _answer(request: Request, opened: OpenProject, entry: LogEntry | None) -> dict[str, Any]:
    """Return a new row of the log, with the scores where two sides are named to be scored."""
    project = opened.project
    content: dict[str, Any] = {"revision": project.revision, "turns": project.count_turns(request.author)}
    content["entry"] = None if entry is None else entry.describe()
    key, response = request.read_optional("key", str), request.read_optional("response", str)
    if entry is not None and key is not None and response is not None and {key, response} <= set(project.sides):
        try:
            content["scores"] = opened.score(key, response, entry.document)
        except CorefevalError as error:  # the edit is made all the same
            content["scores_error"] = str(error)
    return content


def describe_conflict(error: EditConflictError) -> dict[str, Any]:
    """Return a conflict as plain objects: what it is about."""
    return {"error": str(error), "kind": "conflict", "ids": error.ids}


_PROJECT = "/api/projects/{project}"
ROUTES: Mapping[tuple[str, str], Callable[[Request], dict[str, Any] | Download]] = {
    ("GET", "/api/projects"): list_projects,
    ("POST", "/api/projects"): create_project,
    ("POST", "/api/authors"): name_author,
    ("GET", "/api/studies"): show_studies,
    ("GET", "/api/studies/{name}"): run_study,
    ("GET", _PROJECT): show_project,
    ("GET", f"{_PROJECT}/document"): show_document,
    ("GET", f"{_PROJECT}/scores"): show_scores,
    ("GET", f"{_PROJECT}/explain"): explain,
    ("GET", f"{_PROJECT}/events"): list_events,
    ("GET", f"{_PROJECT}/agreement"): show_agreement,
    ("GET", f"{_PROJECT}/chance"): show_chance,
    ("GET", f"{_PROJECT}/patch"): export_patch,
    ("GET", f"{_PROJECT}/rules"): tabulate_rules,
    ("GET", f"{_PROJECT}/download"): download,
    ("POST", f"{_PROJECT}/edits"): make_edit,
    ("POST", f"{_PROJECT}/preview"): preview_edit,
    ("POST", f"{_PROJECT}/undo"): undo,
    ("POST", f"{_PROJECT}/redo"): redo,
    ("POST", f"{_PROJECT}/take"): take,
    ("POST", f"{_PROJECT}/majority"): draft_majority,
    ("POST", f"{_PROJECT}/resolve"): resolve,
    ("POST", f"{_PROJECT}/sides"): add_side,
    ("POST", f"{_PROJECT}/save"): save,
}
"""Every request that is answered. What stands behind the question mark comes as the body of a GET."""
