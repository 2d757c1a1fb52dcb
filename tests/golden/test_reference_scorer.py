"""The reference scorer's numbers (CoNLL 8.01): numerators and denominators, and the percentages that it prints."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import corefeval
from corefeval import Corpus, Evaluation, Score
from tests.data import golden, public_data

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

REFERENCE = golden("reference_scorer.json")
CASES: dict[str, dict[str, Any]] = REFERENCE["cases"]
WORDS = [
    "It",
    "was",
    "said",
    "that",
    "the",
    "old",
    "clock",
    "on",
    "our",
    "tower",
    "would",
    "never",
    "strike",
    "thirteen",
    "times",
    "again",
    "but",
    "one",
    "day",
    "it",
    "did",
]


def spans(entities: list[list[list[int]]]) -> list[list[tuple[int, int]]]:
    return [[(start, end) for start, end in entity] for entity in entities]


def part(evaluation: Evaluation, path: str) -> Score:
    measure, _, name = path.partition(".")
    return evaluation[measure].parts[name] if name else evaluation[measure]


def counts(score: Score) -> list[float]:
    return [score.recall_numerator, score.recall_denominator, score.precision_numerator, score.precision_denominator]


def truncated(score: Score) -> list[float]:
    """As the reference scorer prints: int(x * 10000) / 100, noise of floating point included."""
    return [int(value * 10000) / 100 for value in (score.recall, score.precision, score.f1)]


def check(evaluation: Evaluation, expected: dict[str, Any]) -> None:
    for path, given in expected["counts"].items():
        assert counts(part(evaluation, path)) == pytest.approx(given, rel=1e-12, abs=1e-12), path
    for measure, given in expected["truncated"].items():
        # One unit of the last digit is what truncation may turn a difference of 1e-16 into.
        assert truncated(evaluation[measure]) == pytest.approx(given, abs=0.0101), measure
    if "lea" in expected:
        score = evaluation["lea"]
        assert [score.recall, score.precision, score.f1] == pytest.approx(expected["lea"], abs=1e-12)


def numbered_file(path: Path, entities: list[list[tuple[int, int]]], length: int) -> Path:
    """A file of our own with these mentions; entities are numbered as they come in the text, as in any real file."""
    cells: list[list[str]] = [[] for _ in range(length)]
    for number, entity in enumerate(entities):
        for start, end in entity:
            if start == end:
                cells[start].append(f"({number})")
            else:
                cells[start].append(f"({number}")
                cells[end].append(f"{number})")
    lines = [f"tower\t0\t{i}\t{WORDS[i % len(WORDS)]}\t{'|'.join(cell) or '-'}" for i, cell in enumerate(cells)]
    path.write_text("\n".join(["#begin document (tower); part 000", *lines, "#end document", ""]), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", CASES)
def test_case_as_partitions(name: str) -> None:
    case = CASES[name]
    check(corefeval.score(spans(REFERENCE["keys"][case["key"]]), spans(case["response"])), case)


@pytest.mark.parametrize("name", CASES)
def test_case_as_files_of_our_own(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    key, response = spans(REFERENCE["keys"][case["key"]]), spans(case["response"])
    length = 1 + max((end for entity in key + response for _, end in entity), default=0)
    check(
        corefeval.score(
            numbered_file(tmp_path / "key", key, length), numbered_file(tmp_path / "response", response, length)
        ),
        case,
    )


@pytest.mark.parametrize("name", CASES)
def test_case_written_and_read_again_is_the_same(name: str, tmp_path: Path) -> None:
    entities = spans(CASES[name]["response"])
    corefeval.write(Corpus.from_entities({"d": entities}), tmp_path / "file.conll")
    again: Any = corefeval.read(tmp_path / "file.conll").entities()["d"]
    assert sorted(sorted(entity) for entity in again) == sorted(sorted(entity) for entity in entities)


def test_all_36_cases_are_here() -> None:
    assert len(CASES) == 36


LINES: dict[str, Callable[[Evaluation, str], Score]] = {
    "Identification of Mentions": lambda e, _: e["mentions"],
    "Coreference": lambda e, measure: e[measure],
    "Coreference links": lambda e, _: e["blanc"].coreference,
    "Non-coreference links": lambda e, _: e["blanc"].noncoreference,
    "BLANC": lambda e, _: e["blanc"],
}


def check_printed(evaluation: Evaluation, printed: dict[str, Any]) -> int:
    checked = 0
    for measure, lines in printed.items():
        for line, given in lines.items():
            score = LINES[line](evaluation, measure)
            assert counts(score) == pytest.approx([*given["recall"], *given["precision"]], rel=1e-11), (measure, line)
            assert truncated(score) == pytest.approx(given["percent_truncated"], abs=0.0101), (measure, line)
            checked += 1
    return checked


def test_the_scorers_own_files() -> None:
    folder = public_data("conll-scorer")
    checked = 0
    for case in json.loads((folder / "expected.json").read_text()):
        evaluation = corefeval.score(folder / case["key"], folder / case["response"])
        checked += check_printed(evaluation, case["conll-8.01"])
    assert checked == 36 * 12


@pytest.mark.parametrize("response", ["response-05", "response-20", "response-50"])
def test_a_hundred_documents_of_litbank(response: str) -> None:
    folder = public_data("litbank")
    expected = json.loads((folder / "expected.json").read_text())[response]
    evaluation = corefeval.score(folder / "key.conll.gz", folder / f"{response}.conll.gz")
    assert check_printed(evaluation, expected["conll-8.01"]) == 12
    lea = expected["coval"]["lea"]
    assert counts(evaluation["lea"]) == pytest.approx([*lea["recall"], *lea["precision"]], rel=1e-12)
    assert len(evaluation.documents) == 100
    assert evaluation.notices == ()


def test_nothing_is_truncated_here() -> None:
    # One key entity of 101 mentions, of which the response has 58: the reference scorer prints 56.99.
    assert corefeval.score([list(range(101))], [list(range(58))])["muc"].recall == 57 / 100
