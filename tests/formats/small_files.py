"""Small files of one entity or a few, and what their scores say."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from corefeval import Evaluation


def columns(*lines: str) -> str:
    """A document of lines in CoNLL columns."""
    return "\n".join(["#begin document d", *lines, "#end document", ""])


def conll(name: str, *rows: str) -> str:
    """A document of rows such as "Kim (1)"."""
    lines = [f"{name}\t0\t{number}\t" + "\t".join(row.split()) for number, row in enumerate(rows)]
    return "\n".join([f"#begin document ({name}); part 000", *lines, "#end document", ""])


def brat(folder: Path, name: str, text: str | None, *places: tuple[int, int]) -> Path:
    """A document whose mentions are of one entity."""
    folder.mkdir(exist_ok=True)
    if text is not None:
        (folder / f"{name}.txt").write_text(text)
    ids = [f"T{number}" for number in range(1, len(places) + 1)]
    lines = [f"{i}\tMention {a} {b}\t{(text or 'x' * b)[a:b]}" for i, (a, b) in zip(ids, places, strict=True)]
    (folder / f"{name}.ann").write_text("\n".join([*lines, f"*\tCoreference {' '.join(ids)}", ""]))
    return folder / f"{name}.ann"


def mention_counts(evaluation: Evaluation) -> tuple[float, float, float]:
    mentions = evaluation["mentions"]
    return mentions.recall_numerator, mentions.recall_denominator, mentions.precision_denominator


def notice_kinds(evaluation: Evaluation) -> set[str]:
    return {warning.kind for warning in evaluation.notices}
