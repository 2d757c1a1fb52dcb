"""Do annotators agree, and where not? Agreement of every pair, of all, above chance, mention by mention: agree()."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

from corefeval import measures as known
from corefeval.agreement import disagreements, overall, symmetry, together
from corefeval.agreement.alpha import Values
from corefeval.agreement.disagreements import Annotations
from corefeval.agreement.pairs import Pair
from corefeval.agreement.results import Agreement, Annotator
from corefeval.baselines.chance import DRAWS
from corefeval.errors import Fault, OptionError, StrictError, check_choice
from corefeval.notices import Notice
from corefeval.options import Options
from corefeval.profiles.profiles import resolved
from corefeval.scoring import score

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from corefeval._arrays import Booleans
    from corefeval.agreement.results import PairAgreement
    from corefeval.agreement.together import Together
    from corefeval.corpus.corpus import Corpus
    from corefeval.measures import Measure
    from corefeval.scoring.score import Measures, Source

DEFAULT = (
    "mentions", "muc", "bcub", "ceafm", "ceafe", "blanc:boundary=both", "lea", "conll", "adjusted_rand", "kappa",
)  # fmt: skip
DUPLICATES = ("first", "merge", "error")
"""What can be done with a mention in several entities of one annotator; other ways tell key and response apart,
or give a mention two values."""


def agree(
    annotators: Mapping[str, Source],
    *,
    measures: Measures | None = None,
    draws: int = DRAWS,
    seed: int = 0,
    worst: int = 10,
    progress: Callable[[str, int, int], None] | None = None,
    **options: Any,
) -> Agreement:
    """Compare annotators of the same documents with each other.

    annotators: by name, what each has marked; two or more.
    measures: as in `score`; the mean of both directions where a measure tells key and response apart.
    draws, seed: how many random partitions stand for chance, and where their random numbers begin.
    worst: how many of the mentions and entities that they split on are listed.
    progress: called with what is done, how much of it, and of how much.
    options: as in `score`: match, zeros, singletons, macro, format ...; duplicates is "first" unless given.
    """
    chosen = known.select(DEFAULT if measures is None else measures)
    decided = _decided(options, annotators, draws, seed, worst)
    read = {str(name): score.read(source, options.get("format")) for name, source in annotators.items()}
    if options.get("split_antecedents") == "drop":
        read = {name: score.without_splits(corpus) for name, corpus in read.items()}
    names = tuple(read)
    everyone = together.brought(read, decided)
    every = [Pair.of(everyone, a, b, chosen, decided) for a, b in combinations(range(len(names)), 2)]
    pairs = [pair for pair in every if pair.directions]
    if not pairs:
        raise OptionError("no two annotators have a document in common: documents are told apart by their names")
    told = _told(progress, draws * len(pairs))
    found = tuple(pair.agreement(names, chosen, draws, seed, told) for pair in pairs)
    annotations = _annotations(names, everyone, pairs)
    said = {notice.message: notice for notice in everyone.notices}
    of_pairs = (*_said(every, chosen, names, frozenset(said)), *_undefined(found, chosen))
    said |= {notice.message: notice for notice in of_pairs}
    agreement = Agreement(
        tuple(map(_annotator, names, everyone.corpora, everyone.present)),
        chosen,
        found,
        {str(measure): overall.summary(found, measure) for measure in chosen},
        tuple(overall.coefficients(annotations.values)),
        overall.marks(annotations),
        disagreements.found(annotations, worst),
        decided,
        draws,
        seed,
        pairs[0].directions[0].signature,
        tuple(said.values()),
    )
    if options.get("strict") and agreement.notices:
        raise StrictError(Fault("", notice.message) for notice in agreement.notices)
    return agreement


def _decided(
    options: Mapping[str, Any], annotators: Mapping[str, object], draws: int, seed: int, worst: int
) -> Options:
    unknown = set(options) - {"profile", "macro", "format", "strict", *Options._fields}
    if unknown:
        raise OptionError(f"agree has no option {min(unknown)!r}")
    if len(annotators) < 2:
        raise OptionError("agreement needs two annotators or more")
    for name, value, least in (("draws", draws, 2), ("seed", seed, 0), ("worst", worst, 0)):
        if value < least:
            raise OptionError(f"{name}={value} is not possible; it takes {least} or more")
    duplicates = options.get("duplicates") or DUPLICATES[0]
    check_choice("duplicates", duplicates, DUPLICATES)
    if options.get("match") == "overlap":
        raise OptionError("match=overlap is not possible: it gives credit in parts, which agreement has no use for")
    given = {name: options.get(name) for name in Options._fields} | {"duplicates": duplicates}
    decided = resolved(options.get("profile"), macro=bool(options.get("macro")), **given)
    for decision, chosen in (("twinless", decided.twinless), ("singletons", decided.singletons)):
        if chosen not in ("keep", "drop"):
            raise OptionError(f"{decision}={chosen} is not possible: it treats key and response differently")
    return decided


def _told(progress: Callable[[str, int, int], None] | None, steps: int) -> Callable[[], None]:
    """Passes on how many random partitions there have been, of all pairs."""
    done = 0

    def tell() -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress("chance", done, steps)

    return tell


def _annotations(names: tuple[str, ...], everyone: Together, pairs: Sequence[Pair]) -> Annotations:
    sides = everyone.corpora
    twins = [(pair.a, pair.b, *pair.twins) for pair in pairs]
    numbers = disagreements.numbers(twins, [len(side) for side in sides])
    return Annotations(names, tuple(sides), Values.of(sides, numbers), everyone.present)


def _annotator(name: str, corpus: Corpus, has: Booleans) -> Annotator:
    return Annotator(name, corpus.source, int(has.sum()), len(corpus), len(corpus.entity_document))


def _said(
    pairs: Sequence[Pair], measures: Sequence[Measure], names: tuple[str, ...], before: frozenset[str]
) -> Iterator[Notice]:
    """What there is to say about pairs, beside what was said about one annotator before."""
    for pair in pairs:
        who = f"{names[pair.a]} and {names[pair.b]}"
        if not pair.directions:
            yield Notice("nothing-in-common", f"{who} have no document in common: they are not compared")
        for direction in pair.directions:
            new = [notice for notice in direction.notices if notice.message not in before]
            yield from (notice._replace(message=f"{who}: {notice.message}") for notice in new)
    one_way = symmetry.one_way(measures)
    if one_way:
        what = ", ".join(str(measure) for measure in one_way)
        yield Notice("both-directions", f"{what}: not symmetric; the mean of both directions is shown")


def _undefined(pairs: Sequence[PairAgreement], measures: Sequence[Measure]) -> Iterator[Notice]:
    """Measures that have a value for a pair by convention only."""
    for measure in measures:
        count = sum(str(measure) in pair.undefined for pair in pairs)
        if count:
            where = f"{count} of {len(pairs)} pairs" if len(pairs) > 1 else "this pair"
            yield Notice(
                "undefined",
                f"{measure} is undefined (0/0) for {where}, where it counts as {measure.undefined}",
                {"measure": str(measure), "pairs": count},
            )
