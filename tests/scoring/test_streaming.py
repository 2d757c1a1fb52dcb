"""Scoring in parts: it gives and says what scoring all documents at once does, whatever the parts are."""

from __future__ import annotations

import random
import subprocess
import sys
import warnings
from pathlib import Path
from zipfile import ZipFile

import pytest

import corefeval
from corefeval import CorefevalError, Corpus, Evaluation, InputError, MissingFileError, OptionError, Scorer
from corefeval import measures as known
from corefeval.errors import WholeCorpusError
from corefeval.formats.draft import Draft
from corefeval.options import Options
from corefeval.profiles.registry import resolve_options
from corefeval.scoring.streaming import FileSide, Way, score_in_parts
from tests.cli.running import run
from tests.rounds import few_or_many

FORMATS = {"conll": "conll", "jsonlines": "jsonl", "corefud": "conllu", "ua": "ua"}
WORDS = ["a", "b", "c", "he", "she", "it", "Kim"]


def draft_side(rng: random.Random, names: list[str], noise: float) -> Corpus:
    """Documents whose words depend on their names, but for some noise, and random mentions, some of them twice."""
    draft = Draft("side")
    for name in names:
        of_document = random.Random(name)
        words = [of_document.choice(WORDS) for _ in range(of_document.randint(2, 30))]
        if rng.random() < noise:
            words[rng.randrange(len(words))] = "other"
        if rng.random() < noise:
            words = words[:-1]
        document = draft.add_document(name, words=words, sentence=[place // 5 for place in range(len(words))])
        for _ in range(rng.randint(0, 8)):
            first = rng.randrange(len(words))
            document.add_mention(str(rng.randint(0, 4)), (first, min(len(words) - 1, first + rng.randint(0, 2))))
    return draft.build_corpus()


def write_sides(rng: random.Random, folder: Path, format_: str, *, directory: bool) -> tuple[Path, Path]:
    """A key and a response, in which documents are missing, added or in another order; in one file or one each."""
    names = [f"{'nw/' * rng.randint(0, 1)}document {number}" for number in range(rng.randint(1, 9))]
    theirs = [name for name in names if rng.random() < 0.9] or names[:1]
    theirs += ["not in the key"] * (rng.random() < 0.3)
    if rng.random() < 0.5:
        rng.shuffle(theirs)
    paths = []
    for side, documents, noise in (("key", names, 0.0), ("response", theirs, 0.2)):
        corpus = draft_side(rng, documents, noise)
        if directory:
            paths.append(folder / side)
            paths[-1].mkdir()
            for name in documents:
                one = corpus.select_documents((name,))
                corefeval.write(one, paths[-1] / f"{name.replace('/', '_')}.{FORMATS[format_]}", format_)
        else:
            paths.append(folder / f"{side}.{FORMATS[format_]}")
            corefeval.write(corpus, paths[-1], format_)
    return paths[0], paths[1]


def score_parts(
    key: Path, response: Path, measures: object = None, size: int = 1000, processes: int = 1, **decisions: object
) -> Evaluation:
    """The evaluation of two files, scored in parts of so many bytes."""
    macro = bool(decisions.pop("macro", False))
    profile = decisions.pop("profile", None)
    options: Options = resolve_options(profile, macro=macro, **decisions)  # type: ignore[arg-type]
    way = Way(known.select_measures(measures), options)  # type: ignore[arg-type]
    sides = FileSide(str(key)), FileSide(str(response))
    return score_in_parts(*sides, [way], part_size=size, processes=processes)[0]


def describe(evaluation: Evaluation) -> tuple[object, ...]:
    """All that an evaluation says, to the last digit and the last notice."""
    return repr(evaluation.to_dict(per_document=True)), evaluation.to_text(), evaluation.notices, evaluation.signature


@pytest.mark.parametrize("directory", [False, True])
@pytest.mark.parametrize("format_", FORMATS)
@few_or_many(25, 250)
def test_parts_of_any_size_give_what_all_documents_give(
    format_: str, directory: bool, rounds: int, tmp_path: Path
) -> None:
    rng = random.Random(format_)
    same = 0
    for number in range(rounds):
        folder = tmp_path / str(number)
        folder.mkdir()
        key, response = write_sides(rng, folder, format_, directory=directory)
        decisions: dict[str, object] = {
            "match": rng.choice(["exact", "exact", "partial", "overlap", "head" if format_ == "corefud" else "exact"]),
            "singletons": rng.choice(["keep", "drop"]),
            "macro": rng.random() < 0.3,
            "profile": rng.choice([None, None, "coval", "conll-8.01"]),
        }
        size = rng.choice([1, 300, 2000, 10**6])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                expected: object = describe(corefeval.score(key, response, **decisions))  # type: ignore[arg-type]
            except CorefevalError as error:
                expected = str(error)
            try:
                found: object = describe(score_parts(key, response, size=size, **decisions))  # type: ignore[arg-type]
            except WholeCorpusError:
                continue
            except CorefevalError as error:
                found = str(error)
        assert found == expected, (number, decisions, size)
        same += 1
    assert same > rounds * 0.7


IN_PROCESSES = """
import sys, threading
from pathlib import Path
from corefeval.scoring import file_sizes
from tests.scoring.test_streaming import describe, score_parts

file_sizes._WORTH_A_PROCESS = 0
for folder in sorted(Path(sys.argv[1]).iterdir()):
    key, response = sorted(folder.iterdir())
    one, *more = (describe(score_parts(key, response, "all", size=300, processes=number)) for number in (1, 2, 3))
    assert all(each == one for each in more), folder
assert threading.active_count() == 1
print("the same")
"""


def test_several_processes_give_what_one_gives(tmp_path: Path) -> None:
    """In a process without threads, so that its helpers are copies of it."""
    for format_ in FORMATS:
        for directory in (False, True):
            folder = tmp_path / f"{format_}-{directory}"
            folder.mkdir()
            write_sides(random.Random(5), folder, format_, directory=directory)
    command = [sys.executable, "-W", "ignore", "-c", IN_PROCESSES, str(tmp_path)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parent.parent.parent)
    assert (ran.stdout, ran.stderr) == ("the same\n", "")


def test_processes_that_are_no_copies_give_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("corefeval.scoring.file_sizes._WORTH_A_PROCESS", 0)
    monkeypatch.setattr("threading.active_count", lambda: 2)
    key, response = write_sides(random.Random(5), tmp_path, "conll", directory=True)
    one, two = (score_parts(key, response, "all", size=300, processes=number) for number in (1, 2))
    assert describe(one) == describe(two)


MENTIONS = "#begin document {}\n" + "".join(f"x 0 {n} w{n} (0)\n" for n in range(3)) + "#end document\n"


def write_conll(path: Path, *names: str, edit: tuple[str, str] = ("", "")) -> Path:
    """Documents of three words that are one entity, the last document with one edit."""
    contents = [MENTIONS.format(name) for name in names]
    contents[-1] = contents[-1].replace(*edit)
    path.write_text("".join(contents))
    return path


def test_all_faults_of_all_parts_are_listed_with_their_lines(tmp_path: Path) -> None:
    key = write_conll(tmp_path / "key.conll", "a", "b", "c", edit=("w1 (0)", "w1 (0"))
    response = write_conll(tmp_path / "response.conll", "a", "b", "c")
    response.write_text(response.read_text().replace("w2 (0)", "w2 0)"))
    with pytest.raises(InputError) as expected:
        corefeval.score(key, response)
    with pytest.raises(InputError) as found:
        score_parts(key, response, size=1)
    assert str(found.value) == str(expected.value)
    assert f"{key}:13: " in str(found.value)
    (other,) = found.value.others
    assert [fault.line for fault in other.faults] == [4, 9, 14]


def write_faulty_directory(path: Path, *, unfinished: bool = False, twice: bool = False) -> Path:
    """Files of a document each, of five columns or of two in turn, most with a fault in their second line of words."""
    path.mkdir()
    for number in range(10):
        text = MENTIONS.format("d1" if twice and number in (4, 8, 9) else f"d{number}")
        text = text if number >= 8 else text.replace("w1 (0)", "w1 (0")
        if number % 2:
            text = text.replace("x 0 ", "").replace("2 w", "2w").replace("1 w", "1w").replace("0 w", "0w")
        if unfinished and number in (2, 3):
            text = text.removesuffix("#end document\n")
        (path / f"{number}.conll").write_text(text)
    return path


@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.parametrize("size", [1, 300, 10**6])
@pytest.mark.parametrize(("unfinished", "twice"), [(False, False), (True, False), (True, True)])
def test_all_faults_of_directories_are_listed_in_the_order_of_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unfinished: bool, twice: bool, size: int, processes: int
) -> None:
    monkeypatch.setattr("corefeval.scoring.file_sizes._WORTH_A_PROCESS", 0)
    key = write_faulty_directory(tmp_path / "key", unfinished=unfinished, twice=twice)
    response = write_faulty_directory(tmp_path / "response")
    expected = []
    for side in (key, response):
        with pytest.raises(InputError) as caught:
            corefeval.read(side)
        expected.append(str(caught.value))
    with pytest.raises(InputError) as found:
        score_parts(key, response, size=size, processes=processes)
    assert [str(found.value), *map(str, found.value.others)] == expected
    assert len(expected[0].splitlines()) == 8 + twice  # 8 and 9 have the same name, and no other fault


def test_files_that_cannot_be_read_are_named_as_usual(tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.mkdir()
    for name in ("a", "b"):
        write_conll(key / f"{name}.conll", name)
    (key / "a0.conll").symlink_to(tmp_path / "nowhere")
    with pytest.raises(MissingFileError) as expected:
        corefeval.read(key)
    with pytest.raises(MissingFileError) as found:
        score_parts(key, key)
    assert str(found.value) == str(expected.value)


def test_archives_in_a_directory_are_read_with_the_whole(tmp_path: Path) -> None:
    write_conll(tmp_path / "a.conll", "a")
    with ZipFile(tmp_path / "b.zip", "w") as archive:
        archive.writestr("b.conll", MENTIONS.format("b"))
    with pytest.raises(WholeCorpusError, match=r"b\.zip: an archive is read as a whole"):
        score_parts(tmp_path, tmp_path)


def test_files_of_several_formats_are_not_scored_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("corefeval.scoring.file_sizes._WORTH_A_PROCESS", 0)
    write_conll(tmp_path / "a.conll", "a")
    (tmp_path / "b.jsonl").write_text('{"doc_key": "b", "tokens": ["a"], "clusters": [[[0, 0]]]}\n')
    for processes, why in ((1, r"b\.jsonl: it is in another format"), (2, "several formats")):
        with pytest.raises(WholeCorpusError, match=f"{why}.*jsonlines"):
            score_parts(tmp_path, tmp_path, processes=processes)


def test_notices_beyond_a_thousand_are_counted_over_all_parts(tmp_path: Path) -> None:
    names = [f"d{number}" for number in range(1200)]
    key = write_conll(tmp_path / "key.conll", *names)
    response = tmp_path / "response.conll"
    response.write_text(key.read_text().replace("w1", "other").replace("w2 (0)", "w2 (0)|(1)"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = corefeval.score(key, response)
    found = score_parts(key, response, size=3000)
    assert describe(found) == describe(expected)
    assert [notice.details["more"] for notice in found.notices if "more" in notice.details] == [200, 200]


@pytest.mark.parametrize("fields", ["clusters predicted_clusters", "predicted_clusters"])
def test_lines_with_other_fields_are_counted_over_all_parts(tmp_path: Path, fields: str) -> None:
    path = tmp_path / "both.jsonl"
    clusters = ", ".join(f'"{field}": [[[0, 0], [1, 1]]]' for field in fields.split())
    path.write_text("".join(f'{{"doc_key": "d{n}", "tokens": ["a", "b"], {clusters}}}\n' for n in range(7)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = corefeval.score(path, path, measures="muc")
    found = score_parts(path, path, "muc", size=1)
    assert describe(found) == describe(expected)
    assert {notice.details["count"] for notice in found.notices} == {7}


def test_documents_whose_words_are_unknown_are_not_scored_in_parts(tmp_path: Path) -> None:
    path = tmp_path / "key.jsonl"
    path.write_text("".join(f'{{"doc_key": "d{n}", "clusters": [[[0, 0], [1, 1]]]}}\n' for n in range(2)))
    with pytest.raises(WholeCorpusError, match=r"the words of .* are not known"):
        score_parts(path, path)


def test_names_that_are_spelled_otherwise_are_paired(tmp_path: Path) -> None:
    key = write_conll(tmp_path / "key.conll", "(x/a); part 000", "(x/a); part 001")
    response = tmp_path / "response.jsonl"
    lines = [
        f'{{"doc_key": "x/a_{n}", "tokens": ["w0", "w1", "w2"], "clusters": [[[0, 0], [1, 1]]]}}\n' for n in (1, 0)
    ]
    response.write_text("".join(lines))
    found = score_parts(key, response, "mentions", size=1)
    assert found["mentions"].recall == 4 / 6
    assert describe(found) == describe(corefeval.score(key, response, measures="mentions"))


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("key.jsonl", '{"tokens": ["a"], "clusters": [[[0, 0]]]}\n' * 2, "without names"),
        ("key.csv", "mention,entity\n1,a\n", "all at once"),
        ("key.conll", "#begin document a\nx 0 0 a (0)\n#begin document b\nx 0 0 a (0)\n#end document\n", "ends"),
    ],
)
def test_what_cannot_be_scored_in_parts_says_why(tmp_path: Path, name: str, content: str, why: str) -> None:
    key = tmp_path / name
    key.write_text(content)
    with pytest.raises(WholeCorpusError, match=f"{why}.*raise the memory limit"):
        score_parts(key, key)


@pytest.mark.parametrize(
    ("format_", "suffix", "line"),
    [
        ("conll", "conll", MENTIONS),
        ("jsonlines", "jsonl", '{{"doc_key": "{}", "sentences": [["x", "y"]], "clusters": [[[0, 0], [1, 1]]]}}\n'),
        ("corefud", "conllu", "# newdoc id = {}\n# global.Entity = eid\n"
         "1\tx\tx\tX\t_\t_\t0\t_\t_\tEntity=(e1)\n\n"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("names", ["aa", "abca", "abab", "abbba"])
def test_a_document_twice_is_the_same_fault_in_parts(
    tmp_path: Path, format_: str, suffix: str, line: str, names: str
) -> None:
    """With the lines of the file, whichever documents stand between, and whatever else is wrong in it."""
    key, response = tmp_path / f"key.{suffix}", tmp_path / f"response.{suffix}"
    text = "".join(map(line.format, names))
    key.write_text(text)
    response.write_text("".join(map(line.format, sorted({*names}))))
    for sides in ((key, response), (response, key)):
        with pytest.raises(InputError) as whole:
            corefeval.score(*sides, format=format_)
        for size in (1, 10**6):
            with pytest.raises(InputError) as parts:
                score_parts(*sides, size=size)
            assert str(parts.value) == str(whole.value)
    done = run("score", key, response, "--memory-limit", "100MB", "--format", format_)
    assert (done.returncode, done.stderr.strip()) == (65, str(whole.value))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("nothing.conll", ""),
        ("garbage.txt", "garbage\n"),
        ("wrong.jsonl", '{"tokens": ["a"], "clusters": [[[0, 5]]]}'),
        ("folder/garbage.txt", "garbage\n"),
        ("folder/nothing.conll", ""),
        ("folder/.hidden", ""),
    ],
)
def test_bad_files_are_bad_in_parts_too(tmp_path: Path, name: str, content: str) -> None:
    """Whatever the limit, which only says how many documents are in memory: exit code 65, and the same message."""
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(content)
    side = tmp_path / name.partition("/")[0]
    good = write_conll(tmp_path / "good.conll", "a")
    for sides in ((side, good), (good, side), (side, side)):
        whole, *parts = (run("score", *sides, *limit) for limit in ([], *(["--memory-limit", n] for n in ("1", "1GB"))))
        assert whole.returncode == 65
        found = [(each.returncode, each.stderr.partition("; if it is")[0]) for each in (whole, *parts)]
        assert found[1:] == found[:1] * 2


def test_score_takes_a_limit_of_memory(tmp_path: Path) -> None:
    key = write_conll(tmp_path / "key.conll", "a", "b")
    response = write_conll(tmp_path / "response.conll", "a", "b", edit=("w1 (0)", "w1 (1)"))
    expected = corefeval.score(key, response)
    assert describe(corefeval.score(key, response, memory_limit="4GB")) == describe(expected)
    found = corefeval.score(key, response, memory_limit=100)
    assert describe(found) == describe(expected)
    assert found.mentions is None
    with pytest.raises(OptionError, match="memory_limit='much' is not possible; expected a number such as 4GB"):
        corefeval.score(key, response, memory_limit="much")


def test_a_scorer_adds_files_in_parts(tmp_path: Path) -> None:
    key = write_conll(tmp_path / "key.conll", "a", "b")
    response = write_conll(tmp_path / "response.conll", "b", "a", edit=("w1 (0)", "w1 (1)"))
    scorer = Scorer("muc")
    scorer.update([[1, 2]], [[1], [2]], document="first")
    scorer.update_from_files(key, response, memory_limit="1MB")
    assert list(scorer) == ["first", "a", "b"]
    assert scorer.compute()["muc"].recall == (0 + 1 + 2) / (1 + 2 + 2)
    with pytest.raises(InputError, match="document 'a' is there already"):
        scorer.update_from_files(key, response)


LIMITED = """
import resource, sys
import numpy
import corefeval
before = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (before + int(sys.argv[1]),) * 2)
limit = None if sys.argv[2] == "none" else sys.argv[2]
print(corefeval.score(*sys.argv[3:], measures="muc", memory_limit=limit)["muc"].recall)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited and measured as Linux does")
def test_files_larger_than_memory_are_scored(tmp_path: Path) -> None:
    """Files of 54 MB, with 18 MB more than the libraries take: in parts it is enough, and all at once it is not."""
    key, response = tmp_path / "key.conll", tmp_path / "response.conll"
    lines = "".join(f"x 0 {place} word{place} {'(0)' if place % 97 == 0 else '-'}\n" for place in range(2000))
    for path in (key, response):
        path.write_text("".join(f"#begin document d{n}\n{lines}#end document\n" for n in range(720)))
    assert key.stat().st_size > 27_000_000
    outputs = {}
    for limit in ("100MB", "none"):
        command = [sys.executable, "-c", LIMITED, "18000000", limit, str(key), str(response)]
        outputs[limit] = subprocess.run(command, capture_output=True, text=True, check=False)
    assert outputs["100MB"].stdout.strip() == "1.0", outputs["100MB"].stderr
    assert outputs["none"].returncode != 0
    assert "MemoryError" in outputs["none"].stderr
