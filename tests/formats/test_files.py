"""Files, directories and packed files: what is read, and what is said of what is not."""

from __future__ import annotations

import gzip
import io
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import corefeval
from corefeval import InputError, OptionError, formats
from corefeval.formats import registry
from tests.cli.running import run, run_process
from tests.formats.small_files import brat, columns, conll, mention_counts


def test_messages_name_the_file_in_a_directory(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_text(columns("d\t0\t0\tw\t(1)|(2)").replace("document d", f"document {name}"))
    result = corefeval.score(tmp_path, tmp_path)
    assert any(notice.message.startswith(f"{tmp_path / 'b'}:2: ") for notice in result.notices)
    (tmp_path / "c").write_text("x y\n")
    assert [n.message for n in corefeval.read(tmp_path).notices] == [
        f"{tmp_path / 'c'}: skipped, for it is not in a known format"
    ]
    for name in ("a", "b"):
        (tmp_path / name).write_text(columns("d\t0\t0\tw\t(1"))
    with pytest.raises(InputError) as caught:
        corefeval.read(tmp_path)
    assert [Path(fault.source).name for fault in caught.value.faults] == ["a", "b"]


def test_broken_links_in_directories_are_not_passed_over(tmp_path: Path) -> None:
    (tmp_path / "gone").symlink_to(tmp_path / "nowhere")
    with pytest.raises(corefeval.MissingFileError):
        corefeval.read(tmp_path)


def test_a_directory_of_files_with_and_without_words_is_refused(tmp_path: Path) -> None:
    (tmp_path / "k.conll").write_text(conll("k", "Kim (1)", "left -"))
    (tmp_path / "j.json").write_text('{"k2": [[[0, 0], [2, 2]]]}')
    with pytest.raises(InputError, match="cannot be counted alike"):
        corefeval.read(tmp_path)


def test_a_directory_of_nothing_readable_names_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("words and no columns\n")
    with pytest.raises(InputError, match=r"only README\.md"):
        corefeval.read(tmp_path)


def test_a_damaged_packed_file_is_named_once(tmp_path: Path) -> None:
    path = tmp_path / "bad.gz"
    path.write_bytes(b"\x1f\x8b\x08\x00xxxxxxxxxxxx")
    with pytest.raises(InputError) as caught:
        corefeval.read(path)
    assert str(caught.value).count("bad.gz") == 1


@pytest.mark.parametrize("beginning", [b"\n" * 70_000, b"a," * 40_000, b"#" * 70_000, b" " * 70_000, b'"' * 70_000])
def test_recognising_a_file_takes_no_time(beginning: bytes) -> None:
    """These took many seconds each, so the test would be noticed."""
    with pytest.raises(InputError):
        registry.recognise("file", beginning[: registry.BEGINNING])


def pack(path: Path, members: dict[str, str | bytes]) -> Path:
    """Write a zip archive."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


GOOD = conll("k", "Kim (1)", "she (1)")


def test_an_archive_is_read_as_a_directory_is(tmp_path: Path) -> None:
    for name in ("a", "b"):
        brat(tmp_path / "folder", name, "Kim she", (0, 3), (4, 7))
    files = {path.name: path.read_bytes() for path in sorted((tmp_path / "folder").iterdir())}
    plain = corefeval.read(tmp_path / "folder")
    for inside in ("", "folder/"):  # its content, and the folder packed as a whole
        archive = pack(
            tmp_path / "a.zip",
            {**{f"{inside}{name}": data for name, data in files.items()}, f"{inside}.hidden": "x", "__MACOSX/a": "x"},
        )
        packed = corefeval.read(archive)
        assert packed.entities() == plain.entities()
        assert packed.documents == ("a", "b")
        assert packed.files == tuple(f"{archive}/{inside}{name}.ann" for name in ("a", "b"))
    assert mention_counts(corefeval.score(tmp_path / "folder", tmp_path / "a.zip")) == (4, 4, 4)
    done = run_process("score", tmp_path / "folder", "-", "-m", "muc", stdin=archive.read_bytes())
    assert (done.returncode, done.stderr) == (0, "")


def test_faults_in_archives_name_the_member_and_its_line(tmp_path: Path) -> None:
    bad = columns("d\t0\t0\tw\t(1")
    archive = pack(tmp_path / "a.zip", {"x/bad.conll": bad, "good.conll": GOOD, "notes.md": "x y", "c.conll.gz": b""})
    done = run("score", archive, archive)
    assert done.returncode == 65
    assert f"{archive}/x/bad.conll:2: (1 opens a mention" in done.stderr
    archive = pack(tmp_path / "a.zip", {"good.conll": GOOD, "notes.md": "x y"})
    assert [notice.message for notice in corefeval.read(archive).notices] == [
        f"{archive}/notes.md: skipped, for it is not in a known format"
    ]


def test_archives_within_directories_and_archives_are_entered(tmp_path: Path) -> None:
    inner = pack(tmp_path / "inner.zip", {"k.conll": GOOD}).read_bytes()
    (tmp_path / "folder").mkdir()
    pack(tmp_path / "folder" / "outer.zip", {"inner.zip": inner})
    corpus = corefeval.read(tmp_path / "folder")
    assert corpus.files == (f"{tmp_path}/folder/outer.zip/inner.zip/k.conll",)


def test_an_archive_that_holds_itself_has_an_end(tmp_path: Path) -> None:
    data = pack(tmp_path / "a.zip", {"k.conll": GOOD}).read_bytes()
    for _ in range(10):
        data = pack(tmp_path / "a.zip", {"a.zip": data, "k.conll": GOOD.replace("(k)", f"(k{_})")}).read_bytes()
    corpus = corefeval.read(tmp_path / "a.zip")
    assert len(corpus.documents) == 4
    assert [notice.kind for notice in corpus.notices] == ["skipped-file"]
    assert "an archive within 3 others" in corpus.notices[0].message


def test_damaged_encrypted_and_ambiguous_archives_are_refused(tmp_path: Path) -> None:
    path = pack(tmp_path / "a.zip", {"k.conll": GOOD * 20})
    data = path.read_bytes()
    for damaged in (data[:50], b"", data[:60] + b"xxxx" + data[64:]):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match="damaged zip archive"):
            corefeval.read(path)
    local, central = bytearray(data), data.index(b"PK\x01\x02")
    local[6] |= 1
    local[central + 8] |= 1
    path.write_bytes(local)
    with pytest.raises(InputError, match="encrypted"):
        corefeval.read(path)
    twice = io.BytesIO()
    with zipfile.ZipFile(twice, "w") as archive:
        archive.writestr("k.conll", GOOD)
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("k.conll", GOOD)
    path.write_bytes(twice.getvalue())
    with pytest.raises(InputError, match=r"'k\.conll' is there twice"):
        corefeval.read(path)
    pack(path, {})
    with pytest.raises(InputError, match="without files"):
        corefeval.read(path)


@pytest.mark.parametrize("kind", ["gzip", "gzip in parts", "zip", "zip in zip", "gzip in zip", "standard input"])
def test_a_file_that_inflates_beyond_the_limit_is_refused_until_it_is_raised(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COREFEVAL_MAX_SIZE", "100 kB")
    large = GOOD.encode() + b"\n" * 200_000
    path = tmp_path / ("a.zip" if kind in ("zip", "zip in zip", "gzip in zip") else "a.conll.gz")
    if kind in ("gzip", "standard input"):
        path.write_bytes(gzip.compress(large))
    elif kind == "gzip in parts":
        path.write_bytes(gzip.compress(large[:90_000]) + gzip.compress(large[90_000:]))
    elif kind == "zip in zip":
        pack(path, {"b.zip": pack(tmp_path / "b.zip", {"k.conll": large}).read_bytes()})
    else:
        pack(path, {"k.conll": large} if kind == "zip" else {"k.conll.gz": gzip.compress(large)})
    name, stdin = ("-", path.read_bytes()) if kind == "standard input" else (str(path), None)
    done = run("stats", name, stdin=stdin)
    assert done.returncode == 65
    assert "holds more than 100,000 bytes; if it is meant, raise the limit: COREFEVAL_MAX_SIZE=" in done.stderr
    monkeypatch.setenv("COREFEVAL_MAX_SIZE", "1MB")
    assert run("stats", name, stdin=stdin).returncode == 0


def test_packed_in_several_parts_and_padded_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.conll.gz"
    path.write_bytes(gzip.compress(GOOD[:30].encode()) + gzip.compress(GOOD[30:].encode()) + b"\0" * 100)
    assert corefeval.read(path).documents == ("(k); part 000",)


def test_a_limit_that_is_no_number_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.gz").write_bytes(gzip.compress(GOOD.encode()))
    monkeypatch.setenv("COREFEVAL_MAX_SIZE", "much")
    with pytest.raises(OptionError, match="COREFEVAL_MAX_SIZE='much' is not possible; expected a number such as 2GB"):
        corefeval.read(tmp_path / "a.gz")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs /dev/zero")
def test_devices_and_pipes_in_a_directory_are_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "k.conll").write_text(GOOD)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zeros").symlink_to("/dev/zero")
    corpus = corefeval.read(tmp_path)
    assert [notice.message for notice in corpus.notices] == [
        f"{tmp_path / 'pipe'}: skipped, for it is a named pipe",
        f"{tmp_path / 'zeros'}: skipped, for it is a device",
    ]
    monkeypatch.setenv("COREFEVAL_MAX_SIZE", "1MB")
    with pytest.raises(InputError, match="holds more than"):
        corefeval.read("/dev/zero")


def test_a_pipe_that_is_given_by_name_is_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    write = f"open({str(pipe)!r}, 'w').write({GOOD!r})"
    with subprocess.Popen([sys.executable, "-c", write]):
        assert corefeval.read(pipe).documents == ("(k); part 000",)
    done = run_process("stats", "/dev/stdin", stdin=GOOD.encode())
    assert done.returncode == 0, done.stderr


FAR = {
    "a.json": ('{"d":\n [[[0,999999999],[1,1]]]}', 2),
    "b.json": ('{"d":\n [[[[0,3],[5,999999999]],[1,1]]]}', 2),
    "a.jsonlines": ('{"doc_key":"d","clusters":[[[0,999999999],[1,1]]]}\n', 1),
    "a.csv": ("doc,start,end,entity\nd,1,1,1\nd,0,999999999,1\n", 3),
    "a.ann": ("T1\tMention 0 999999999\tx\nT2\tMention 1 2\tx\n*\tCoreference T1 T2\n", 1),
}


@pytest.mark.parametrize("name", FAR)
def test_a_span_that_cannot_be_is_a_fault_at_its_place(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content, line = FAR[name]
    path = tmp_path / name
    path.write_text(content)
    done = run("score", path, path)
    assert done.returncode == 65
    assert f"{path}:{line}: mention " in done.stderr
    assert "reaches too far; expected offsets below 10,000,000" in done.stderr
    assert "COREFEVAL_MAX_OFFSET=" in done.stderr
    monkeypatch.setenv("COREFEVAL_MAX_OFFSET", "1000000000")
    assert run("score", path, path).returncode == 0


def test_labels_that_are_no_spans_may_hold_any_number(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"d": [[[0, 999999999], "Kim"], [[999999999, 3]]]}')
    assert len(corefeval.read(tmp_path / "a.json")) == 3


def test_words_that_are_not_known_are_not_written_by_the_million(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"ends at 999999999; expected at most 10,000,000 words"):
        corefeval.write(corefeval.Corpus.from_entities({"d": [[(0, 999999999), (1, 1)]]}), tmp_path / "a.conll")


@pytest.mark.parametrize("match", ["overlap", "craft", "min"])
def test_spans_from_python_that_reach_too_far_are_refused_where_words_are_compared(
    match: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    far, near = [[(0, 10**12), (3, 4)]], [[(0, 1), (3, 4)]]
    with pytest.raises(InputError) as caught:
        corefeval.score(far, near, match=match)
    assert str(caught.value).startswith("corpus: mention (0, 1000000000000) reaches too far; expected offsets below")
    assert "COREFEVAL_MAX_OFFSET=" in str(caught.value)
    monkeypatch.setenv("COREFEVAL_MAX_OFFSET", "2T")
    assert corefeval.score(far, near, match=match)["mentions"].recall > 0


@pytest.mark.parametrize("number", [10**12, 2**63 - 1, 2**63, 10**30])
def test_pairs_from_python_are_plain_labels_where_no_words_are_compared(number: int) -> None:
    """Of three mentions two are found, by whatever numbers they are named; nothing is as large as the numbers."""
    key, response = [[(0, number), (3, 4)], [(5, 5)]], [[(0, number), (3, 4)], [(5, 6)]]
    assert corefeval.score(key, response)["mentions"].recall == 2 / 3
    assert corefeval.analyse(key, response).to_json()
    assert corefeval.diff(key, response, key).to_json()
    assert "blanc" in str(corefeval.explain("blanc", key, response)).lower()


@pytest.mark.parametrize("number", [2**63, 10**30])
def test_numbers_that_no_text_reaches_are_no_spans(number: int, tmp_path: Path) -> None:
    far = {"d": [[(0, number), (3, 4)]]}
    with pytest.raises(OptionError, match="labels such as"):
        corefeval.score(far, far, match="overlap")
    for suffix in ("conll", "conllu"):
        with pytest.raises(InputError):
            corefeval.write(corefeval.Corpus.from_entities(far), tmp_path / f"a.{suffix}")


@pytest.mark.parametrize("kind", ["gzip", "a member", "all members"])
def test_what_is_too_large_is_refused_at_its_place(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A gzip by its own name, a zip by that of the archive: no member of the last one is too large by itself."""
    monkeypatch.setenv("COREFEVAL_MAX_SIZE", "100kB")
    key = tmp_path / "key.conll"
    key.write_text(GOOD)
    if kind == "gzip":
        path = tmp_path / "a.conll.gz"
        path.write_bytes(gzip.compress(GOOD.encode() + b"\n" * 150_000))
    else:
        size = 150_000 if kind == "a member" else 60_000
        names = ("k",) if kind == "a member" else ("k", "l")
        contents = {f"{name}.conll": conll(name, "Kim (1)", "she (1)") + "\n" * size for name in names}
        path = pack(tmp_path / "a.zip", dict(contents))
    for command in (
        ("score", path, path),
        ("score", key, path),
        ("validate", path),
        ("convert", path, "-", "--to", "json"),
    ):
        done = run(*command)
        assert done.returncode == 65
        assert f"{path}: " in done.stderr + done.stdout
        assert "holds more than 100,000 bytes; if it is meant, raise the limit" in done.stderr + done.stdout
    monkeypatch.setenv("COREFEVAL_MAX_SIZE", "200 KB")
    assert run("score", path, path).returncode == 0


def test_suffixes_of_formats_with_companions_begin_with_a_dot() -> None:
    """So that a file and what accompanies it have the same name up to the first dot."""
    with_companions = [each for _, each in registry.list_formats() if each.COMPANIONS]
    suffixes = [suffix for each in with_companions for suffix in (*each.SUFFIXES, *each.COMPANIONS)]
    assert len(with_companions) >= 4
    assert all(suffix.startswith(".") for suffix in suffixes)


@pytest.mark.parametrize(
    ("paths", "read"),
    [
        (["x/a.txt", "x/b.ann"], ["x/a.txt", "x/b.ann"]),
        (["x/a.txt", "y/a.ann"], ["x/a.txt", "y/a.ann"]),
        (["x/a.ann", "x/a.txt"], ["x/a.ann"]),
        (["x.y/a.b.ann", "x.y/a.b.txt.gz"], ["x.y/a.b.ann"]),
        (["a.chains", "a.con", "b.con"], ["a.chains", "b.con"]),
        (["a.chains", "a.txt.con"], ["a.chains"]),
        (["a", "b"], ["a", "b"]),
    ],
)
def test_what_accompanies_another_file_is_not_read_on_its_own(paths: list[str], read: list[str]) -> None:
    assert list(formats.skip_companions(paths)) == read
