"""Empty, one-sided and repeated input: every command comes to an end that was meant, with a result or with an error."""

from __future__ import annotations

import contextlib
import csv
import json
import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import corefeval
from corefeval.baselines import relative
from corefeval.cli.main import COMMANDS
from corefeval.errors import InputError, OptionError
from corefeval.formats import registry
from tests.cli.running import run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Span: TypeAlias = tuple[int, int]
Document: TypeAlias = list[list[Span]]
Side: TypeAlias = dict[str, Document]

_WORDS = ["She", "saw", "her", "dog"]
_ENTITIES: dict[str, Document] = {
    "nothing": [],
    "an entity without mentions": [[]],
    "a singleton": [[(0, 0)]],
    "a mention twice in an entity": [[(0, 0), (0, 0)]],
    "a mention in two entities": [[(0, 0)], [(0, 0)]],
    "a pair": [[(0, 0), (2, 2)]],
    "a pair and a mention of it alone": [[(0, 0), (2, 2)], [(2, 2)]],
    "a pair twice": [[(0, 0), (2, 3)], [(0, 0), (2, 3)]],
    "another pair": [[(1, 1), (2, 3)]],
    "one within the other": [[(0, 3), (1, 2)], [(1, 3)]],
    "words of another": [[(1, 2)], [(0, 3), (3, 3)]],
}
_DOCUMENTS = st.sampled_from(sorted(_ENTITIES)).map(_ENTITIES.__getitem__)
_SIDES = st.dictionaries(st.sampled_from(["a", "b", "c"]), _DOCUMENTS, max_size=3)


def _write_json(side: Side) -> str:
    """Entities as lists of spans, without words."""
    return json.dumps(side)


def _write_json_lines(side: Side) -> str:
    """A line for each document; no line at all for none."""
    lines = (
        {"doc_key": name, "sentences": [_WORDS], "clusters": [[list(span) for span in entity] for entity in document]}
        for name, document in side.items()
    )
    return "".join(f"{json.dumps(line)}\n" for line in lines)


def _write_conll(side: Side) -> str:
    """Brackets in the last column; an entity without mentions cannot be written."""
    text = ""
    for name, document in side.items():
        text += f"#begin document ({name}); part 000\n"
        for place, word in enumerate(_WORDS):
            cells = []
            for number, entity in enumerate(document):
                for begin, end in entity:
                    if begin == place == end:
                        cells.append(f"({number})")
                    elif begin == place:
                        cells.append(f"({number}")
                    elif end == place:
                        cells.append(f"{number})")
            text += f"{name}\t0\t{place}\t{word}\t{'|'.join(cells) or '-'}\n"
        text += "\n#end document\n"
    return text


def _write_table(side: Side) -> str:
    """A row for each mention; a document without any cannot be written."""
    rows = [
        f"{name},{begin},{end},{number}\n"
        for name, document in side.items()
        for number, entity in enumerate(document)
        for begin, end in entity
    ]
    return "".join(["doc_id,start,end,entity_id\n", *rows])


_WRITERS = {"json": _write_json, "jsonlines": _write_json_lines, "conll": _write_conll, "csv": _write_table}
_FEW = ("--resamples", "100")
_WRITTEN = [name for name, each in registry.list_formats() if each.CAPACITY is not None]
_IN_FOLDERS = ("brat",)  # two files for each document
_COMMANDS: tuple[tuple[str, ...], ...] = (
    ("score", "KEY", "A", "B", "--per-document", "-m", "all"),
    ("score", "KEY", "A", "--duplicates", "keep", "--match", "partial", "--json", "--per-document"),
    ("score", "KEY", "A", "--match", "head", "--singletons", "both", "--csv"),
    ("score", "KEY", "A", "--match", "overlap", "--macro", "--latex"),
    ("score", "KEY", "A", "--like", "conll-8.01"),
    ("score", "KEY", "A", "--crac"),
    ("score", "KEY", "A", "--bare"),
    ("score", "--table", "KEYS", "TEAMS"),
    ("score", "KEY", "A", "--relative-to", "random"),
    ("score", "KEY", "A", "--relative-to", "string-match"),
    ("score", "KEY", "A", "--relative-to", "B"),
    ("score", "KEY", "A", "--level", "corpus"),
    ("score", "KEY", "A", "--level", "all", "--json"),
    ("score", "KEY", "A", "B", "--audit"),
    ("score", "KEY", "A", "--audit", "--json"),
    ("score", "KEY", "A", "--engine", "duckdb"),
    ("score", "KEY", "A", "--memory-limit", "1GB"),
    ("compare", "KEY", "A", "B", "--resample", "components", *_FEW),
    ("estimate", "KEY", "A"),
    ("estimate", "KEY", "A", "--weights", "size", "--json"),
    ("sweep", "A", "KEY"),
    ("diff", "A", "B"),
    ("compare", "KEY", "A", "B", *_FEW),
    ("compare", "KEY", "A", "B", "--test", "bootstrap", "--relative-to", "singletons", "--plan", "1", "--json", *_FEW),
    ("compare", "KEY", "A", *_FEW),
    ("compare", "KEY", "A", "B", "KEY", "--summary", *_FEW),
    ("lab", "identification-effect", "KEY", "A"),
    ("lab", "operating-curve", "KEY", "A", "-m", "lea"),
    ("lab", "sensitivity", "KEY", "-m", "blanc"),
    ("lab", "boundaries", "KEY", "A", "-m", "muc"),
    ("lab", "sizes", "KEY", "A"),
    ("lab", "ranks", "KEY", "A", "B", "-m", "bcub"),
    ("advise", "KEY", "-m", "lea"),
    ("criteria", "lea", "rag-bag", "--key", "KEY"),
    ("advise", "KEY", "A", "B", "-m", "muc", "--json"),
    ("agree", "KEY", "A", "B", "--draws", "2"),
    ("agree", "A", "B", "--draws", "2", "--json", "--duplicates", "merge", "-m", "all"),
    ("agree", "KEY", "A", "B", "--draws", "2", "--disagreements", "out.csv", "--draft", "out.json"),
    ("errors", "KEY", "A"),
    ("errors", "KEY", "A", "--json", "--duplicates", "keep", "-m", "all"),
    ("errors", "KEY", "A", "--worst", "3", "--match", "partial"),
    ("errors", "KEY", "A", "--by", "document", "--by", "size", "--by", "distance", "--by", "mention-type"),
    ("diff", "KEY", "A", "B"),
    ("diff", "KEY", "A", "B", "--csv", "--duplicates", "merge"),
    *(("explain", measure, "KEY", "A") for measure in ("muc", "bcub", "ceafe", "blanc", "lea", "conll", "mentions")),
    *(("explain", measure, "KEY", "A", "--document", "a") for measure in ("muc", "bcub", "ceafm", "blanc", "lea")),
    *(("align", "KEY", "A", "-m", measure, "--all") for measure in ("ceafe", "ceafm", "ceaf:phi=1", "exclusive_core")),
    ("align", "KEY", "A", "--document", "a", "--duplicates", "keep"),
    *(("why", "KEY", "A", "--to", profile) for profile in ("coval", "ua-1", "ua-2", "corefud-1.2", "e2e", "scorch")),
    ("report", "KEY", "A", "B", "-o", "page.html", *_FEW),
    ("report", "KEY", "A", "-o", "folder", "--duplicates", "keep", *_FEW),
    *(
        ("plot", kind, "KEY", "A", "B", "-o", "figure.svg", *_FEW)
        for kind in ("recall-precision", "intervals", "differences", "by-document", "errors", "by-size", "by-distance")
    ),
    ("plot", "agreement", "KEY", "A", "B", "-o", "figure.svg", *_FEW),
    ("stats", "KEY", "A", "--per-document"),
    ("stats", "KEY", "A", "--json", "--plot", "figure.svg"),
    ("validate", "KEY", "A"),
    ("validate", "A", "--key", "KEY", "--json"),
    *(("convert", "KEY", "out.file", "--to", name) for name in _WRITTEN if name not in _IN_FOLDERS),
    *(("convert", "KEY", "folder", "--to", name) for name in _IN_FOLDERS),
    ("convert", "KEY", "-", "--to", "jsonlines"),
    ("prompt", "KEY"),
    ("prompt", "KEY", "--plain", "--notation", "crac", "--window", "2", "--overlap", "1", "--json-lines"),
    ("join-windows", "A", "out.json"),
    *(
        ("baseline", "KEY", "--kind", kind, "-o", "out.jsonlines")
        for kind in ("singletons", "one-entity", "random", "string-match", "head-match")
    ),
)


_OUTPUTS = ("folder", "page.html", "figure.svg")
_WITHOUT_FILES = {"contrast", "lab", "formats", "measures", "profiles", "serve"}  # the last serves until it is stopped
_FORMS = ("json", "csv", "csv-safe", "markdown", "latex")
_WITH_FORMS: dict[str, tuple[str, ...]] = {
    "score": ("KEY", "A", "B", "--per-document", "-m", "all"),
    "score with three": ("KEY", "A", "B", "KEY"),
    "score relative": ("KEY", "A", "--relative-to", "singletons"),
    "score of a table": ("--table", "KEYS", "TEAMS"),
    "why": ("KEY", "A", "--to", "ua-2"),
    "compare": ("KEY", "A", "B", *_FEW),
    "agree": ("KEY", "A", "B", "--draws", "2"),
    "errors": ("KEY", "A", "--all"),
    "errors by": ("KEY", "A", "--by", "size", "--by", "document"),
    "errors worst": ("KEY", "A", "--worst", "2"),
    "diff": ("KEY", "A", "B", "--all"),
    "diff without key": ("A", "B"),
    "estimate": ("KEY", "A"),
    "lab": ("identification-effect", "KEY", "A", "-m", "ceafe"),
    "advise": ("KEY", "-m", "muc"),
    "criteria": ("lea", "rag-bag", "--key", "KEY"),
    "sweep": ("A", "KEY"),
    "explain": ("ceafe", "KEY", "A"),
    "align": ("KEY", "A"),
    "validate": ("KEY", "A"),
    "stats": ("KEY", "A", "--per-document"),
}
"""What the commands that have all forms of output are called with; of a name, the first word is the command."""
_REPEATED: Side = {"a": _ENTITIES["a mention in two entities"]}
seldom = settings(max_examples=settings().max_examples // 4)  # there are many commands, and some of them draw figures


@pytest.fixture(scope="module", autouse=True)
def _few_random_partitions() -> Iterator[None]:
    """Let three of a hundred random partitions stand for chance where commands have no option for it."""
    score_chance = relative._score_chance

    def score_less(key: corefeval.Corpus, evaluation: corefeval.Evaluation, draws: int, *others: Any) -> object:
        return score_chance(key, evaluation, min(draws, 3), *others)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(relative, "_score_chance", score_less)
        yield


@pytest.mark.parametrize("command", _COMMANDS, ids=" ".join)
@seldom
@given(key=_SIDES, a=_SIDES, b=_SIDES, ending=st.sampled_from(sorted(_WRITERS)))
@example(key=_REPEATED, a={}, b={}, ending="csv")
@example(key={}, a=_REPEATED, b={}, ending="jsonlines")
def test_a_command_ends_as_it_was_meant_to(command: tuple[str, ...], key: Side, a: Side, b: Side, ending: str) -> None:
    """No traceback, and no other exit code than 0, 2 (nothing to compare) and 65 (bad data)."""
    with tempfile.TemporaryDirectory() as folder:
        paths = _write_sides(Path(folder), {"KEY": key, "A": a, "B": b}, ending, command)
        paths |= {each: Path(folder) / each for each in command if each.startswith("out.") or each in _OUTPUTS}
        done = run(*(paths.get(each, each) for each in command))
    assert done.returncode in (0, 2, 65), done.stderr
    assert "Traceback" not in done.stderr


def _write_sides(folder: Path, sides: dict[str, Side], ending: str, command: tuple[str, ...]) -> dict[str, Path]:
    """Write what a command names: sides as files, or all as a shared task of one data set: KEYS, and teams in TEAMS."""
    paths = {name: folder / f"{name.lower()}.{ending}" for name in sides}
    if "TEAMS" in command:
        teams = {name: folder / "teams" / name.lower() for name in sides if name != "KEY"}
        paths = {name: teams.get(name, folder / "keys") / f"set.{ending}" for name in sides}
    for name, path in paths.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_WRITERS[ending](sides[name]))
    return {**paths, "KEYS": folder / "keys", "TEAMS": folder / "teams"}


@pytest.mark.parametrize("name", _WITH_FORMS)
@seldom
@given(key=_SIDES, a=_SIDES, b=_SIDES, ending=st.sampled_from(sorted(_WRITERS)))
@example(key=_REPEATED, a={}, b={}, ending="json")
@example(key={"a": []}, a=_REPEATED, b={"a": []}, ending="jsonlines")
@example(key=_REPEATED, a={"a": []}, b=_REPEATED, ending="conll")
def test_every_form_of_output_is_well_formed(name: str, key: Side, a: Side, b: Side, ending: str) -> None:
    """JSON can be parsed, rows of CSV have as many cells as its first one; all forms end alike."""
    codes = set()
    with tempfile.TemporaryDirectory() as folder:
        paths = _write_sides(Path(folder), {"KEY": key, "A": a, "B": b}, ending, _WITH_FORMS[name])
        command = (name.partition(" ")[0], *(paths.get(each, each) for each in _WITH_FORMS[name]))
        for form in _FORMS:
            done = run(*command, f"--{form}")
            codes.add(done.returncode)
            assert done.returncode in (0, 2, 65), done.stderr
            assert "Traceback" not in done.stderr
            if form == "json" and done.stdout:
                json.loads(done.stdout)
            if form.startswith("csv"):
                assert len({len(row) for row in csv.reader(done.stdout.splitlines())}) <= 1
    assert len(codes) == 1


def test_every_command_and_every_form_of_output_is_among_these() -> None:
    assert {command[0] for command in _COMMANDS} | _WITHOUT_FILES == set(COMMANDS)
    assert set(_IN_FOLDERS) <= set(_WRITTEN)
    for name in set(COMMANDS) - _WITHOUT_FILES:
        text = run(name, "--help").stdout
        forms = {form for form in re.findall(r"--([a-z-]+)", text) if form in _FORMS}
        assert forms == (set(_FORMS) if name in _WITH_FORMS else set())


_FUNCTIONS: dict[str, Callable[[Side, Side], object]] = {
    "score": lambda key, response: str(corefeval.score(key, response, measures="all")),
    "compare": lambda key, response: str(
        corefeval.compare(key, {"a": response, "b": key}, resamples=100, relative_to="one-entity")
    ),
    "agree": lambda key, response: corefeval.agree({"ann": key, "bob": response}, draws=2).to_json(),
    "analyse": lambda key, response: corefeval.analyse(key, response, measures="all").to_json(),
    "worst": lambda key, response: str(corefeval.analyse(key, response, duplicates="keep").worst()),
    "explain": lambda key, response: corefeval.explain("ceafe", key, response).to_markdown(),
    "align": lambda key, response: corefeval.align(key, response, measure="ceafm", duplicates="keep").to_json(),
    "diff": lambda key, response: str(corefeval.diff(key, response, key)),
    "why": lambda key, response: str(corefeval.why(key, response, to="scorch")),
    "stats": lambda key, response: str(corefeval.stats(key, response, per_document=True)),
    "baseline": lambda key, response: str(corefeval.score(corefeval.baseline(key, "random"), response)),
}


@pytest.mark.parametrize("name", _FUNCTIONS)
@given(key=_SIDES, response=_SIDES)
@example(key=_REPEATED, response={})
@example(key={}, response=_REPEATED)
def test_a_function_returns_or_refuses(name: str, key: Side, response: Side) -> None:
    """From Python objects: a result that can be shown, or an error about the input or an option."""
    with contextlib.suppress(InputError, OptionError):
        _FUNCTIONS[name](key, response)
