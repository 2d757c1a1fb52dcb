"""`explain` reads like the papers, and its last line is always the score."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, Any

import pytest

import corefeval
from corefeval import measures as known
from corefeval.analysis.breakdowns import FIELDS
from corefeval.analysis.errors.types import TYPES
from corefeval.analysis.explain import Derivation
from tests.analysis.decisions import evaluate_random, under_every_decision
from tests.data import DOCS, public_data, read_once

if TYPE_CHECKING:
    from collections.abc import Hashable
    from pathlib import Path


KEY: list[list[Hashable]] = [["a", "b", "c"], ["d", "e", "f", "g"]]
RESPONSE: list[list[Hashable]] = [["a", "b"], ["c", "d"], ["f", "g", "h", "i"]]
ENTITIES = """\
K1 = {a, b, c}
K2 = {d, e, f, g}
R1 = {a, b}
R2 = {c, d}
R3 = {f, g, h, i}
"""

# Pradhan et al. 2014, section 4; LEA: Moosavi & Strube 2016, section 5. The papers print two decimals: MUC 0.40, 0.40
# and 0.40; B³ 0.42, 0.50; CEAFm 0.57, 0.50 and 0.53; CEAFe 0.65, 0.43 and 0.52; Fn 0.50; LEA 0.24 and 0.33.
WORKED = {
    "muc": """\
K1: {a, b} {c}  3 mentions, 2 fragments
K2: {d} {f, g} {e}  4 mentions, 3 fragments
Recall = ((3 - 2) + (4 - 3)) / ((3 - 1) + (4 - 1)) = 2 / 5 = 0.4000

R1: {a, b}  2 mentions, 1 fragment
R2: {c} {d}  2 mentions, 2 fragments
R3: {f, g} {h} {i}  4 mentions, 3 fragments
Precision = ((2 - 1) + (2 - 2) + (4 - 3)) / ((2 - 1) + (2 - 1) + (4 - 1)) = 2 / 5 = 0.4000

F1 = 2 · 0.4000 · 0.4000 / (0.4000 + 0.4000) = 0.4000""",
    "bcub": """\
K1 ∩ R1 = {a, b}: 2/3 each, 2²/3 in all
K1 ∩ R2 = {c}: 1/3, 1²/3 in all
K2 ∩ R2 = {d}: 1/4, 1²/4 in all
K2 ∩ R3 = {f, g}: 2/4 each, 2²/4 in all
K2: {e} in no entity of the other side: 0
Recall = (2²/3 + 1²/3 + 1²/4 + 2²/4) / (3 + 4) = 2.9167 / 7 = 0.4167

R1 ∩ K1 = {a, b}: 2/2 each, 2²/2 in all
R2 ∩ K1 = {c}: 1/2, 1²/2 in all
R2 ∩ K2 = {d}: 1/2, 1²/2 in all
R3 ∩ K2 = {f, g}: 2/4 each, 2²/4 in all
R3: {h, i} in no entity of the other side: 0
Precision = (2²/2 + 1²/2 + 1²/2 + 2²/4) / (2 + 2 + 4) = 4 / 8 = 0.5000

F1 = 2 · 0.4167 · 0.5000 / (0.4167 + 0.5000) = 0.4545""",
    "ceafm": """\
φ(K1, R1) = 2   aligned
φ(K1, R2) = 1
φ(K2, R2) = 1
φ(K2, R3) = 2   aligned
not aligned: R2
Recall = (2 + 2) / (3 + 4) = 4 / 7 = 0.5714

Precision = (2 + 2) / (2 + 2 + 4) = 4 / 8 = 0.5000

F1 = 2 · 0.5714 · 0.5000 / (0.5714 + 0.5000) = 0.5333""",
    "ceafe": """\
φ(K1, R1) = 2·2 / (3 + 2) = 0.8000   aligned
φ(K1, R2) = 2·1 / (3 + 2) = 0.4000
φ(K2, R2) = 2·1 / (4 + 2) = 0.3333
φ(K2, R3) = 2·2 / (4 + 4) = 0.5000   aligned
not aligned: R2
Recall = (0.8000 + 0.5000) / (1 + 1) = 1.3000 / 2 = 0.6500

Precision = (0.8000 + 0.5000) / (1 + 1 + 1) = 1.3000 / 3 = 0.4333

F1 = 2 · 0.6500 · 0.4333 / (0.6500 + 0.4333) = 0.5200""",
    "blanc": """\
C(K) = {ab, ac, bc, de, df, dg, ef, eg, fg}
N(K) = {ad, ae, af, ag, bd, be, bf, bg, cd, ce, cf, cg}
C(R) = {ab, cd, fg, fh, fi, gh, gi, hi}
N(R) = {ac, ad, bc, bd, af, ag, ah, ai, bf, bg, bh, bi, cf, cg, ch, ci, df, dg, dh, di}

links                  key  response    both
coreference              9         8       2
non-coreference         12        20       8

Rc = 2 / 9 = 0.2222
Pc = 2 / 8 = 0.2500
Fc = 2 · 0.2222 · 0.2500 / (0.2222 + 0.2500) = 0.2353

Rn = 8 / 12 = 0.6667
Pn = 8 / 20 = 0.4000
Fn = 2 · 0.6667 · 0.4000 / (0.6667 + 0.4000) = 0.5000

Recall = 0.5 · 0.2222 + 0.5 · 0.6667 = 0.4444
Precision = 0.5 · 0.2500 + 0.5 · 0.4000 = 0.3250
BLANC = 0.5 · 0.2353 + 0.5 · 0.5000 = 0.3676""",
    "lea": """\
K1: importance 3, 3 links: 1 in R1, 0 in R2
K2: importance 4, 6 links: 0 in R2, 1 in R3
Recall = (3·(1 + 0)/3 + 4·(0 + 1)/6) / (3 + 4) = 1.6667 / 7 = 0.2381

R1: importance 2, 1 link: 1 in K1
R2: importance 2, 1 link: 0 in K1, 0 in K2
R3: importance 4, 6 links: 1 in K2
Precision = (2·1/1 + 2·(0 + 0)/1 + 4·1/6) / (2 + 2 + 4) = 2.6667 / 8 = 0.3333

F1 = 2 · 0.2381 · 0.3333 / (0.2381 + 0.3333) = 0.2778""",
}


@pytest.mark.parametrize("measure", WORKED)
def test_the_worked_example_reads_like_the_paper(measure: str) -> None:
    text = corefeval.explain(measure, KEY, RESPONSE).text
    head, _, steps = text.partition("\n\n")
    assert head.startswith(f"{measure}: ")
    assert steps == f"{ENTITIES}\n{WORKED[measure]}"


def test_the_documentation_names_every_type_and_field() -> None:
    page = (DOCS / "analysis.md").read_text(encoding="utf-8")
    assert all(f"| {kind} |" in page for kind in TYPES)
    assert all(f"`{field}`" in page for field in FIELDS)


def test_blancs_own_example_has_the_papers_numbers() -> None:
    """Recasens & Hovy 2011, figure 1: table 5 has 2 right and 3 wrong coreference links, 84 and 2 others; 70.78."""
    everyone = {*range(1, 15)}
    key, response = ([*some, *([m] for m in sorted(everyone.difference(*some)))] for some in (
        [[5, 12, 14], [7, 9]], [[5, 12], [7, 9, 14], [4, 6]],
    ))  # fmt: skip
    text = corefeval.explain("blanc", key, response).text
    assert re.search(r"^coreference +4 +5 +2$", text, re.MULTILINE)
    assert re.search(r"^non-coreference +87 +86 +84$", text, re.MULTILINE)
    assert text.endswith("= 0.7078")
    assert corefeval.explain("rand", key, response).text.endswith("= 0.9451")  # 86 of 91 pairs


def test_mentions_are_listed_in_the_order_of_the_text(tmp_path: Path) -> None:
    """A mention of one word is complete before the longer one that begins before it."""
    lines = ["#begin document (d);", *(f"d\t0\t{n}\t{w}\t{m}" for n, (w, m) in enumerate(
        [("The", "(0"), ("one", "(1)"), ("here", "0)"), ("it", "(0)")]))]  # fmt: skip
    path = tmp_path / "key.conll"
    path.write_text("\n".join([*lines, "", "#end document"]) + "\n", encoding="utf-8")
    text = corefeval.explain("muc", path, path).text
    assert "{The one here, it}" in text
    empty = corefeval.analyse(path, {"(d);": []}, measures=["bcub"])
    assert empty.worst(1).entities[0].words == ('"The one here"', '"it"')


def last_numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?\d+\.\d{4}", text.splitlines()[-1])]


@pytest.mark.parametrize("measure", [name for name in known.ALL if name != "distributional_error"])
def test_the_last_number_is_the_score(measure: str) -> None:
    rng = random.Random(3)
    for _ in range(40):
        sides: list[list[list[Hashable]]] = []
        for _ in range(2):
            entities: dict[int, list[Hashable]] = {}
            for number in range(9):
                if rng.random() < 0.8:
                    entities.setdefault(rng.randrange(4), []).append(f"m{number}")
            sides.append(list(entities.values()))
        text = corefeval.explain(measure, *sides).text
        score = corefeval.score(*sides, measures=[measure])[measure].main
        if "as recall and precision are both 0" in text.splitlines()[-1]:
            assert score == 0
        else:
            assert last_numbers(text.split(" by convention")[0])[-1] == pytest.approx(score, abs=5e-5), text


def test_the_steps_come_to_the_fraction_that_is_shown() -> None:
    """What stands left of the equals sign, calculated, is what stands right of it."""
    lines = [line for measure in ("muc", "bcub", "ceafm", "lea") for line in WORKED[measure].splitlines()]
    for line in lines:
        if line.startswith(("Recall", "Precision")):
            _, sum_, fraction, value = line.split(" = ")
            for side in (sum_, fraction):
                made = side.replace("²", "**2").replace("·", "*")
                assert eval(made) == pytest.approx(float(value), abs=6e-5)  # made of digits and signs above


@pytest.mark.parametrize("measure", ["kappa", "rand", "adjusted_rand", "dmt"])
def test_formulas_come_to_the_score(measure: str) -> None:
    """What stands between the equals signs, calculated."""
    _, formula, value = corefeval.explain(measure, KEY, RESPONSE).text.splitlines()[-1].split(" = ")
    assert eval(formula.replace("²", "**2").replace("·", "*")) == pytest.approx(float(value), abs=6e-5)


def test_a_large_entity_is_not_written_out() -> None:
    large = [[(number, number) for number in range(5000)]]
    text = corefeval.explain("muc", large, large).text
    assert ", ... 5,000 in all}" in text
    assert len(text) < 3000


def test_twins_of_other_words_and_words_said_twice_have_names_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "key.conll"
    marks = [("her", "(0)"), ("her", "(1)"), ("it", "(0)"), ("her", "(1)")]
    lines = [f"d\t0\t{number}\t{word}\t{mark}" for number, (word, mark) in enumerate(marks)]
    path.write_text("\n".join(["#begin document (d);", *lines, "", "#end document"]) + "\n", encoding="utf-8")
    text = corefeval.explain("bcub", path, path).text
    assert "K1 = {her, it}\nK2 = {her#2, her#3}\nR1 = {her, it}\nR2 = {her#2, her#3}" in text


def test_a_corpus_shows_what_each_document_adds() -> None:
    key, response = {"one": KEY, "two": KEY}, {"one": RESPONSE, "two": KEY}
    text = corefeval.explain("muc", key, response).text
    assert re.search(r"^one +2 +5 +2 +5$", text, re.MULTILINE)
    assert re.search(r"^sum +7 +10 +7 +10$", text, re.MULTILINE)
    assert "Recall = 7 / 10 = 0.7000" in text
    assert WORKED["muc"] in corefeval.explain("muc", key, response, document="one").text


def test_a_document_is_found_by_its_short_name() -> None:
    key = {"(bookshop); part 000": KEY, "(council); part 000": KEY, "(council); part 001": KEY, "council_2": KEY}

    def explained(name: str) -> str | None:
        return corefeval.explain("muc", key, key, document=name).document

    assert explained("bookshop") == explained("bookshop_0") == explained("(bookshop); part 000") == next(iter(key))
    assert explained("council_1") == "(council); part 001"
    assert explained("(council); part 002") == "council_2"
    with pytest.raises(corefeval.OptionError) as error:
        explained("council")
    assert "'council' is the name of 2 documents: '(council); part 000', '(council); part 001'" in str(error.value)


def test_a_document_that_is_not_there_is_an_error_that_names_those_that_are() -> None:
    with pytest.raises(corefeval.OptionError, match="did you mean one"):
        corefeval.explain("muc", {"one": KEY, "two": KEY}, {"one": RESPONSE, "two": KEY}, document="oen")


def test_measures_that_look_at_mentions_show_their_counts() -> None:
    spans = [[(0, 0), (2, 2)], [(1, 1), (4, 4)]]
    text = corefeval.explain("anaphor", spans, [[(0, 0), (2, 2), (4, 4)]]).text
    assert "Recall = 1 / 2 = 0.5000" in text


def test_every_reference_case_is_explained() -> None:
    folder = public_data("conll-scorer")
    for response in sorted(folder.glob("*.response")):
        sides = read_once(folder / f"{response.name.rsplit('-', 1)[0]}.key"), read_once(response)
        for measure in ("muc", "bcub", "ceafm", "ceafe", "blanc", "lea", "conll"):
            scored = corefeval.score(*sides, measures=[measure])
            for name in scored.document_names:
                text = corefeval.explain(measure, *sides, document=name).text
                expected = scored.documents[name][measure].main
                if "both 0" not in text.splitlines()[-1]:
                    assert last_numbers(text)[-1] == pytest.approx(expected, abs=5e-5), (response, measure)


@under_every_decision
def test_an_explanation_ends_with_the_score(options: dict[str, Any]) -> None:
    for seed in range(3):
        evaluation = evaluate_random(seed, options, again=0.2)
        for name, scores in evaluation.documents.items():
            for measure in evaluation.measures:
                text = Derivation(evaluation, measure, name).text.splitlines()[-1]
                if "both 0" in text:
                    assert scores[measure].main == 0
                else:
                    assert f"{scores[measure].main:.4f}" in text.split(" by convention")[0][-8:], (measure, text)
