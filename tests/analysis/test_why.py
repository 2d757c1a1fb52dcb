"""`corefeval why` goes from one scorer's numbers to another's, and names what is responsible."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import corefeval
from corefeval import OptionError
from corefeval.analysis.why import LIST_CAUSES
from corefeval.options import DECISIONS
from corefeval.profiles.registry import PROFILES
from tests.cli.running import get_output, run
from tests.corpus.drafts import draft_corpus
from tests.data import golden

if TYPE_CHECKING:
    from pathlib import Path


KEY = """\
#begin document (d); part 000
d	0	0	Ann	-	-	(0)
d	0	1	saw	-	-	-
d	0	2	Bea	-	-	(1)
d	0	3	and	-	-	-
d	0	4	she	-	-	(0)
d	0	5	her	-	-	(1)
d	0	6	dog	-	-	(2)

#end document
"""
RESPONSE = KEY.replace("she	-	-	(0)", "she	-	-	(0)|(1)").replace(
    "dog	-	-	(2)", "dog	-	-	-"
)
NO_HEADS = [name for name in PROFILES if name != "corefud-1.2"]


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    key, response = tmp_path / "key.conll", tmp_path / "response.conll"
    key.write_text(KEY, encoding="utf-8")
    response.write_text(RESPONSE, encoding="utf-8")
    return str(key), str(response)


@pytest.mark.parametrize("to", NO_HEADS)
@pytest.mark.parametrize("from_", NO_HEADS)
def test_the_way_begins_and_ends_with_the_scorers_numbers(from_: str, to: str) -> None:
    cases = {case["name"]: case for case in golden("profile_cases.json")}
    for name in (
        "repeats on both sides",
        "two documents of different size",
        "spurious response mentions, alone and not",
    ):
        key, response = (
            {
                document: [[tuple(mention) for mention in entity] for entity in entities]
                for document, entities in side.items()
            }
            for side in (cases[name]["key"], cases[name]["response"])
        )
        found = corefeval.why(
            key, response, from_=from_, to=to, measures=["muc", "bcub", "ceafe", "blanc", "lea", "conll"]
        )
        first, last = (corefeval.score(key, response, profile=profile) for profile in (from_, to))
        for measure in found.measures:
            assert found.start[measure].f1 == first[str(measure)].f1
            assert found.end[measure].f1 == last[str(measure)].f1
            moved = sum(found.changes(step, measure)["f1"] for step in range(len(found.steps)))
            assert moved == pytest.approx(last[str(measure)].f1 - first[str(measure)].f1, abs=1e-12)
        one, other = PROFILES[from_].options._asdict(), PROFILES[to].options._asdict()
        assert {step.decision for step in found.steps} == {each for each in one if one[each] != other[each]}


def test_every_decision_has_its_turn() -> None:
    assert sorted(LIST_CAUSES) == sorted(DECISIONS)


def test_repeated_mentions_are_named(files: tuple[str, str]) -> None:
    shown = get_output("why", *files, "--to", "coval").splitlines()
    assert shown[0].split() == ["mentions", "muc", "bcub", "ceafe", "lea", "conll"]
    # The reference scorer leaves 'she' in the first entity, so four of five key mentions are right.
    assert shown[2].split() == ["conll-8.01", "88.89", "100.00", "88.89", "80.00", "88.89", "89.63"]
    moved = next(line for line in shown if line.startswith("duplicates"))
    assert "conll-8.01 → coval" in moved
    assert next(line for line in shown if line.startswith("coval")).split()[2] == "57.14"
    assert "decisions change one after the other, in this order; in another order each may move more or less" in shown
    place = f'  {files[1]}:6: "she" is in entities 0 and 1 of document'
    assert any(line.startswith(place) for line in shown)


def test_singletons_are_named(files: tuple[str, str]) -> None:
    shown = get_output("why", *files, "--to", "allennlp", "-m", "bcub")
    assert "the key has 1 entity of one mention" in shown
    assert f'{files[0]}:8: "dog" is alone in entity 2' in shown


def test_what_scorch_adds_is_named() -> None:
    found = corefeval.why([["a", "b"]], [["a", "b", "c"]], to="scorch-cli")
    step = next(step for step in found.steps if step.decision == "twinless")
    assert step.causes[0] == "0 of 2 key mentions and 1 of 3 response mentions have no twin"
    assert step.causes[1] == "response: 'c' of entity 0 is in the response only"


def test_links_documents_and_sizes_are_named() -> None:
    key = {"d1": [["a", "b", "c"]], "d2": [["a", "b"]]}
    found = {step.decision: step for step in corefeval.why(key, {"d1": [["a", "b"], ["c"]]}, to="scorch").steps}
    assert "document 'd2' is missing" in found["missing"].causes[0]
    assert found["missing"].evaluation["bcub"].recall == pytest.approx(5 / 9)
    assert "the key has 0 non-coreference links, the response 2" in found["boundary"].causes[0]
    key["d3"], both = [["a"]], {"d1": [["a", "b"], ["c"]], "d2": [["a"]], "d3": [["a"]]}
    average = next(step for step in corefeval.why(key, both, to="scorch").steps if step.decision == "average")
    assert average.causes[0].startswith("3 documents, of which the largest, 'd1', has 50% of the key's mentions")


CONLLU = """\
# global.Entity = eid-etype-head-other
# newdoc id = d
# sent_id = s1
1	the	_	DET	_	_	2	det	_	Entity=(e1--2-
2	dog	_	NOUN	_	_	3	nsubj	_	Entity=e1)
3	saw	_	VERB	_	_	0	root	_	_
3.1	_	_	PRON	_	_	_	_	3:obj	Entity=(e2--1-)
4	its	_	PRON	_	_	5	det	_	Entity=(e2--2-(e1--1-)
5	tail	_	NOUN	_	_	3	obj	_	Entity=e2)

"""


def test_heads_and_zeros_are_named(tmp_path: Path) -> None:
    key, response = tmp_path / "key.conllu", tmp_path / "response.conllu"
    key.write_text(CONLLU, encoding="utf-8")
    shorter = CONLLU.replace("Entity=(e1--2-\n", "_\n").replace("Entity=e1)\n3\t", "Entity=(e1--1-)\n3\t")
    moved = shorter.replace("3.1	_	_	PRON	_	_	_	_	3:obj	Entity=(e2--1-)\n", "")
    response.write_text(
        moved.replace(
            "Entity=e2)\n", "Entity=e2)\n5.1	_	_	PRON	_	_	_	_	3:obj	Entity=(e2--1-)\n"
        ),
        encoding="utf-8",
    )
    shown = get_output("why", str(key), str(response), "--to", "corefud-1.2")
    assert f'{key}:4: "the dog" is now {response}:5: "dog"' in shown
    assert "the key has 1 zero, the response 1" in shown
    last = next(line for line in shown.splitlines() if line.startswith("corefud-1.2"))
    assert last.split()[1:] == ["100.00"] * 7
    found = corefeval.why(key, response, to="corefud-1.2")
    assert [step.decision for step in found.steps if step.decision in ("match", "zeros")] == ["match", "zeros"]


def test_a_scorer_that_would_refuse_is_said_to() -> None:
    key = {"d1": [["a", "b"]], "d2": [["a", "b"]]}
    found = corefeval.why(key, {"d1": [["a", "b"]]}, to="coval")
    step = next(step for step in found.steps if step.decision == "missing")
    assert "document 'd2' is missing" in step.refused
    assert found.end["bcub"].recall == 0.5
    assert "coval itself would refuse these files (missing=error): response: document 'd2' is missing" in str(found)
    back = corefeval.why(key, {"d1": [["a", "b"]]}, from_="coval", to="conll-8.01")
    assert "coval itself would refuse these files" in str(back)
    assert back.end["bcub"].recall == 0.5


def test_json_has_everything(files: tuple[str, str]) -> None:
    found = json.loads(get_output("why", *files, "--from", "coval", "--to", "ua-2", "-m", "blanc", "--json"))
    assert (found["from"]["profile"], found["to"]["profile"]) == ("coval", "ua-2")
    assert [step["decision"] for step in found["steps"]] == [
        "extra",
        "split_antecedents",
        "zeros",
        "duplicates",
        "boundary",
    ]
    assert set(found["steps"][1]["changes"]["blanc"]) == {"recall", "precision", "f1"}
    assert found["to"]["scores"]["blanc"]["f1"] == corefeval.score(*files, profile="ua-2")["blanc"].f1
    assert "boundary:both" in found["to"]["signature"]


def test_a_profile_that_is_not_there() -> None:
    with pytest.raises(OptionError, match="profile='covall' is not possible; did you mean coval"):
        corefeval.why([["a"]], [["a"]], to="covall")


def test_why_goes_on_where_the_files_lack_what_a_scorer_needs(tmp_path: Path) -> None:
    path = tmp_path / "key.jsonlines"
    corefeval.write(draft_corpus({"d": [("A", (0, 1)), ("A", (3, 3))]}), path)
    made = run("why", path, path, "--to", "corefud-1.2")
    assert made.returncode == 0
    assert "corefud-1.2 itself would refuse these files (match=head): match=head compares heads, but" in made.stdout
    found = corefeval.why(path, path, to="corefud-1.2")
    assert [step.decision for step in found.steps if step.refused] == ["match"]
    assert found.end.options.match == "exact"
    back = corefeval.why(path, path, from_="corefud-1.2", to="conll-8.01")
    assert "match=head compares heads" in back.refused
    assert back.end["conll"].f1 == 1
    with pytest.raises(OptionError, match="asks where mentions stand"):
        corefeval.why([["a", "b"]], [["a", "b"]], to="corefud-1.2", measures="success_rate:filter=all")
