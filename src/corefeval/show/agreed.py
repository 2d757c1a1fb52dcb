"""Agreement as text, Markdown, LaTeX and CSV: over all pairs, every pair, α, mentions, and what annotators split on."""

from __future__ import annotations

import csv as csv_writer
import io
from typing import TYPE_CHECKING

from corefeval.show import table, titled
from corefeval.show import text as plain_text
from corefeval.show.titled import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from corefeval.agreement.results import Agreement, MentionPlace
    from corefeval.show.text import Style

_TITLES = {"passonneau": "Passonneau 2004", "masi": "MASI"}
_WIDTH = 60
_MEMBERS = 3
_FIXED = "–: random partitions of the same mentions change nothing"


def text(agreement: Agreement, *, style: Style = plain_text.plain) -> str:
    """Tables in per cent, what their numbers count, and how they were made."""
    lines = titled.text(_tables(agreement), style)
    return "\n".join([*lines, style("quiet", agreement.signature)])


def markdown(agreement: Agreement) -> str:
    """The same as Markdown."""
    return titled.as_markdown(_tables(agreement), agreement.signature)


def latex(agreement: Agreement) -> str:
    """The same as LaTeX."""
    return titled.as_latex(_tables(agreement), agreement.signature)


def csv(agreement: Agreement) -> str:
    """With full precision: a row for each pair and measure, then for the mean of the pairs, then for α."""
    out = io.StringIO()
    writer = csv_writer.writer(out, lineterminator="\n")
    writer.writerow(["measure", "a", "b", "agreement", "chance", "chance_low", "chance_high", "spread", "units"])
    for pair in agreement.pairs:
        for name, value in pair.measures.items():
            chance = pair.chance[name]
            units = agreement.summary[name].units
            writer.writerow([name, pair.a, pair.b, value, chance.mean, *chance.interval, "", units])
    for name, each in agreement.summary.items():
        spread = "" if each.spread is None else each.spread
        writer.writerow([name, "", "", each.mean, each.chance.mean, *each.chance.interval, spread, each.units])
    for found in agreement.alpha:
        name = f"alpha:{found.distance}{'' if found.itself else ',others'}"
        writer.writerow([name, "", "", found.alpha.value, "", "", "", "", found.units])
    return out.getvalue().rstrip("\n")


def _tables(agreement: Agreement) -> Iterator[Table]:
    yield _annotators(agreement)
    yield _measures(agreement)
    yield _units(agreement)
    if len(agreement.pairs) > 1:
        yield _pairs(agreement)
    yield _alpha(agreement)
    yield _marks(agreement)
    splits = agreement.splits
    if splits.entities:
        yield _entities(agreement)
    if splits.mentions:
        yield _mentions(agreement)
    if splits.one_sided:
        yield _one_sided(agreement)


def _annotators(agreement: Agreement) -> Table:
    body = [
        [each.name, f"{each.documents:,}", f"{each.mentions:,}", f"{each.entities:,}"] for each in agreement.annotators
    ]
    return Table("Annotators", ["", "documents", "mentions", "entities"], body, 1)


def _measures(agreement: Agreement) -> Table:
    """The mean of the pairs; with two annotators, the pair."""
    several = len(agreement.pairs) > 1
    written = table.WRITTEN[agreement.options.digits]
    head = ["measure", "agreement", *(["spread", "least", "most"] if several else []), "by chance", "interval"]
    undefined = frozenset.intersection(*(frozenset(pair.undefined) for pair in agreement.pairs))
    body = []
    for name, each in agreement.summary.items():
        spread = [_or_dash(each.spread, table.percent), written(each.least), written(each.most)] if several else []
        interval = f"[{', '.join(map(written, each.chance.interval))}]"
        chance = [written(each.chance.mean), interval, _or_dash(each.above_chance, written)]
        mean = _or_dash(None if name in undefined else each.mean, written)
        body.append([name, mean, *spread, *([table.UNDEFINED] * 3 if each.fixed else chance)])
    of = (
        f"{len(agreement.pairs)} pairs of annotators: mean"
        if several
        else " and ".join((agreement.pairs[0].a, agreement.pairs[0].b))
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


def _units(agreement: Agreement) -> Table:
    body = [[name, each.units] for name, each in agreement.summary.items()]
    return Table("What is counted", ["measure", "units"], body, 2)


def _left_last(head: list[str], body: list[list[str]]) -> tuple[list[str], list[list[str]]]:
    """The last column reads from the left, so that sentences begin below each other."""
    width = max(len(row[-1]) for row in [head, *body])
    padded = [[*row[:-1], row[-1].ljust(width)] for row in [head, *body]]
    return padded[0], padded[1:]


def _pairs(agreement: Agreement) -> Table:
    written = table.WRITTEN[agreement.options.digits]
    body = [
        [
            f"{pair.a} – {pair.b}",
            f"{pair.documents:,}",
            *(_or_dash(None if name in pair.undefined else pair.measures[name], written) for name in agreement.summary),
        ]
        for pair in agreement.pairs
    ]
    return Table("Pairs", ["", "documents", *agreement.summary], body, 1)


def _alpha(agreement: Agreement) -> Table:
    body = [
        [
            _TITLES[each.distance],
            "with it" if each.itself else "without it",
            table.UNDEFINED if each.alpha.value is None else f"{each.alpha.value:.4f}",
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


def _marks(agreement: Agreement) -> Table:
    marks = agreement.marks

    def share(count: int) -> str:
        return table.percent(count / marks.mentions) if marks.mentions else table.UNDEFINED

    rows = [(f"by {number}", count) for number, count in sorted(marks.by.items(), reverse=True)]
    rows += [("by all who have the document", marks.by_all), ("in all", marks.mentions)]
    body = [[name, f"{count:,}", share(count)] for name, count in rows]
    return Table("Mentions, by how many annotators have marked them", ["marked", "mentions", "%"], body, 1)


def _entities(agreement: Agreement) -> Table:
    body = [
        [
            *_where(each.place),
            each.annotator,
            f"{each.size:,}",
            f"{each.total:.2f}",
            "; ".join(f"{name}: {_parts(*parts)}" for name, parts in each.others.items()),
        ]
        for each in agreement.splits.entities
    ]
    notes = (
        "off: the MASI distances of its mentions from what others say, added up; 1 for one that is not marked there",
    )
    head = ["document", "line", "first mention", "annotator", "size", "off", "in the eyes of others"]
    title = _worst("Entities", len(body), agreement.splits.all_entities)
    return Table(title, *_left_last(head, body), 4, notes)


def _parts(parts: Sequence[int], missing: int) -> str:
    found = " + ".join(str(part) for part in parts)
    return ", ".join([*([found] if found else []), *([f"{missing} not marked"] if missing else [])])


def _mentions(agreement: Agreement) -> Table:
    body = [
        [*_where(each.place), f"{each.disagreement:.2f}", _with(each.entities)] for each in agreement.splits.mentions
    ]
    head = ["document", "line", "mention", "off", "is with"]
    title = _worst("Mentions that are put into different entities", len(body), agreement.splits.all_mentions)
    return Table(
        title, *_left_last(head, body), 3, ("off: the mean MASI distance of the entities that it is put into",)
    )


def _with(entities: Mapping[str, tuple[str, ...]]) -> str:
    return "; ".join(f"{name}: {_listed(others)}" for name, others in entities.items())


def _listed(others: Sequence[str]) -> str:
    shown = [_short(words, 24) for words in others[:_MEMBERS]]
    return ", ".join([*shown, *(["..."] if len(others) > _MEMBERS else [])]) or "nothing"


def _one_sided(agreement: Agreement) -> Table:
    body = [
        [*_where(each.place), ", ".join(each.marked), ", ".join(each.not_marked)] for each in agreement.splits.one_sided
    ]
    head = ["document", "line", "mention", "marked by", "not by"]
    return Table(_worst("Mentions that not all have marked", len(body), agreement.splits.all_one_sided), head, body, 5)


def _worst(what: str, shown: int, count: int) -> str:
    return what if shown == count else f"{what}: the worst {shown:,} of {count:,}"


def _where(place: MentionPlace) -> list[str]:
    return [place.document, "" if place.line is None else str(place.line), _short(place.words, _WIDTH)]


def _short(words: str, width: int) -> str:
    return words if len(words) <= width else f"{words[: width - 3]}..."


def _or_dash(value: float | None, written: Callable[[float], str]) -> str:
    return table.UNDEFINED if value is None else written(value)
