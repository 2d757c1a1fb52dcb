"""The tables, records and JSON of agreement: over all pairs, every pair, α, mentions, and what annotators split on."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from corefeval.tables.table import (
    UNDEFINED,
    Table,
    format_interval,
    format_optional,
    format_percent,
    make_score_formatter,
    shorten,
)
from corefeval.tables.writers import collect_columns

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from corefeval.agreement.results import (
        Agreement,
        Coefficient,
        Disagreements,
        MentionPlace,
        PairAgreement,
        SplitEntity,
    )
    from corefeval.tables.table import Digits

_TITLES = {"passonneau": "Passonneau 2004", "masi": "MASI"}
_WIDTH = 60
_MEMBERS = 3
_FIXED = f"{UNDEFINED}: random partitions of the same mentions change nothing"


def build_tables(agreement: Agreement, digits: Digits) -> Iterator[Table]:
    """Yield all tables, those of what annotators split on where there is anything."""
    write = make_score_formatter(digits)
    yield _build_annotator_table(agreement)
    yield _build_measure_table(agreement, write)
    yield _build_unit_table(agreement)
    if len(agreement.pairs) > 1:
        yield _build_pair_table(agreement, write)
    yield _build_alpha_table(agreement)
    yield _build_mark_table(agreement)
    splits = agreement.splits
    if splits.entities:
        yield _build_entity_table(agreement)
    if splits.mentions:
        yield _build_mention_table(agreement)
    if splits.one_sided:
        yield _build_one_sided_table(agreement)


def _build_annotator_table(agreement: Agreement) -> Table:
    body = [
        [each.name, f"{each.documents:,}", f"{each.mentions:,}", f"{each.entities:,}"] for each in agreement.annotators
    ]
    return Table("Annotators", ["", "documents", "mentions", "entities"], body, 1)


def _build_measure_table(agreement: Agreement, write: Callable[[float], str]) -> Table:
    """The mean of the pairs; with two annotators, the pair."""
    several = len(agreement.pairs) > 1
    head = ["measure", "agreement", *(["spread", "least", "most"] if several else []), "by chance", "interval"]
    undefined = frozenset.intersection(*(frozenset(pair.undefined) for pair in agreement.pairs))
    body = []
    for name, each in agreement.summary.items():
        spread = [format_optional(each.spread, format_percent), write(each.least), write(each.most)] if several else []
        chance = [
            write(each.chance.mean),
            format_interval(each.chance.interval, write),
            format_optional(each.above_chance, write),
        ]
        mean = format_optional(None if name in undefined else each.mean, write)
        body.append([name, mean, *spread, *([UNDEFINED] * 3 if each.fixed else chance)])
    of = (
        f"{len(agreement.pairs)} pairs of annotators: mean"
        if several
        else f"{agreement.pairs[0].a} and {agreement.pairs[0].b}"
    )
    by = f"the mean of {agreement.draws:,} random partitions for a pair, with both annotators' sizes of entities"
    notes = (
        f"by chance: {by} (seed {agreement.seed}), with a 95% interval",
        "above chance: chance is 0, full agreement 100; each number is F1, or the measure's single score",
        *(["spread: the standard deviation of the pairs"] if several else []),
        *([_FIXED] if any(each.fixed for each in agreement.summary.values()) else []),
        f"a mention in several entities of one annotator: duplicates {agreement.options.duplicates}",
    )
    return Table(f"Agreement of {of}", [*head, "above chance"], body, 1, notes)


def _build_unit_table(agreement: Agreement) -> Table:
    body = [[name, each.units] for name, each in agreement.summary.items()]
    return Table("What is counted", ["measure", "units"], body, 2)


def _align_last_column_left(head: list[str], body: list[list[str]]) -> tuple[list[str], list[list[str]]]:
    """The last column reads from the left, so that sentences begin below each other."""
    width = max(len(row[-1]) for row in [head, *body])
    padded = [[*row[:-1], row[-1].ljust(width)] for row in [head, *body]]
    return padded[0], padded[1:]


def _build_pair_table(agreement: Agreement, write: Callable[[float], str]) -> Table:
    body = [
        [
            f"{pair.a} – {pair.b}",
            f"{pair.documents:,}",
            *(
                format_optional(None if name in pair.undefined else pair.measures[name], write)
                for name in agreement.summary
            ),
        ]
        for pair in agreement.pairs
    ]
    return Table("Pairs", ["", "documents", *agreement.summary], body, 1)


def _build_alpha_table(agreement: Agreement) -> Table:
    body = [
        [
            _TITLES[each.distance],
            "with it" if each.itself else "without it",
            format_optional(each.alpha.value, "{:.4f}".format),
            f"{each.alpha.observed:.4f}",
            f"{each.alpha.expected:.4f}",
        ]
        for each in agreement.alpha
    ]
    count = agreement.alpha[0].alpha.units
    notes = (
        f"units: {count:,} mentions that two annotators or more have marked",
        "the value of one is the set of mentions of its entity, with the mention itself or without it",
        "chance: two values of the same document; a mention that one annotator alone has marked is no unit (see below)",
    )
    head = ["distance of sets", "the mention itself", "α", "observed", "expected"]
    return Table("Krippendorff's α of all annotators", head, body, 2, notes)


def _build_mark_table(agreement: Agreement) -> Table:
    marks = agreement.marks

    def share(count: int) -> str:
        return format_percent(count / marks.mentions) if marks.mentions else UNDEFINED

    rows = [(f"by {number}", count) for number, count in sorted(marks.by.items(), reverse=True)]
    rows += [("by all who have the document", marks.by_all), ("in all", marks.mentions)]
    body = [[name, f"{count:,}", share(count)] for name, count in rows]
    return Table("Mentions, by how many annotators have marked them", ["marked", "mentions", "%"], body, 1)


def _build_entity_table(agreement: Agreement) -> Table:
    body = [
        [
            *_list_place(each.place),
            each.annotator,
            f"{each.size:,}",
            f"{each.total:.2f}",
            "; ".join(f"{name}: {_describe_parts(*parts)}" for name, parts in each.others.items()),
        ]
        for each in agreement.splits.entities
    ]
    notes = (
        "off: the MASI distances of its mentions from what others say, added up; 1 for one that is not marked there",
    )
    head = ["document", "line", "first mention", "annotator", "size", "off", "in the eyes of others"]
    title = _make_title("Entities", len(body), agreement.splits.all_entities)
    return Table(title, *_align_last_column_left(head, body), 4, notes)


def _describe_parts(parts: Sequence[int], missing: int) -> str:
    found = " + ".join(str(part) for part in parts)
    return ", ".join([*([found] if found else []), *([f"{missing} not marked"] if missing else [])])


def _build_mention_table(agreement: Agreement) -> Table:
    body = [
        [*_list_place(each.place), f"{each.disagreement:.2f}", _describe_entities(each.entities)]
        for each in agreement.splits.mentions
    ]
    head = ["document", "line", "mention", "off", "is with"]
    title = _make_title("Mentions that are put into different entities", len(body), agreement.splits.all_mentions)
    return Table(
        title,
        *_align_last_column_left(head, body),
        3,
        ("off: the mean MASI distance of the entities that it is put into",),
    )


def _describe_entities(entities: Mapping[str, tuple[str, ...]]) -> str:
    return "; ".join(f"{name}: {_list_members(others)}" for name, others in entities.items())


def _list_members(others: Sequence[str]) -> str:
    shown = [shorten(words, 24) for words in others[:_MEMBERS]]
    return ", ".join([*shown, *(["..."] if len(others) > _MEMBERS else [])]) or "nothing"


def _build_one_sided_table(agreement: Agreement) -> Table:
    body = [
        [*_list_place(each.place), ", ".join(each.marked), ", ".join(each.not_marked)]
        for each in agreement.splits.one_sided
    ]
    head = ["document", "line", "mention", "marked by", "not by"]
    return Table(
        _make_title("Mentions that not all have marked", len(body), agreement.splits.all_one_sided), head, body, 5
    )


def _make_title(what: str, shown: int, count: int) -> str:
    return what if shown == count else f"{what}: the worst {shown:,} of {count:,}"


def _list_place(place: MentionPlace) -> list[str]:
    return [place.document, "" if place.line is None else str(place.line), shorten(place.words, _WIDTH)]


def build_records(agreement: Agreement) -> dict[str, list[object]]:
    """Return a row for each pair and measure, then for the mean of the pairs, then for α; what a row lacks is None."""
    rows: list[tuple[object, ...]] = []
    for pair in agreement.pairs:
        for name, value in pair.measures.items():
            chance = pair.chance[name]
            units = agreement.summary[name].units
            rows.append((name, pair.a, pair.b, value, chance.mean, *chance.interval, None, units))
    for name, each in agreement.summary.items():
        rows.append((name, None, None, each.mean, each.chance.mean, *each.chance.interval, each.spread, each.units))
    for found in agreement.alpha:
        name = f"alpha:{found.distance}{'' if found.itself else ',others'}"
        rows.append((name, None, None, found.alpha.value, *[None] * 4, found.units))
    head = ("measure", "a", "b", "agreement", "chance", "chance_low", "chance_high", "spread", "units")
    return collect_columns(head, rows)


def build_content(agreement: Agreement) -> dict[str, object]:
    """Return annotators, pairs, the mean over pairs, α, and what they split on as plain objects."""
    return {
        "signature": agreement.signature,
        "annotators": [asdict(each) for each in agreement.annotators],
        "pairs": [_list_pair(each) for each in agreement.pairs],
        "mean": {name: {**asdict(each), "chance": asdict(each.chance)} for name, each in agreement.summary.items()},
        "alpha": [_list_coefficient(each) for each in agreement.alpha],
        "mentions": {**asdict(agreement.marks), "by": {str(n): times for n, times in agreement.marks.by.items()}},
        "splits": _list_splits(agreement.splits),
        "draws": agreement.draws,
        "seed": agreement.seed,
        "notices": [notice.to_dict() for notice in agreement.notices],
    }


def _list_pair(pair: PairAgreement) -> dict[str, object]:
    chance = {name: asdict(each) for name, each in pair.chance.items()}
    return {**asdict(pair), "undefined": list(pair.undefined), "chance": chance}


def _list_coefficient(each: Coefficient) -> dict[str, object]:
    found = {"distance": each.distance, "itself": each.itself, "alpha": each.alpha.value}
    disagreement = {"observed": each.alpha.observed, "expected": each.alpha.expected}
    return {**found, **disagreement, "mentions": each.alpha.units, "units": each.units}


def _list_splits(splits: Disagreements) -> dict[str, object]:
    return {
        "mentions": [
            {**asdict(each.place), "disagreement": each.disagreement, "with": dict(each.entities)}
            for each in splits.mentions
        ],
        "entities": [_list_split_entity(each) for each in splits.entities],
        "one_sided": [
            {**asdict(each.place), "marked": list(each.marked), "not_marked": list(each.not_marked)}
            for each in splits.one_sided
        ],
        "counts": {
            "mentions": splits.all_mentions,
            "entities": splits.all_entities,
            "one_sided": splits.all_one_sided,
        },
    }


def _list_split_entity(each: SplitEntity) -> dict[str, object]:
    others = {name: {"parts": list(parts), "missing": missing} for name, (parts, missing) in each.others.items()}
    return {
        "annotator": each.annotator,
        **asdict(each.place),
        "size": each.size,
        "total": each.total,
        "disagreement": each.disagreement,
        "others": others,
    }
