"""What `corefeval validate` finds, by kind and line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import corefeval
from corefeval.inspection.validation import validate
from tests.cli.running import run
from tests.data import public_data

if TYPE_CHECKING:
    from pathlib import Path


def conll(*cells: str, name: str = "d", words: str = "") -> str:
    lines = [f"{name}\t0\t{i}\t{words[i : i + 1] or 'w'}\t{cell}" for i, cell in enumerate(cells)]
    return "\n".join([f"#begin document {name}", *lines, "#end document", ""])


def found(path: Path, text: str, key: str | None = None) -> list[tuple[str, int | None]]:
    (path / "file.conll").write_text(text)
    corpus = None
    if key is not None:
        (path / "key.conll").write_text(key)
        corpus = corefeval.read(path / "key.conll")
    return [(problem.kind, problem.line) for problem in validate(path / "file.conll", key=corpus).problems]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (conll("(1", "-", "1)", "(1)"), []),
        (conll("(1", "-", "2)"), [("unbalanced-bracket", 2), ("unbalanced-bracket", 4)]),
        (conll("(1)", "x") + conll("(1)"), [("syntax", 3), ("document-twice", 5)]),
        (conll("(1)|(2)", "(1)", "(2)"), [("mention-in-two-entities", 2)]),
        (conll("(1)|(1)", "(1)"), [("mention-twice", 2)]),
        (conll("(1)", "(1)").replace("#end document\n", ""), [("unfinished-document", 3)]),
        ("# odd\n" + conll("(1)", "(1)"), [("skipped-line", 1)]),
        ("", [("format", 1)]),
    ],
)
def test_problems_of_a_file(text: str, expected: list[tuple[str, int]], tmp_path: Path) -> None:
    if not text:
        (tmp_path / "file").write_text(text)
        assert [(each.kind, each.line) for each in validate(tmp_path / "file").problems] == expected
    else:
        assert found(tmp_path, text) == expected


def test_crossing_mentions_of_one_entity(tmp_path: Path) -> None:
    line = {"doc_key": "d", "sentences": [["a", "b", "c", "d"]], "clusters": [[[0, 2], [1, 3]], [[0, 1], [3, 3]]]}
    (tmp_path / "a.jsonlines").write_text(json.dumps(line) + "\n")
    (problem,) = validate(tmp_path / "a.jsonlines").problems
    assert problem.kind == "crossing-mentions"
    assert '"b c d" crosses another mention of entity' in problem.message


def test_a_few_singletons_among_many_entities(tmp_path: Path) -> None:
    pairs = [cell for number in range(200) for cell in (f"({number})",) * 2]
    assert found(tmp_path, conll(*pairs)) == []
    assert found(tmp_path, conll(*pairs, "(999)")) == [("singleton", 402)]
    many = [f"({number})" for number in range(500, 700)]
    assert found(tmp_path, conll(*pairs, *many)) == []


def test_problems_beside_a_key(tmp_path: Path) -> None:
    key = conll("(1)", "(1)", words="ab") + conll("(1)", "-", "(1)", name="e", words="abc")
    response = conll("(1)", "(2)", words="ax") + conll("-", name="f")
    assert found(tmp_path, response, key) == [
        ("extra-document", None),
        ("missing-document", None),
        ("singleton", 2),
        ("different-words", 3),
        ("singleton", 3),
    ]
    assert found(tmp_path, key, key) == []


def test_the_command(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.conll", tmp_path / "bad.conll"
    good.write_text(conll("(1)", "(1)"))
    bad.write_text(conll(*["(1"] * 30))

    done = run("validate", str(good))
    assert (done.returncode, done.stdout) == (0, f"{good}: nothing wrong (read as conll)\n")
    done = run("validate", str(good), str(bad))
    assert done.returncode == 65
    assert "unbalanced-bracket: 30" in done.stdout
    assert f"    {bad}:2: (1 opens a mention that is never closed; expected 1) in the same document" in done.stdout
    assert "and 10 more (-v shows them)" in done.stdout
    assert run("validate", str(bad), "-v").stdout.count("never closed") == 30
    report = json.loads(run("validate", str(bad), "--json").stdout)["files"][0]
    assert report["counts"] == {"unbalanced-bracket": 30}
    assert report["problems"][0]["line"] == 2
    missing = run("validate", str(tmp_path / "none"))
    assert missing.returncode == 66
    assert "no such file" in missing.stdout


def test_links_to_oneself_and_in_circles(tmp_path: Path) -> None:
    text = """<DOC><DOCID>d</DOCID><TEXT>
<COREF ID="1" REF="1">Kim</COREF> saw <COREF ID="2" REF="3" TYPE="IDENT">her</COREF>
and <COREF ID="3" REF="2" TYPE="IDENT">Lee</COREF>.</TEXT></DOC>
"""
    (tmp_path / "a.muc").write_text(text)
    found = {(problem.kind, problem.line) for problem in validate(tmp_path / "a.muc").problems}
    assert ("self-link", 2) in found
    assert "reference-cycle" in {kind for kind, _ in found}


def test_an_entity_without_mentions(tmp_path: Path) -> None:
    line = {"doc_key": "d", "sentences": [["a", "b"]], "clusters": [[[0, 0], [1, 1]], []]}
    (tmp_path / "a.jsonlines").write_text(json.dumps(line) + "\n")
    assert [(each.kind, each.line) for each in validate(tmp_path / "a.jsonlines").problems] == [("empty-entity", 1)]


def test_only_errors_fail_unless_warnings_are_asked_to(tmp_path: Path) -> None:
    cases = {
        "good": (conll("(1)", "(1)"), 0, 0),
        "warning": (conll("(1)|(2)", "(1)", "(2)"), 0, 65),
        "error": (conll("(1", "(1)"), 65, 65),
    }
    for name, (text, code, strict_code) in cases.items():
        path = tmp_path / f"{name}.conll"
        path.write_text(text)
        assert run("validate", path).returncode == code
        assert run("validate", path, "--strict").returncode == strict_code
    shown = run("validate", tmp_path / "warning.conll").stdout
    assert shown.splitlines()[:2] == [
        f"{tmp_path / 'warning.conll'}: 1 warning (read as conll)",
        "  warning: mention-in-two-entities: 1",
    ]


def test_infos_fail_nothing_and_every_output_has_the_grade(tmp_path: Path) -> None:
    path = tmp_path / "folder"
    path.mkdir()
    (path / "a.conll").write_text(conll("(1)|(2)", "(1)", "(2)"))
    (path / "notes.md").write_text("dear diary")
    done = run("validate", path, "--json")
    assert done.returncode == 0
    (report,) = json.loads(done.stdout)["files"]
    assert report["grades"] == {"error": 0, "warning": 1, "info": 1}
    assert [each["grade"] for each in report["problems"]] == ["warning", "info"]
    lines = run("validate", path, "--csv").stdout.splitlines()
    assert lines[0] == "file,line,grade,kind,message"
    assert [line.split(",")[2] for line in lines[1:]] == ["warning", "info"]
    (path / "a.conll").write_text(conll("(1)", "(1)"))
    assert run("validate", path, "--strict").returncode == 0
    assert validate(path).grades == {"error": 0, "warning": 0, "info": 1}


def test_a_mention_that_is_there_often_is_counted_every_time(tmp_path: Path) -> None:
    """Three times in one entity on one line are two too many, though both are said in the same words."""
    assert found(tmp_path, conll("(1)|(1)|(1)", "(1)")) == [("mention-twice", 2)] * 2


def test_a_singleton_is_one_problem_whatever_the_reason(tmp_path: Path) -> None:
    pairs = [cell for number in range(200) for cell in (f"({number})",) * 2]
    key, response = conll(*pairs, "-"), conll(*pairs, "(999)")
    assert found(tmp_path, response, key) == [("singleton", 402)]


@pytest.mark.parametrize("count", [999, 1000, 1001, 2500])
def test_as_many_notices_are_counted_as_there_are(count: int, tmp_path: Path) -> None:
    """A reader lists a thousand of a kind: the others are counted, and nothing of that is text among data."""
    path = tmp_path / "file.conll"
    path.write_text(conll(*["(1+2)"] * count, "(1)", "(1)"))
    (file,) = validate(path).files
    assert file.counts == {"split-antecedent": count}
    (report,) = json.loads(run("validate", path, "--json").stdout)["files"]
    listed = len(report["problems"])
    assert listed == min(count, 1000)
    unlisted = [{"grade": "warning", "kind": "split-antecedent", "count": count - 1000}] if count > 1000 else []
    assert report["unlisted"] == unlisted
    assert not any("more" in each["message"] for each in report["problems"])
    assert f"split-antecedent: {count}\n" in run("validate", path).stdout


@pytest.mark.parametrize(("cell", "kind"), [("(1)", "mention-twice"), ("({})", "mention-in-two-entities")])
def test_ten_thousand_odd_mentions_of_a_kind_are_listed_and_all_are_counted(
    cell: str, kind: str, tmp_path: Path
) -> None:
    """A word with 10,003 mentions on it has 10,002 repeats."""
    path = tmp_path / "file.conll"
    path.write_text(conll("|".join(cell.format(number) for number in range(10_003))))
    (file,) = validate(path).files
    assert file.counts == {kind: 10_002}
    assert len(file.problems) == 10_000
    assert file.unlisted == {("warning", kind): 2}
    assert "    and 2 that are not listed" in run("validate", path).stdout.splitlines()


def test_as_many_faults_are_counted_as_there_are(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("start,end,entity\n" + "x,1,e\n" * 12_000 + "3,2,e\n" * 11_000)
    (file,) = validate(path).files
    assert file.counts == {"syntax": 12_000, "mention-outside": 11_000}
    assert file.grades == {"error": 23_000, "warning": 0, "info": 0}


def test_as_many_documents_are_missing_as_there_are(tmp_path: Path) -> None:
    """A thousand are named, here as in all notices; the others of a comparison with a key are counted, too."""
    key = "".join(conll("(1)", "(1)", name=f"d{number}") for number in range(1500))
    (tmp_path / "key.conll").write_text(key)
    (tmp_path / "file.conll").write_text(conll("(1)", "(1)", name="d0"))
    (file,) = validate(tmp_path / "file.conll", key=tmp_path / "key.conll").files
    assert file.counts == {"missing-document": 1499}


def test_problems_come_in_one_order(tmp_path: Path) -> None:
    for name in ("b", "a"):
        (tmp_path / f"{name}.conll").write_text(conll("(2)|(1)", "(1)|(2)|(2)", name=name))
    problems = validate(tmp_path).problems
    assert [(each.file[-7:], each.line, each.kind) for each in problems] == [
        (f"{name}.conll", line, kind)
        for name in ("a", "b")
        for line, kind in (
            (2, "mention-in-two-entities"),
            (3, "mention-in-two-entities"),
            (3, "mention-twice"),
        )
    ]
    (file,) = validate(tmp_path).files
    assert list(file.counts.items()) == [("mention-in-two-entities", 4), ("mention-twice", 2)]


GUM = """# newdoc id = GUM_sample
# global.Entity = GRP-etype-infstat-salience-centering-minspan-link-identity
# sent_id = GUM_sample-1
1\tKim\tKim\tPROPN\tNNP\t_\t2\tnsubj\t_\tEntity=(1-person-new-sal-cf1-1-coref-Kim
2\tsaw\tsee\tVERB\tVBD\t_\t0\troot\t_\t_
3\tLee\tLee\tPROPN\tNNP\t_\t2\tobj\t_\tBridge=1<2|Entity=(2-person-new-nnsal-cf2-1-sgl)
4\there\there\tADV\tRB\t_\t2\tadvmod\t_\tEntity=1)

# sent_id = GUM_sample-2
1\tThey\tthey\tPRON\tPRP\t_\t2\tnsubj\t_\tEntity=(3-person-acc:aggr-nnsal-cf1-1-ana)|SplitAnte=1<3,2<3
2\tleft\tleave\tVERB\tVBD\t_\t0\troot\t_\t_
3\tKim\tKim\tPROPN\tNNP\t_\t2\tobj\t_\tEntity=(1-person-giv:act-sal-cf1-1-coref-Kim)

"""


def test_gold_in_the_manner_of_gum_has_no_errors(tmp_path: Path) -> None:
    """Bridging, split antecedents, singletons, fields of GUM: its gold files pass (checked with UD_English-GUM, too)."""
    path = tmp_path / "gum.conllu"
    path.write_text(GUM)
    done = run("validate", path)
    assert (done.returncode, validate(path).grades["error"]) == (0, 0), done.stdout


@pytest.mark.parametrize("name", ["corefud-scorer", "litbank", "conll-scorer"])
def test_public_gold_has_no_errors(name: str) -> None:
    paths = [path for path in sorted(public_data(name).rglob("*")) if path.name.endswith((".key", "key.conllu.gz"))]
    assert validate(*paths).grades["error"] == 0


def test_an_error_with_more_faults_than_it_shows_says_how_to_see_all(tmp_path: Path) -> None:
    bad = tmp_path / "bad.conll"
    bad.write_text("#begin document (d)\n" + "d 0 0 w (1\n" * 70 + "#end document\n")
    shown = run("stats", bad).stderr
    assert shown.count("never closed") == 50
    assert "and 20 more faults of this kind or another (corefeval validate -v lists them)" in shown
    assert run("validate", "-v", bad).stdout.count("never closed") == 70
