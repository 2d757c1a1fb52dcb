"""A LaTeX table as papers print it (package booktabs): a row for each response, columns for each measure."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from corefeval.show import table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefeval.measures import Measure
    from corefeval.scoring.results import Evaluation

_HEADS = {"recall": "R", "precision": "P", "f1": "F$_1$", "score": "", "direction": "", "misses": "miss",
          "false_alarms": "FA", "mistakes": "err"}  # fmt: skip
TITLES = {"muc": "MUC", "bcub": "B$^3$", "ceafm": "CEAF$_m$", "ceafe": "CEAF$_e$", "blanc": "BLANC", "lea": "LEA",
           "conll": "CoNLL"}  # fmt: skip
_SPECIAL = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
            **{mark: f"\\{mark}" for mark in "&%$#_{}"}}  # fmt: skip


def write(evaluations: Sequence[Evaluation], *, per_document: bool = False) -> str:
    """A tabular, with the signature as a comment."""
    measures = evaluations[0].measures
    lead = 1 + per_document
    columns = sum(len(measure.shown) for measure in measures)
    ends = [lead]
    for measure in measures:
        ends.append(ends[-1] + len(measure.shown))
    rules = [rf"\cmidrule(lr){{{start + 1}-{end}}}" for start, end in pairwise(ends) if end - start > 1]
    return "\n".join([
        *(f"% {signature}" for signature in table.signatures(evaluations)),
        rf"\begin{{tabular}}{{{'l' * lead}{'r' * columns}}}",
        r"\toprule",
        _row(["" for _ in range(lead)] + [_group(measure) for measure in measures]),
        *(["".join(rules)] if rules else []),
        _row([*(["document"] if per_document else []), "response", *(_HEADS[f] for m in measures for f in m.shown)]),
        r"\midrule",
        *_body(evaluations, measures, per_document=per_document),
        r"\bottomrule",
        r"\end{tabular}",
    ])  # fmt: skip


def _body(evaluations: Sequence[Evaluation], measures: tuple[Measure, ...], *, per_document: bool) -> list[str]:
    rows = table.rows(evaluations, per_document=per_document)
    block = len(measures) * len(evaluations)
    lines = []
    for start in range(0, len(rows), block):
        for place in range(len(evaluations)):
            mine = rows[start + place : start + block : len(evaluations)]
            document = [escape(mine[0].document if mine[0].document is not None else "all")] if per_document else []
            values = [escape_number(row.text(field, _bold)) for row in mine for field in row.measure.shown]
            lines.append(_row([*document, escape(mine[0].response), *values]))
    return lines


def _group(measure: Measure) -> str:
    title = TITLES.get(str(measure)) or escape(str(measure))
    return rf"\multicolumn{{{len(measure.shown)}}}{{c}}{{{title}}}" if len(measure.shown) > 1 else title


def _bold(text: str) -> str:
    return rf"\textbf{{{text}}}"


def _row(cells: list[str]) -> str:
    return " & ".join(cells) + r" \\"


def escape(text: str) -> str:
    """Text that LaTeX prints as it stands."""
    return "".join(_SPECIAL.get(mark, mark) for mark in text)


def escape_number(text: str) -> str:
    """Numbers and dashes as LaTeX sets them."""
    if text.startswith("-"):
        text = f"$-${text[1:]}"
    return text.replace(table.UNDEFINED, "--")
