"""A comparison as text, Markdown, LaTeX and CSV: systems with intervals, differences with p-values."""

from __future__ import annotations

import csv as csv_writer
import io
from typing import TYPE_CHECKING

from corefeval.show import relative, table, titled
from corefeval.show import text as plain_text
from corefeval.show.latex import TITLES, escape, escape_number
from corefeval.show.titled import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from corefeval.comparison.results import Comparison, Estimate
    from corefeval.show.text import Style


def text(comparison: Comparison, *, style: Style = plain_text.plain) -> str:
    """Tables in per cent, and how they were made."""
    lines = titled.text(_tables(comparison), style)
    if comparison.relative_to:
        lines += [relative.text(comparison.relative_to, _names(comparison), style=style), ""]
    lines += [style("quiet", note) for note in (*_made(comparison), comparison.signature)]
    return "\n".join(lines)


def markdown(comparison: Comparison) -> str:
    """The same as Markdown."""
    lines = titled.markdown(_tables(comparison))
    written = "\n".join([*lines, *_made(comparison), "", f"`{comparison.signature}`"])
    return _added(written, comparison, "markdown")


def latex(comparison: Comparison) -> str:
    """A row for each system, a column for each measure; two systems that share a letter do not differ significantly."""
    measures = [str(measure) for measure in comparison.measures]
    rows = [
        [escape(system.name), *(_with_letters(system.measures[name], _digits(comparison)) for name in measures)]
        for system in comparison.systems
    ]
    written = "\n".join([
        *(f"% {' '.join(note.split())}" for note in (*_made(comparison), comparison.signature)),
        rf"\begin{{tabular}}{{l{'r' * len(measures)}}}",
        r"\toprule",
        " & ".join(["system", *(TITLES.get(name) or escape(name) for name in measures)]) + r" \\",
        r"\midrule",
        *(" & ".join(row) + r" \\" for row in rows),
        r"\bottomrule",
        r"\end{tabular}",
    ])  # fmt: skip
    return _added(written, comparison, "latex")


def _added(written: str, comparison: Comparison, output: str) -> str:
    if not comparison.relative_to:
        return written
    return relative.added(written, comparison.relative_to, _names(comparison), output)


def _names(comparison: Comparison) -> list[str]:
    return [system.name for system in comparison.systems]


def csv(comparison: Comparison) -> str:
    """With full precision: a row for each system and measure, then for each difference; what a row lacks is empty."""
    out = io.StringIO()
    writer = csv_writer.writer(out, lineterminator="\n")
    head = ["measure", "a", "b", "value", "low", "high", "p", "p_corrected", "wins", "ties", "losses", "rank"]
    more = ["baseline", "relative"] if comparison.relative_to else []
    writer.writerow([*head, *more])
    for number, system in enumerate(comparison.systems):
        for name, each in system.measures.items():
            placed = comparison.relative_to[number].measures[name] if more else None
            above = [] if placed is None else [placed.baseline, placed.relative]
            writer.writerow([name, system.name, "", each.score, *each.interval, "", "", "", "", "", each.rank, *above])
    for pair in comparison.comparisons:
        writer.writerow([pair.measure, pair.a, pair.b, pair.difference, *pair.interval, pair.p, pair.p_corrected,
                         pair.wins, pair.ties, pair.losses, "", *([""] * len(more))])  # fmt: skip
    return out.getvalue().rstrip("\n")


def _tables(comparison: Comparison) -> Iterator[Table]:
    yield _systems(comparison)
    yield _differences(comparison)
    deciding = _deciding(comparison)
    if deciding.body:
        yield deciding
    if len(comparison.systems) > 2 and comparison.agreement:
        yield _agreement(comparison)


def _systems(comparison: Comparison) -> Table:
    written = _digits(comparison)
    several = any(each.between_runs is not None for system in comparison.systems for each in system.measures.values())
    better = {str(measure): measure.sign for measure in comparison.measures}
    body = []
    for measure, sign in better.items():
        ordered = sorted(
            ((system.measures[measure], system.name) for system in comparison.systems),
            key=lambda pair: (pair[0].rank or 0, -sign * pair[0].score),
        )
        for place, (each, name) in enumerate(ordered):
            spread = [_percent(each.between_runs), _percent(each.between_documents)] if several else []
            ranked = [] if each.rank is None else [str(each.rank), each.letters]
            cells = [written(each.score), _interval(each.interval, written), *spread, *ranked]
            body.append([measure if place == 0 else "", name, *cells])
    head = ["measure", "system", "score", f"{comparison.settings.confidence:.0%} interval"]
    head += ["between runs", "between documents"] if several else []
    if any(each.rank is None for each in comparison.systems[0].measures.values()):
        return Table("Systems", head, body, 2)
    notes = (
        "systems that share a letter do not differ significantly; the rank is 1 + how many are significantly better",
    )
    return Table("Systems", [*head, "rank", "letters"], body, 2, notes)


def _differences(comparison: Comparison) -> Table:
    settings = comparison.settings
    body = []
    previous = ""
    for each in comparison.comparisons:
        cells = [
            _signed(each.difference),
            _interval(each.interval),
            _p(each.p) + ("" if each.exact else "~"),
            _p(each.p_corrected) + ("*" if each.significant else ""),
            f"{each.wins}/{each.ties}/{each.losses}",
            table.UNDEFINED if each.detectable is None else table.percent(each.detectable),
            _count(each.needed),
            *([] if settings.plan is None else [_count(each.planned)]),
        ]
        body.append([each.measure if each.measure != previous else "", f"{each.b} - {each.a}", *cells])
        previous = each.measure
    head = ["measure", "difference", "points", f"{comparison.settings.confidence:.0%} interval", "p", "p corrected",
            "win/tie/loss", "detectable", "documents needed"]  # fmt: skip
    head += [] if settings.plan is None else [f"for {100 * settings.plan:g} points"]
    notes = (
        f"* significant at {1 - settings.confidence:.2g}; p {_how(comparison)}",
        "detectable: smallest difference found with 80 % power; documents needed: to detect this one",
    )
    return Table("Differences", head, body, 2, notes)


def _how(comparison: Comparison) -> str:
    """Where the p-values are from, and how small they can be."""
    resamples = comparison.settings.resamples
    exact = {each.exact for each in comparison.comparisons}
    if exact == {True}:
        return "from all possible swaps"
    random = f"~ from {resamples:,} random resamples, so {1 / (resamples + 1):.2g} or more"
    return random if exact == {False} else f"{random}; the others from all possible swaps"


def _deciding(comparison: Comparison) -> Table:
    """For the average, or the first measure, the documents that decide."""
    names = [str(measure) for measure in comparison.measures]
    measure = "conll" if "conll" in names else names[0]
    body = [
        [f"{pair.b} - {pair.a}" if place == 0 else "", document, _signed(adds)]
        for pair in comparison.comparisons
        if pair.measure == measure
        for place, (document, adds) in enumerate(pair.deciding)
    ]
    notes = ("points that the difference would lose (or gain, if negative) without the document",)
    return Table(f"Documents that decide ({measure})", ["difference", "document", "adds"], body, 2, notes)


def _agreement(comparison: Comparison) -> Table:
    names = [str(measure) for measure in comparison.measures]
    tau = dict(comparison.agreement) | {(b, a): value for (a, b), value in comparison.agreement.items()}
    body = [[one, *("" if one == other else _tau(tau[one, other]) for other in names)] for one in names]
    return Table("How far measures rank the systems alike (Kendall's τ)", ["", *names], body, 1)


def _made(comparison: Comparison) -> list[str]:
    settings = comparison.settings
    grouped = f", within {settings.stratify}" if settings.stratify else ""
    against = f", against {settings.baseline}" if settings.baseline else ""
    documents = len(comparison.document_names)
    plural = "" if documents == 1 else "s"
    what = f"{settings.resamples:,} resamples of {documents:,} document{plural}{grouped}"
    how = f"seed {settings.seed}, {settings.interval} intervals, correction {settings.correction}"
    return [f"{settings.test} test{against}, {what}, {how}"]


def _digits(comparison: Comparison) -> Callable[[float], str]:
    """How scores are written: as `score` writes them."""
    return table.WRITTEN[comparison.systems[0].runs[0].options.digits]


def _with_letters(estimate: Estimate, written: Callable[[float], str]) -> str:
    letters = f"$^{{{estimate.letters}}}$" if estimate.letters else ""
    return f"{escape_number(written(estimate.score))}{letters}"


def _interval(interval: Sequence[float], written: Callable[[float], str] = table.percent) -> str:
    return f"[{written(interval[0])}, {written(interval[1])}]"


def _percent(value: float | None) -> str:
    return "" if value is None else table.percent(value)


def _signed(value: float) -> str:
    return f"{100 * value:+.2f}"


def _count(value: int | None) -> str:
    return table.UNDEFINED if value is None else f"{value:,}"


def _p(value: float) -> str:
    return f"{value:.4f}" if value >= 0.00005 else f"{value:.0e}"


def _tau(value: float | None) -> str:
    return table.UNDEFINED if value is None else f"{value:.2f}"
