"""CEAF with a similarity of the user's own, and CEAF that takes long."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

import corefeval
from corefeval import OptionError
from corefeval.formats.draft import Draft
from corefeval.measures import Ceaf, Ceafe, Lea, MentionSimilarity
from corefeval.notices import print_delays
from corefeval.overlap import alignment
from tests.cli.running import run
from tests.oracles import measures as slow

if TYPE_CHECKING:
    from collections.abc import Callable

    from corefeval.corpus.objects import Mention

KEY = [["a", "b", "c"], ["d", "e", "f", "g"]]

RESPONSE = [["a", "b"], ["c", "d"], ["f", "g", "h", "i"]]


def test_ceaf_with_a_similarity_of_ones_own() -> None:
    evaluation = corefeval.score(KEY, RESPONSE)
    jaccard = evaluation[Ceaf(phi=lambda n, k, r: n / (k + r - n))]
    assert jaccard.recall == pytest.approx((2 / 3 + 2 / 6) / 2)
    same = evaluation[Ceaf(phi=lambda n, k, r: 2 * n / (k + r))]
    assert same.values == evaluation[Ceafe()].values
    with pytest.raises(OptionError, match="0 for entities that share nothing"):
        evaluation[Ceaf(phi=lambda n, k, r: n + 1)]


def test_an_alignment_that_takes_long_is_announced_with_bounds_of_the_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"_PLAIN_EDGES": 0, "_WIDE": 10**9, "_LONG": 60.0, "_SLOWLY": 1.0}.items():
        monkeypatch.setattr(alignment, name, value)
    rng = random.Random(1)
    sides: list[list[list[int]]] = [[], []]
    for side in sides:
        labels = [rng.randrange(150) for _ in range(900)]
        side += [[record for record, label in enumerate(labels) if label == each] for each in sorted(set(labels))]
    with pytest.warns(corefeval.CorefevalWarning, match=r"ceafe: \d+ key entities and \d+ response entities") as warned:
        evaluation = corefeval.score(*sides, measures="ceafe")
    (message,) = (str(each.message) for each in warned)
    assert re.search(r"hang together by \d+ cells; aligning them exactly may take up to \d+ hours", message)
    for name, score in evaluation["ceafe"].values.items():
        if found := re.search(rf"{name} (0\.\d+) to (0\.\d+)", message):
            lower, upper = map(float, found.groups())
            assert lower <= round(float(score), 4) <= upper
        else:
            assert name.endswith(("_numerator", "_denominator"))
    printed: list[str] = []
    with print_delays(printed.append):
        corefeval.score(*sides, measures="ceafe")
    assert printed == [message]


Spans = list[list[tuple[int, int]]]


def count_ids(key: list[Mention], response: list[Mention]) -> float:
    return len({mention.id for mention in key} & {mention.id for mention in response})


def compute_dice(key: list[Mention], response: list[Mention]) -> float:
    return 2 * count_ids(key, response) / (len(key) + len(response))


def share_words(key: list[Mention], response: list[Mention]) -> float:
    """Return the Jaccard index of the words of two entities."""
    return share_words_of_spans([mention.id for mention in key], [mention.id for mention in response])


def share_words_of_spans(key: list[Any], response: list[Any]) -> float:
    ours, theirs = ({word for first, last in side for word in range(first, last + 1)} for side in (key, response))
    return len(ours & theirs) / len(ours | theirs)


def draw_spans(rng: random.Random) -> Spans:
    """Draw spans of one to three of twelve words, in up to four entities."""
    found = {(first, first + rng.randrange(3)) for first in rng.sample(range(12), rng.randint(1, 8))}
    entities: dict[int, list[tuple[int, int]]] = {}
    for span in sorted(found):
        entities.setdefault(rng.randrange(4), []).append(span)
    return list(entities.values())


@pytest.mark.parametrize(("function", "usual"), [(count_ids, "ceafm"), (compute_dice, "ceafe")])
def test_a_similarity_of_mentions_may_be_the_usual_one(function: Callable[..., float], usual: str) -> None:
    rng = random.Random(2005)
    for _ in range(100):
        key, response = ({name: draw_spans(rng) for name in "abc"} for _ in range(2))
        for pairs in ("sharing", "all"):
            measure = Ceaf(phi=MentionSimilarity(function, pairs))
            evaluation = corefeval.score(key, response, measures=[measure, usual])
            rows: list[Any] = [evaluation, *evaluation.documents.values()]
            for scores in rows:
                for field in ("recall_numerator", "recall_denominator", "precision_denominator", "f1"):
                    assert scores[measure].values[field] == pytest.approx(scores[usual].values[field])


@pytest.mark.parametrize("pairs", ["all", "sharing"])
def test_a_similarity_of_mentions_is_that_of_a_dense_table(pairs: str) -> None:
    """All entities of both sides with each other, aligned by trying everything; a mention of one side may overlap."""
    rng = random.Random(22)
    measure, different = Ceaf(phi=MentionSimilarity(share_words, pairs)), 0
    for _ in range(150):
        key, response = draw_spans(rng), draw_spans(rng)
        table: list[list[Any]] = [
            [share_words_of_spans(one, other) if pairs == "all" or set(one) & set(other) else 0 for other in response]
            for one in key
        ]
        score = corefeval.score(key, response, measures=measure)[measure]
        best = float(slow.best_alignment(table))
        assert score.recall_numerator == score.precision_numerator == pytest.approx(best)
        assert (score.recall_denominator, score.precision_denominator) == (len(key), len(response))
        usual = corefeval.score(key, response, measures="ceafe")["ceafe"]
        different += score.recall_numerator > usual.recall_numerator
    assert different if pairs == "all" else True


def test_a_similarity_is_asked_of_entities_that_share_mentions_alone() -> None:
    asked = []

    def look(key: list[Mention], response: list[Mention]) -> float:
        asked.append(("".join(str(m.id) for m in key), "".join(str(m.id) for m in response)))
        return count_ids(key, response)

    measure = Ceaf(phi=MentionSimilarity(look))
    corefeval.score(KEY, RESPONSE, measures=measure)
    assert sorted(asked) == [
        ("ab", "ab"), ("abc", "ab"), ("abc", "abc"), ("abc", "cd"), ("cd", "cd"), ("defg", "cd"), ("defg", "defg"),
        ("defg", "fghi"), ("fghi", "fghi"),
    ]  # fmt: skip
    asked.clear()
    corefeval.score(
        {"d": KEY, "e": KEY[:1]}, {"d": RESPONSE, "e": []}, measures=Ceaf(phi=MentionSimilarity(look, "all"))
    )
    assert len(asked) == 2 * 3 + 3 + 3, "never across documents"


def test_a_similarity_sees_what_mentions_and_entities_are() -> None:
    draft = Draft("side")
    document = draft.add_document("d", words=["Kim", "she", "Bonn", "it"])
    for number, (entity, kind) in enumerate((("p", "PER"), ("p", "PER"), ("l", "LOC"), ("l", "LOC"))):
        document.describe_entity(entity, type=kind)
        document.add_mention(entity, (number, number), attributes={"level": "NAM" if number % 2 == 0 else "PRO"})
    side = draft.build_corpus()

    def weigh(key: list[Mention], response: list[Mention]) -> float:
        names = {m.text for m in key if m.attributes["level"] == "NAM"} & {m.text for m in response}
        return len(names) * (3 if key[0].entity.attributes["type"] == "PER" else 1)

    measure = Ceaf(phi=MentionSimilarity(weigh))
    score = corefeval.score(side, side, measures=measure)[measure]
    assert (score.recall_numerator, score.recall_denominator, score.f1) == (4, 4, 1)


def test_what_a_similarity_of_mentions_cannot_do() -> None:
    measure = Ceaf(phi=MentionSimilarity(count_ids))
    assert str(measure) == "ceaf:phi=custom"
    assert measure is Ceaf(phi=MentionSimilarity(count_ids))
    assert not measure.is_symmetric
    assert Ceaf(phi=3).is_symmetric
    for wrong in (-1.0, float("nan"), float("inf"), 1e308):
        with pytest.raises(OptionError, match="it must give 0, or a number from 1e-35 to 1e35"):
            corefeval.score(KEY, RESPONSE, measures=Ceaf(phi=MentionSimilarity(lambda *_, n=wrong: n)))
    with pytest.raises(OptionError, match="pairs='some' is not possible"):
        MentionSimilarity(count_ids, "some")
    frame = pd.DataFrame({"k": [1, 1, 2], "r": [1, 2, 2]})
    with pytest.raises(OptionError, match="ceaf:phi=custom looks at mentions, and a table of records has none"):
        corefeval.score_table(frame, key="k", response="r", measures=measure)
    done = run("score", "a b | c", "a b | c", "-m", "ceaf:phi=custom")
    assert (done.returncode, done.stderr.strip()) == (2, "ceaf:phi=custom is not possible; it takes 1 or 2 or 3 or 4")


def test_a_similarity_of_mentions_is_explained_and_collected() -> None:
    measure = Ceaf(phi=MentionSimilarity(count_ids))
    text = corefeval.explain(measure, KEY, RESPONSE).text
    assert "φ(K2, R3) = 2   aligned" in text
    assert "Recall = (2 + 2) / (3 + 4) = 4 / 7 = 0.5714" in text
    scorer = corefeval.Scorer([measure])
    scorer.update(KEY, RESPONSE)
    scorer.update(KEY, KEY)
    assert scorer.compute()[measure].recall == (4 + 7) / 14
    costs = corefeval.analyse(KEY, RESPONSE, measures=[measure]).costs(measure)
    assert not costs.exact


def test_weights_are_explained() -> None:
    levels = {"a": "NAM", "b": "PRO", "c": "NOM", "d": "NAM"}
    draft = Draft("side")
    document = draft.add_document("d", words=list(levels))
    for place, level in enumerate(levels.values()):
        document.add_mention(str(place // 2), (place, place), attributes={"level": level})
    side = draft.build_corpus()
    weights = {"NAM": 1, "NOM": 0.5, "PRO": 0.25}
    lines = corefeval.explain(Ceafe(mention_weights=weights, entity_weights=None), side, side).steps
    assert "φ(K1, R1) = 1   aligned" in lines
    lines = corefeval.explain(Lea(mention_weights=weights), side, side).steps
    assert "K1: importance 1.25, 1 link: 1 in R1" in lines
    assert "Recall = (1.25·1/1 + 1.5·1/1) / (1.25 + 1.5) = 2.7500 / 2.7500 = 1.0000" in lines
