"""Scores relative to a baseline, added to what another report has written."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

from corefeval.show import table, titled
from corefeval.show import text as plain_text
from corefeval.show.latex import TITLES, escape, escape_number
from corefeval.show.titled import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from corefeval.baselines.relative import Relative, RelativeScore
    from corefeval.show.text import Style


def added(
    written: str,
    relatives: Sequence[Relative],
    names: Sequence[str],
    output: str | None,
    *,
    style: Style = plain_text.plain,
) -> str:
    """A report of some responses with their relative scores, in the same form."""
    if output is None:
        return f"{written}\n\n{text(relatives, names, style=style)}"
    return _ADDED[output](written, relatives, names)


def text(relatives: Sequence[Relative], names: Sequence[str], *, style: Style = plain_text.plain) -> str:
    """A table in per cent."""
    return "\n".join(titled.text([_table(relatives, names)], style)).rstrip("\n")


def _table(relatives: Sequence[Relative], names: Sequence[str]) -> Table:
    several = len(relatives) > 1
    chance = relatives[0].base.draws is not None
    body = []
    for measure in relatives[0].measures:
        for place, (each, name) in enumerate(zip(relatives, names, strict=True)):
            found = each.measures[measure]
            label = measure if place == 0 else ""
            body.append([label, *([name] if several else []), *_cells(found, each.digits, chance=chance)])
    head = ["measure", *(["response"] if several else []), "score", "baseline", *(["interval"] if chance else [])]
    title = f"Relative to {relatives[0].base.name}"
    return Table(title, [*head, "relative"], body, 1 + several, (_note(relatives),))


def _cells(found: RelativeScore, digits: str, *, chance: bool) -> list[str]:
    """Scores as `score` writes them."""
    written = table.WRITTEN[digits]
    relative = table.UNDEFINED if found.relative is None else written(found.relative)
    ends = found.baseline_interval
    around = [] if not chance else ["" if ends is None else f"[{written(ends[0])}, {written(ends[1])}]"]
    return [written(found.score), written(found.baseline), *around, relative]


def _note(relatives: Sequence[Relative]) -> str:
    base = relatives[0].base
    scale = "relative: the baseline is 0, a perfect response 100"
    if any(each.relative is None for found in relatives for each in found.measures.values()):
        scale += f"; {table.UNDEFINED} where the baseline is perfect"
    if base.draws is None:
        return scale
    how = f"the mean of {base.draws:,} random partitions with the key's sizes of entities"
    return f"{scale}; the baseline is {how} (seeds from {base.seed}), with a 95% interval"


def _json(written: str, relatives: Sequence[Relative], names: Sequence[str]) -> str:  # noqa: ARG001
    found = json.loads(written)
    for evaluation, each in zip(found["evaluations"], relatives, strict=True):
        evaluation["relative_to"] = each.to_dict()
    return json.dumps(found, indent=1, ensure_ascii=False, allow_nan=False)


def _markdown(written: str, relatives: Sequence[Relative], names: Sequence[str]) -> str:
    return "\n".join([written, "", *titled.markdown([_table(relatives, names)])]).rstrip("\n")


def _latex(written: str, relatives: Sequence[Relative], names: Sequence[str]) -> str:
    """A row for each response, a column for each measure: the relative scores."""
    measures = list(relatives[0].measures)
    shown = [
        [
            escape(name),
            *(escape_number(_cells(each.measures[measure], each.digits, chance=False)[-1]) for measure in measures),
        ]
        for each, name in zip(relatives, names, strict=True)
    ]
    return "\n".join([
        written,
        "",
        f"% relative to {' '.join(relatives[0].base.name.split())}; {_note(relatives)}",
        rf"\begin{{tabular}}{{l{'r' * len(measures)}}}",
        r"\toprule",
        " & ".join(["response", *(TITLES.get(name) or escape(name) for name in measures)]) + r" \\",
        r"\midrule",
        *(" & ".join(row) + r" \\" for row in shown),
        r"\bottomrule",
        r"\end{tabular}",
    ])  # fmt: skip


def _csv(written: str, relatives: Sequence[Relative], names: Sequence[str]) -> str:
    """Two columns more; the rows of single documents have none."""
    by_name = dict(zip(names, relatives, strict=True))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    reader = csv.reader(io.StringIO(written))
    head = next(reader)
    writer.writerow([*head, "baseline", "relative"])
    for row in reader:
        fields = dict(zip(head, row, strict=True))
        cells: list[object] = ["", ""]
        if not fields["document"]:
            each = by_name[fields["response"]].measures[fields["measure"]]
            cells = [each.baseline, "" if each.relative is None else each.relative]
        writer.writerow([*row, *cells])
    return out.getvalue().rstrip("\n")


_ADDED: Mapping[str, Callable[[str, Sequence[Relative], Sequence[str]], str]] = {
    "json": _json,
    "markdown": _markdown,
    "latex": _latex,
    "csv": _csv,
}
