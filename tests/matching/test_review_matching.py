"""What a review of matching, profiles and phenomena found: each was wrong once."""

from __future__ import annotations

import pickle
from itertools import permutations
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import corefeval
from corefeval import OptionError, Scorer, Signature
from corefeval.cli.main import cli
from corefeval.formats.draft import Draft
from corefeval.options import DECISIONS, Options
from corefeval.profiles.profiles import DEFAULT, PROFILES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from corefeval import Corpus

    Rows = Iterable[tuple[str, tuple[int, int]]]


def corpus(
    documents: Mapping[str, Rows],
    *,
    words: int = 6,
    splits: dict[str, tuple[str, ...]] | None = None,
    **attributes: str,
) -> Corpus:
    """Entities and spans by document, over words a, b, c …; the last document has the split antecedents."""
    draft = Draft("side")
    for name, rows in documents.items():
        document = draft.add_document(name, words=[chr(97 + number) for number in range(words)])
        for entity, span in rows:
            document.add_mention(entity, span, attributes={"level": "NAM"})
            document.describe_entity(entity, type="PER", **attributes)
    for entity, targets in (splits or {}).items():
        document.add_relation("split", entity, targets)
    return draft.build_corpus()


@pytest.mark.parametrize("average", ["macro", "scorch"])
def test_what_ace_value_lost_can_be_averaged_in_every_way(average: str) -> None:
    key = corpus({"d1": [("A", (0, 0))], "d2": [("A", (0, 0)), ("A", (1, 1)), ("A", (2, 2))]})
    response = corpus({"d1": [("A", (0, 0))], "d2": []})
    found = corefeval.score(key, response, measures="ace_value", average=average)["ace_value"]
    # One of two documents is missed; by mentions it is 3 of 4 in the key, 0 of 1 in the response: 3 of 5.
    assert found.values["misses"] == pytest.approx({"macro": 1 / 2, "scorch": 3 / 5}[average])


def test_zeros_have_no_minimum_span_and_no_overlap() -> None:
    draft = Draft("side")
    attributes = {"pos": ["NN"] * 3, "parse": ["(NP*)", "", "(NP*)"]}
    document = draft.add_document("d", words=["a", "_", "b"], empty=[False, True, False], word_attributes=attributes)
    document.add_mention("A", (0, 0))
    document.add_mention("A", (1, 1))
    key = draft.build_corpus()
    document.rows[-1] = ("A", (2, 2), (-1, -1), (-1, -1), 0, {})
    other = draft.build_corpus()
    assert corefeval.score(key, key, match="minspan")["muc"].f1 == 1
    assert corefeval.score(key, other, match="minspan")["mentions"].recall == 1 / 2
    both = Draft("side")
    ours = both.add_document("d", words=["a", "_", "_"], empty=[False, True, True], word_attributes=attributes)
    ours.add_mention("A", (1, 1))
    first = both.build_corpus()
    ours.rows[0] = ("A", (2, 2), (-1, -1), (-1, -1), 0, {})
    assert corefeval.score(first, both.build_corpus(), match="minspan")["mentions"].recall == 0


@pytest.mark.parametrize("measure", ["ace_value", "nec", corefeval.measures.Ceafm(mention_weights={"NAM": 0.5})])
def test_entities_that_scorch_adds_to_the_key_are_not_taken_for_those_with_mentions(measure: Any) -> None:
    key = {"d1": [("A", (0, 0)), ("A", (1, 1))], "d2": [("B", (0, 0)), ("B", (1, 1))], "d3": [("C", (0, 0))]}
    response = {"d1": [("A", (0, 0)), ("X", (3, 3))], "d2": [("B", (0, 0)), ("B", (1, 1)), ("Y", (2, 2))], "d3": []}
    together = corefeval.score(corpus(key), corpus(response), measures=[measure], twinless="scorch-cli")
    for name in key:
        alone = corefeval.score(
            corpus({name: key[name]}), corpus({name: response[name]}), measures=[measure], twinless="scorch-cli"
        )
        assert together.documents[name][measure].to_dict() == alone[measure].to_dict()
        usual = corefeval.score(corpus({name: key[name]}), corpus({name: response[name]}), measures=[measure])
        assert alone[measure].to_dict() == usual[measure].to_dict()


def test_what_scorch_adds_to_one_document_does_not_change_repeats_in_another() -> None:
    repeated = [("A", (0, 0)), ("A", (1, 1)), ("B", (1, 1)), ("B", (2, 2))]
    key = {"d1": repeated, "d2": [("A", (0, 0))]}
    response = {"d1": repeated, "d2": [("A", (0, 0)), ("B", (1, 1))]}
    options = {"twinless": "scorch-cli", "duplicates": "ua"}
    together = corefeval.score(corpus(key), corpus(response), **options)  # type: ignore[arg-type]
    alone = corefeval.score(corpus({"d1": repeated}), corpus({"d1": repeated}), **options)  # type: ignore[arg-type]
    for measure in together:
        assert together.documents["d1"][measure].to_dict() == alone[measure].to_dict()


def test_split_antecedents_are_refused_where_they_would_be_lost() -> None:
    key = corpus({"d": [("A", (0, 0)), ("B", (1, 1)), ("C", (2, 2)), ("C", (3, 3))]}, splits={"C": ("A", "B")})
    with pytest.raises(OptionError, match="split_antecedents='keep' needs twinless='keep' or 'cai_strube'"):
        corefeval.score(key, key, profile="scorch-cli", split_antecedents="keep")
    for measure in ("mentions:match=lenient", corefeval.measures.Ceafm(mention_weights={"NAM": 0.5})):
        with pytest.raises(OptionError, match="no definition for split antecedents alone"):
            corefeval.score(key, key, measures=[measure], split_antecedents="only")
    assert corefeval.score(key, key, measures="blanc", boundary="scorch", split_antecedents="only")["blanc"].f1 >= 0


@pytest.mark.parametrize("option", ["match", "profile", "zeros", "layer", "singletons"])
def test_values_that_cannot_be_hashed_are_refused_by_name(option: str) -> None:
    wrong: dict[str, Any] = {option: ["head"]}
    with pytest.raises(OptionError, match=rf"{option}=\['head'\] is not possible"):
        corefeval.score([["a"]], [["a"]], **wrong)
    with pytest.raises(OptionError, match=rf"{option}=\['head'\] is not possible"):
        Scorer(**wrong)


def test_spans_of_python_are_spans() -> None:
    key, response = [[(0, 1), (3, 4)], [(6, 9)]], [[(0, 1), (3, 5)], [(6, 9)]]
    made = corefeval.score(key, response, match="overlap")
    assert made["ceafm"].recall == pytest.approx((2 + 2 * 2 / 5) / 3)  # (3, 4) and (3, 5): 2·2 words of 2 + 3
    assert corefeval.score(key, response, match="craft")["mentions"].recall == pytest.approx(2 / 3)
    assert corefeval.score(response, key, match="craft")["mentions"].recall == 1  # (3, 4) lies within (3, 5)
    for words in ([["Ann"]], [[(3, 1)]], [[(0, 1), "Ann"]]):
        with pytest.raises(OptionError, match=r"mentions here are labels such as .*; spans are \(first, last\)"):
            corefeval.score(words, words, match="overlap")


@pytest.mark.parametrize("match", ["head", "lenient", "partial", "craft", "min", "overlap"])
def test_an_empty_list_is_a_response_to_any_key(match: str) -> None:
    draft = Draft("side")
    document = draft.add_document("", words=["a", "b"])
    document.add_mention("A", (0, 1), head=(1, 1), minimum=(1, 1))
    key = draft.build_corpus()
    made = corefeval.score(key, [], match=match)
    assert (made["mentions"].recall, made["mentions"].recall_denominator) == (0, 1)
    assert corefeval.score([], key, match=match)["mentions"].precision == 0


def test_a_scorer_says_that_nothing_matches_only_if_nothing_does() -> None:
    bits, others = Scorer("muc"), Scorer("muc")
    for number in range(3):
        bits.update([["a", "b"]], [["x", "y"]], document=str(number))
    assert [notice.kind for notice in bits.compute().notices] == ["nothing-in-common"]
    others.update([["a", "b"]], [["a", "b"]], document="more")
    bits.merge(pickle.loads(pickle.dumps(others)))
    assert bits.compute().notices == ()


def placed(runs: list[tuple[tuple[int, int], ...]], empty: Iterable[int] = ()) -> Corpus:
    """One entity of mentions with gaps, over eight words of which some are not written."""
    draft = Draft("side")
    unwritten = [number in set(empty) for number in range(8)]
    document = draft.add_document("d", words=[chr(97 + number) for number in range(8)], empty=unwritten)
    for number, each in enumerate(runs):
        document.add_mention(f"e{number}", each if len(each) > 1 else each[0])
    return draft.build_corpus()


@pytest.mark.parametrize(
    ("empty", "one", "other"),
    [((), ((0, 0), (2, 4)), ((0, 1), (3, 4))), ((3,), ((3, 3), (5, 5)), ((5, 5),))],
    ids=["gaps in other places", "a zero before"],
)
def test_mentions_that_craft_takes_for_equal_are_taken_in_one_order(
    empty: tuple[int, ...], one: Any, other: Any
) -> None:
    key = placed([((0, 6),)], empty)
    matched = []
    for runs in ([one, other], [other, one]):
        rows = corefeval.score(key, placed(runs, empty), match="craft").table.rows
        assert rows is not None
        matched.append([runs[row] for row in rows.twin_response.tolist()])
    assert matched[0] == matched[1]
    assert len(matched[0]) == 1


def test_overlaps_count_in_every_entity_that_has_the_mention() -> None:
    """The key's (0, 2) overlaps with (1, 2), which is in both response entities: 4/5 of a mention in either."""
    key, response = [[(0, 2), (10, 10)], [(5, 6)]], [[(1, 2), (10, 10)], [(1, 2), (5, 6)]]
    for entities in (response, response[::-1], [each[::-1] for each in response]):
        made = corefeval.score(key, entities, match="overlap", duplicates="ua")
        assert made["ceafm"].recall_numerator == pytest.approx(1 + 4 / 5 + 1)


def test_zeros_that_are_looked_up_as_others_go_with_overlaps() -> None:
    """The key's zeros stand in each other's places in the response, as for the CorefUD scorer 1.2."""

    def side(*depends: str) -> Corpus:
        draft = Draft("side")
        columns = {"deps": ["", *depends, ""]}
        empty = [False, True, True, True, False]
        document = draft.add_document("d", words=["a", "_", "_", "_", "b"], empty=empty, word_attributes=columns)
        for place in (1, 2, 3):
            document.add_mention(f"e{place}", (place, place))
        return draft.build_corpus()

    key, response = side("1:x", "2:x", "3:x"), side("2:x", "3:x", "1:x")
    right, crossed = (corefeval.score(key, response, match="overlap", zeros=z) for z in ("dependency", "corefud-1.2"))
    assert right["ceafm"].f1 == 1
    assert "crossed-zeros" in {notice.kind for notice in crossed.notices}
    assert crossed["ceafm"].f1 == corefeval.score(key, response, zeros="corefud-1.2")["ceafm"].f1  # all are whole


def test_crac_scores_the_layer_and_the_profile_that_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "key.conllu"
    corefeval.write(corpus({"d": [("A", (0, 1)), ("A", (3, 3))]}), path, format="corefud")

    def run(*options: str) -> Any:
        return CliRunner().invoke(cli, ["score", str(path), str(path), "--crac", "-q", *options], standalone_mode=False)

    with pytest.raises(OptionError, match="neither key nor response has a layer 'deixis'"):
        raise run("--layer", "deixis").exception
    assert "one --layer" in str(run("--layer", "deixis", "--layer", "identity").exception)
    assert "duplicates:corefud-1.2" in run().stdout
    assert "duplicates:conll-8.01" in run("--profile", "conll-8.01").stdout


def test_without_zeros_and_singletons_nothing_is_alone() -> None:
    """As if both files had been written without zeros: an entity of a zero and another mention is a singleton then."""
    draft = Draft("side")
    document = draft.add_document("d", words=["Ann", "_", "came", "."], empty=[False, True, False, False])
    for entity, place in (("A", 0), ("A", 1), ("B", 2), ("B", 3)):
        document.add_mention(entity, (place, place))
    side = draft.build_corpus()
    made = corefeval.score(side, side, zeros="drop", singletons="drop")
    assert made["mentions"].recall_denominator == 2
    assert made["ceafe"].recall_denominator == 1


def test_a_scorer_says_that_no_document_has_the_layer() -> None:
    def side(*layers: str) -> Corpus:
        draft = Draft("side")
        document = draft.add_document("d", words=["a", "b"])
        for layer in layers:
            document.get_layer(layer).add_mention("A", (0, 0))
        return draft.build_corpus()

    bits = Scorer("mentions", layer="deixis")
    bits.update(side(), side("other"), document="1")
    with pytest.raises(OptionError, match="neither key nor response has a layer 'deixis' besides identity; they have"):
        bits.compute()
    bits.update(side("deixis"), side(), document="2")
    assert [notice.message for notice in bits.compute().notices if notice.kind == "empty-layer"] == [
        "response: nothing is marked in the layer 'deixis'; it counts as empty"
    ]
    bits.update(side(), side("deixis"), document="3")
    assert "empty-layer" not in {notice.kind for notice in bits.compute().notices}


def test_labels_beside_characters_are_told() -> None:
    """[0, 1] may be words; beside a text they are taken for characters, which would be silent and wrong."""
    draft = Draft("text")
    document = draft.add_document("", text="Ann saw herself.")
    for span in ((0, 2), (8, 14)):
        document.add_mention("A", span)
    text = draft.build_corpus()
    kinds = [
        [notice.kind for notice in corefeval.score(*sides).notices]
        for sides in ((text, [[(0, 2), (2, 2)]]), ([[(0, 2), (2, 2)]], text), (text, []), (text, text))
    ]
    assert kinds == [["labels-beside-characters"], ["labels-beside-characters"], [], []]


def test_two_files_whose_documents_are_named_after_them_are_compared(tmp_path: Path) -> None:
    draft = Draft("text")
    document = draft.add_document("d", text="Ann saw herself.")
    for span in ((0, 2), (8, 14)):
        document.add_mention("A", span)
    for name in ("gold", "system"):
        corefeval.write(draft.build_corpus().renamed({"d": name}), tmp_path / f"{name}.ann", format="brat")
    made = corefeval.score(tmp_path / "gold.ann", tmp_path / "system.ann")
    assert made["muc"].f1 == 1
    assert [notice.kind for notice in made.notices] == ["other-name"]
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    (tmp_path / "gold.ann").rename(tmp_path / "one" / "gold.ann")
    (tmp_path / "system.ann").rename(tmp_path / "two" / "system.ann")
    apart = corefeval.score(tmp_path / "one", tmp_path / "two")
    assert {"missing-document", "extra-document"} <= {notice.kind for notice in apart.notices}


def test_weights_and_split_antecedents_are_refused_together() -> None:
    mentions = [("A", (0, 0)), ("B", (1, 1)), ("C", (2, 2)), ("C", (3, 3))]
    split, plain = corpus({"d": mentions}, splits={"C": ("A", "B")}), corpus({"d": mentions})
    for weights in ({"mention_weights": {"NAM": 0.5}}, {"entity_weights": {"PER": 2}}):
        for kind in (corefeval.measures.Ceafm, corefeval.measures.Ceafe):
            measure = kind(**weights)
            for sides in ((split, split), (split, plain), (plain, split)):
                with pytest.raises(OptionError, match="weights have no definition for split antecedents"):
                    corefeval.score(*sides, measures=[measure], split_antecedents="keep")
            assert corefeval.score(plain, plain, measures=[measure], split_antecedents="keep")[measure].f1 == 1
            assert corefeval.score(split, split, measures=[measure], split_antecedents="drop")[measure].f1 == 1


def test_why_goes_on_where_the_files_lack_what_a_scorer_needs(tmp_path: Path) -> None:
    path = tmp_path / "key.jsonlines"
    corefeval.write(corpus({"d": [("A", (0, 1)), ("A", (3, 3))]}), path)
    made = CliRunner().invoke(cli, ["why", str(path), str(path), "--to", "corefud-1.2"])
    assert made.exit_code == 0
    assert "corefud-1.2 itself would refuse these files (match=head): match=head compares heads, but" in made.output
    found = corefeval.why(path, path, to="corefud-1.2")
    assert [step.decision for step in found.steps if step.refused] == ["match"]
    assert found.end.options.match == "exact"
    back = corefeval.why(path, path, from_="corefud-1.2", to="conll-8.01")
    assert "match=head compares heads" in back.refused
    assert back.end["conll"].f1 == 1
    with pytest.raises(OptionError, match="asks where mentions stand"):
        corefeval.why([["a", "b"]], [["a", "b"]], to="corefud-1.2", measures="success_rate:filter=all")


@pytest.mark.parametrize(
    ("command", "meant"),
    [
        (["score", "KEY", "KEY", "--match", "heda"], "did you mean head"),
        (["score", "KEY", "KEY", "--profile", "covall"], "did you mean coval"),
        (["score", "KEY", "KEY", "--singletons", "bth"], "did you mean both"),
        (["why", "KEY", "KEY", "--to", "corefud"], "did you mean corefud-1.2"),
        (["compare", "KEY", "KEY", "KEY", "--correction", "hlm"], "did you mean holm"),
        (["score", "KEY", "KEY", "--match", "xyz"], "known: exact, head"),
    ],
)
def test_wrong_words_on_the_command_line_are_told_the_near_ones(command: list[str], meant: str) -> None:
    made = CliRunner().invoke(cli, command)
    assert made.exit_code == 2
    assert f"{command[-1]!r} is not possible; {meant}" in " ".join(made.output.split())


def zero(document: str, source: str) -> Corpus:
    """A document of a word and a zero that depends on nothing."""
    draft = Draft(source)
    both = draft.add_document(document, words=["a", "_"], empty=[False, True])
    for place in (0, 1):
        both.add_mention("A", (place, place))
    return draft.build_corpus()


def test_a_scorer_says_once_that_zeros_depend_on_nothing() -> None:
    bits, others = Scorer("muc", zeros="dependency"), Scorer("muc", zeros="dependency")
    for number in range(3):
        bits.update(zero(str(number), "one"), zero(str(number), "one"))
    alone = corefeval.score(zero("0", "one"), zero("0", "one"), measures="muc", zeros="dependency").notices
    assert bits.compute().notices == alone
    assert [notice.kind for notice in alone] == ["no-dependencies"]
    others.update(zero("more", "two"), zero("more", "two"))
    bits.merge(others)
    assert [notice.message for notice in bits.compute().notices] == [
        f"{alone[0].message} (and so are those of 1 more)",
    ]


@pytest.mark.parametrize("profile", [name for name in PROFILES if PROFILES[name].options.match == "exact"])
def test_a_signature_tells_what_its_evaluation_told(profile: str) -> None:
    mentions = [("A", (0, 0)), ("A", (4, 4)), ("B", (1, 1)), ("C", (2, 2)), ("C", (3, 3)), ("C", (4, 4))]
    split = corpus({"d": mentions}, splits={"C": ("A", "B")})
    made = corefeval.score(split, corpus({"d": mentions[1:]}), profile=profile)
    again = corefeval.score(
        split,
        corpus({"d": mentions[1:]}),
        **Signature.parse(made.signature).options(),  # type: ignore[arg-type]
    )
    assert again.to_dict() == made.to_dict()
    assert again.notices == made.notices
    told = {notice.kind for notice in made.notices}
    assert ("split-antecedents" in told) == (made.options.split_antecedents == "drop")


@given(
    st.fixed_dictionaries({}, optional={name: st.sampled_from(list(each.values)) for name, each in DECISIONS.items()})
)
def test_the_options_of_a_signature_are_its_decisions(decisions: dict[str, str]) -> None:
    signature = Signature("0", ("muc",), Options(**decisions), 1)
    given_again = signature.options()
    assert given_again.pop("measures") == ["muc"]
    assert PROFILES[DEFAULT].options._replace(**given_again) == signature.decisions  # type: ignore[arg-type]
    assert Signature.parse(str(signature)) == signature


_REPEATED = [("A", (0, 0)), ("A", (1, 1)), ("B", (1, 1)), ("B", (2, 2)), ("B", (2, 2)), ("C", (3, 4))]
_TURNED = [("A", (0, 0)), ("A", (2, 2)), ("B", (1, 1)), ("B", (3, 3)), ("C", (1, 1)), ("C", (5, 5)), ("D", (5, 5))]


def numbers(score: Any) -> dict[str, float]:
    return {name: value for name, value in score.to_dict().items() if isinstance(value, int | float)}


@pytest.mark.parametrize("match", ["exact", "overlap"])
@pytest.mark.parametrize("duplicates", [word for word in DECISIONS["duplicates"].values if word != "error"])
@pytest.mark.parametrize("split_antecedents", ["keep", "ua-1", "ua-2"])
def test_split_antecedents_of_one_document_do_not_change_another(
    match: str, duplicates: str, split_antecedents: str
) -> None:
    measures = ["all"]
    options: dict[str, Any] = {"match": match, "duplicates": duplicates, "split_antecedents": split_antecedents}
    split = [("A", (0, 0)), ("B", (1, 1)), ("C", (2, 2)), ("C", (3, 3)), ("D", (4, 4)), ("D", (4, 4))]
    documents: dict[str, tuple[Rows, Rows]] = {
        "1": (_REPEATED, _TURNED),
        "2": (_TURNED, _REPEATED),
        "3": (split, split[1:]),
    }

    def sides(names: Iterable[str]) -> tuple[Corpus, Corpus]:
        splits: dict[str, tuple[str, ...]] = {"C": ("A", "B")} if "3" in names else {}
        key, response = ({name: documents[name][side] for name in names} for side in (0, 1))
        return corpus(key, splits=splits), corpus(response, splits=splits)

    together, bits = corefeval.score(*sides("123"), measures=measures, **options), Scorer(measures, **options)
    for name in documents:
        alone = corefeval.score(*sides(name), measures=measures, **options)
        bits.update(*sides(name))
        for measure in alone:
            assert numbers(together.documents[name][measure]) == pytest.approx(numbers(alone[measure])), measure
    for measure in together:
        assert numbers(bits.compute()[measure]) == pytest.approx(numbers(together[measure])), measure
    without = corefeval.score(*sides("12"), measures=measures, **options | {"split_antecedents": "drop"})
    for name in "12":
        for measure in without:
            found, wanted = (each.documents[name][measure] for each in (together, without))
            assert numbers(found) == pytest.approx(numbers(wanted)), measure


def test_mentions_with_gaps_in_other_places_have_one_order() -> None:
    """0 2-4, 0-1 3-4 and 0-2 4 begin and end together and have as many words: which is the last before the next?"""
    measure = "success_rate:filter=all"
    gaps: list[Any] = [((0, 0), (2, 4)), ((0, 1), (3, 4)), ((0, 2), (4, 4))]
    key = {"A": [gaps[0], gaps[1], (5, 5)], "B": [gaps[2]]}
    response = {"A": [gaps[0], gaps[2], (5, 5)], "B": [gaps[1]]}

    def side(entities: dict[str, list[Any]], order: tuple[int, ...]) -> Corpus:
        draft = Draft("side")
        document = draft.add_document("d", words=["he"] * 6)
        for place in order:
            document.add_mention("A", entities["A"][place])
        document.add_mention("B", entities["B"][0])
        return draft.build_corpus()

    found = {
        corefeval.score(side(key, one), side(response, other), measures=measure)[measure].score
        for one in permutations(range(3))
        for other in permutations(range(3))
    }
    # The key's anaphors are 0-1 3-4, which is alone in the response, and 5; in the response 0-2 4 comes before 5.
    assert found == {0}


def headed(*rows: tuple[str, tuple[int, int], int]) -> Corpus:
    draft = Draft("side")
    document = draft.add_document("d", words=["he"] * 7)
    for entity, span, head in rows:
        document.add_mention(entity, span, head=(head, head))
    return draft.build_corpus()


@pytest.mark.parametrize("duplicates", ["keep", "ua", "conll-8.01"])
@pytest.mark.parametrize("match", ["lenient", "partial"])
def test_a_mention_with_different_heads_is_matched_by_the_first_of_them(match: str, duplicates: str) -> None:
    """1-3 has the head 1 in one entity and 2 in the other; of 1 and 2 in the response, 1 is its twin."""
    rows = [("A", (1, 3), 1), ("A", (5, 5), 5), ("B", (1, 3), 2), ("B", (6, 6), 6)]
    response = headed(("A", (1, 1), 1), ("A", (5, 5), 5), ("B", (2, 2), 2), ("B", (6, 6), 6))
    for order in permutations(range(4)):
        made = corefeval.score(headed(*(rows[row] for row in order)), response, match=match, duplicates=duplicates)
        assert made.table.rows is not None
        twins = made.table.rows.response.mentions.take(made.table.rows.twin_response).objects()
        assert set(twins) == {(1, 1), (5, 5), (6, 6)}
