"""Alignments and fragments as data: those of the papers, and of random partitions against sets and other measures."""

from __future__ import annotations

import csv
import io
import json
import random
from typing import TYPE_CHECKING, Any

import pytest

import corefeval
from corefeval import OptionError
from corefeval.formats.draft import Draft
from corefeval.measures import Ceaf, Ceafe, MentionSimilarity
from tests.cli.running import get_output, run
from tests.data import EXAMPLES
from tests.oracles import measures as slow
from tests.rounds import few_or_many

if TYPE_CHECKING:
    from corefeval.analysis.align import Alignment, DividedEntity

Entities = list[list[int]]

# Popescu-Belis, table 1; the entities' names are their places.
GUIDEBOOK: tuple[Entities, Entities] = (
    [[1, 2], [3, 4, 5], [6, 7, 8, 9, 10, 11, 12], [13, 14, 15, 16, 17]],
    [[1, 2, 6, 7, 8, 9, 10], [3, 4, 5, 11, 12, 13, 14, 15, 16], [17]],
)


def list_fragments(entity: DividedEntity) -> list[list[int]]:
    return [[int(mention) for mention in fragment.mentions] for fragment in entity.fragments]


def test_projections_and_cores_are_those_that_popescu_belis_writes_out() -> None:
    """Sections 3.1 and 3.5.1."""
    found = corefeval.align(*GUIDEBOOK)
    key, response = found.key_entities, found.response_entities
    assert list(map(list_fragments, key)) == [
        [[1, 2]], [[3, 4, 5]], [[6, 7, 8, 9, 10], [11, 12]], [[13, 14, 15, 16], [17]],
    ]  # fmt: skip
    assert [each.others for each in key] == [("0",), ("1",), ("0", "1"), ("1", "2")]
    assert [set(each.others) for each in response] == [{"0", "2"}, {"1", "2", "3"}, {"3"}]
    assert [each.core.response for each in key] == ["0", "1", "0", "1"]
    assert [each.core.key for each in response] == ["2", "3", "3"]
    assert response[1].core.mentions == ("13", "14", "15", "16")
    assert sum(each.missing_links for each in key) == 2, "MRE = (0 + 0 + 1 + 1) / 13"


def test_exclusive_cores_are_those_of_popescu_belis() -> None:
    """Footnote 7: K3 takes R1, K4 takes R2, and nothing is left for K2 and K1."""
    found = corefeval.align(*GUIDEBOOK, measure="exclusive_core")
    assert [each.partner for each in found.key_entities] == [None, None, "0", "1"]
    assert [(pair.key, pair.response, pair.similarity) for pair in found.pairs] == [("2", "0", 5), ("3", "1", 4)]


@pytest.mark.parametrize(("measure", "similarities"), [("ceafm", [5, 5]), ("ceafe", [1, 10 / 12])])
def test_the_best_map_is_that_of_luos_example(measure: str, similarities: list[float]) -> None:
    """Section 3.1, system response (a)."""
    key = [list("12345"), list("67"), list("89ABC")]
    found = corefeval.align(key, [list("12345"), list("6789ABC")], measure=measure)
    assert [(pair.mentions, pair.response) for pair in found.pairs] == [(tuple("12345"), "0"), (tuple("89ABC"), "1")]
    assert [pair.similarity for pair in found.pairs] == similarities
    assert [each.partner for each in found.key_entities] == ["0", None, "1"]
    assert (found.pairs[1].key_size, found.pairs[1].response_size) == (5, 7)


def draw_side(rng: random.Random, most: int) -> Entities:
    entities: dict[int, list[int]] = {}
    for mention in rng.sample(range(most), rng.randint(0, most)):
        entities.setdefault(rng.randrange(most), []).append(mention)
    return list(entities.values())


def compute_recall(entities: tuple[DividedEntity, ...], lack: Any) -> float:
    """Return 1 less what entities lack, over what they could lack."""
    whole = sum(each.size - 1 for each in entities)
    return 1 - sum(map(lack, entities)) / whole if whole else 1.0


@pytest.mark.parametrize(("measure", "phi"), [("ceaf:phi=1", 1), ("ceaf:phi=2", 2), ("ceafm", 3), ("ceafe", 4)])
@few_or_many(40, 400)
def test_alignments_and_fragments_are_those_of_sets(measure: str, phi: int, rounds: int) -> None:
    rng = random.Random(phi)
    for _ in range(rounds):
        key = {name: draw_side(rng, 8) for name in "abc"}
        response = {name: draw_side(rng, 8) for name in "abc"}
        found = corefeval.align(key, response, measure=measure)
        check_alignment(found, key, response, phi)
        check_fragments(found, key, response)


def check_alignment(found: Alignment, key: dict[str, Entities], response: dict[str, Entities], phi: int) -> None:
    """Assert that pairs are one to one, as similar as sets of them, and the best of all."""
    for side in ("key", "response"):
        names = [(pair.document, getattr(pair, side)) for pair in found.pairs]
        assert len(set(names)) == len(names)
    for name in "abc":
        of_document = [pair for pair in found.pairs if pair.document == name]
        for pair in of_document:
            one, other = key[name][int(str(pair.key))], response[name][int(str(pair.response))]
            assert pair.similarity == pytest.approx(float(slow.similarity(phi, frozenset(one), frozenset(other))))
            assert set(map(int, pair.mentions)) == set(one) & set(other)
        table = [
            [slow.similarity(phi, frozenset(one), frozenset(other)) for other in response[name]] for one in key[name]
        ]
        assert sum(pair.similarity or 0 for pair in of_document) == pytest.approx(float(slow.best_alignment(table)))
    assert sum(pair.similarity or 0 for pair in found.pairs) == pytest.approx(found.score.recall_numerator)


def check_fragments(found: Alignment, key: dict[str, Entities], response: dict[str, Entities]) -> None:
    """Assert that fragments are what entities and those of the other side have in common, and give MUC and core."""
    sides = (found.key_entities, key, response), (found.response_entities, response, key)
    for entities, own, other in sides:
        assert [(each.document, each.name) for each in entities] == [
            (name, str(place)) for name in "abc" for place in range(len(own[name]))
        ]
        for each in entities:
            members = own[each.document][int(each.name)]
            parts = {frozenset(members) & frozenset(those) for those in other[each.document]} - {frozenset()}
            alone = set(members) - {mention for those in other[each.document] for mention in those}
            fragments = list_fragments(each)
            assert {frozenset(part) for part in fragments} == parts | {frozenset([mention]) for mention in alone}
            assert sum(map(len, fragments)) == len(members) == each.size
            assert len(each.core.mentions) == max(map(len, fragments))
            for name, part in zip(each.others, fragments, strict=True):
                assert (name is None) == (part[0] in alone)
                assert name is None or set(part) <= set(other[each.document][int(name)])
    for measure, lack in (("muc", lambda e: e.missing_links), ("core", lambda e: e.size - len(e.core.mentions))):
        score = found.evaluation[f"{measure}:undefined=1"]
        assert score.recall == pytest.approx(compute_recall(found.key_entities, lack))
        assert score.precision == pytest.approx(compute_recall(found.response_entities, lack))
    shared = [each for each in found.fragments if each.key is not None and each.response is not None]
    assert sum(len(each.mentions) for each in shared) == found.evaluation["mentions"].recall_numerator


def test_the_records_are_the_same_in_every_form() -> None:
    found = corefeval.align(EXAMPLES / "key.conll", EXAMPLES / "response-b.conll")
    content = json.loads(found.to_json())
    rows = list(csv.DictReader(io.StringIO(found.to_csv())))
    assert len(rows) == len(found.fragments)
    pairs = [(row["document"], row["key"], row["response"]) for row in rows if row["aligned"] == "True"]
    assert pairs == [(pair["document"], pair["key"], pair["response"]) for pair in content["pairs"]]
    assert pairs == [(pair.document, pair.key, pair.response) for pair in found.pairs]
    for side, other in (("key", "response"), ("response", "key")):
        listed = content[f"{side}_entities"]
        assert len(listed) == found.score.values["recall_denominator" if side == "key" else "precision_denominator"]
        for entity in listed:
            (core,) = (part for part in entity["fragments"] if part["core"])
            assert core["size"] == len(core["mentions"]) == max(part["size"] for part in entity["fragments"])
            assert entity["missing_links"] == len(entity["fragments"]) - 1
            assert all(other in part for part in entity["fragments"])
    assert content["score"]["f1"] == found.evaluation["ceafe"].f1
    assert [each.name for each in found.key_entities if each.document == "(bookshop); part 000"] == list("012345")


def test_one_document_of_several() -> None:
    paths = EXAMPLES / "key.conll", EXAMPLES / "response-b.conll"
    whole, one = corefeval.align(*paths, measure="ceafm"), corefeval.align(*paths, measure="ceafm", document="bookshop")
    name = "(bookshop); part 000"
    assert one.document == name
    assert [(pair.key, pair.response, pair.mentions) for pair in one.pairs] == [
        (pair.key, pair.response, pair.mentions) for pair in whole.pairs if pair.document == name
    ]
    assert sum(pair.similarity or 0 for pair in one.pairs) == one.score.recall_numerator
    assert one.score == whole.evaluation.documents[name]["ceafm"]
    assert "document" in whole.to_text().splitlines()[5]
    assert "document" not in one.to_text().splitlines()[5]
    words = [one.rows.key.words_of(row) for row in one.pairs[0].key_rows]
    assert words == ["She", "her", "her", "she"]
    assert one.pairs[0].mentions == ("She", "her", "her#2", "she")


def test_tables_are_cut_off_unless_all_is_asked_for() -> None:
    text = get_output("align", EXAMPLES / "key.conll", EXAMPLES / "response-b.conll", "--examples", "2", "-q")
    assert text.count("and ") == 3
    whole = get_output("align", EXAMPLES / "key.conll", EXAMPLES / "response-b.conll", "--all", "-q")
    assert "more" not in whole
    assert len(whole.splitlines()) > len(text.splitlines())


def test_typed_entities_and_records() -> None:
    text = get_output("align", "a b c | d e", "a b | c d e f")
    assert "0: {a, b}  1: {c}" in text
    assert "–: {f}" in text
    assert "ceafe: 2 pairs aligned, 1.46667 in all; f1 73.33" in text
    text = get_output("align", EXAMPLES / "records" / "truth.csv", EXAMPLES / "records" / "run-a.csv", "-m", "ceafm")
    assert "records shared" in text
    assert "mentions" not in text.replace("mentions:", "")


def test_measures_that_align_nothing_are_refused() -> None:
    done = run("align", "a b | c", "a b | c", "-m", "muc")
    assert (done.returncode, done.stderr) == (
        2, "muc aligns no entities; ceafe, ceafm, ceaf:phi=1, nec and exclusive_core do\n",
    )  # fmt: skip
    with pytest.raises(OptionError, match="twinless=cai_strube do not go together; twinless=keep will do"):
        corefeval.align(*GUIDEBOOK, measure="ceafe:twinless=cai_strube")


def test_alignments_of_names_of_weights_and_of_functions() -> None:
    words, sides = ["Kim", "she", "Bonn", "it", "Lee"], []
    for entities in ([[0, 1], [2, 3], [4]], [[0, 3], [1, 2], [4]]):
        draft = Draft("side")
        document = draft.add_document("d", words=words)
        for number, entity in enumerate(entities):
            for word in entity:
                level = "PRO" if words[word].islower() else "NAM"
                document.add_mention(f"e{number}", (word, word), attributes={"level": level})
        sides.append(draft.build_corpus())

    def find_pairs(measure: Any) -> list[tuple[str | None, str | None, float | None]]:
        return [(pair.key, pair.response, pair.similarity) for pair in corefeval.align(*sides, measure=measure).pairs]

    assert find_pairs("nec") == [("e0", "e0", 0.5), ("e1", "e1", 0.5), ("e2", "e2", 1)]
    weighted = Ceafe(mention_weights={"NAM": 3, "PRO": 1})
    assert find_pairs(weighted) == [("e0", "e0", 0.75), ("e1", "e1", 0.75), ("e2", "e2", 1)]
    assert find_pairs(Ceafe(mention_weights={"NAM": 1, "PRO": 3}))[:2] == [("e0", "e1", 0.75), ("e1", "e0", 0.75)]
    distant = MentionSimilarity(lambda one, other: float(not {m.text for m in one} & {m.text for m in other}), "all")
    found = corefeval.align(*sides, measure=Ceaf(phi=distant))
    assert len(found.pairs) == 2, "Lee's with one of the others' on either side"
    assert {pair.mentions for pair in found.pairs} == {()}
    assert sum(not fragment.mentions for fragment in found.fragments) == 2
    assert [each.partner for each in found.key_entities].count(None) == 1
    assert all(fragment.mentions for each in found.key_entities for fragment in each.fragments)


def test_singletons_that_a_measure_does_not_see_are_no_part_of_its_alignment() -> None:
    key, response = [["a", "b"], ["c"]], [["a", "b"], ["c"]]
    found = corefeval.align(key, response, singletons="allennlp")
    assert [notice.kind for notice in found.notices] == ["left-out"]
    assert len(found.response_entities) == 1
    assert sum(pair.similarity or 0 for pair in found.pairs) == found.score.recall_numerator == 1


def test_a_mention_in_several_entities_is_in_each_with_what_it_shares() -> None:
    key, response = [["a", "b"], ["a", "c"]], [["a", "b", "c"]]
    found = corefeval.align(key, response, duplicates="keep", measure="ceafm")
    assert [each.size for each in found.key_entities] == [2, 2]
    assert sum(pair.similarity or 0 for pair in found.pairs) == found.score.recall_numerator


SHARING: tuple[list[list[str]], list[list[str]]] = ([list("abc")], [list("ab"), list("ac"), list("ax")])
"""Response entities that share a mention."""


def test_entities_that_share_mentions_are_as_large_as_they_are() -> None:
    """Fragments overlap by `duplicates="sets"`: {a, b}, {a, c} and {a} of {a, b, c}, which a holds together."""
    found = corefeval.align(*SHARING, duplicates="sets")
    (key,) = found.key_entities
    assert (key.size, [fragment.mentions for fragment in key.fragments]) == (3, [("a", "b"), ("a", "c"), ("a",)])
    assert key.missing_links == 0
    assert [each.size for each in found.response_entities] == [2, 2, 2]
    assert [each.missing_links for each in found.response_entities] == [0, 0, 1]
    # c's fragment is that of the second response entity, and so are the rows
    assert [fragment.response_rows for fragment in key.fragments] == [(0, 1), (2, 3), (4,)]
    (pair,) = found.pairs
    assert pair.similarity == 2 * len(pair.mentions) / (pair.key_size + pair.response_size)
    (notice,) = (each for each in found.notices if each.kind == "repeated-in-alignment")
    assert "otherwise" not in notice.message


def test_a_mention_of_several_entities_has_one_name() -> None:
    sides = [["a", "b"], ["a", "c"]]
    found = corefeval.align(sides, sides, duplicates="sets", measure="ceafm")
    assert [[fragment.mentions for fragment in entity.fragments] for entity in found.response_entities] == [
        [("a", "b"), ("a",)], [("a",), ("a", "c")],
    ]  # fmt: skip
