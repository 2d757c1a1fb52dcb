"""Every decision that a score can be made with, and small corpora on which they make a difference."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

import corefeval
from corefeval.corpus import mentions
from corefeval.corpus.tokens import Tokens
from corefeval.options import DECISIONS
from corefeval.profiles.registry import PROFILES

if TYPE_CHECKING:
    from corefeval.corpus.corpus import Corpus

MEASURES = ("mentions", "muc", "bcub", "ceafm", "ceafe", "ceaf:phi=1", "blanc", "lea", "conll", "pairwise", "core")

OTHERS = ("rand", "entropy")

OF_SETS = ("mentions", "bcub", "ceafm", "ceafe", "ceaf:phi=1", "lea")
"""Those that can be asked for where entities are sets that share mentions."""

LEFT_OUT = {("duplicates", "error"), ("split_antecedents", "only")}
CHOSEN: list[dict[str, Any]] = [
    {name: word} for name, decision in DECISIONS.items() for word in decision.values if (name, word) not in LEFT_OUT
]
CHOSEN += [{"profile": name} for name in PROFILES]
CHOSEN += [{"match": "head", "singletons": "drop"}, {"match": "overlap", "duplicates": "coval", "average": "scorch"}]


IN_EVERY_RUN = ("conll-8.01", "corefud-1.2", "ua-1")
"""Profiles that match, average and count repeated mentions differently; all others where slow tests run, too."""

under_every_decision = pytest.mark.parametrize(
    "options",
    [each if each.get("profile") in IN_EVERY_RUN else pytest.param(each, marks=pytest.mark.slow) for each in CHOSEN],
    ids=lambda given: "-".join(f"{name}={value}" for name, value in given.items()),
)


def drawn(rng: random.Random, *, again: float, twice: bool = False) -> dict[str, list[list[tuple[int, int]]]]:
    """Two documents of spans, some of which stand in two entities (if `twice`, or twice in one), or overlap."""
    found = {}
    for name in ("one", "two"):
        entities: dict[int, list[tuple[int, int]]] = {}
        for place in range(8):
            span = (2 * place, 2 * place + rng.choice((0, 0, 1)))
            if rng.random() < 0.8:
                entities.setdefault(rng.randrange(4), []).append(span)
            if rng.random() < again:
                entities.setdefault(rng.randrange(4), []).append(span)
        found[name] = [entity if twice else list(dict.fromkeys(entity)) for entity in entities.values()]
    return found


def corpus(entities: dict[str, list[list[tuple[int, int]]]]) -> Corpus:
    """With heads and minimum spans: the first word of every mention; and with trees, in which some phrases are verbal."""
    made = corefeval.Corpus.from_entities(entities)
    spans = mentions.as_spans(made.mentions)
    assert spans is not None
    first = mentions.Spans(spans.start, spans.start)
    phrases = len(entities) * ["(S(NP*", "*)", *5 * ("(NP*", "*)"), *2 * ("(VP*", "*)"), "(NP*", "*))"]
    classes = len(entities) * [*6 * ("NN", "NN"), *2 * ("VB", "NN"), "NN", "NN"]
    tokens = Tokens.from_words(
        [[f"word{place}" for place in range(16)] for _ in entities], attributes={"parse": phrases, "pos": classes}
    )
    return made.replace(mentions=spans, heads=first, minimums=first, tokens=tokens)


def evaluate_random(
    seed: int, options: dict[str, Any], *, again: float = 0.0, twice: bool = False
) -> corefeval.Evaluation:
    rng = random.Random(seed)
    key, response = (corpus(drawn(rng, again=again, twice=twice)) for _ in range(2))
    asked = OF_SETS if options.get("duplicates") == "sets" and again else (*MEASURES, *OTHERS)
    return corefeval.score(key, response, measures=asked, **options)
