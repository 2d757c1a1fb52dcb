"""Agreement of annotators: every pair, chance, what they split on; and the command."""

from __future__ import annotations

import csv
import gzip
import io
import itertools
import json
import pickle
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import pytest

import corefeval
from corefeval import OptionError
from corefeval import measures as known
from corefeval.agreement.alpha import DISTANCES
from corefeval.baselines import chance
from corefeval.tables.table import DIGITS, Digits
from tests.cli.running import run
from tests.comparison import worlds
from tests.data import EXAMPLES, public_data

KEY = worlds.key(8, 3)
WORLDS = {name: worlds.disturbed(KEY, noise, seed) for name, noise, seed in (("ann", 0.1, 1), ("bob", 0.3, 2), ("cy", 0.5, 3))}  # fmt: skip
EXAMPLE = {name: EXAMPLES / f"{file}.conll" for name, file in (("k", "key"), ("a", "response-a"), ("b", "response-b"))}


def test_every_pair_has_the_measures_of_a_plain_evaluation_and_their_mean_and_spread() -> None:
    found = corefeval.agree(WORLDS, draws=2)
    assert [(pair.a, pair.b) for pair in found.pairs] == [("ann", "bob"), ("ann", "cy"), ("bob", "cy")]
    for measure in found.measures:
        plain = [corefeval.score(WORLDS[p.a], WORLDS[p.b], duplicates="first")[measure].main for p in found.pairs]
        assert [pair.measures[str(measure)] for pair in found.pairs] == pytest.approx(plain)
        summary = found.summary[str(measure)]
        assert summary.mean == pytest.approx(np.mean(plain))
        assert summary.spread == pytest.approx(np.std(plain, ddof=1))
        assert (summary.least, summary.most) == (min(plain), max(plain))
        assert summary.units
    assert {"blanc:boundary=both", "kappa", "adjusted_rand"} <= set(found.summary)
    assert corefeval.agree({"a": KEY, "b": KEY}, draws=2).summary["lea"].spread is None


SYMMETRIC = sorted(name for name, each in known.CLASSES.items() if each.symmetric and name not in ("blanc", "ceaf"))


@pytest.mark.parametrize("measure", [*SYMMETRIC, "blanc:boundary=both", "ceaf:phi=1"])
def test_measures_that_are_said_to_be_symmetric_are(measure: str) -> None:
    assert known.parse(measure).is_symmetric
    for seed in range(30):
        world = worlds.key(3, seed)
        a, b = (worlds.disturbed(world, 0.6, seed + more) for more in (50, 100))
        there, back = corefeval.score(a, b)[measure].main, corefeval.score(b, a)[measure].main
        assert there == pytest.approx(back, abs=1e-12)


def test_what_is_not_symmetric_is_the_mean_of_both_directions_and_said_so() -> None:
    """One side has no links at all: blanc leaves coreference out if that is the key; F2 prefers recall."""
    one, other = {"d": [[1], [2], [3]]}, {"d": [[1, 2], [3]]}
    measures = ["blanc", "lea:beta=2", "exclusive_core"]
    found = corefeval.agree({"a": one, "b": other}, measures=measures, draws=2)
    for measure in measures:
        both = [corefeval.score(*sides, measures=measures)[measure].main for sides in ((one, other), (other, one))]
        assert found.pairs[0].measures[measure] == pytest.approx(np.mean(both))
    assert both
    notice = next(notice for notice in found.notices if notice.kind == "both-directions")
    assert "blanc, lea:beta=2, exclusive_core" in notice.message


def test_annotators_can_come_in_any_order() -> None:
    orders = [
        corefeval.agree({name: WORLDS[name] for name in order}, draws=2) for order in itertools.permutations(WORLDS)
    ]
    for found in orders[1:]:
        for name, each in found.summary.items():
            assert each.mean == pytest.approx(orders[0].summary[name].mean)
            assert each.chance.mean == pytest.approx(orders[0].summary[name].chance.mean)
            assert each.chance.interval == pytest.approx(orders[0].summary[name].chance.interval)
        assert [each.alpha.value for each in found.alpha] == pytest.approx(
            [each.alpha.value for each in orders[0].alpha]
        )
        assert found.marks == orders[0].marks


def test_kappa_is_that_of_the_papers() -> None:
    """Popescu-Belis' first example: -0.18."""
    key = [[1, 2], [3, 4, 5], [6, 7, 8, 9, 10, 11, 12], [13, 14, 15, 16, 17]]
    response = [[1, 2, 6, 7, 8, 9, 10], [3, 4, 5, 11, 12, 13, 14, 15, 16], [17]]
    found = corefeval.agree({"a": key, "b": response}, draws=2)
    assert round(found.pairs[0].measures["kappa"], 2) == -0.18


def test_chance_is_that_of_all_possible_partitions() -> None:
    """Entities of 2 and 1 mentions: three partitions each, so the expected agreement is a mean of nine."""
    partitions = [[[1, 2], [3]], [[1, 3], [2]], [[2, 3], [1]]]
    measures = ("muc", "bcub", "ceafe", "lea", "adjusted_rand")
    found = corefeval.agree({"a": partitions[0], "b": partitions[0]}, measures=[*measures, "mentions"], draws=2000)
    for measure in measures:
        scores = [corefeval.score(a, b)[measure].main for a in partitions for b in partitions]
        chance = found.summary[measure].chance
        assert chance.mean == pytest.approx(np.mean(scores), abs=4 * float(np.std(scores)) / 2000**0.5)
        assert chance.interval[0] < chance.mean < chance.interval[1]
        assert chance.draws == 2000
        assert found.summary[measure].above_chance == pytest.approx(1)
    assert found.summary["mentions"].fixed
    assert found.summary["mentions"].above_chance is None


def test_chance_keeps_mentions_that_one_annotator_lacks() -> None:
    one, other = [[1, 2], [3]], [[2, 3], [4]]
    found = corefeval.agree({"a": one, "b": other}, measures="lea", draws=3000)
    ours, theirs = ([[[x, y], [z]] for x, y, z in itertools.permutations(m)] for m in ([1, 2, 3], [2, 3, 4]))
    scores = [corefeval.score(a, b)["lea"].f1 for a in ours for b in theirs]
    assert found.summary["lea"].chance.mean == pytest.approx(np.mean(scores), abs=4 * float(np.std(scores)) / 3000**0.5)


def test_alpha_is_over_mentions_that_two_have_marked() -> None:
    found = corefeval.agree(EXAMPLE, draws=2)
    assert [(each.distance, each.itself) for each in found.alpha] == [(n, i) for i in (False, True) for n in DISTANCES]
    marked = [
        {
            (name, mention)
            for name, entities in corefeval.read(path).entities().items()
            for e in entities
            for mention in e
        }
        for path in EXAMPLE.values()
    ]
    everything = set.union(*marked)
    times = {mention: sum(mention in one for one in marked) for mention in everything}
    assert found.alpha[0].alpha.units == sum(count > 1 for count in times.values())
    assert found.marks.mentions == len(everything)
    assert found.marks.by_all == sum(count == 3 for count in times.values())
    assert found.marks.by_one == sum(count == 1 for count in times.values())
    assert found.marks.by == {n: list(times.values()).count(n) for n in sorted(set(times.values()))}


def test_the_number_of_processes_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chance, "_WORTH_A_PROCESS", 0)
    one, two = (corefeval.agree(WORLDS, draws=5, processes=processes).to_json() for processes in (1, 2))
    assert one == two


@pytest.mark.parametrize("macro", [False, True])
def test_chance_is_what_whole_evaluations_of_the_same_partitions_give(*, macro: bool) -> None:
    """In both directions, as one of the measures is not symmetric."""
    names = ["mentions", "muc", "bcub", "ceafe", "lea:beta=2", "adjusted_rand", "conll"]
    found = corefeval.agree(EXAMPLE, measures=names, draws=4, seed=2, macro=macro)
    for pair in found.pairs:
        scores = []
        for draw, (key, response) in itertools.product(range(4), ((pair.a, pair.b), (pair.b, pair.a))):
            sides = (
                _shuffle(EXAMPLE[own], [2, crc32(own.encode()), crc32(other.encode()), draw])
                for own, other in ((key, response), (response, key))
            )
            plain = corefeval.score(*sides, measures=names, duplicates="first", macro=macro)
            scores.append([plain[name].main for name in names])
        for name, mean in zip(names, np.mean(scores, axis=0), strict=True):
            assert pair.chance[name].mean == pytest.approx(mean, abs=1e-12)


def _shuffle(path: Path, seed: list[int]) -> corefeval.Corpus:
    """Return a corpus with its mentions in random order dealt out to its entities in order, document by document."""
    corpus = corefeval.read(path)
    numbers = np.random.default_rng(seed).random(len(corpus))
    entity = np.empty(len(corpus), dtype=np.int64)
    entity[np.lexsort((numbers, corpus.document))] = np.sort(corpus.entity)
    return corpus.replace(entity=entity)


def test_disagreements_are_made_when_they_are_looked_at() -> None:
    splits = corefeval.agree(EXAMPLE, draws=2).splits
    assert splits.mentions[1] == list(splits.mentions)[1]
    assert splits.entities[-1] == splits.entities[len(splits.entities) - 1]
    assert splits.one_sided[1:3] == tuple(splits.one_sided)[1:3]
    assert splits == pickle.loads(pickle.dumps(splits))
    assert repr(splits.one_sided[0]) in repr(splits.one_sided)


def test_splits_name_document_line_words_and_come_worst_first() -> None:
    found = corefeval.agree(EXAMPLE, draws=2, worst=4).splits
    assert min(map(len, (found.mentions, found.entities, found.one_sided))) >= 4
    assert {len(table.rows) for table in found.tables()} == {4}
    worst = found.mentions[0]
    assert (worst.place.document, worst.place.line, worst.place.words) == ("(bookshop); part 000", 33, "the place")
    assert worst.entities["a"] == ()
    assert set(worst.entities["b"]) == {"Harbour Street", "the shop"}
    assert [each.disagreement for each in found.mentions] == sorted(
        (e.disagreement for e in found.mentions), reverse=True
    )
    assert [each.total for each in found.entities] == sorted((e.total for e in found.entities), reverse=True)
    entity = found.entities[0]
    assert (entity.annotator, entity.size, entity.place.words) == ("b", 5, "Its")
    assert entity.others == {"k": ((3, 2), 0), "a": ((3, 2), 0)}
    first = found.one_sided[0]
    assert (first.marked, first.not_marked) == (("k", "a"), ("b",))


def test_json_has_all_disagreements_and_all_members() -> None:
    """One entity of 80 mentions against 80 singletons: each mention is with 79 others, or with nothing."""
    found = json.loads(corefeval.agree({"a": [range(80)], "b": [[i] for i in range(80)]}, draws=2, worst=3).to_json())
    assert found["splits"]["counts"] == {"mentions": 80, "entities": 81, "one_sided": 0}
    assert len(found["splits"]["mentions"]) == 80
    assert len(found["splits"]["entities"]) == 81
    first = found["splits"]["mentions"][0]
    assert sorted(first["with"]["a"], key=int) == [str(i) for i in range(80) if str(i) != first["words"]]
    assert first["with"]["b"] == []
    one_sided = corefeval.agree({"a": [range(30)], "b": [[0]]}, draws=2, worst=3).splits
    assert len(one_sided.one_sided) == 29


def test_distances_of_splits_by_hand() -> None:
    """{1,2,3} and {1,2}, {3}: MASI is 1 - 2/3 × 2/3 for 1 and 2, 1 - 1/3 × 2/3 for 3."""
    found = corefeval.agree({"a": [[1, 2, 3], [4, 5]], "b": [[1, 2], [3], [4]]}, draws=2).splits
    assert [(each.place.words, round(each.disagreement, 6)) for each in found.mentions] == [
        ("3", round(1 - 2 / 9, 6)),
        ("4", round(1 - 1 / 3, 6)),
        ("1", round(1 - 4 / 9, 6)),
        ("2", round(1 - 4 / 9, 6)),
    ]
    totals = {(each.annotator, each.place.words): each.total for each in found.entities}
    assert totals["a", "1"] == pytest.approx(2 * (1 - 4 / 9) + 1 - 2 / 9)
    assert totals["a", "4"] == pytest.approx(2 / 3 + 1)  # 5 is not marked
    assert [(each.place.words, each.marked) for each in found.one_sided] == [("5", ("a",))]


def test_annotators_with_different_documents_are_compared_on_those_that_both_have() -> None:
    one = {name: KEY[name] for name in list(KEY)[:6]}
    other = {name: WORLDS["bob"][name] for name in list(KEY)[2:]}
    found = corefeval.agree({"a": one, "b": other, "c": WORLDS["cy"]}, draws=2)
    shared = {name: one[name] for name in list(KEY)[2:6]}
    assert [pair.documents for pair in found.pairs] == [4, 6, 6]
    assert found.pairs[0].measures["lea"] == pytest.approx(
        corefeval.score(shared, {name: other[name] for name in shared})["lea"].f1
    )
    assert {notice.kind for notice in found.notices} == {"missing-document"}
    with pytest.raises(corefeval.InputError, match="no two annotators have a document in common: a has 'x', b has 'y'"):
        corefeval.agree({"a": {"x": [[1, 2]]}, "b": {"y": [[1, 2]], "z": []}})


def test_the_same_mention_is_found_whatever_the_words_are_counted_in(tmp_path: Path) -> None:
    """A third annotator whose file counts other units is matched with both others alike."""
    target = tmp_path / "a.jsonlines"
    corefeval.write(corefeval.read(EXAMPLE["a"]), target)
    found = corefeval.agree({"k": EXAMPLE["k"], "a": EXAMPLE["a"], "again": target}, draws=2)
    assert found.pairs[2].measures["lea"] == 1
    assert found.pairs[0].measures == found.pairs[1].measures
    assert found.marks.by[3] == corefeval.agree({"k": EXAMPLE["k"], "a": EXAMPLE["a"]}, draws=2).marks.by[2]


def test_mentions_in_several_entities_stay_in_the_first_unless_told_otherwise() -> None:
    twice = {"d": [[1, 2, 3], [3, 4]]}
    found = corefeval.agree({"a": twice, "b": {"d": [[1, 2, 3], [4]]}}, draws=2)
    assert found.pairs[0].measures["lea"] == 1
    assert [notice.kind for notice in found.notices] == ["repeated-mention"]
    merged = corefeval.agree({"a": twice, "b": {"d": [[1, 2, 3, 4]]}}, draws=2, duplicates="merge")
    assert merged.pairs[0].measures["lea"] == 1
    with pytest.raises(OptionError, match="duplicates"):
        corefeval.agree({"a": twice, "b": twice}, duplicates="conll-8.01")
    with pytest.raises(corefeval.InputError) as error:
        corefeval.agree({"a": twice, "b": {"d": [[1]]}}, duplicates="error")
    assert str(error.value).count("is in entities 0 and 1") == 1
    assert "duplicates=first or merge would go on" in str(error.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"draws": 1}, "draws=1"),
        ({"seed": -1}, "seed=-1"),
        ({"worst": -1}, "worst=-1"),
        ({"match": "overlap"}, "match=overlap"),
        ({"nothing": 1}, "no option 'nothing'"),
    ],
)
def test_wrong_options_are_told(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        corefeval.agree(WORLDS, **options)


def test_averages_are_those_of_the_profile() -> None:
    """Scorch weighs documents by their mentions, and macro by nothing: neither is the sum of counts."""
    for options in ({"profile": "scorch"}, {"macro": True}):
        found = corefeval.agree({name: WORLDS[name] for name in ("ann", "bob")}, measures="muc", draws=2, **options)
        plain = corefeval.score(WORLDS["ann"], WORLDS["bob"], duplicates="first", **options)["muc"].f1
        assert found.summary["muc"].mean == pytest.approx(plain, abs=1e-12)
        assert found.summary["muc"].mean != pytest.approx(corefeval.score(WORLDS["ann"], WORLDS["bob"])["muc"].f1)


def test_what_is_undefined_is_not_shown_as_no_agreement() -> None:
    """No links on either side: MUC is 0/0, which is neither agreement nor its absence."""
    singletons = {"d": [[1], [2]]}
    found = corefeval.agree({"a": singletons, "b": singletons}, measures=["muc", "bcub"], draws=2)
    assert found.pairs[0].undefined == ("muc",)
    assert [notice.kind for notice in found.notices] == ["undefined"]
    (row,) = (line for line in str(found).splitlines() if line.startswith("muc") and "links" not in line)
    assert row.split() == ["muc", "–", "–", "–", "–"]
    three = corefeval.agree({"a": singletons, "b": singletons, "c": {"d": [[1, 2]]}}, measures="muc", draws=2)
    assert "muc is undefined (0/0) for 1 of 3 pairs, where it counts as 0" in {n.message for n in three.notices}


def test_who_has_no_document_in_common_is_told() -> None:
    found = corefeval.agree({"a": {"x": [[1, 2]]}, "b": {"y": [[1, 2]], "z": []}, "c": {"x": [[1, 2]]}}, draws=2)
    assert [(pair.a, pair.b) for pair in found.pairs] == [("a", "c")]
    told = [notice.message for notice in found.notices if notice.kind == "nothing-in-common"]
    assert told == [f"{one} have no document in common: they are not compared" for one in ("a and b", "b and c")]
    assert "Agreement of a and c" in str(found)


def test_split_antecedents_are_left_out_with_a_word() -> None:
    folder = public_data("ua-scorer") / "plural"
    files = {"a": folder / "TC-PA.key", "b": folder / "TC-PA-1.sys"}
    told = [notice.message for notice in corefeval.agree(files, draws=2).notices]
    assert len(told) == 2
    assert all("1 split antecedent is not scored" in message for message in told)
    assert not corefeval.agree(files, draws=2, split_antecedents="drop").notices


def test_one_annotator_is_not_enough() -> None:
    with pytest.raises(OptionError, match="two annotators or more"):
        corefeval.agree({"a": KEY})


def test_the_command_prints_all_forms() -> None:
    files = list(EXAMPLE.values())
    text = run("agree", *files, "--draws", 3, "--worst", 2)
    assert text.returncode == 0, text.stderr
    for title in ("Agreement of 3 pairs", "What is counted", "Krippendorff's α", "the worst 2 of"):
        assert title in text.stdout
    found = json.loads(run("agree", *files, "--draws", 3, "--json").stdout)
    assert found == json.loads(corefeval.agree({p.stem: corefeval.read(p) for p in files}, draws=3).to_json())
    assert set(found) >= {"annotators", "pairs", "mean", "alpha", "mentions", "splits", "draws", "seed", "notices"}
    assert found["mean"]["kappa"]["units"].startswith("MUC's links")
    assert "| measure | agreement |" in run("agree", *files, "--draws", 3, "--markdown").stdout
    assert "measure & agreement &" in run("agree", *files, "--draws", 3, "--latex").stdout
    rows = list(csv.DictReader(io.StringIO(run("agree", *files, "--draws", 3, "--csv").stdout)))
    assert len(rows) == 4 * 10 + 4
    assert float(rows[0]["agreement"]) == found["pairs"][0]["measures"]["mentions"]


@pytest.mark.parametrize("digits", DIGITS)
def test_agreement_is_written_as_score_writes_it(digits: Digits) -> None:
    """MUC is symmetric: 13/15 and 13/14, 89.65|5 in per cent, cut off or rounded."""
    given = (EXAMPLE["k"], EXAMPLE["a"])
    shown = run("agree", *given, "-m", "muc", "--draws", 2, "--worst", 0, "--digits", digits).stdout
    score = corefeval.score(*given, measures="muc").to_text(digits=digits)
    rows = [next(line for line in each.splitlines() if line.startswith("muc")).split() for each in (shown, score)]
    assert rows[0][1] == rows[1][-1]


def test_annotators_are_named_after_their_files_packed_or_not(tmp_path: Path) -> None:
    packed = tmp_path / "ann.conll.gz"
    packed.write_bytes(gzip.compress(Path(EXAMPLE["k"]).read_bytes()))
    found = json.loads(run("agree", packed, EXAMPLE["a"], "-m", "muc", "--draws", 2, "--json").stdout)
    assert [each["name"] for each in found["annotators"]] == ["ann", "response-a"]


def test_the_command_says_what_is_wrong() -> None:
    one = run("agree", EXAMPLE["k"])
    assert (one.returncode, "two annotators or more" in one.stderr) == (2, True)
    assert run("agree", EXAMPLE["k"], EXAMPLE["k"]).returncode == 2
    assert run("agree", EXAMPLE["k"], "nowhere.conll").returncode == 66
    refused = run("agree", EXAMPLE["k"], EXAMPLE["a"], "--duplicates", "keep")
    assert (refused.returncode, "duplicates" in refused.stderr) == (2, True)
