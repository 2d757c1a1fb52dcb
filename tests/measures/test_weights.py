"""Weights of mentions and entities: from files as from Python, in measures' texts, and what is wrong with them."""

from __future__ import annotations

import json
import os
import random
import threading
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

import corefeval
from corefeval import InputError, MissingFileError, OptionError, Signature
from corefeval.formats.draft import Draft
from corefeval.measures import AceValue, Ceafe, Ceafm, Lea, parse
from corefeval.measures.shared.ace_weights import ACE_2004
from tests.cli.running import run, run_process
from tests.data import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefeval import Corpus

LEVELS = {"NAM": 1.0, "NOM": 0.5, "PRO": 0.25}
TYPES = {"PER": 2.0, "LOC": 0.5, "ORG": 1.0}
Plain = list[tuple[str, dict[int, str]]]
"""Entities: the type of each, and by the numbers of its mentions their levels."""


def random_entities(rng: random.Random) -> Plain:
    """Draw entities of nine mentions, each of which always has the same level."""
    words = rng.sample(range(9), rng.randint(1, 9))
    parts: dict[int, dict[int, str]] = {}
    for word in words:
        parts.setdefault(rng.randrange(4), {})[word] = list(LEVELS)[word % 3]
    return [(rng.choice(list(TYPES)), part) for part in parts.values()]


def build(entities: Plain, document: str = "d") -> Corpus:
    """Return a corpus of these entities, in one document."""
    draft = Draft("side")
    opened = draft.add_document(document, words=[str(word) for word in range(9)])
    for number, (kind, mentions) in enumerate(entities):
        opened.describe_entity(f"e{number}", type=kind)
        for word, level in mentions.items():
            opened.add_mention(f"e{number}", (word, word), attributes={"level": level})
    return draft.build_corpus()


def write(path: Path, content: str) -> Path:
    path.write_text(content, encoding="utf-8")
    return path


def write_csv(path: Path, column: str, weights: Mapping[str, float]) -> Path:
    return write(path, "\n".join([f"{column},weight", *(f"{name},{weight}" for name, weight in weights.items()), ""]))


def compute_lea_recall(key: Plain, response: Plain, weigh: Any) -> tuple[float, float]:
    """Return resolved and whole importance, by sets of links; weigh: an entity's importance."""

    def list_links(mentions: Mapping[int, str]) -> set[frozenset[int]]:
        own = [frozenset(pair) for pair in combinations(mentions, 2)]
        return set(own) if own else {frozenset(mentions)}

    resolved = 0.0
    for place, (kind, mentions) in enumerate(key):
        own = list_links(mentions)
        found = sum(len(own & list_links(other)) for _, other in response)
        resolved += weigh(place, kind, mentions) * found / len(own)
    return resolved, sum(weigh(place, kind, mentions) for place, (kind, mentions) in enumerate(key))


@pytest.mark.parametrize("importance", ["size", "one", "sqrt"])
def test_lea_with_weights_by_type_is_what_sets_come_to(importance: str, tmp_path: Path) -> None:
    rng = random.Random(2016)
    levels, types = write_csv(tmp_path / "l.csv", "level", LEVELS), write_csv(tmp_path / "t.csv", "type", TYPES)
    measure = f"lea:importance={importance},mention_weights={levels},entity_weights={types}"

    def weigh(_: int, kind: str, mentions: Mapping[int, str]) -> float:
        size = sum(LEVELS[level] for level in mentions.values())
        return TYPES[kind] * {"size": size, "one": 1.0, "sqrt": size**0.5}[importance]

    for _ in range(60):
        key, response = random_entities(rng), random_entities(rng)
        score = corefeval.score(build(key), build(response), measures=measure)[measure]
        found = score.recall_numerator, score.recall_denominator
        assert found == pytest.approx(compute_lea_recall(key, response, weigh))
        found = score.precision_numerator, score.precision_denominator
        assert found == pytest.approx(compute_lea_recall(response, key, weigh))


def test_lea_with_weights_by_name_is_what_sets_come_to(tmp_path: Path) -> None:
    rng = random.Random(2016)
    weights = {f"e{number}": number + 0.5 for number in range(4)}
    path = write_csv(tmp_path / "names.csv", "entity", weights)
    for _ in range(60):
        key, response = random_entities(rng), random_entities(rng)
        score = corefeval.score(build(key), build(response), measures=f"lea:key_weights={path}")[
            f"lea:key_weights={path}"
        ]
        expected = compute_lea_recall(key, response, lambda place, *_: place + 0.5)
        assert (score.recall_numerator, score.recall_denominator) == pytest.approx(expected)
        assert score.precision == corefeval.score(build(key), build(response))["lea"].precision


@pytest.mark.parametrize("kind", [Ceafm, Ceafe, Lea])
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("w.csv", "level,weight\nNAM,1\nNOM,0.5\n\nPRO,0.25\n"),
        ("w.csv", "\ufeffweight,level\r\n1,NAM\r\n0.5,NOM\r\n0.25,PRO"),
        ("w.tsv", "level\tweight\nNAM\t1\nNOM\t5e-1\nPRO\t0.25\n"),
        ("w.csv", 'level,weight\n"NAM",1\n"NOM", 0.5\nPRO,.25\n'),
        ("w.json", '{"NAM": 1, "NOM": 0.5, "PRO": 0.25}'),
        ("w.json", '\n{"level": {"NAM": 1,\n "NOM": 0.5, "PRO": 0.25}}\n'),
        ("w.csv", "level,response,weight\nNAM,,1\nNOM,,0.5\nPRO,,0.25\n"),
    ],
)
def test_a_file_is_what_it_is_in_python(kind: Any, name: str, content: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content.encode())
    rng = random.Random(7)
    for _ in range(5):
        sides = build(random_entities(rng)), build(random_entities(rng))
        measures = [kind(mention_weights=LEVELS), kind(mention_weights=str(path)), kind(mention_weights=path)]
        assert measures[1] is measures[2]
        evaluation = corefeval.score(*sides, measures=measures[:2])
        assert evaluation[measures[0]].values == evaluation[measures[1]].values


def test_pairs_of_types_stand_in_a_second_column(tmp_path: Path) -> None:
    path = write(tmp_path / "w.csv", "type,response,weight\nPER,,2\nLOC,,1\nLOC,PER,0.25\n")
    key = build([("PER", {0: "NAM", 1: "NOM"}), ("LOC", {3: "NAM", 4: "PRO"})])
    response = build([("PER", {0: "NAM", 1: "NOM"}), ("PER", {3: "NAM", 4: "PRO"})])
    measure = f"ceafm:entity_weights={path}"
    assert corefeval.score(key, response, measures=measure)[measure].recall_numerator == 2 * 2 + 2 * 0.25
    heavier = write(path, "type,response,weight\nPER,,2\nLOC,,1\nLOC,PER,1.5\n")
    with pytest.raises(InputError, match="more than 'LOC' or 'PER'; expected no more than the lesser of both"):
        corefeval.score(key, response, measures=f"ceafm:entity_weights={heavier}")


def test_names_may_be_those_of_documents_too(tmp_path: Path) -> None:
    """With or without CoNLL's brackets; the column of entities may come first."""
    key = corefeval.read(EXAMPLES / "key.conll")
    documents = [key.documents[number] for number in key.entity_document.tolist()]
    rows = [
        f"{name},{document.partition(')')[0][1:]},{2 if number % 3 else 7}"
        for number, (name, document) in enumerate(zip(key.entity_name, documents, strict=True))
    ]
    path = write(tmp_path / "w.csv", "\n".join(["entity,document,weight", *rows]))
    expected: dict[str, dict[Any, float]] = {}
    for number, (name, document) in enumerate(zip(key.entity_name, documents, strict=True)):
        expected.setdefault(document, {})[name] = 2 if number % 3 else 7
    measures = [Lea(key_weights=expected), Lea(key_weights=path)]
    evaluation = corefeval.score(key, EXAMPLES / "response-a.conll", measures=measures)
    assert evaluation[measures[0]].values == evaluation[measures[1]].values != corefeval.score(key, key)["lea"].values


def test_a_file_that_changes_is_read_again(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "w.csv", "entity", {"e0": 1, "e1": 1})
    key, response = build([("PER", {0: "NAM", 1: "NOM"}), ("LOC", {3: "NAM"})]), build([("PER", {0: "NAM", 1: "NOM"})])
    measure = f"lea:key_weights={path}"
    assert corefeval.score(key, response, measures=measure)[measure].recall == 1 / 2
    write_csv(path, "entity", {"e0": 1, "e1": 3})
    assert corefeval.score(key, response, measures=measure)[measure].recall == 1 / 4


@pytest.mark.parametrize(
    "name", ["w.csv", "my weights.csv", "a,b.csv", "a+b|c.csv", "100%.csv", "%2C.csv", "x(1)=y.csv"]
)
def test_measures_with_files_are_read_as_they_are_written(name: str, tmp_path: Path) -> None:
    path = write_csv(tmp_path / name, "entity", {"e0": 1, "e1": 3})
    measure = Lea(key_weights=path, importance="log")
    assert parse(str(measure)) is measure
    listed = corefeval.measures.select_measures(f"muc,{measure},mean({measure},bcub)")
    assert listed[1] is measure
    assert listed[2].parts[0] is measure
    key, response = build([("PER", {0: "NAM", 1: "NOM"}), ("LOC", {3: "NAM"})]), build([("PER", {0: "NAM", 1: "NOM"})])
    evaluation = corefeval.score(key, response, measures=[measure, "muc"])
    again = corefeval.score(key, response, **Signature.parse(evaluation.signature).options())  # type: ignore[arg-type]
    assert again.signature == evaluation.signature
    assert again[str(measure)].recall == evaluation[measure].recall == 1 / 4


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "level,weight\nNAM,1\nNOM,many\n",
            ":3: weight 'many' of 'level NOM'; expected 0, or a number from 1e-35 to 1e35",
        ),
        ("level,weight\nNAM,1\nNOM,-1\n", ":3: weight '-1' of"),
        ("level,weight\nNAM,inf\n", ":2: weight 'inf' of"),
        ("level,weight\nNAM,1e308\n", ":2: weight '1e308' of 'level NAM'; expected 0, or a number from 1e-35 to 1e35"),
        ("level,weight\nNAM,1e-320\n", ":2: weight '1e-320' of"),
        ("level,weight\nNAM,nan\n", ":2: weight 'nan' of"),
        ('{"NAM": 1e999}', ":1: weight"),
        ("level,weight\nNAM,\n", ":2: weight '' of"),
        ("level,weight\nNAM,1\nNAM,2\n", ":3: a second weight, after that of line 2; expected one of each"),
        ("a,b,weight\nx,,1\nx,y,2\n", ":3: a second weight, after that of line 2; expected one of each"),
        ("a,b,weight\nx,y,2\nx,,1\n", ":3: a second weight, after that of line 2; expected one of each"),
        ("level,weight\nNAM,1,2\n", ":2: 3 values; expected 2, one for each column"),
        ("level\nNAM\n", ":1: the first row is level; expected a column weight and one or two others"),
        ("weight\n1\n", ":1: the first row is weight"),
        ("a,b,c,weight\n", ":1: the first row is a, b, c, weight"),
        ("level,weight\n", ":1: no weights; expected a weight in each row"),
        ("", ":1: the first row is empty"),
        ('level,weight\n"NAM,1\n', ":2: not CSV: unexpected end of data"),
        ("level,weight\nNAM,\xff1\n", ""),
        ('{"NAM": 1,\n "NOM": [1]}', ":2: weight [1] of 'NOM'; expected 0, or a number from 1e-35 to 1e35"),
        ('{"level": {"NAM": 1,\n "NOM": true}}', ":2: weight True of 'level NOM'"),
        ('{"level": {"NAM": {"x": 1}}}', ":1: weight {'x': 1} of 'level NAM'"),
        ('{"NAM": 1,\n "NAM": 2}', "an object has the key 'NAM' twice"),
        ('{"NAM": 1} {}', ":1: not JSON: Extra data"),
        ('{"NAM": 1', ":1: not JSON"),
        ("{}", ":1: no weights"),
    ],
)
def test_every_fault_of_a_file_has_its_line(content: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "w.csv"
    path.write_bytes(content.encode("latin-1"))
    done = run("score", "a b | c", "a b | c", "-m", f"ceafm:mention_weights={path}")
    assert done.returncode == 65
    assert done.stderr.startswith(str(path))
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_what_a_file_lacks_is_bad_input_that_names_it(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "w.csv", "level", {"NAM": 1})
    key = build([("PER", {0: "NAM", 1: "NOM"})])
    with pytest.raises(InputError, match=r"w\.csv: has no weight for level 'NOM'; expected a weight for each"):
        corefeval.score(key, key, measures=f"lea:mention_weights={path}")
    names = write_csv(tmp_path / "names.csv", "entity", {"x": 1})
    done = run("score", "a b | c", "a b | c", "-m", f"lea:key_weights={names}")
    assert (done.returncode, done.stderr) == (
        65,
        f"{names}: no weight for entity 0; expected a weight for each\n",
    )
    with pytest.raises(MissingFileError, match=r"nowhere\.csv: no such file"):
        parse("lea:key_weights=nowhere.csv")
    assert run("score", "a | b", "a | b", "-m", "lea:key_weights=nowhere.csv").returncode == 66


def test_weights_by_type_have_no_place_where_there_are_no_mentions(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "w.csv", "level", LEVELS)
    frame = pd.DataFrame({"k": [1, 1, 2], "r": [1, 2, 2]})
    with pytest.raises(OptionError, match="looks at mentions, and a table of records has none"):
        corefeval.score_table(frame, key="k", response="r", measures=f"lea:mention_weights={path}")
    with pytest.raises(OptionError, match="need a table that knows its entities' names"):
        corefeval.score_table(frame, key="k", response="r", measures=Lea(key_weights={1: 1, 2: 1}))
    with pytest.raises(OptionError, match="looks at entities one by one"):
        corefeval.score_table(frame, key="k", response="r", measures=Lea(importance=lambda size: size**0.5))


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize("importance", ["one", "log", "sqrt"])
def test_engines_know_importance_by_size(engine: Any, importance: str) -> None:
    rng = random.Random(3)
    frame = pd.DataFrame({side: [rng.randrange(60) for _ in range(400)] for side in ("k", "r")})
    sides = [frame.groupby(side).indices.values() for side in ("k", "r")]
    key, response = ([rows.tolist() for rows in side] for side in sides)
    measure = f"lea:importance={importance}"
    found = corefeval.score_table(frame, key="k", response="r", measures=measure, engine=engine)[measure]
    assert found.values == corefeval.score(key, response, measures=measure)[measure].values


ACE_FILES = {
    "w.json": json.dumps(
        {"base": 2004, "types": {"PER": 1, "ORG": 0.5, "LOC": 0.1}, "false_alarm": 1, "by": "level", "unconfirmed": ""}
    ),
    "w.csv": "table,name,weight\nbase,,2004\ntypes,PER,1\ntypes,ORG,0.5\ntypes,LOC,0.1\nfalse_alarm,,1\nby,,level\n"
    "unconfirmed,,\n",
}


@pytest.mark.parametrize("name", ACE_FILES)
def test_weights_of_ace_value_can_be_in_a_file(name: str, tmp_path: Path) -> None:
    path = write(tmp_path / name, ACE_FILES[name])
    types = {"PER": 1.0, "ORG": 0.5, "LOC": 0.1}
    python = AceValue(weights=ACE_2004._replace(types=types, false_alarm=1.0, by="level", unconfirmed=""))
    measure = parse(f"ace_value:weights={path}")
    assert isinstance(measure, AceValue)
    assert measure.table == python.table
    rng = random.Random(4)
    for _ in range(10):
        sides = build(random_entities(rng)), build(random_entities(rng))
        evaluation = corefeval.score(*sides, measures=[python, measure])
        assert evaluation[python].values == evaluation[measure].values
    assert not evaluation.notices


def test_types_that_are_not_looked_at_are_null(tmp_path: Path) -> None:
    path = write(tmp_path / "w.json", '{"types": null, "classes": null, "levels": null}')
    measure = parse(f"ace_value:weights={path}")
    assert isinstance(measure, AceValue)
    assert (measure.table.types, measure.table.levels, measure.table.false_alarm) == (None, None, 0.75)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"base": 2005,\n "tyeps": {"PER": 1}}', ":2: 'tyeps' is no weight of ACE-value; did you mean types?"),
        ('{"base": 2006}', ":1: base 2006; expected 2003 or 2004 or 2005 or uniform"),
        ('{"by": "weight"}', ":1: by 'weight'; expected level or mention"),
        ('{"types": 1}', ":1: types 1; expected a weight for each"),
        ('{"false_alarm": {"PER": 1}}', ":1: false_alarm {'PER': 1}; expected one number"),
        ('{"false_alarm": 1e308}', ":1: weight 1e+308 of 'false_alarm'"),
        ('{"types": {"PER": "x"}}', ":1: weight 'x' of 'types PER'; expected 0, or a number from 1e-35 to 1e35"),
        ("table,name,weight\ntypes,PER,1\nlevels,,2\n", ":3: levels '2'; expected a weight for each"),
    ],
)
def test_faults_of_ace_weights_have_their_lines(content: str, message: str, tmp_path: Path) -> None:
    path = write(tmp_path / "w.csv", content)
    done = run("score", "a b | c", "a b | c", "-m", f"ace_value:weights={path}")
    assert done.returncode == 65
    assert f"{path}{message}" in done.stderr


def test_measures_are_explained_with_their_files() -> None:
    text = run("measures", "lea", "ace_value").stdout
    assert "importance=size|one|log|sqrt" in text
    assert "key_weights=FILE" in text
    assert "weights=2003|2004|2005|uniform|FILE" in text


@pytest.mark.parametrize("weight", [1e-35, 1e35])
def test_the_largest_and_the_smallest_weights_change_nothing(weight: float, tmp_path: Path) -> None:
    """All weights alike: the scores without them."""
    rng = random.Random(3)
    levels = write_csv(tmp_path / "l.csv", "level", dict.fromkeys(LEVELS, weight))
    types = write_csv(tmp_path / "t.csv", "type", dict.fromkeys(TYPES, weight))
    for name in ("lea", "ceafm", "ceafe"):
        key, response = build(random_entities(rng)), build(random_entities(rng))
        found = corefeval.score(
            key, response, measures=f"{name},{name}:mention_weights={levels},entity_weights={types}"
        )
        assert found[found.measures[1]].f1 == pytest.approx(found[name].f1)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_weights_from_a_pipe_are_read_once(tmp_path: Path) -> None:
    """A measure's text is read more than once, a pipe cannot be."""
    text = b"entity,weight\n0,1\n1,9\n"
    done = run_process("score", "a b | c d", "a b |", "-m", "lea:key_weights=/dev/stdin", "--json", stdin=text)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["evaluations"][0]["measures"]["lea:key_weights=/dev/stdin"]["recall"] == 0.1
    pipe = tmp_path / "weights"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(text,))
    writer.start()
    measure = f"lea:key_weights={pipe}"
    assert corefeval.score([[1, 2], [3, 4]], [[1, 2]], measures=measure)[measure].recall == 0.1
    writer.join()
