"""What a study of the user's files is about: a key, responses, measures, and the decisions behind scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import cast

from corefeval import measures as known
from corefeval._lazy import NamedTuple
from corefeval.corpus.corpus import Corpus
from corefeval.errors import OptionError
from corefeval.measures import Measure
from corefeval.options import ScoringOptions
from corefeval.scoring.results import Evaluation
from corefeval.scoring.score import Measures, Source, read, score


class StudySubject(NamedTuple):
    """A key and responses by name, the measures, the start of random numbers, and the decisions behind scores."""

    key: Corpus
    responses: Mapping[str, Corpus]
    measures: tuple[Measure, ...]
    seed: int
    decisions: ScoringOptions

    def score(self, response: Corpus) -> Evaluation:
        """Return the evaluation of a response to the key; an OptionError if decisions leave the key no mentions."""
        evaluation = score(self.key, response, measures=self.measures, **self.decisions)
        rows = evaluation.mentions
        if rows is not None and not len(rows.key):
            raise OptionError(f"{self.key.source or 'the key'} has no mentions left: there is nothing to study")
        return evaluation


def check_measures(measures: Iterable[Measure]) -> None:
    """Raise an OptionError unless measures go by nothing but which mentions are together."""
    for measure in measures:
        if measure.needs_mentions or measure.names_entities or not measure.scores_entities:
            raise OptionError(
                f"{measure} asks for more than which mentions are together, and here they are but numbers"
            )


def read_subject(
    key: Source, responses: Mapping[str, Source], measures: Measures | None, seed: int, options: ScoringOptions
) -> StudySubject:
    """Return what a study is about; an OptionError if the key has no mentions, or the seed is negative."""
    if seed < 0:
        raise OptionError(f"seed={seed} is not possible; it takes 0 or more")
    corpus = read(key, options.get("key_format") or options.get("format"), side="key")
    if not len(corpus):
        raise OptionError(f"{corpus.source or 'the key'} has no mentions: there is nothing to study")
    response_format = options.get("response_format") or options.get("format")
    sides = {name: read(source, response_format, side="response") for name, source in responses.items()}
    decisions = {name: value for name, value in options.items() if value and not name.endswith("format")}
    chosen = known.select_measures(measures)
    for measure in chosen:
        if measure.names_entities:
            raise OptionError(f"{measure}: a study makes other entities, and the weights are for those of the files")
    return StudySubject(corpus, sides, chosen, seed, cast("ScoringOptions", decisions))
