"""How good is a response, if the truth is known for a sample of entities only? estimate()."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from corefeval import measures as known
from corefeval.errors import Fault, InputError, OptionError
from corefeval.matching import matching
from corefeval.notices import Notice, announce_notices, check_strict, count_part, count_things
from corefeval.profiles.registry import resolve_options
from corefeval.sampling.ratios import SampledRate, estimate_rates
from corefeval.sampling.results import Estimation
from corefeval.sampling.terms import LISTS
from corefeval.sampling.weights import BY_SIZE, UNIFORM, Weights, add_weight_column, find_weights
from corefeval.scoring.score import Measures, Source, read

_FEW_ENTITIES = 30


@announce_notices
def estimate(
    key: Source,
    response: Source,
    *,
    weights: Weights = UNIFORM,
    measures: Measures | None = None,
    confidence: float = 0.95,
    strict: bool = False,
    format: str | None = None,  # noqa: A002 - the name that users expect
    key_format: str | None = None,
    response_format: str | None = None,
) -> Estimation:
    """Return the Estimation of a whole response's scores, with standard errors and intervals, from sampled entities.

    key: all records of each sampled entity, and no others. response: its entities with all of their records.
    weights: how entities were sampled: "uniform", each with the same chance; "size", with a chance in proportion to its
    records (as if records were drawn, and the entity of each looked up); or the name of a column of the key, or a
    mapping of entities' names, with weights in proportion to 1 over the chance of each.
    measures: "pairwise", "ceaf:phi=1" (exact entities), "muc", "bcub", "lea"; by default all of these.
    confidence: of intervals. strict, format, key_format, response_format: as in `score`.
    """
    chosen = _select_measures(measures)
    if not 0 < (1 - confidence) / 2 < (1 + confidence) / 2 < 1:
        raise OptionError(f"confidence={confidence} is not possible; it takes a number between 0 and 1, such as 0.95")
    ours = read(key, add_weight_column(key_format or format, weights), side="key")
    theirs = read(response, response_format or format, side="response")
    tables, notices = matching.build_tables(ours, theirs, resolve_options(None))
    table, rows = tables.table, tables.views.get_mentions()
    entities = len(table.key.size)
    if entities < 2:
        what = count_things(entities, "sampled entity")
        raise InputError(Fault(ours.source or "key", what, "two or more, without which nothing has a standard error"))
    weight = find_weights(rows.key, table.key.size, weights)
    rates = {name: estimate_rates(LISTS[name](table), weight, confidence) for name in chosen}
    missing = int(table.key.size.sum()) - int(table.key_shared.sum())
    notices = (*notices, *_make_notices(rates, entities, missing, int(table.key.size.sum()), weights))
    check_strict(notices, strict=strict)
    return Estimation(
        rates,
        entities,
        int(table.key.size.sum()),
        missing,
        len(theirs.entity_document),
        len(theirs),
        "given" if isinstance(weights, Mapping) else weights,
        confidence,
        notices,
        ours.source,
        theirs.source,
    )


def _select_measures(measures: Measures | None) -> list[str]:
    """Return the names of measures, all that can be estimated for None; an OptionError for one that cannot be."""
    if measures is None:
        return list(LISTS)
    chosen = [str(measure) for measure in known.select_measures(measures)]
    for name in chosen:
        if name not in LISTS:
            why = "it is no sum over entities" if ":" not in name else "only these are"
            raise OptionError(f"{name} cannot be estimated from sampled entities ({why}); known: {', '.join(LISTS)}")
    return chosen


def _make_notices(
    rates: Mapping[str, Mapping[str, SampledRate | None]], entities: int, missing: int, records: int, weights: Weights
) -> Iterator[Notice]:
    """Yield notices of records that the response lacks, of samples too small, and of rates without any variation."""
    if missing:
        some = count_part(missing, records, "record", "is", "are")
        message = f"{some} not in the response: recall counts them as missed, precision leaves them out"
        yield Notice("records-missing", message, {"missing": missing, "records": records})
    effective = {
        measure: min(each.effective for each in found.values() if each is not None)
        for measure, found in rates.items()
        if any(found.values())
    }
    few = {measure: count for measure, count in effective.items() if count < _FEW_ENTITIES}
    if few:
        measure = min(few, key=few.__getitem__)
        larger = "" if weights == BY_SIZE else "; entities sampled by size (weights=size) would tell more"
        message = (
            f"{', '.join(few)}: {count_things(entities, 'sampled entity', 'is', 'are')} worth few of equal weight, by "
            f"{measure} {few[measure]:.1f}: intervals are rough{larger}"
        )
        yield Notice("few-entities", message, {"measures": list(few), "effective": few[measure]})
    alike = [
        f"{measure} {name}"
        for measure, found in rates.items()
        for name, each in found.items()
        if each is not None and each.low == each.high
    ]
    if alike:
        message = (
            f"{', '.join(alike)}: all sampled entities are alike, so the interval has no width; after {entities} "
            f"of them, others may still come up in up to {1 - 0.05 ** (1 / entities):.2%} of draws (95 % confidence)"
        )
        yield Notice("no-variation", message, {"rates": alike})
