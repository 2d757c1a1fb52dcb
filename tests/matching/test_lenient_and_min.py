"""Response mentions that contain a key mention's head (`lenient`) or minimum (`min`) and stay within it."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

import corefeval
from corefeval import Corpus, OptionError
from corefeval.formats.draft import Draft
from tests.data import public_data
from tests.oracles import matching as slow

if TYPE_CHECKING:
    from pathlib import Path

ALL = ("mentions", "muc", "bcub", "ceafm", "ceafe", "blanc", "lea")


@pytest.mark.parametrize("rule", ["lenient", "min"])
def test_the_greatest_total_share_among_all_pairs_of_sets(rule: str) -> None:
    rng = random.Random(4)
    compared = 0
    for _ in range(400):
        ours, theirs = slow.random_side(rng, 9, 2), slow.random_side(rng, 9, 2)
        ours[0][0].append((((20, 22),), (21, 21)))
        key, response = slow.corpus(ours, 24), slow.corpus(theirs, 24)
        rows = [[(d, *mention) for d, (entity,) in enumerate(side) for mention in entity] for side in (ours, theirs)]

        def credit(
            one: int, other: int, rows: list[list[tuple[int, slow.Runs, tuple[int, int] | None]]] = rows
        ) -> Fraction:
            (place, runs, core), (their_place, their_runs, _) = rows[0][one], rows[1][other]
            if place != their_place:
                return Fraction(0)
            return slow.lenient(slow.words_of(runs), slow.words_of((core,) if core else ()), slow.words_of(their_runs))

        found = slow.matched(key, response, rule)
        same = [(i, j) for i, one in enumerate(rows[0]) for j, other in enumerate(rows[1]) if one[:2] == other[:2]]
        assert set(same) <= set(found)
        left = [(i, j) for i, j in found if (i, j) not in same]
        assert all(credit(i, j) > 0 for i, j in left)
        free = [i for i in range(len(rows[0])) if i not in {i for i, _ in same}]
        their_free = [j for j in range(len(rows[1])) if j not in {j for _, j in same}]
        assert sum(credit(i, j) for i, j in left) == slow.best_total(free, their_free, credit)
        compared += len(left)
    assert compared > 100


HEAD, NO_HEAD = (2, 2), None


@pytest.mark.parametrize(
    ("response", "twin"),
    [
        (((0, 4),), True),
        (((2, 2),), True),
        (((1, 3),), True),
        (((0, 1),), False),
        (((3, 4),), False),
        (((2, 5),), False),
        (((0, 0), (2, 2)), True),
        (((0, 0), (4, 4)), False),
        (((1, 2), (6, 6)), False),
    ],
    ids=str,
)
def test_the_head_and_no_words_outside(response: slow.Runs, twin: bool) -> None:
    key = slow.corpus([[[(((0, 4),), HEAD)]]], 8)
    for rule in ("lenient", "min"):
        found = slow.matched(key, slow.corpus([[[(response, None)]]], 8), rule)
        assert found == ([(0, 0)] if twin else [])


def test_words_in_the_gap_of_the_key_mention_are_outside() -> None:
    key = slow.corpus([[[(((0, 1), (3, 4)), (0, 0))]]], 8)
    response = slow.corpus([[[(((0, 2),), None)], [(((0, 1),), None)]]], 8)
    assert slow.matched(key, response, "lenient") == [(0, 1)]


def test_of_several_the_largest_then_the_earlier() -> None:
    key = slow.corpus([[[(((0, 6),), (3, 3))]]], 8)

    def chosen(*spans: tuple[int, int]) -> list[tuple[int, int]]:
        return slow.matched(key, slow.corpus([[[((span,), None)] for span in spans]], 8), "lenient")

    assert chosen((3, 3), (2, 4), (3, 4)) == [(0, 1)]
    assert chosen((3, 5), (2, 4), (1, 3)) == [(0, 2)]


def test_a_twin_of_the_same_words_comes_first() -> None:
    """The response's "the man" is the key's "the man", though it is also within "the man who left"."""
    key = slow.corpus([[[(((0, 3),), (1, 1))], [(((0, 1),), (1, 1))]]], 8)
    response = slow.corpus([[[(((0, 1),), None)], [(((1, 1),), None)]]], 8)
    assert slow.matched(key, response, "lenient") == [(0, 1), (1, 0)]


def test_only_the_heads_of_the_key_count() -> None:
    key = slow.corpus([[[(((0, 3),), (1, 1))]]], 8)
    response = slow.corpus([[[(((0, 1),), (0, 0))]]], 8)
    assert slow.matched(key, response, "lenient") == [(0, 0)]
    assert slow.matched(slow.corpus([[[(((0, 3),), (3, 3))]]], 8), response, "lenient") == []


def test_a_key_without_heads_is_refused_by_name() -> None:
    key = corefeval.Corpus.join([slow.corpus([[[(((0, 3),), None)]]], 8)], source="plain.conll")
    with pytest.raises(OptionError, match=r"match=lenient .* plain\.conll has none"):
        corefeval.score(key, key, match="lenient")


def test_mentions_without_a_head_match_exactly_which_is_said() -> None:
    key = slow.corpus([[[(((0, 3),), (1, 1)), (((5, 6),), None)]]], 8)
    response = slow.corpus([[[(((0, 1),), None), (((5, 5),), None)]]], 8)
    evaluation = corefeval.score(key, response, match="lenient")
    assert evaluation["mentions"].recall == 0.5
    assert [warning.kind for warning in evaluation.notices] == ["no-head"]
    assert '"5 6" has no head and matches exactly only' in evaluation.notices[0].message


UA = """# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING DISCOURSE_DEIXIS
# newdoc id = d
"""


def _ua(cells: list[str]) -> str:
    nothing = ["_"] * 8
    rows = ["\t".join((str(number), f"w{number}", *nothing, cell, "_", "_")) for number, cell in enumerate(cells, 1)]
    return UA + "\n".join(rows) + "\n\n"


def test_min_counts_for_all_measures_in_conll_ua(tmp_path: Path) -> None:
    """The key mention is words 1 to 4 with minimum 3, the response has words 2 to 3 of it.

    UA 1 finds such mentions for CEAF only: MUC 50, B³ 62.5, CEAFe 100 and a CoNLL score of 70.83; without MIN, CEAFe is
    75. Coval (for ARRAU) and UA 2 give 100 throughout.
    """
    markable = "(EntityID={}|MarkableID=markable_{}"
    second, third, fourth = (markable.format(entity, number) for entity, number in ((1, 2), (2, 3), (2, 4)))
    key = [f"{markable.format(1, 1)}|Min=3", "_", "_", ")", "_", f"{second})", f"{third})", f"{fourth})"]
    response = ["_", markable.format(1, 1), ")", "_", "_", f"{second})", f"{third})", f"{fourth})"]
    (tmp_path / "key.ua").write_text(_ua(key), encoding="utf-8")
    (tmp_path / "response.ua").write_text(_ua(response), encoding="utf-8")
    paths = tmp_path / "key.ua", tmp_path / "response.ua"
    evaluation = corefeval.score(*paths, match="min", measures=[*ALL, "conll"])
    assert {str(measure): evaluation[str(measure)].f1 for measure in evaluation.measures} == dict.fromkeys(
        [*ALL, "conll"], 1.0
    )
    without = corefeval.score(*paths, measures=["muc", "bcub", "ceafe"])
    assert [without[name].f1 for name in ("muc", "bcub", "ceafe")] == [0.5, 0.625, 0.75]
    assert not evaluation.notices


MUC = "<DOC> <DOCID> d </DOCID>\n<TEXT>\n{} said {} left. {} went.\n</TEXT>\n</DOC>\n"
COMPANY = '<COREF ID="1" MIN="Corp.">the Acme Corp. of Ohio</COREF>'


@pytest.mark.parametrize(
    ("response", "right"),
    [
        ('the <COREF ID="1">Acme Corp.</COREF> of Ohio', True),
        ('the Acme <COREF ID="1">Corp. of Ohio</COREF>', True),
        ('the <COREF ID="1">Acme</COREF> Corp. of Ohio', False),
        ('<COREF ID="1">the Acme Corp. of Ohio said</COREF>', False),
    ],
)
def test_min_in_muc_files(tmp_path: Path, response: str, right: bool) -> None:
    others = '<COREF ID="2" TYPE="IDENT" REF="1">it</COREF>', '<COREF ID="3" TYPE="IDENT" REF="1">It</COREF>'
    (tmp_path / "key.sgm").write_text(MUC.format(COMPANY, *others), encoding="utf-8")
    text = MUC.format(response, *others).replace("said</COREF> said", "said</COREF>")
    (tmp_path / "response.sgm").write_text(text, encoding="utf-8")
    evaluation = corefeval.score(tmp_path / "key.sgm", tmp_path / "response.sgm", match="min", measures=ALL)
    assert not evaluation.notices
    assert evaluation["mentions"].recall == (1.0 if right else 2 / 3)
    assert all((evaluation[name].f1 == 1.0) == right for name in ALL)


def test_a_format_without_minimums_is_refused_and_a_file_without_them_matches_exactly(tmp_path: Path) -> None:
    (tmp_path / "key.conll").write_text("#begin document d\nd 0 0 Kim (1)\n#end document\n", encoding="utf-8")
    with pytest.raises(OptionError, match=r"match=min .*key\.conll has none: the format conll has no place for them"):
        corefeval.score(tmp_path / "key.conll", tmp_path / "key.conll", match="min")
    (tmp_path / "key.sgm").write_text(MUC.format("Kim", '<COREF ID="1">she</COREF>', "She"), encoding="utf-8")
    evaluation = corefeval.score(tmp_path / "key.sgm", tmp_path / "key.sgm", match="min")
    assert evaluation["mentions"].f1 == 1.0
    assert [warning.kind for warning in evaluation.notices] == ["no-minimum"]


def test_zeros_of_one_side_neither_hinder_nor_count() -> None:
    """Words 0 [1] 2 3 in the key, of which 1 is empty; the response has no zero: its word 1 is the key's word 2."""
    draft = Draft("key")
    document = draft.add_document("d", words=["a", "", "b", "c"], empty=[False, True, False, False])
    document.add_mention("1", (0, 3), head=(2, 2))
    document.add_mention("2", (0, 1), head=(1, 1))
    key = draft.build_corpus()
    response = Draft("response")
    document = response.add_document("d", words=["a", "b", "c"])
    document.add_mention("1", (1, 2))
    document.add_mention("2", (0, 0))
    assert slow.matched(key, response.build_corpus(), "lenient") == [(0, 0)]
    # The other way round, a zero that lies among the key mention's words is none of them.
    other = Draft("key")
    document = other.add_document("d", words=["a", "b", "c"])
    document.add_mention("1", (0, 2), head=(1, 1))
    assert slow.matched(other.build_corpus(), _with_a_zero([(0, 2)]), "lenient") == []
    assert slow.matched(other.build_corpus(), _with_a_zero([(0, 1), (2, 3)]), "lenient") == [(0, 1)]


def _with_a_zero(mentions: list[tuple[int, int]]) -> Corpus:
    draft = Draft("response")
    document = draft.add_document("d", words=["a", "", "b", "c"], empty=[False, True, False, False])
    for span in mentions:
        document.add_mention("1", span)
    return draft.build_corpus()


def _published(folder: str, matching: str) -> list[tuple[Path, Path, str, dict[str, list[float]]]]:
    """The files and numbers of another scorer's tests of one kind of matching; zeros=order is its "linear"."""
    root = public_data(folder)
    rows = json.loads((root / "expected.json").read_text(encoding="utf-8"))
    return [
        (
            root / row["key"],
            root / row["response"],
            "order" if row["options"]["keep_zeros"] else "drop",
            row["expected"],
        )
        for row in rows
        if row["options"]["match"] == matching and row["options"].get("zero_match_method") != "dependent"
    ]


@pytest.mark.parametrize(("rule", "folder"), [("lenient", "corefud-scorer"), ("min", "ua-scorer")])
def test_the_same_rule_in_the_scorers_of_corefud_and_universal_anaphora(rule: str, folder: str) -> None:
    """Their `partial-corefud` contains the key mention's head, or minimum in CoNLL-UA, and stays within it."""
    published = _published(folder, "partial-corefud")
    assert len(published) > 20
    for key, response, zeros, expected in published:
        names = {"blanc": "blanc:boundary=both"} | {name: name for name in ("muc", "bcub", "ceafe", "ceafm", "lea")}
        evaluation = corefeval.score(key, response, match=rule, measures=names.values(), zeros=zeros)
        for theirs, ours in names.items():
            score = evaluation[ours]
            found = (score.recall, score.precision, score.f1)
            assert found == pytest.approx(tuple(expected[theirs]), abs=2e-6), (key.name, response.name, theirs)
