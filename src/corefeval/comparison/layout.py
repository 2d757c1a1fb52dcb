"""The tables, records and JSON of a comparison: systems with intervals, differences with p-values."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from corefeval.baselines.layout import build_paper_table as build_relative_paper_table
from corefeval.baselines.layout import build_table as build_relative_table
from corefeval.scoring.layout import name_in_latex
from corefeval.tables.table import (
    Cell,
    Table,
    format_count,
    format_interval,
    format_optional,
    format_percent,
    format_points,
    make_score_formatter,
)
from corefeval.tables.writers import collect_columns

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from corefeval.comparison.results import Comparison, Difference, Estimate, Standing
    from corefeval.measures import Measure
    from corefeval.tables.table import Digits


def build_tables(comparison: Comparison, digits: Digits) -> Iterator[Table]:
    """Yield systems, differences, the documents that decide, how far measures agree, and relative scores."""
    yield _build_system_table(comparison, make_score_formatter(digits))
    yield _build_difference_table(comparison)
    deciding = _build_deciding_table(comparison)
    if deciding.rows:
        yield deciding
    if len(comparison.systems) > 2 and comparison.agreement:
        yield _build_measure_agreement_table(comparison)
    if comparison.relative_to:
        yield build_relative_table(comparison.relative_to, _list_names(comparison), digits)


def build_paper_tables(comparison: Comparison, digits: Digits) -> Iterator[Table]:
    """Yield a row for each system, a column for each measure; systems that share a letter do not differ."""
    write = make_score_formatter(digits)
    measures = [str(measure) for measure in comparison.measures]
    body = [
        [system.name, *(_set_with_letters(system.measures[name], write) for name in measures)]
        for system in comparison.systems
    ]
    yield Table("", ["system", *(Cell(name, latex=name_in_latex(name)) for name in measures)], body, 1)
    if comparison.relative_to:
        yield build_relative_paper_table(comparison.relative_to, _list_names(comparison), digits)


def _set_with_letters(estimate: Estimate, write: Callable[[float], str]) -> str | Cell:
    text = write(estimate.score)
    if not estimate.letters:
        return text
    minus, number = ("$-$", text[1:]) if text.startswith("-") else ("", text)
    return Cell(f"{text} {estimate.letters}", latex=f"{minus}{number}$^{{{estimate.letters}}}$")


def _list_names(comparison: Comparison) -> list[str]:
    return [system.name for system in comparison.systems]


def _build_system_table(comparison: Comparison, write: Callable[[float], str]) -> Table:
    several = any(each.between_runs is not None for system in comparison.systems for each in system.measures.values())
    ranked = all(each.rank is not None for each in comparison.systems[0].measures.values())
    body = []
    for measure in comparison.measures:
        ordered = sorted(
            ((system.measures[str(measure)], system.name) for system in comparison.systems),
            key=lambda pair: (pair[0].rank or 0, -measure.sign * pair[0].score),
        )
        for place, (each, name) in enumerate(ordered):
            spread = [
                "" if value is None else format_percent(value) for value in (each.between_runs, each.between_documents)
            ]
            body.append([
                str(measure) if place == 0 else "",
                name,
                write(each.score),
                format_interval(each.interval, write),
                *(spread if several else []),
                *([str(each.rank), each.letters] if ranked else []),
            ])  # fmt: skip
    head = ["measure", "system", "score", f"{comparison.settings.confidence:.0%} interval"]
    head += ["between runs", "between documents"] if several else []
    if not ranked:
        return Table("Systems", head, body, 2)
    note = "systems that share a letter do not differ significantly; the rank is 1 + how many are significantly better"
    return Table("Systems", [*head, "rank", "letters"], body, 2, (note,))


def _build_difference_table(comparison: Comparison) -> Table:
    settings = comparison.settings
    body = []
    previous = ""
    for each in comparison.comparisons:
        body.append([
            each.measure if each.measure != previous else "",
            f"{each.b} - {each.a}",
            format_points(each.difference),
            format_interval(each.interval),
            _format_p(each.p) + ("" if each.exact else "~"),
            _format_p(each.p_corrected) + ("*" if each.significant else ""),
            f"{each.wins}/{each.ties}/{each.losses}",
            format_optional(each.detectable, format_percent),
            format_count(each.needed),
            *([] if settings.plan is None else [format_count(each.planned)]),
        ])  # fmt: skip
        previous = each.measure
    head = ["measure", "difference", "points", f"{settings.confidence:.0%} interval", "p", "p corrected",
            "win/tie/loss", "detectable", "documents needed"]  # fmt: skip
    head += [] if settings.plan is None else [f"for {100 * settings.plan:g} points"]
    notes = (
        f"* significant at {1 - settings.confidence:.2g}; p {_describe_p_values(comparison)}",
        "detectable: smallest difference found with 80 % power; documents needed: to show this difference as surely",
    )
    return Table("Differences", head, body, 2, notes)


def _describe_p_values(comparison: Comparison) -> str:
    """Say where the p-values are from, and how small they can be."""
    resamples = comparison.settings.resamples
    exact = {each.exact for each in comparison.comparisons}
    if exact == {True}:
        return "from all possible swaps"
    random = f"~ from {resamples:,} random resamples, so {1 / (resamples + 1):.2g} or more"
    return random if exact == {False} else f"{random}; the others from all possible swaps"


def _build_deciding_table(comparison: Comparison) -> Table:
    """The documents that decide, by the CoNLL average or the first measure."""
    names = [str(measure) for measure in comparison.measures]
    measure = "conll" if "conll" in names else names[0]
    body = [
        [f"{pair.b} - {pair.a}" if place == 0 else "", document, format_points(adds)]
        for pair in comparison.comparisons
        if pair.measure == measure
        for place, (document, adds) in enumerate(pair.deciding)
    ]
    notes = ("points that the difference would lose (or gain, if negative) without the document",)
    return Table(f"Documents that decide ({measure})", ["difference", "document", "adds"], body, 2, notes)


def _build_measure_agreement_table(comparison: Comparison) -> Table:
    names = [str(measure) for measure in comparison.measures]
    tau = dict(comparison.agreement) | {(b, a): value for (a, b), value in comparison.agreement.items()}
    body = [
        [one, *("" if one == other else format_optional(tau[one, other], "{:.2f}".format) for other in names)]
        for one in names
    ]
    return Table("How far measures rank the systems alike (Kendall's τ)", ["", *names], body, 1)


def describe_settings(comparison: Comparison) -> str:
    """Say which test was made, with how many resamples, and how intervals and p-values are corrected."""
    settings = comparison.settings
    grouped = f", within {settings.stratify}" if settings.stratify else ""
    against = f", against {settings.baseline}" if settings.baseline else ""
    count = len(comparison.document_names)
    plural = "" if count == 1 else "s"
    what = f"{settings.resamples:,} resamples of {count:,} document{plural}{grouped}"
    how = f"seed {settings.seed}, {settings.interval} intervals, correction {settings.correction}"
    return f"{settings.test} test{against}, {what}, {how}"


def _format_p(value: float) -> str:
    return f"{value:.4f}" if value >= 0.00005 else f"{value:.0e}"


def build_records(comparison: Comparison) -> dict[str, list[object]]:
    """Return a row for each system and measure, then for each difference; what a row lacks is None."""
    head = ["measure", "a", "b", "value", "low", "high", "p", "p_corrected", "wins", "ties", "losses", "rank"]
    more = ["baseline", "relative"] if comparison.relative_to else []
    rows: list[tuple[object, ...]] = []
    for number, system in enumerate(comparison.systems):
        for name, each in system.measures.items():
            placed = comparison.relative_to[number].measures[name] if more else None
            above = () if placed is None else (placed.baseline, placed.relative)
            rows.append((name, system.name, None, each.score, *each.interval, *[None] * 5, each.rank, *above))
    rows += [
        (pair.measure, pair.a, pair.b, pair.difference, *pair.interval, pair.p, pair.p_corrected, pair.wins,
         pair.ties, pair.losses, *[None] * (1 + len(more)))
        for pair in comparison.comparisons
    ]  # fmt: skip
    return collect_columns([*head, *more], rows)


def build_content(comparison: Comparison) -> dict[str, object]:
    """Return systems, comparisons, and how they were made as plain objects."""
    by_name = {str(measure): measure for measure in comparison.measures}
    return {
        "signature": comparison.signature,
        "documents": len(comparison.document_names),
        "systems": [_list_system(each, by_name) for each in comparison.systems],
        "comparisons": [_list_difference(each) for each in comparison.comparisons],
        "agreement": [{"measures": [one, other], "tau": value} for (one, other), value in comparison.agreement.items()],
        **asdict(comparison.settings),
        **_list_relative_scores(comparison),
        "notices": [notice.to_dict() for notice in comparison.notices],
    }


def _list_relative_scores(comparison: Comparison) -> dict[str, object]:
    if not comparison.relative_to:
        return {}
    listed = [each.to_dict() for each in comparison.relative_to]
    how = {name: value for name, value in listed[0].items() if name != "measures"}
    scores = {system.name: each["measures"] for system, each in zip(comparison.systems, listed, strict=True)}
    return {"relative_to": {**how, "systems": scores}}


def _list_system(standing: Standing, measures: dict[str, Measure]) -> dict[str, object]:
    return {
        "name": standing.name,
        "responses": [run.response for run in standing.runs],
        "measures": {name: _list_estimate(each, measures[name].main) for name, each in standing.measures.items()},
        "rank": {name: each.rank for name, each in standing.measures.items()},
        "letters": {name: each.letters for name, each in standing.measures.items()},
    }


def _list_estimate(estimate: Estimate, main: str) -> dict[str, object]:
    listed: dict[str, object] = {
        main: estimate.score,
        "interval": list(estimate.interval),
        "between_documents": estimate.between_documents,
    }
    return listed if estimate.between_runs is None else listed | {"between_runs": estimate.between_runs}


def _list_difference(difference: Difference) -> dict[str, object]:
    return asdict(difference) | {
        "interval": list(difference.interval),
        "resolution": difference.resolution,
        "deciding": [{"document": name, "adds": value} for name, value in difference.deciding],
    }
