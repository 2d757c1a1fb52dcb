"""Analysis under every decision that a score can be made with: the same numbers as `score`, and nothing left over."""

from __future__ import annotations

import json
import random
import re
from typing import TYPE_CHECKING, Any

import pytest

import corefeval
from corefeval import measures as known
from corefeval.analysis.steps.explain import explained
from corefeval.analysis.subsets import of_document
from corefeval.corpus import mentions
from corefeval.options import DECISIONS
from corefeval.profiles.profiles import PROFILES
from corefeval.show import pages
from tests.data import public_data
from tests.overlap.test_split_antecedents import side

if TYPE_CHECKING:
    from pathlib import Path

    from corefeval.corpus.corpus import Corpus

MEASURES = ("mentions", "muc", "bcub", "ceafm", "ceafe", "ceaf:phi=1", "blanc", "lea", "conll", "pairwise", "core")
OTHERS = ("rand", "entropy")
LEFT_OUT = {("duplicates", "error"), ("split_antecedents", "only"), ("match", "minspan")}
CHOSEN: list[dict[str, Any]] = [
    {name: word} for name, decision in DECISIONS.items() for word in decision.values if (name, word) not in LEFT_OUT
]
CHOSEN += [{"profile": name} for name in PROFILES]
CHOSEN += [{"match": "head", "singletons": "drop"}, {"match": "overlap", "duplicates": "coval", "average": "scorch"}]
named = pytest.mark.parametrize("options", CHOSEN, ids=lambda given: "-".join(f"{k}={v}" for k, v in given.items()))


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
    """With heads and minimum spans: the first word of every mention."""
    made = corefeval.Corpus.from_entities(entities)
    spans = mentions.as_spans(made.mentions)
    assert spans is not None
    first = mentions.Spans(spans.start, spans.start)
    return made.replaced(mentions=spans, heads=first, minimums=first)


def evaluated(seed: int, options: dict[str, Any], *, again: float = 0.0, twice: bool = False) -> corefeval.Evaluation:
    rng = random.Random(seed)
    key, response = (corpus(drawn(rng, again=again, twice=twice)) for _ in range(2))
    return corefeval.score(key, response, measures=[*MEASURES, *OTHERS], **options)


@named
def test_costs_are_the_whole_loss(options: dict[str, Any]) -> None:
    for seed in range(12):
        evaluation = evaluated(seed, options)
        analysis = corefeval.Analysis(evaluation)
        undefined = [scores[name].undefined for scores in evaluation.documents.values() for name in MEASURES]
        for measure in MEASURES:
            found = analysis.costs(measure)
            assert found.loss == pytest.approx(1 - evaluation[measure].main)
            if found.exact:
                of_entities = found.key_entities.sum() + found.response_entities.sum()
                of_mentions = found.key_mentions.sum() + found.response_mentions.sum()
                assert of_entities == pytest.approx(of_mentions)
                assert of_entities + found.rest == pytest.approx(found.loss)
                assert min(column.min(initial=0) for column in found[4:]) > -1e-9
                assert found.rest == 0 or any(undefined), measure


def fractions(score: corefeval.Score) -> list[float]:
    """Recall and precision of a measure and of the parts of which it is made."""
    own = [float(score.values[name]) for name in ("recall", "precision") if name in score.values]
    return own + [value for part in score.parts.values() for value in fractions(part)]


@named
def test_costs_of_repeated_mentions_are_the_whole_loss(options: dict[str, Any]) -> None:
    """Costs are a sum unless some recall or precision is above 1, and what is nobody's is never less than nothing."""
    for seed in range(12):
        evaluation = evaluated(seed, options, again=0.2, twice=seed % 2 == 1)
        analysis = corefeval.Analysis(evaluation)
        documents = list(evaluation.documents.values())
        for measure in MEASURES:
            found = analysis.costs(measure)
            assert found.loss == pytest.approx(1 - evaluation[measure].main)
            if not found.exact:
                parts = ["bcub", "ceafe"] if measure == "conll" else [measure]
                scores = [evaluation[part] for part in parts] + [each[part] for part in parts for each in documents]
                rewritten = evaluation.options.twinless != "keep"
                assert rewritten or any(max(fractions(score)) > 1 for score in scores), measure
                continue
            of_entities = found.key_entities.sum() + found.response_entities.sum()
            of_mentions = found.key_mentions.sum() + found.response_mentions.sum()
            assert of_entities == pytest.approx(of_mentions)
            assert of_entities + found.rest == pytest.approx(found.loss)
            assert min(column.min(initial=0) for column in found[4:]) > -1e-9
            assert found.rest >= 0
            assert found.rest == 0 or any(scored[name].undefined for scored in documents for name in MEASURES), measure


@named
def test_documents_of_a_breakdown_have_the_scores_of_the_documents(options: dict[str, Any]) -> None:
    """Where mentions stand in several entities, too."""
    for seed in range(6):
        evaluation = evaluated(seed, options, again=0.2)
        for group in corefeval.Analysis(evaluation).breakdown("document").groups:
            for measure in (*MEASURES, *OTHERS):
                expected = evaluation.documents[group.label][measure]
                shown = [group.restricted[measure], of_document(group.restricted, group.label)[measure]]
                for found in shown:
                    values = [found.values.get(name) for name in ("recall", "precision", "f1", "score")]
                    assert values == pytest.approx(
                        [expected.values.get(n) for n in ("recall", "precision", "f1", "score")]
                    )


@named
def test_corrections_end_at_the_key(options: dict[str, Any]) -> None:
    """The last stage is the key against itself, and its mentions are the key's, entity by entity."""
    for seed in range(6):
        analysis = corefeval.Analysis(evaluated(seed, options))
        rows = analysis.stages[-1].evaluation.table.rows
        assert rows is not None
        own, last = (sorted(sorted(map(str, e)) for d in side.entities().values() for e in d) for side in rows[:2])
        assert own == last
        itself = corefeval.score(rows.key, rows.key, measures=MEASURES, **options)
        for measure in MEASURES:
            assert analysis.stages[-1].evaluation[measure].main == pytest.approx(itself[measure].main)


@pytest.mark.parametrize("again", [0, 0.2])
@named
def test_the_average_of_all_mentions_is_bcub(options: dict[str, Any], again: float) -> None:
    evaluation = evaluated(1, options, again=again, twice=True)
    groups = corefeval.Analysis(evaluation).breakdown("document").groups
    bcub = known.meant("bcub", evaluation.options)
    if bcub != known.one("bcub"):
        return
    for group in groups:
        scores = evaluation.documents[group.label]["bcub"]
        assert group.average == pytest.approx((scores.recall, scores.precision, scores.f1))


@named
def test_what_bcub_credits_for_wrong_mentions_is_gone_without_them(options: dict[str, Any]) -> None:
    for seed in range(6):
        evaluation = evaluated(seed, options)
        if evaluation.options.singletons == "allennlp":
            return  # what is left of an entity may be a singleton, which that B³ does not see
        analysis = corefeval.Analysis(evaluation)
        effect = analysis.identification
        assert effect.without["muc"].recall == pytest.approx(evaluation["muc"].recall)
        assert effect.without["lea"].recall == pytest.approx(evaluation["lea"].recall)
        credit = effect.credit["bcub"]
        if credit is None:
            assert evaluation.options.twinless == "cai_strube"
        else:
            assert evaluation["bcub"].recall - credit.recall == pytest.approx(effect.without["bcub"].recall)


@named
def test_an_explanation_ends_with_the_score(options: dict[str, Any]) -> None:
    for seed in range(3):
        evaluation = evaluated(seed, options, again=0.2)
        for name, scores in evaluation.documents.items():
            for measure in evaluation.measures:
                text = explained(evaluation, measure, name).splitlines()[-1]
                if "both 0" in text:
                    assert scores[measure].main == 0
                else:
                    assert f"{scores[measure].main:.4f}" in text.split(" by convention")[0][-8:], (measure, text)


@named
def test_reports_are_made(options: dict[str, Any]) -> None:
    evaluation = evaluated(2, options, again=0.2)
    analysis = corefeval.Analysis(evaluation)
    assert "all corrected" in str(analysis)
    assert analysis.to_json()
    assert analysis.worst(5).mentions


@pytest.mark.parametrize("measures", [["muc", "bridging_anaphors"], ["non_referring"]])
def test_measures_of_other_things_are_left_out_and_that_is_said(measures: list[str]) -> None:
    analysis = corefeval.analyse([["a", "b"]], [["a"]], measures=measures)
    assert not {"bridging_anaphors", "non_referring"} & set(analysis.evaluation)
    assert "muc" in analysis.evaluation
    (notice,) = analysis.left_out
    assert measures[-1] in notice.message


def test_split_antecedents_are_left_out_and_that_is_said() -> None:
    folder = public_data("ua-scorer") / "plural"
    key, response = folder / "TC-PA.key", folder / "TC-PA-3.sys"
    found = corefeval.analyse(key, response, split_antecedents="keep")
    without = corefeval.score(key, response, split_antecedents="drop")
    assert [notice.kind for notice in found.left_out] == ["left-out"]
    assert all(found.evaluation[name].main == pytest.approx(without[name].main) for name in without)
    with pytest.raises(corefeval.OptionError, match="split antecedents alone"):
        corefeval.analyse(key, response, split_antecedents="only")
    assert "counts:" in corefeval.explain("muc", key, response, split_antecedents="only")


def test_zeros_of_two_files_are_zeros_on_the_way_to_the_key() -> None:
    """Places of zeros are no places of words: kinds of mentions must be told before words are lost."""
    folder = public_data("corefud-scorer") / "zeros"
    for response in sorted(folder.glob("TC-Z*.response")):
        key = folder / f"{response.name.rsplit('-', 1)[0]}.key"
        for name in ("success_rate", "anaphor", "mor", "nec"):
            found = corefeval.analyse(key, response, measures=[name], zeros="order")
            last = found.stages[-1].evaluation[name]
            assert last.main == 1 or last.undefined


TREES = (
    "#begin document (d); part 000\n"
    "d 0 0 the DT (TOP(S(NP(NP* - - - - * {0}\nd 0 1 man NN *) - - - - * {1}\nd 0 2 who WP (SBAR(WHNP*) - - - - * -\n"
    "d 0 3 left VBD (S(VP*)))) - - - - * {2}\nd 0 4 saw VBD (VP* - - - - * -\nd 0 5 him PRP (NP*))) - - - - * {3}\n\n"
    "#end document\n"
)


def test_minimum_spans_of_parse_trees_are_twins_in_an_analysis(tmp_path: Path) -> None:
    """ "the man" is "the man who left" by its minimum span: no span error then, and one by exact match."""
    key, response = tmp_path / "key.conll", tmp_path / "response.conll"
    key.write_text(TREES.format("(0", "-", "0)", "(0)"), encoding="utf-8")
    response.write_text(TREES.format("(0", "0)", "-", "(0)"), encoding="utf-8")
    by_trees = corefeval.analyse(key, response, match="minspan")
    assert not by_trees.errors
    assert all(by_trees.costs(measure).loss == 0 for measure in ("muc", "lea", "conll"))
    exact = corefeval.analyse(key, response)
    assert exact.counts["span error"] == 1
    assert exact.stages[1].evaluation["conll"].f1 == 1


def costs_in_page(evaluation: corefeval.Evaluation, folder: Path) -> list[dict[str, Any]]:
    pages.write({"a": evaluation}, folder / "page.html", resamples=20)
    page = (folder / "page.html").read_text(encoding="utf-8")
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert data is not None
    found: list[dict[str, Any]] = json.loads(data.group(1))["costs"][0]
    return found


@named
def test_a_page_says_what_costs_are_or_why_not(options: dict[str, Any], tmp_path: Path) -> None:
    """Each measure's costs are of its own loss, or there is a reason why none are shown."""
    for seed in range(3):
        evaluation = evaluated(seed, options, again=0.2 * seed)
        for measure, told in zip(evaluation.measures, costs_in_page(evaluation, tmp_path), strict=True):
            if "unknown" in told:
                assert told["unknown"]
            else:
                assert told["loss"] == pytest.approx(100 * (1 - evaluation[measure].main), abs=1e-3)


def test_a_page_tells_no_costs_of_what_is_no_mention(tmp_path: Path) -> None:
    key, response = side(["ab", "c", "d", "tu"], {3: (0, 1)}), side(["ab", "c", "d", "tu"], {3: (0, 2)})
    kept = corefeval.score(key, response, split_antecedents="keep", measures=["lea"])
    assert "split antecedents" in costs_in_page(kept, tmp_path)[0]["unknown"]
    beyond = corefeval.score(key, response, split_antecedents="drop", measures=["non_referring", "lea"])
    told = costs_in_page(beyond, tmp_path)
    assert "relations" in told[0]["unknown"]
    assert "unknown" not in told[1]
