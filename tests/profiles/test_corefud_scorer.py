"""The numbers of the CorefUD scorer and of the Universal Anaphora scorer in it: head, partial, CRAFT, zeros."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pytest

import corefeval
from corefeval import Corpus, Evaluation, OptionError
from corefeval.corpus.mentions import Spans
from tests.data import public_data, read_once

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

MATCH = {"exact": "exact", "head": "head", "partial-corefud": "partial", "partial-craft": "craft"}
MEASURES = {name: name for name in ("muc", "bcub", "ceafe", "ceafm", "lea")} | {"blanc": "blanc:boundary=both"}
OTHERS = {"mor": "a measure of its own"}
"""What expected.json has besides the measures here."""


def zeros(options: dict[str, Any]) -> str:
    if not options["keep_zeros"]:
        return "drop"
    return {"linear": "order", "dependent": "dependency"}[options.get("zero_match_method", "linear")]


def check(folder: Path, row: dict[str, Any]) -> int:
    options = row["options"]
    assert options["keep_singletons"]
    evaluation = corefeval.score(
        read_once(folder / row["key"]),
        read_once(folder / row["response"]),
        measures=list(MEASURES.values()),
        match=MATCH[options["match"]],
        zeros=zeros(options),
    )
    for name, expected in row["expected"].items():
        if name in OTHERS:
            continue
        score = evaluation[MEASURES[name]]
        assert [score.recall, score.precision, score.f1] == pytest.approx(expected, abs=1e-6), (row["response"], name)
    return len(row["expected"].keys() - OTHERS.keys())


def test_the_corefud_scorers_own_files() -> None:
    folder = public_data("corefud-scorer")
    rows = json.loads((folder / "expected.json").read_text())
    assert sum(check(folder, row) for row in rows) == 113 * 6


def test_the_universal_anaphora_scorers_own_files() -> None:
    folder = public_data("ua-scorer")
    rows = [
        row
        for row in json.loads((folder / "expected.json").read_text())
        if not row["key"].startswith("plural/")  # split antecedents
    ]
    assert sum(check(folder, row) for row in rows) == 96 * 6


def test_a_hundred_documents_of_litbank() -> None:
    folder = public_data("litbank")
    (expected,) = (
        value
        for name, value in json.loads((folder / "expected.json").read_text())["response-20"].items()
        if name.startswith("corefud")
    )
    key, response = folder / "key.conllu.gz", folder / "response-20.conllu.gz"
    evaluation = corefeval.score(key, response, measures=[*MEASURES.values(), "conll"])
    for name, measure in MEASURES.items():
        score, printed = evaluation[measure], expected[name]
        found = [100 * score.recall, 100 * score.precision, 100 * score.f1]
        assert found == pytest.approx([printed["r_pct"], printed["p_pct"], printed["f_pct"]], abs=0.00501), name
    assert 100 * evaluation["conll"].f1 == pytest.approx(expected["conll_pct"], abs=0.02)  # a mean of rounded numbers


class Word(NamedTuple):
    """The id of a line, and what its word depends on."""

    id: str
    dependencies: str = "_"


class Mention(NamedTuple):
    """An entity, lines (counted from 0), and which of them is the head (counted from 1; 0 for none)."""

    entity: str
    lines: Sequence[int]
    head: int = 1


def corefud(path: Path, words: Sequence[Word], mentions: Sequence[Mention]) -> Path:
    opening: list[str] = [""] * len(words)
    closing: list[str] = [""] * len(words)
    for entity, lines, head in sorted(mentions, key=lambda mention: (mention.lines[0], -mention.lines[-1])):
        breaks = [i for i in range(1, len(lines)) if lines[i] != lines[i - 1] + 1]
        ends = list(zip([0, *breaks], [*breaks, len(lines)], strict=True))
        for part, (first, past) in enumerate(ends, 1):
            label = entity if len(ends) == 1 else f"{entity}[{part}/{len(ends)}]"
            one = first == past - 1
            opening[lines[first]] += f"({label}-x-{head or ''}" + (")" if one else "")
            if not one:
                closing[lines[past - 1]] = f"{label})" + closing[lines[past - 1]]
    rows = [
        f"{word.id}\tw\t_\t_\t_\t_\t0\t_\t{word.dependencies}\t{'Entity=' + cells if cells else '_'}"
        for word, cells in zip(words, map("".join, zip(closing, opening, strict=True)), strict=True)
    ]
    header = ["# newdoc id = d", "# global.Entity = eid-etype-head-other", "# sent_id = 1", "# text = w"]
    path.write_text("\n".join([*header, *rows, "", ""]), encoding="utf-8")
    return path


def words(*ids: str) -> list[Word]:
    """Ids of lines; `4.1:2:nsubj` is a zero that depends on the second word."""
    return [Word(*(part or "_" for part in (each.split(":", 1) if ":" in each else (each, "_")))) for each in ids]


TEN = words(*map(str, range(1, 11)))


def conll(evaluation: Evaluation) -> float:
    """As the CorefUD scorer prints it."""
    return round(100 * evaluation["conll"].f1, 2)


def test_the_same_words_with_another_head_are_another_mention(tmp_path: Path) -> None:
    both = [Mention("e1", [6]), Mention("e2", [8]), Mention("e2", [9])]
    key = corefud(tmp_path / "key", TEN, [Mention("e1", range(4), 2), *both])
    response = corefud(tmp_path / "response", TEN, [Mention("e1", range(4), 3), *both])
    assert conll(corefeval.score(key, response)) == 100
    assert conll(corefeval.score(key, response, match="partial")) == 100
    assert conll(corefeval.score(key, response, match="head")) == 62.5


def test_a_mention_with_a_gap_and_one_without(tmp_path: Path) -> None:
    with_gap = corefud(tmp_path / "with", TEN, [Mention("e1", [1, 3]), Mention("e1", [4])])
    without = corefud(tmp_path / "without", TEN, [Mention("e1", [1, 2, 3]), Mention("e1", [4])])
    expected = {"exact": (25, 25), "partial": (25, 100), "head": (100, 100)}
    for match, (one_way, other_way) in expected.items():
        assert conll(corefeval.score(with_gap, without, match=match)) == one_way
        assert conll(corefeval.score(without, with_gap, match=match)) == other_way


OVERT = [Mention("e1", [0]), Mention("e2", [1]), Mention("e3", [2])]
KEY_ZEROS = words("1", "2", "3", "4", "4.1:2:nsubj", "4.2:3:obj", "4.3:4:iobj")
KEY = [*OVERT, Mention("e1", [4]), Mention("e2", [5]), Mention("e3", [6])]


@pytest.mark.parametrize("place", ["3", "4"])
def test_zeros_go_by_what_they_depend_on_wherever_they_are(tmp_path: Path, place: str) -> None:
    # The CorefUD scorer's own numbers differ: its dictionary mixes the two sides up where places are the same (65.30).
    zeros = words(f"{place}.1:3:obj", f"{place}.2:4:iobj")
    lines = [*words("1", "2", "3"), *(zeros if place == "3" else []), *words("4"), *(zeros if place == "4" else [])]
    first = 3 if place == "3" else 4
    overt = [Mention("e1", [0]), Mention("e2", [1]), Mention("e3", [2])]
    response = [*overt, Mention("e2", [first]), Mention("e3", [first + 1])]
    evaluation = corefeval.score(
        corefud(tmp_path / "key", KEY_ZEROS, KEY),
        corefud(tmp_path / "response", lines, response),
        match="head",
        zeros="dependency",
    )
    assert conll(evaluation) == 84.87
    assert evaluation["muc"].recall == pytest.approx(2 / 3)
    assert evaluation.notices == ()


def test_zeros_in_another_order(tmp_path: Path) -> None:
    key = corefud(tmp_path / "key", KEY_ZEROS, KEY)
    turned = words("1", "2", "3", "4", "4.1:4:iobj", "4.2:2:nsubj", "4.3:3:obj")
    response = corefud(
        tmp_path / "response", turned, [*OVERT, Mention("e3", [4]), Mention("e1", [5]), Mention("e2", [6])]
    )
    assert conll(corefeval.score(key, response, match="head", zeros="dependency")) == 100
    by_order = corefeval.score(key, response, match="head")
    assert by_order["mentions"].f1 == 1
    assert by_order["muc"].f1 == 0


def test_zeros_that_depend_on_nothing_go_by_their_order_and_a_notice_says_so(tmp_path: Path) -> None:
    # The CorefUD scorer divides by zero here.
    lines = words("1", "2", "3", "4", "4.1", "4.2", "4.3")
    path = corefud(tmp_path / "key", lines, KEY)
    evaluation = corefeval.score(path, path, match="head", zeros="dependency")
    assert conll(evaluation) == 100
    assert [notice.kind for notice in evaluation.notices] == ["no-dependencies"]
    assert str(path) in evaluation.notices[0].message


def test_one_zero_without_dependencies_among_others(tmp_path: Path) -> None:
    key = corefud(tmp_path / "key", KEY_ZEROS, KEY)
    lines = words("1", "2", "3", "4", "4.1", "4.2:3:obj", "4.3:4:iobj")
    response = corefud(tmp_path / "response", lines, KEY)
    evaluation = corefeval.score(key, response, match="head", zeros="dependency")
    assert (conll(evaluation), evaluation.notices) == (100, ())


def test_zeros_are_dropped_by_their_heads_and_other_mentions_lose_their_unwritten_words(tmp_path: Path) -> None:
    lines = words("1", "2", "2.1:2:nsubj", "3", "4")
    mentions = [Mention("e1", [0]), Mention("e1", [2, 3], 1), Mention("e1", [1, 2], 1), Mention("e1", [2])]
    path = corefud(tmp_path / "key", lines, mentions)
    written = corefud(tmp_path / "written", words("1", "2", "3", "4"), [Mention("e1", [0]), Mention("e1", [1])])
    for key, response in ((path, path), (path, written), (written, path)):
        evaluation = corefeval.score(key, response, zeros="drop")
        assert evaluation["mentions"].recall_denominator == 2
        assert evaluation["mentions"].f1 == 1
    assert corefeval.score(path, path)["mentions"].recall_denominator == 4


def test_a_response_that_is_shorter_takes_the_key_mention_that_it_covers_best(tmp_path: Path) -> None:
    key = corefud(tmp_path / "key", TEN, [Mention("e1", range(6), 3), Mention("e2", range(1, 4), 2)])
    response = corefud(tmp_path / "response", TEN, [Mention("e2", [2, 3], 1)])
    evaluation = corefeval.score(key, response, match="partial")
    assert evaluation["mentions"].recall_numerator == 1
    assert evaluation["ceafe"].recall == 0.5  # e2 is found, a mention for a mention
    assert evaluation.table.cells.key.tolist() == [1]


def test_mentions_without_heads_have_their_first_word_for_one(tmp_path: Path) -> None:
    key = corefud(tmp_path / "key", TEN, [Mention("e1", [0, 1], 0), Mention("e1", [3, 4], 2)])
    response = corefud(tmp_path / "response", TEN, [Mention("e1", [0, 1, 2], 1), Mention("e1", [4], 1)])
    evaluation = corefeval.score(key, response, match="head")
    assert evaluation["mentions"].f1 == 1
    assert [(notice.kind, notice.details["count"]) for notice in evaluation.notices] == [("no-head", 1)]
    assert 'key:5: "w w" has no head' in evaluation.notices[0].message


def bare(path: Path, cells: str) -> Path:
    """A CoNLL file, which has no heads."""
    rows = [f"d\t0\t{i}\tw\t{cell}" for i, cell in enumerate(cells.split())]
    path.write_text("\n".join(["#begin document (d); part 000", *rows, "#end document", ""]), encoding="utf-8")
    return path


def test_files_without_heads_are_named(tmp_path: Path) -> None:
    key = corefud(tmp_path / "key", TEN, [Mention("e1", [0, 1], 2), Mention("e1", [3])])
    response = bare(tmp_path / "response.conll", "- (1) - (1) - - - - - -")
    with pytest.raises(
        OptionError, match=r"match=head compares heads, but .*response\.conll \(conll\) has none; corefud"
    ):
        corefeval.score(key, response, match="head")
    assert corefeval.score(key, response, match="partial")["mentions"].recall == 1
    with pytest.raises(OptionError, match="labels"):
        corefeval.score([["a", "b"]], [["a", "b"]], match="head")


@pytest.mark.parametrize("profile", ["ua-2", "corefud-1.2", None])
def test_partial_matching_without_heads_and_minimum_spans_is_exact(profile: str | None, tmp_path: Path) -> None:
    """As in the scorers, where a mention without a minimum span matches as a whole only."""
    key = bare(tmp_path / "key.conll", "(1 1) - (1) - - - - - -")
    response = bare(tmp_path / "response.conll", "- (1) - (1) - - - - - -")
    made = corefeval.score(key, response, match="partial", profile=profile, singletons="keep")
    assert (made["mentions"].recall_numerator, made["mentions"].recall_denominator) == (1, 2)
    assert [notice.message for notice in made.notices if notice.kind == "no-minimum"] == [
        f"{key}: no mention has a head or minimum span, so all match exactly"
    ]
    spans = corefeval.score([[(0, 1), (3, 3)]], [[(1, 1), (3, 3)]], match="partial")
    assert spans["mentions"].recall == 0.5


def test_a_layer_that_the_format_cannot_have_is_refused_as_in_the_scorer(tmp_path: Path) -> None:
    key = corefud(tmp_path / "key", TEN, [Mention("e1", [0, 1], 2), Mention("e1", [3])])
    with pytest.raises(OptionError, match="neither key nor response has a layer 'discourse_deixis'"):
        corefeval.score(key, key, layer="discourse_deixis")


def test_nothing_to_match_needs_no_heads(tmp_path: Path) -> None:
    key = corefud(tmp_path / "key", TEN, [Mention("e1", [0, 1], 2), Mention("e1", [3])])
    response = bare(tmp_path / "response.conll", "- - - - - - - - - -")
    assert corefeval.score(key, response, match="head")["mentions"].recall_denominator == 2


UA = "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING\n# newdoc id = d\n"


def ua(path: Path, *cells: str) -> Path:
    rows = [f"{i} w _ _ _ _ _ _ _ _ {cell} _" for i, cell in enumerate(cells, 1)]
    path.write_text(UA + "\n".join([*rows, ""]), encoding="utf-8")
    return path


def test_minimums_stand_for_heads_where_there_are_none(tmp_path: Path) -> None:
    key = ua(tmp_path / "key", "(EntityID=1|MarkableID=m1|Min=2,3", "_", "_", ")", "(EntityID=1|MarkableID=m2)", "_")
    around = ua(tmp_path / "around", "_", "(EntityID=1|MarkableID=m1", ")", "_", "(EntityID=1|MarkableID=m2)", "_")
    beside = ua(tmp_path / "beside", "(EntityID=1|MarkableID=m1", ")", "_", "_", "(EntityID=1|MarkableID=m2)", "_")
    assert corefeval.score(key, around, match="partial")["mentions"].recall_numerator == 2
    assert corefeval.score(key, beside, match="partial")["mentions"].recall_numerator == 1


def test_craft_a_mention_goes_to_the_first_that_it_fits_or_to_none(tmp_path: Path) -> None:
    # Both responses lie within the first part of the first key mention; the second key mention is left without one.
    key = corefud(tmp_path / "key", TEN, [Mention("e1", [0, 1, 2, 5]), Mention("e2", [1, 2])])
    response = corefud(tmp_path / "response", TEN, [Mention("e1", [0]), Mention("e2", [2])])
    evaluation = corefeval.score(key, response, match="craft")
    assert evaluation["mentions"].recall_numerator == 1
    assert evaluation.table.cells.key.tolist() == [0]
    # What lies within a later part only does not count.
    late = corefud(tmp_path / "late", TEN, [Mention("e1", [5])])
    assert corefeval.score(key, late, match="craft")["mentions"].recall_numerator == 0


def test_a_mention_in_two_entities_is_matched_once(tmp_path: Path) -> None:
    key = corefud(tmp_path / "key", TEN, [Mention("e1", [0, 1], 2), Mention("e1", [3]), Mention("e2", [6])])
    twice = [Mention("e1", [1, 2], 1), Mention("e2", [1, 2], 1), Mention("e1", [3])]
    response = corefud(tmp_path / "response", TEN, twice)
    evaluation = corefeval.score(key, response, match="head", duplicates="first")
    assert evaluation["mentions"].recall_numerator == 2
    assert {notice.kind for notice in evaluation.notices} == {"repeated-mention"}


def test_a_corpus_made_by_hand_can_have_heads() -> None:
    def corpus(end: int) -> Corpus:
        zero = np.zeros(1, dtype=np.int64)
        return Corpus(("d",), zero, ["e"], zero, Spans(zero, zero + end), heads=Spans(zero + 1, zero + 1))

    assert corefeval.score(corpus(2), corpus(3), match="head")["mentions"].recall_numerator == 1


def test_spans_of_a_response_without_words_are_those_of_the_key(tmp_path: Path) -> None:
    key = corefud(tmp_path / "key", KEY_ZEROS, KEY)
    response = Corpus.from_entities({"d": [[(0, 0), (4, 4)], [(1, 1), (5, 5)], [(2, 2), (6, 6)]]})
    spans = Spans.from_runs([((place, place),) for place in (0, 4, 1, 5, 2, 6)])
    assert conll(corefeval.score(key, response.replace(mentions=spans))) == 100
