"""The Universal Anaphora scorers: zeros, singletons and empty layers. Numbers are what these scorers print."""

from __future__ import annotations

from pathlib import Path

import pytest

import corefeval
from corefeval import OptionError

COLUMNS = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM"


def ua(path: Path, words: dict[str, str]) -> Path:
    """A file of one document; mentions as `1.2` for markable 2 of entity 1, with brackets."""
    lines = [f"# global.columns = {COLUMNS}", "# newdoc id = d", "# sent_id = 1"]
    for number, marks in words.items():
        cell = marks or "_"
        for entity, _, markable in (mark.rstrip(")").partition(".") for mark in marks.split("(")[1:]):
            written = f"(EntityID={entity}|MarkableID=m{markable}"
            cell = cell.replace(f"({entity}.{markable}", written)
        lines.append("\t".join([number, "w", *["_"] * 8, cell, *["_"] * 4]))
    path.write_text("\n".join([*lines, "", ""]), encoding="utf-8")
    return path


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Entities {1-2, 3}, {zero, 4}, {5, zero}; the key has an unwritten word within the first mention."""
    key = {"1": "(1.1", "1.1": "", "2": ")", "3": "(1.2)", "3.1": "(2.3)", "4": "(2.4)", "5": "(3.5)", "5.1": "(3.6)"}
    response = {"1": "(1.1", "2": ")", "3": "(1.2)", "4": "(2.4)", "4.1": "(2.3)", "5": "(3.5)", "5.1": "(3.6)"}
    return ua(tmp_path / "key.conllua", key), ua(tmp_path / "response.conllua", response)


def test_an_unwritten_word_within_a_mention_is_none_of_its_words_to_version_2(files: tuple[Path, Path]) -> None:
    made = corefeval.score(*files, profile="ua-2")
    found = [round(100 * made[name].f1, 2) for name in ("muc", "bcub", "ceafm", "ceafe", "blanc", "lea")]
    assert found == [66.67, 75, 83.33, 83.33, 66.67, 66.67]
    usual = corefeval.score(*files)
    assert usual["mentions"].recall == pytest.approx(4 / 6)
    assert corefeval.score(*files, zeros="alone")["mentions"].recall == pytest.approx(5 / 6)


def test_singletons_are_dropped_before_zeros_there(files: tuple[Path, Path]) -> None:
    there = corefeval.score(*files, profile="ua-2", zeros="drop", singletons="drop")
    assert (there["ceafe"].f1, there["ceafe"].recall_denominator) == (1, 3)
    here = corefeval.score(*files, zeros="drop", singletons="drop")
    assert (here["ceafe"].f1, here["ceafe"].recall_denominator) == (1, 1)


@pytest.mark.parametrize("profile", ["ua-1", "ua-2"])
def test_singletons_are_dropped_unless_there_are_split_antecedents(profile: str, tmp_path: Path) -> None:
    words = {"1": "(1.1)", "2": "(2.2)", "3": "(2.3)"}
    key = ua(tmp_path / "key.conllua", words)
    made = corefeval.score(key, key, profile=profile, singletons="drop")
    assert (made["ceafe"].f1, made["ceafe"].recall_denominator) == (1, 1)
    with_split = tmp_path / "split.conllua"
    with_split.write_text(key.read_text().replace("MarkableID=m1)", "MarkableID=m1|ElementOf=2)"), encoding="utf-8")
    with pytest.raises(OptionError, match="needs singletons='keep': antecedents are often singletons"):
        corefeval.score(with_split, with_split, profile=profile, singletons="drop")


@pytest.mark.parametrize("profile", ["ua-1", "ua-2"])
def test_without_split_antecedents_a_mention_counts_as_often_as_it_is_listed(profile: str, tmp_path: Path) -> None:
    """UA makes sets of entities only for split antecedents: CEAFe is 100 then, and 90 without them."""
    key = ua(tmp_path / "key.conllua", {"1": "(1.1)", "2": "(1.2)", "3": "(2.3)", "4": "(2.4)"})
    response = ua(tmp_path / "response.conllua", {"1": "(1.1)", "2": "(1.2)(1.5)", "3": "(2.3)", "4": "(2.4)"})
    assert corefeval.score(key, response, profile=profile)["ceafe"].f1 == 1
    made = corefeval.score(key, response, profile=profile, split_antecedents="drop")
    assert made["ceafe"].f1 == pytest.approx(0.9)
    assert "it counts twice" in made.notices[0].message


def test_partial_matching_without_minimum_spans_is_exact(files: tuple[Path, Path]) -> None:
    made = corefeval.score(*files, profile="ua-2", match="partial")
    assert made["ceafe"].f1 == pytest.approx(5 / 6)
    assert "no-minimum" in {notice.kind for notice in made.notices}


def test_a_layer_with_nothing_in_it_scores_nothing_and_says_so(files: tuple[Path, Path]) -> None:
    made = corefeval.score(*files, profile="ua-1", layer="discourse_deixis")
    assert made["conll"].f1 == 0
    assert [notice.kind for notice in made.notices] == ["empty-layer", "empty-layer"]
    scorer = corefeval.Scorer(profile="ua-1", layer="discourse_deixis")
    scorer.update(*files)
    assert [notice.kind for notice in scorer.compute().notices] == ["empty-layer", "empty-layer"]
    with pytest.raises(OptionError, match="neither key nor response has a layer 'deixis'"):
        corefeval.score(*files, layer="deixis")
