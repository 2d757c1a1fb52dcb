"""What pages and figures show, found again by plain loops over sets."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefeval
from corefeval import OptionError
from corefeval.analysis.breakdowns import measure_distances_before
from corefeval.analysis.errors.types import TYPES
from corefeval.analysis.subsets import get_rows
from corefeval.comparison.comparison import compare_evaluations
from corefeval.comparison.results import Settings
from corefeval.formats.draft import Draft
from corefeval.show import pages
from corefeval.show.pages.content import FORMAT, attribution, documents, errors, findings, lists
from corefeval.show.pages.content.report import Report
from tests.analysis.decisions import evaluate_random, under_every_decision
from tests.browser.made import KEY, RESPONSE, hard
from tests.cli.running import run
from tests.data import EXAMPLES
from tests.overlap.test_split_antecedents import side

SIDES = [str(EXAMPLES / "key.conll"), *(str(EXAMPLES / f"response-{name}.conll") for name in "ab")]
Side = list[list[int]]


@st.composite
def sides(draw: st.DrawFn) -> Side:
    """A partition of some of twelve mentions."""
    owner = draw(st.lists(st.integers(0, 5), min_size=12, max_size=12))
    return [members for each in range(1, 6) if (members := [m for m, entity in enumerate(owner) if entity == each])]


@given(sides(), sides())
def test_errors_are_those_of_the_analysis(key: Side, response: Side) -> None:
    evaluation = corefeval.score({"one": [], "two": key}, {"one": [], "two": response})
    listed = errors.list_errors(corefeval.Analysis(evaluation))
    found = Counter(error.kind for error in listed)
    titles = {kind.name: kind.title for kind in errors.list_kinds(get_rows(evaluation))}
    assert {titles[name]: count for name, count in found.items()} == {
        kind: count for kind, count in corefeval.Analysis(evaluation).counts.items() if count
    }
    assert {error.document for error in listed} <= {1}


@given(sides(), sides())
def test_errors_show_at_all_mentions_of_their_part(key: Side, response: Side) -> None:
    evaluation = corefeval.score(key, response)
    rows = get_rows(evaluation)
    named = [rows.key.mentions.objects(), rows.response.mentions.objects()]
    ours, theirs = {m for entity in key for m in entity}, {m for entity in response for m in entity}
    marked: set[object] = set()
    for error in errors.list_errors(corefeval.Analysis(evaluation)):
        shown = [{named[0][row] for row in error.key}, {named[1][row] for row in error.response}]
        marked |= shown[0] | shown[1]
        if error.kind in ("divided-entity", "conflated-entities"):
            assert shown[0] == shown[1]
            assert shown[0] in [set(one) & set(other) for one in key for other in response]
        else:
            assert shown == ([shown[0], set()] if error.kind.startswith("missing") else [set(), shown[1]])
            assert shown[0] <= ours - theirs
            assert shown[1] <= theirs - ours
    # Nothing wrong goes unseen.
    assert bool(marked) == ({frozenset(entity) for entity in key} != {frozenset(entity) for entity in response})


def test_every_type_of_error_has_a_sign_a_rule_and_a_colour_in_both_themes() -> None:
    style = (Path(pages.__file__).parent / "style" / "colours.css").read_text()
    kinds = errors.list_kinds(get_rows(corefeval.score([[(0, 1), (3, 3)]], [[(0, 1), (3, 4)]], match="overlap")))
    assert [kind.title for kind in kinds] == list(TYPES)
    assert len({kind.sign for kind in kinds}) == len({kind.rule for kind in kinds}) == 7
    colours = {kind: re.findall(rf"--{kind.name}: (#\w{{6}});", style) for kind in kinds}
    assert [len(found) for found in colours.values()] == [3] * 7  # light, dark, and dark where the system is set to it
    for theme in range(3):
        assert len({found[theme] for found in colours.values()}) == 7
    assert all(found[1] == found[2] for found in colours.values())
    assert all(f".sign.{kind.name} {{" in style for kind in kinds)
    described = (EXAMPLES.parent / "docs" / "report.md").read_text()
    assert all(f"| {kind.sign} | {kind.title} | {kind.rule} |" in described for kind in kinds)


@given(sides(), sides())
def test_entities_with_misplaced_mentions_are_listed_by_cost(key: Side, response: Side) -> None:
    evaluation = corefeval.score(key, response)
    rows = get_rows(evaluation)
    own = documents.PageSide(rows.key), documents.PageSide(rows.response)
    table = attribution.CostTable(evaluation, evaluation.measures, *own)
    main = len(evaluation.measures) - 1
    found = lists.list_wrong_entities(evaluation, own, table, main)
    misplaced = {
        (side, at): len(entity) - max((len(set(entity) & set(other)) for other in others), default=0)
        for side, entities, others in (("key", key, response), ("response", response, key))
        for at, entity in enumerate(entities)
    }
    names = [(("key", "response")[side], entity) for side, entity in zip(found["side"], found["entity"], strict=True)]
    assert dict(zip(names, found["misplaced"], strict=True)) == {name: n for name, n in misplaced.items() if n}
    assert found["costs"][main] == sorted(found["costs"][main], reverse=True)
    assert found["total"] == len(names)


@given(sides(), sides())
def test_points_of_types_add_up_to_what_is_lost(key: Side, response: Side) -> None:
    evaluation = corefeval.score(key, response, measures=["bcub", "ceafe", "pairwise"])
    listed = findings.list_corrections(corefeval.Analysis(evaluation), evaluation.measures)
    whole = corefeval.score(key, key, measures=["bcub", "ceafe", "pairwise"])
    for place, measure in enumerate(evaluation.measures):
        lost = 100 * (whole[measure].main - evaluation[measure].main)
        assert sum(each["points"][place] for each in listed) == pytest.approx(lost, abs=1e-3)


@given(sides(), sides(), sides())
def test_fixed_and_broken_errors_are_those_of_diff(key: Side, one: Side, other: Side) -> None:
    analyses = [corefeval.Analysis(corefeval.score(key, response)) for response in (one, other)]
    listed = [errors.list_errors(each) for each in analyses]
    ours, theirs = map(set, errors.number_identities(listed))
    expected = corefeval.diff(key, one, other).changes
    assert len(ours - theirs) == sum(len(change.fixed) for change in expected)
    assert len(theirs - ours) == sum(len(change.broken) for change in expected)
    assert len(theirs & ours) == sum(change.both for change in expected)


def check_schema(data: dict[str, Any], records: dict[int, Any], listed: Sequence[Any] = ()) -> None:
    """Fail unless the data of a page are as the schema in the package says."""
    jsonschema = pytest.importorskip("jsonschema", reason="pages' data are checked with jsonschema")
    schema = json.loads((Path(documents.__file__).parent / "schema.json").read_text(encoding="utf-8"))
    for name, value in (
        ("report", data),
        *(("document", record) for record in records.values()),
        *(("lists", each) for each in listed),
    ):
        jsonschema.Draft202012Validator(schema | {"$ref": f"#/$defs/{name}"}).validate(value)


def test_the_data_of_pages_are_as_the_schema_says(tmp_path: Path) -> None:
    running = tmp_path / "d.txt"
    running.write_text("Ann met Bo.")
    (tmp_path / "d.ann").write_text("T1\tP 0 3\tAnn\nT2\tP 8 10\tBo\nR1\tCoreference Arg1:T1 Arg2:T2\n")
    read = corefeval.read(tmp_path / "d.ann")
    pages_of = {
        "words": {
            name: corefeval.score(hard(KEY, "key"), hard(each, name)) for name, each in (("a", RESPONSE), ("b", KEY))
        },
        "files": {name: corefeval.score(SIDES[0], path) for name, path in zip("ab", SIDES[1:], strict=True)},
        "labels": {"a": corefeval.score([["x", "y"], ["z"]], [["x"], ["y", "w"]])},
        "characters": {"a": corefeval.score(read, read)},
        "nothing": {"a": corefeval.score([], [])},
        "relations": {"a": corefeval.score([[1, 2], [3]], [[1], [2, 3]], measures=["non_referring"])},
        "unknown": {"a": corefeval.score([[1, 2], [3]], [[1], [2, 3]], measures=["vi", "rand", "non_referring"])},
    }
    for name, evaluations in pages_of.items():
        pages.write(evaluations, tmp_path / f"{name}.html", resamples=20)
        data, records, _ = read_back(tmp_path / f"{name}.html")
        assert data["format"] == FORMAT == 2
        listed = read_lists(tmp_path / f"{name}.html")
        assert len(listed) == len(evaluations)
        check_schema(data, records, listed)
    broken = data | {"format": 1}
    with pytest.raises(Exception, match="2 was expected"):
        check_schema(broken, {})


def test_a_page_tells_no_path_of_the_machine_it_was_made_on(tmp_path: Path) -> None:
    here = tmp_path / "private folder" / "a"
    for name in ("a", "b"):
        (tmp_path / "private folder" / name).mkdir(parents=True)
        (tmp_path / "private folder" / name / "response.conll").write_text(Path(SIDES[1]).read_text())
    (here / "key.conll").write_text(Path(SIDES[0]).read_text().replace("#begin document", "#begin document x", 1))
    sources = [str(here.parent / name / "response.conll") for name in "ab"]
    done = run("report", str(here / "key.conll"), *sources, "-o", str(tmp_path / "a.html"), "--resamples", "100")
    assert done.returncode == 0
    data, _, text = read_back(tmp_path / "a.html")
    assert data["notices"], "a document that the response lacks"
    assert str(tmp_path) not in text
    assert "private" not in text
    assert data["key"]["name"] == "key.conll"


def test_a_page_has_the_warnings_of_evaluations_and_of_their_analyses(tmp_path: Path) -> None:
    evaluations = {name: corefeval.score(SIDES[0], path) for name, path in zip("ab", SIDES[1:], strict=True)}
    pages.write(evaluations, tmp_path / "a.html", resamples=20)
    told = {each["message"] for each in read_back(tmp_path / "a.html")[0]["notices"]}
    for evaluation in evaluations.values():
        for notice in corefeval.Analysis(evaluation).notices:
            assert str(notice).replace(f"{EXAMPLES}/", "") in told


def read_back(path: Path) -> tuple[dict[str, Any], dict[int, Any], str]:
    """The page's data, its documents, and the page."""
    records, text = read_records(path)
    return (
        records["data"],
        {int(name[1:]): record for name, record in records.items() if re.fullmatch(r"d\d+", name)},
        text,
    )


def read_lists(path: Path) -> list[Any]:
    """The lists of every system in a page."""
    return [record for name, record in read_records(path)[0].items() if name.startswith("s")]


def read_records(path: Path) -> tuple[dict[str, Any], str]:
    """All data of a page by their ids, and the page."""
    text = path.read_text(encoding="utf-8")
    scripts = re.findall(r'<script type="application/json" id="(\w+)">(.*?)</script>', text, flags=re.DOTALL)
    return {name: json.loads(content) for name, content in scripts}, text


def test_the_page_has_every_mention_and_every_twin(tmp_path: Path) -> None:
    key, response = hard(KEY, "key"), hard(RESPONSE, "response")
    pages.write({"r": corefeval.score(key, response)}, tmp_path / "a.html", resamples=100)
    data, records, _ = read_back(tmp_path / "a.html")
    record = records[0]

    def listed(side: Any) -> set[tuple[str, Any]]:
        return {(side["entities"][m[0]], tuple(zip(m[1::2], m[2::2], strict=True))) for m in side["mentions"]}

    assert listed(record["key"]) == {(name, runs) for name, mentions in KEY.items() for runs in mentions}
    assert listed(record["systems"][0]) == {(name, runs) for name, mentions in RESPONSE.items() for runs in mentions}
    both = [(record["key"]["mentions"][twin][1:], record["systems"][0]["mentions"][own][1:])
            for own, twin in enumerate(record["systems"][0]["twins"]) if twin >= 0]  # fmt: skip
    assert all(one == other for one, other in both)
    assert len(both) == 9
    assert [column[0] for column in data["documents"].values()] == ["hard <i>", 36, 10, 4]
    assert record["texts"][0]["zeros"] == [14]


@given(sides(), sides())
def test_costs_in_the_page_are_those_of_the_analysis(key: Side, response: Side) -> None:
    evaluation = corefeval.score({"one": [], "two": key}, {"one": [[50, 51]], "two": response})
    rows = get_rows(evaluation)
    ours, theirs = documents.PageSide(rows.key), documents.PageSide(rows.response)
    found = attribution.CostTable(evaluation, evaluation.measures, ours, theirs)
    records = [found.build_record(document) for document in range(2)]

    def total(names: tuple[str, ...], measure: int) -> float:
        numbers = [(record, number) for record in records for name in names for number in record[name] if number]
        return float(sum(record["lists"][number - 1][measure] for record, number in numbers)) / 1e8

    analysis = corefeval.Analysis(evaluation)
    for place, measure in enumerate(evaluation.measures):
        costs = analysis.costs(measure)
        for names in (("key", "own"), ("keyEntities", "ownEntities")):
            assert total(names, place) == pytest.approx(costs.loss - costs.rest, rel=0.006, abs=1e-6)
        worst = analysis.worst(10, measure)
        told = found.list_costliest(place)
        for name, expected in (("mentions", worst.mentions), ("entities", worst.entities)):
            assert [each["cost"] / 1e6 for each in told[name]] == pytest.approx(
                [100 * each.cost[str(measure)] for each in expected], rel=0.006
            )


@given(sides(), sides())
def test_errors_cost_by_every_measure_what_the_analysis_by_that_measure_says(key: Side, response: Side) -> None:
    evaluation = corefeval.score(key, response)
    rows = get_rows(evaluation)
    listed = errors.list_errors(corefeval.Analysis(evaluation))
    table = attribution.CostTable(
        evaluation, evaluation.measures, documents.PageSide(rows.key), documents.PageSide(rows.response)
    )
    kinds = [kind.name for kind in errors.list_kinds(rows)]
    found = lists.list_errors(listed, kinds, table)
    for measure, costs in zip(evaluation.measures, found["costs"], strict=True):
        alone = corefeval.Analysis(corefeval.score(key, response, measures=[measure])).errors
        expected = {(each.type.replace(" ", "-"), each.key_rows, each.response_rows): each.cost for each in alone}
        for error, cost in zip(listed, costs, strict=True):
            assert cost / 1e8 == pytest.approx(expected[error.kind, error.key, error.response], rel=0.006, abs=1e-8)
    main = found["costs"][-1]
    assert all(one >= other * 0.99 for one, other in pairwise(main)), "CoNLL is last, and the costliest comes first"


def test_a_list_that_ends_early_says_how_many_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "LISTED", 2)
    evaluation = corefeval.score(hard(KEY, "key"), hard(RESPONSE, "response"))
    report = Report(compare_evaluations({"r": (evaluation,)}, evaluation.measures, Settings(resamples=20), None))
    listed = report.build_lists(0)
    assert [len(listed["errors"]["kind"]), listed["errors"]["total"]] == [2, 7]
    assert [len(each["costs"][0]) for each in listed.values()] == [2, 2]


def test_costs_are_written_with_three_digits_and_nothing_is_nothing() -> None:
    assert attribution.round_costs(np.array([0.0, 1e-12, 0.123456, -0.00123456])).tolist() == [
        0,
        0,
        12_300_000,
        -123_000,
    ]


def test_what_costs_most_is_shown_in_its_document(tmp_path: Path) -> None:
    """Whatever the order of the documents' names."""
    key = {"d9": [[(0, 0), (1, 1)]], "d10": [[(0, 0), (1, 1)]], "d1": [[(0, 0), (1, 1)]]}
    pages.write({"r": corefeval.score(key, key | {"d9": []}, measures=["muc"])}, tmp_path / "a.html", resamples=100)
    data, _, _ = read_back(tmp_path / "a.html")
    costly = [data["documents"]["name"][each["document"]] for each in data["costliest"][0][0]["mentions"]]
    assert set(costly) == {"d9"}
    (listed,) = read_lists(tmp_path / "a.html")
    assert [data["documents"]["name"][number] for number in listed["errors"]["document"]] == ["d9"]


def test_nothing_in_the_data_looks_like_a_tag(tmp_path: Path) -> None:
    pages.write({"r": corefeval.score(hard(KEY, "<b>"), hard(RESPONSE, "x"))}, tmp_path / "a.html", resamples=100)
    _, _, text = read_back(tmp_path / "a.html")
    assert text.count("</script>") == 5
    assert "\\u003c/script>" in text
    assert not re.search(r'(?:src|href)="(?:https?:)?//', text)


def test_other_words_on_the_other_side_are_shown_as_they_are(tmp_path: Path) -> None:
    key = tmp_path / "key.jsonlines"
    key.write_text('{"doc_key": "d", "sentences": [["can", "not", "we"]], "clusters": [[[0, 1], [2, 2]]]}\n')
    other = tmp_path / "other.jsonlines"
    other.write_text('{"doc_key": "d", "sentences": [["cannot", "we"]], "clusters": [[[0, 0], [1, 1]]]}\n')
    pages.write({"r": corefeval.score(key, other)}, tmp_path / "a.html", resamples=100)
    data, records, _ = read_back(tmp_path / "a.html")
    check_schema(data, records)
    assert [text["sentences"] for text in records[0]["texts"]] == [[["can", "not", "we"]], [["cannot", "we"]]]
    assert records[0]["systems"][0]["twins"] == [0, 1]
    assert records[0]["systems"][0]["mentions"] == [[0, 0, 0], [0, 1, 1]]
    assert records[0]["systems"][0]["inKey"] == [[0, 1], [2, 2]]


def test_mentions_of_other_words_have_a_place_in_the_key_s_where_they_correspond(tmp_path: Path) -> None:
    (tmp_path / "key.txt").write_text("Ann  met\n Bo.")
    (tmp_path / "key.ann").write_text("T1\tP 0 4\tAnn \nT2\tP 10 12\tBo\nR1\tCoreference Arg1:T1 Arg2:T2\n")
    other = tmp_path / "other.jsonlines"
    other.write_text(
        '{"doc_key": "key", "sentences": [["Ann", "met", "Bo."]], "clusters": [[[0, 0], [2, 2], [0, 1]]]}\n'
    )
    evaluation = corefeval.score(tmp_path / "key.ann", other)
    pages.write({"r": evaluation, "s": evaluation}, tmp_path / "a.html", resamples=100)
    _, found, _ = read_back(tmp_path / "a.html")
    system = found[0]["systems"][0]
    # "Ann " has a blank in the key, which its twin has not: they are the same. "Bo." ends with the text.
    assert [found[0]["key"]["mentions"], system["twins"]] == [[[0, 0, 3], [0, 10, 11]], [-1, 0, -1]]
    assert system["inKey"] == [[0, 7], [0, 3], [10, 12]]
    assert system["missed"] == {"1": []}


def test_zeros_that_only_the_response_has_have_no_place_in_the_key(tmp_path: Path) -> None:
    words = ["_", "Ha", "comprado"]

    def side(empty: list[bool], mentions: list[int]) -> corefeval.Corpus:
        draft = Draft("x")
        kept = words[3 - len(empty) :]
        document = draft.add_document("d", words=kept, sentence=[0] * len(kept), empty=empty)
        for place in mentions:
            document.add_mention("e", ((place, place),))
        return draft.build_corpus()

    evaluation = corefeval.score(side([False, False], [0, 1]), side([True, False, False], [0, 1]))
    pages.write({"r": evaluation, "s": evaluation}, tmp_path / "a.html", resamples=100)
    _, found, _ = read_back(tmp_path / "a.html")
    assert found[0]["systems"][0]["inKey"] == [[], [0, 0]]
    assert found[0]["systems"][0]["missed"] == {"1": [2, 2]}


def test_entities_that_only_a_scorer_sees_do_not_stop_the_page(tmp_path: Path) -> None:
    evaluation = corefeval.score({"d": [[1, 2]]}, {"d": [[1, 2, 3], [4, 5]]}, profile="scorch-cli")
    assert len(evaluation.table.key.size) > 1
    pages.write({"r": evaluation}, tmp_path / "a.html", resamples=100)
    data, _, _ = read_back(tmp_path / "a.html")
    assert "entities are scored that the files have not" in data["costs"][0][0]["unknown"]
    (listed,) = read_lists(tmp_path / "a.html")
    assert set(zip(listed["entities"]["side"], listed["entities"]["misplaced"], strict=True)) == {(1, 1), (1, 2)}
    assert listed["errors"]["costs"][0] is listed["entities"]["costs"][0] is None


def test_the_command_writes_a_page_or_says_why_not(tmp_path: Path) -> None:
    done = run("report", *SIDES, "-o", str(tmp_path / "a.html"), "--resamples", "100")
    assert (done.returncode, done.stdout) == (0, f"{tmp_path / 'a.html'}\n")
    assert "response-b" in (tmp_path / "a.html").read_text()
    failed = run("report", *SIDES, "-o", str(tmp_path / "no" / "a.html"), "--resamples", "100")
    assert failed.returncode == 74
    assert "cannot be written" in failed.stderr
    (tmp_path / "taken").write_text("")
    assert run("report", *SIDES, "-o", str(tmp_path / "taken"), "--resamples", "100").returncode == 2


KINDS = ["recall-precision", "intervals", "differences", "by-document", "errors", "by-size", "by-distance", "agreement"]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_figure_is_drawn(tmp_path: Path, kind: str) -> None:
    pytest.importorskip("matplotlib", reason="plots need matplotlib")
    path = tmp_path / "a.svg"
    done = run("plot", kind, *SIDES, "-o", str(path), "--resamples", "100", "-q")
    assert done.stderr == ""
    assert "<svg" in path.read_text()


def test_a_figure_is_not_written_in_a_form_that_is_unknown(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="plots need matplotlib")
    assert run("plot", "errors", *SIDES, "-o", str(tmp_path / "a.doc"), "--resamples", "100", "-q").returncode == 2


def test_figures_are_drawn_on_given_axes_and_say_what_is_wrong() -> None:
    figures = pytest.importorskip("matplotlib.figure", reason="plots need matplotlib")
    from corefeval.show import plots  # noqa: PLC0415

    evaluations = {name: corefeval.score(SIDES[0], path) for name, path in zip("ab", SIDES[1:], strict=True)}
    settings = Settings("randomisation", 100, 0, 0.95, "bca", "holm", None, None)
    compared = compare_evaluations(
        {name: (each,) for name, each in evaluations.items()}, evaluations["a"].measures, settings
    )
    ax = figures.Figure().add_subplot()
    assert plots.recall_precision(evaluations, measure="muc", ax=ax) is ax
    points = [tuple(np.asarray(line.get_xydata())[0].round(2)) for line in ax.lines if line.get_label() in ("a", "b")]
    assert points == [(86.67, 92.86), (80.0, 80.0)]
    assert (
        plots.intervals(compared, measure="lea", ax=figures.Figure().add_subplot()).get_xlabel()
        == "LEA (%)\n95% intervals"
    )
    with pytest.raises(OptionError, match="no recall and precision"):
        plots.recall_precision(evaluations, measure="rand")
    with pytest.raises(OptionError, match="there is no system 'c'"):
        plots.differences(compared, a="a", b="c")
    with pytest.raises(OptionError, match="do not say where they stand"):
        plots.by_distance({"r": corefeval.score([["a", "b"]], [["a", "b"]])})


@given(sides(), sides())
def test_credits_by_size_are_those_of_mentions(key: Side, response: Side) -> None:
    pytest.importorskip("matplotlib", reason="plots need matplotlib")
    from corefeval.show import plots as figures  # noqa: PLC0415

    found = figures.average_credit_by_size(corefeval.score(key, response))
    of = [{m: set(entity) for entity in side for m in entity} for side in (key, response)]
    for own, other, listed in ((of[0], of[1], found[0]), (of[1], of[0], found[1])):
        for place, (low, high) in enumerate([(1, 1), (2, 2), (3, 5), (6, 10), (11, 20), (21, 99)]):
            chosen = [m for m, entity in own.items() if low <= len(of[0].get(m, entity)) <= high]
            earned = [len(own[m] & other.get(m, set())) / len(own[m]) for m in chosen]
            assert listed.many[place] == len(earned)
            if earned:
                assert listed.mean[place] == pytest.approx(np.mean(earned))


def test_links_by_distance_counted_by_hand() -> None:
    pytest.importorskip("matplotlib", reason="plots need matplotlib")
    from corefeval.show import plots as figures  # noqa: PLC0415

    rows = get_rows(corefeval.score(hard(KEY, "key"), hard(RESPONSE, "response")))
    distance, right = figures.judge_links(rows, measure_distances_before(rows))[0]
    # Mara: she in her sentence, found; She three on, not. The shop: it, not. The zero: the gap, found; 17-20, not.
    # Maryam: hers, found.
    assert sorted(zip(distance.tolist(), right.tolist(), strict=True)) == [
        (0, 0),
        (0, 0),
        (0, 1),
        (0, 1),
        (0, 1),
        (3, 0),
    ]


def costs_in_page(evaluation: corefeval.Evaluation, folder: Path) -> list[dict[str, Any]]:
    pages.write({"a": evaluation}, folder / "page.html", resamples=20)
    page = (folder / "page.html").read_text(encoding="utf-8")
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert data is not None
    found: list[dict[str, Any]] = json.loads(data.group(1))["costs"][0]
    return found


@under_every_decision
def test_a_page_says_what_costs_are_or_why_not(options: dict[str, Any], tmp_path: Path) -> None:
    """Each measure's costs are of its own loss, or there is a reason why none are shown."""
    for seed in range(3):
        evaluation = evaluate_random(seed, options, again=0.2 * seed)
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
