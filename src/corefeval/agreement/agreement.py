"""Do annotators agree, and where not? Agreement of every pair and of all, above chance, and mention by mention."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from os import PathLike
from typing import Unpack, cast

from corefeval import measures as known
from corefeval._lazy import NamedTuple
from corefeval.agreement.alpha import DISTANCES, Annotations, compute_alpha
from corefeval.agreement.annotators import (
    AlignedAnnotators,
    PairEvaluation,
    align_annotators,
    measure_pairs,
    number_mentions,
    summarise_pairs,
)
from corefeval.agreement.disagreements import count_marks, find_disagreements
from corefeval.agreement.results import Agreement, Annotator, Coefficient, PairAgreement
from corefeval.baselines.chance import DRAWS
from corefeval.corpus.corpus import Corpus
from corefeval.errors import Fault, InputError, OptionError, check_choice
from corefeval.formats import read_annotators
from corefeval.measures import Measure
from corefeval.notices import Notice, Progress, announce_notices, check_strict, join_notices, make_progress_counter
from corefeval.options import Decisions, Options, ScoringOptions
from corefeval.overlap.twinless import FOR_ALL
from corefeval.profiles.registry import resolve_options
from corefeval.scoring import score, sides
from corefeval.scoring.score import Measures, Source

DEFAULT = (
    "mentions", "muc", "bcub", "ceafm", "ceafe", "blanc:boundary=both", "lea", "conll", "adjusted_rand", "kappa",
)  # fmt: skip
DUPLICATES = ("first", "merge", "error")
"""What can be done with a mention in several entities of one annotator; other ways treat key and response differently,
or give a mention two values."""


@announce_notices
def agree(
    annotators: Mapping[str, Source] | str | PathLike[str],
    *,
    measures: Measures | None = None,
    draws: int = DRAWS,
    seed: int = 0,
    worst: int = 10,
    progress: Progress | None = None,
    processes: int = 1,
    **options: Unpack[ScoringOptions],
) -> Agreement:
    """Return the Agreement of annotators of the same documents: by pairs, above chance, α of all, and disagreements.

    annotators: by name, the annotation of each, two or more; or a folder or zip archive with a folder for each document
    and in it a file for each annotator, such as INCEpTION's export; or a file of several, of Prodigy or Label Studio.
    measures: as in `score`; the mean of both directions where a measure is not symmetric.
    draws, seed: how many random partitions stand for chance, and the start of their random numbers.
    worst: how many of the mentions and entities that they disagree on the tables show; the result has all of them.
    progress: called with the name of a step, how much of it is done, and of how much.
    processes: how many may be at work on chance at the same time, where the operating system can copy a process.
    options: as in `score`: match, zeros, singletons, macro, format ...; duplicates is "first" by default.
    """
    selected = known.select_measures(DEFAULT if measures is None else measures)
    if isinstance(annotators, (str, PathLike)):
        annotators = read_annotators(annotators, options.get("format"))
    resolved = _resolve_options(options, annotators, draws, seed, worst)
    corpora = {str(name): score.read(source, options.get("format")) for name, source in annotators.items()}
    if options.get("split_antecedents") == "drop":
        corpora = {name: sides.drop_split_antecedents(corpus) for name, corpus in corpora.items()}
    comparison = compare_annotators(corpora, selected, resolved)
    aligned, pairs = comparison.aligned, comparison.pairs
    advance = make_progress_counter(progress, "chance", draws * len(pairs))
    agreements = measure_pairs(pairs, aligned.names, selected, draws, seed, advance, processes=processes)
    annotations = comparison.annotations
    known_messages = frozenset(notice.message for notice in aligned.notices)
    of_pairs = _collect_pair_notices(comparison.all_pairs, aligned.names, known_messages)
    agreement = Agreement(
        tuple(
            Annotator(name, corpus.source, int(present.sum()), len(corpus), len(corpus.entity_document))
            for name, corpus, present in zip(aligned.names, aligned.corpora, aligned.present, strict=True)
        ),
        selected,
        aligned.document_names,
        agreements,
        {str(measure): summarise_pairs(agreements, measure) for measure in selected},
        compute_coefficients(annotations),
        count_marks(annotations),
        find_disagreements(annotations, worst),
        resolved,
        draws,
        seed,
        pairs[0].directions[0].signature,
        join_notices([aligned.notices, of_pairs, _check_measures(selected, agreements)]),
        annotations,
    )
    check_strict(agreement.notices, strict=options.get("strict", False))
    return agreement


class AnnotatorComparison(NamedTuple):
    """Annotators side by side: all pairs, those with documents in common, and all marks, mention by mention."""

    aligned: AlignedAnnotators
    all_pairs: Sequence[PairEvaluation]
    pairs: Sequence[PairEvaluation]
    annotations: Annotations


def compare_annotators(
    corpora: Mapping[str, Corpus], measures: tuple[Measure, ...], options: Options
) -> AnnotatorComparison:
    """Return an AnnotatorComparison of annotators by measures; InputError if no two have a document in common."""
    aligned = align_annotators(corpora, options)
    numbers = range(len(aligned.names))
    all_pairs = [PairEvaluation.from_annotators(aligned, a, b, measures, options) for a, b in combinations(numbers, 2)]
    pairs = [pair for pair in all_pairs if pair.directions]
    if not pairs:
        names = (f"{name} has {corpus.documents[0]!r}" for name, corpus in corpora.items() if corpus.documents)
        what = f"no two annotators have a document in common: {', '.join(names)}"
        raise InputError(Fault("", what, "documents of the same names", kind="other-corpus"))
    return AnnotatorComparison(
        aligned, all_pairs, pairs, Annotations.from_annotators(aligned, number_mentions(aligned, pairs))
    )


def compute_coefficients(annotations: Annotations) -> tuple[Coefficient, ...]:
    """Return Krippendorff's α by each distance, of sets without the mention itself, and with it."""
    return tuple(
        Coefficient(name, itself, compute_alpha(annotations, distance, itself=itself))
        for itself in (False, True)
        for name, distance in DISTANCES.items()
    )


def _resolve_options(
    options: ScoringOptions, annotators: Mapping[str, object], draws: int, seed: int, worst: int
) -> Options:
    """Return Options of a profile and decisions; OptionError for bad ones, one annotator, bad draws, seed or worst."""
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
        raise OptionError("match=overlap is not possible: it gives partial credit, which agreement has no use for")
    given = {name: value for name, value in options.items() if name in Options._fields} | {"duplicates": duplicates}
    resolved = resolve_options(options.get("profile"), macro=bool(options.get("macro")), **cast("Decisions", given))
    if resolved.level != "document" or resolved.where:
        raise OptionError("agree compares annotators document by document, on all mentions: it takes no level or where")
    for decision, policy in (("twinless", resolved.twinless), ("singletons", resolved.singletons)):
        if policy not in ("keep", "drop", "drop_listed", *FOR_ALL):
            raise OptionError(f"{decision}={policy} is not possible: it treats key and response differently")
    return resolved


def _collect_pair_notices(
    pairs: Sequence[PairEvaluation], names: Sequence[str], known_messages: frozenset[str]
) -> Iterator[Notice]:
    """Yield the pairs' notices, names put in front, but no known messages; one for a pair without common documents."""
    for pair in pairs:
        who = f"{names[pair.a]} and {names[pair.b]}"
        if not pair.directions:
            yield Notice("nothing-in-common", f"{who} have no document in common: they are not compared")
        for notice in (notice for direction in pair.directions for notice in direction.notices):
            if notice.message not in known_messages:
                yield notice._replace(message=f"{who}: {notice.message}")


def _check_measures(measures: Sequence[Measure], pairs: Sequence[PairAgreement]) -> Iterator[Notice]:
    """Yield one notice of all asymmetric measures, and one for each measure that is undefined (0/0) for some pairs."""
    asymmetric = [str(measure) for measure in measures if not measure.is_symmetric]
    if asymmetric:
        message = f"{', '.join(asymmetric)}: not symmetric; the mean of both directions is shown"
        yield Notice("both-directions", message)
    for measure in measures:
        count = sum(str(measure) in pair.undefined for pair in pairs)
        if count:
            where = f"{count} of {len(pairs)} pairs" if len(pairs) > 1 else "this pair"
            message = f"{measure} is undefined (0/0) for {where}, where it counts as {measure.undefined}"
            yield Notice("undefined", message, {"measure": str(measure), "pairs": count})
