"""Bridging, non-referring expressions and discourse deixis, counted by hand in the words of a small file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import corefeval
from corefeval import OptionError, Scorer
from tests.cli.running import run

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING DISCOURSE_DEIXIS\n"
BRIDGING = ("bridging_anaphors", "bridging_mentions", "bridging_entities")


def mark(name: str, entity: str, *more: str) -> str:
    return f"({'|'.join([f'EntityID={entity}', f'MarkableID={name}', *more])})"


def bridge(name: str, anchor: str) -> str:
    return f"(MarkableID={name}|Rel=x|MentionAnchor={anchor})"


def written(path: Path, *documents: list[tuple[str, str, str]]) -> Path:
    """Documents of words that are marked for identity, bridging and discourse deixis, each a cell or nothing."""
    lines = []
    for number, rows in enumerate(documents):
        lines.append(f"# newdoc id = d{number}")
        for place, cells in enumerate(rows, 1):
            lines.append("\t".join([str(place), f"w{place}", *"________", *(cell or "_" for cell in cells)]))
    path.write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """House (1), door (2), it (1), window (3), roof (4), 'it' of weather; what was said (DD) and 'that'."""
    key = [
        (mark("house", "1"), "", mark("s1", "1-DD")),
        (mark("door", "2"), bridge("door", "house"), ""),
        (mark("it", "1"), "", mark("s2", "2-DD")),
        (mark("window", "3"), bridge("window", "it"), ""),
        (mark("roof", "4"), bridge("roof", "rain"), ""),
        (mark("rain", "5-Pseudo"), "", mark("that", "1-DD")),
        (mark("there", "6-Pseudo"), "", ""),
    ]
    response = [
        (mark("a", "9"), "", mark("s1", "1-DD")),
        (mark("b", "8"), bridge("b", "a"), ""),  # right
        (mark("c", "7"), "", mark("s2", "2-DD")),
        (mark("d", "6"), bridge("d", "a"), ""),  # the right entity of the key, by another mention
        (mark("e", "5"), bridge("e", "c"), ""),  # wrong: the key's anchor does not refer
        (mark("f", "4-Pseudo"), bridge("f", "a"), mark("that", "2-DD")),  # no anaphor of the key
        (mark("g", "3"), "", ""),
    ]
    return written(tmp_path / "key.ua", key), written(tmp_path / "response.ua", response)


def counts(score: corefeval.Score) -> tuple[float, ...]:
    return score.recall_numerator, score.recall_denominator, score.precision_numerator, score.precision_denominator


@pytest.mark.parametrize("singletons", ["keep", "drop"])
def test_bridging_by_hand(files: tuple[Path, Path], singletons: str) -> None:
    """Doors and windows are singletons, and still anaphors where singletons are dropped."""
    found = corefeval.score(*files, measures="bridging", singletons=singletons)
    assert tuple(found) == BRIDGING
    assert [counts(found[name]) for name in BRIDGING] == [(3, 3, 3, 4), (1, 3, 1, 4), (2, 3, 2, 4)]


def test_non_referring_by_hand(files: tuple[Path, Path]) -> None:
    assert counts(corefeval.score(*files, measures="non_referring")["non_referring"]) == (1, 2, 1, 1)


def test_discourse_deixis_is_a_layer(files: tuple[Path, Path]) -> None:
    """Key {s1 that} {s2}, response {s1} {s2 that}: B³ 2/4 + 2/4 + 1 of 3, both ways."""
    found = corefeval.score(*files, layer="discourse_deixis", measures="bcub")
    assert counts(found["bcub"]) == (2, 3, 2, 3)
    assert found.signature.endswith("|layer:discourse_deixis|documents:1")
    with pytest.raises(OptionError, match=r"no_such.*discourse_deixis"):
        corefeval.score(*files, layer="no_such")


def test_split_antecedents_in_discourse_deixis(tmp_path: Path) -> None:
    """The second response names one part of two: B³ of the antecedents has recall 1/2 and precision 1.

    'that' has two members then: (1 + 1/2)² / 2 of recall, with the two parts themselves, over 4; all of precision.
    """
    part = "ElementOf=3-DD"
    key, response = (
        [("", "", mark("a", "1-DD", part)), ("", "", mark("b", "2-DD", *more)), ("", "", mark("that", "3-DD"))]
        for more in ((part,), ())
    )
    files = written(tmp_path / "k.ua", key), written(tmp_path / "r.ua", response)
    found = corefeval.score(*files, layer="discourse_deixis", split_antecedents="keep", measures="bcub")["bcub"]
    assert (found.recall, found.precision) == ((2 + 1.5**2 / 2) / 4, 1)


def test_a_side_without_a_layer_is_empty_and_told(tmp_path: Path) -> None:
    words = [(mark("a", "1"), "", ""), (mark("b", "1"), "", "")]
    marked = [(mark("a", "1"), "", mark("x", "1-DD")), (mark("b", "1"), "", "")]
    files = written(tmp_path / "k.ua", marked), written(tmp_path / "r.ua", words)
    found = corefeval.score(*files, layer="discourse_deixis", measures="mentions")
    assert counts(found["mentions"]) == (0, 1, 0, 0)
    assert [notice.kind for notice in found.notices] == ["empty-layer"]


def test_documents_in_another_order_and_one_by_one(files: tuple[Path, Path], tmp_path: Path) -> None:
    """Relations and layers go with their documents."""
    one = [(mark("a", "1"), "", ""), (mark("b", "2"), bridge("b", "a"), ""), (mark("c", "3-Pseudo"), "", "")]
    two = [(mark("a", "1"), bridge("a", "b"), ""), (mark("b", "2"), "", ""), (mark("c", "3"), "", "")]
    key, response = written(tmp_path / "k.ua", one, two), written(tmp_path / "r.ua", two, one)
    swapped = response.read_text().replace("d0", "dx").replace("d1", "d0").replace("dx", "d1")
    response.write_text(swapped, encoding="utf-8")
    found = corefeval.score(key, response, measures="beyond")
    assert [counts(found[name]) for name in found] == [(2, 2, 2, 2)] * 3 + [(1, 1, 1, 1)]
    scorer = Scorer("beyond")
    scorer.update(key, response)
    scorer.update(*files, document="more")
    whole = scorer.compute()
    assert counts(whole["bridging_entities"]) == (4, 5, 4, 6)
    assert counts(whole["non_referring"]) == (2, 3, 2, 2)


def test_bridging_of_corefud_leads_to_the_nearest_mention_before(tmp_path: Path) -> None:
    """CorefUD names entities. House (e1) stands at 1 and 3, the anaphor at 4; the response splits e1 in two."""
    entities = {
        "key": ["(e1)", "(e2)", "(e1)", "(e3)|Bridge=e1<e3:part"],
        "response": ["(e1)", "(e2)", "(e4)", "(e3)|Bridge=e1<e3:part"],
    }
    files = []
    for name, cells in entities.items():
        lines = ["# global.Entity = eid-etype-head-other", "# newdoc id = d", "# sent_id = 1", "# text = a b c d"]
        for place, cell in enumerate(cells, 1):
            fields = [str(place), "abcd"[place - 1], "_", "X", "_", "_", str(place - 1), "x", "_", f"Entity={cell}"]
            lines.append("\t".join(fields))
        files.append(tmp_path / f"{name}.conllu")
        files[-1].write_text("\n".join(lines) + "\n\n", encoding="utf-8")
    found = corefeval.score(*files, measures="bridging")
    assert [counts(found[name]) for name in BRIDGING] == [(1, 1, 1, 1), (0, 1, 0, 1), (1, 1, 1, 1)]


def test_nothing_beyond_identity_is_undefined() -> None:
    found = corefeval.score([["a", "b"]], [["a", "b"]], measures="beyond")
    assert all(set(found[name].undefined) == {"recall", "precision", "f1"} for name in found)


def test_one_command_shows_everything(files: tuple[Path, Path]) -> None:
    arguments = ["score", *map(str, files), "-m", "default", "-m", "beyond", "--split-antecedents", "keep"]
    shown = run(*arguments, "--layer", "identity", "--layer", "discourse_deixis")
    assert shown.returncode == 0, shown.stderr
    for word in (*BRIDGING, "non_referring", "conll", "(identity)", "(discourse_deixis)"):
        assert word in shown.stdout
    listed = json.loads(run(*arguments, "--json", "-q").stdout)["evaluations"]
    assert listed[0]["measures"]["bridging_entities"]["recall_numerator"] == 2
