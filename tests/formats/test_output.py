"""Files are written whole or not at all, whatever happens; and not over a file of another kind."""

from __future__ import annotations

import os
import resource
import signal
import stat
import subprocess
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING

import pytest

import corefeval
from corefeval.errors import OutputError
from corefeval.formats.shared.output import write_atomically
from tests.cli.running import run
from tests.data import EXAMPLES
from tests.formats.small_files import brat, conll

if TYPE_CHECKING:
    from collections.abc import Iterator

OLD, NEW = b"old", b"new"
KEY = conll("k", "Kim (1)", "she (1)")
EXAMPLE, OTHER = str(EXAMPLES / "key.conll"), str(EXAMPLES / "response-a.conll")


def list_names(folder: Path) -> list[str]:
    """All that is in a folder, hidden files included."""
    return sorted(path.name for path in folder.iterdir())


def run_process(*arguments: object, stdout: IO[bytes] | int) -> subprocess.CompletedProcess[bytes]:
    """Run `corefeval` in a process whose standard output is a file or a descriptor."""
    command = [sys.executable, "-m", "corefeval", *map(str, arguments)]
    return subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, check=False)


def run_limited(*arguments: object, most: int) -> subprocess.CompletedProcess[bytes]:
    """Run `corefeval` in a process that may write files of so many bytes at most, as on a disk that is full."""
    return subprocess.run(
        [sys.executable, "-m", "corefeval", *map(str, arguments)],
        capture_output=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)),
    )


def test_a_file_is_replaced_and_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(OLD)
    path.chmod(0o640)
    write_atomically([(str(path), NEW)])
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (NEW, 0o640)
    assert list_names(tmp_path) == ["a"]


def test_a_new_file_has_the_permissions_that_every_new_file_has(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_atomically([(str(tmp_path / "a"), NEW)])
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o640


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    target = tmp_path / "there" / "a"
    for name in ("link", "dangling"):
        (tmp_path / name).symlink_to(target if name == "link" else tmp_path / "there" / "b")
        target.write_bytes(OLD)
        write_atomically([(str(tmp_path / name), NEW)])
        assert (tmp_path / name).is_symlink()
        assert (tmp_path / name).read_bytes() == NEW
    assert list_names(tmp_path / "there") == ["a", "b"]


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt(), RuntimeError("x")])
def test_what_fails_in_between_leaves_all_files_as_they_were(error: BaseException, tmp_path: Path) -> None:
    def list_contents() -> Iterator[tuple[str, bytes]]:
        yield str(tmp_path / "a"), NEW
        yield str(tmp_path / "b"), NEW
        raise error

    (tmp_path / "a").write_bytes(OLD)
    with pytest.raises(OutputError if isinstance(error, OSError) else type(error)):
        write_atomically(list_contents())
    assert list_names(tmp_path) == ["a"]
    assert (tmp_path / "a").read_bytes() == OLD


def test_a_failure_to_sync_or_to_replace_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(5, "Input/output error")

    (tmp_path / "a").write_bytes(OLD)
    for function in ("fsync", "replace"):
        with monkeypatch.context() as changed:
            changed.setattr(os, function, fail)
            with pytest.raises(OutputError, match=r"a: cannot be written \(Input/output error\)"):
                write_atomically([(str(tmp_path / "a"), NEW)])
        assert list_names(tmp_path) == ["a"]
        assert (tmp_path / "a").read_bytes() == OLD


def test_a_process_that_is_killed_while_it_writes_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(OLD)
    code = f"""
import os, time
from corefeval.formats.shared import output
output.os.fsync = lambda number: (print("written", flush=True), time.sleep(60))
output.write_atomically([({str(path)!r}, b"new" * 100_000)])
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"written\n"
        process.send_signal(signal.SIGKILL)
    assert path.read_bytes() == OLD
    assert all(
        name == "a" or name.startswith(".") for name in list_names(tmp_path)
    )  # no reader takes the rest for data


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_devices_and_pipes_are_written_to_as_they_are(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="/dev/full: cannot be written"):
        write_atomically([("/dev/full", NEW)])
    assert stat.S_ISCHR(Path("/dev/full").stat().st_mode)
    write_atomically([(os.devnull, NEW)])
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reader:
        write_atomically([(str(pipe), NEW)])
        assert reader.communicate()[0] == NEW
    reading, writing = os.pipe()  # as a shell's >(command) is one: without a name
    write_atomically([(f"/dev/fd/{writing}", NEW)])
    os.close(writing)
    assert os.read(reading, 1000) == NEW
    os.close(reading)


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="needs /dev/stdout")
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"])
def test_standard_output_by_name_is_written_where_it_stands(name: str, tmp_path: Path) -> None:
    """As `>> file` and `> file` do: the file stays the same one, and keeps what it has, whatever that is."""
    if name.startswith("/proc") and not Path(name).exists():
        pytest.skip("needs /proc")
    key, out, link = tmp_path / "k.conll", tmp_path / "out", tmp_path / "link"
    key.write_text(KEY)
    written = run("convert", key, "-", "--to", "conll").stdout.encode()
    link.symlink_to("/dev/stdout")
    named = str(link) if name == "link" else name
    for mode, before in (("ab", b"dear diary\n"), ("wb", b"")):
        out.write_bytes(b"dear diary\n")
        inode = out.stat().st_ino
        with out.open(mode) as file:
            done = run_process("convert", key, named, "--to", "conll", stdout=file)
            assert (done.returncode, done.stderr) == (0, b"")
            annotators = (f"ann={key}", f"bob={key}")
            done = run_process("agree", *annotators, "--disagreements", named, "--draws", "2", stdout=file)
            assert (done.returncode, done.stderr) == (0, b"")
        assert out.stat().st_ino == inode
        head, converted, disagreements = out.read_bytes().partition(written)
        assert (head, converted) == (before, written)
        assert len(disagreements.splitlines()) == 1  # the names of the columns, and no table of agreement behind them
    assert list_names(tmp_path) == ["k.conll", "link", "out"]


def test_other_descriptors_are_written_to_and_closed_ones_refused(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(OLD)
    with path.open("ab") as file:
        for _ in range(2):
            write_atomically([(f"/dev/fd/{file.fileno()}", NEW)])
    assert path.read_bytes() == OLD + NEW + NEW
    with path.open("rb") as file, pytest.raises(OutputError, match="cannot be written"):
        write_atomically([(f"/dev/fd/{file.fileno()}", NEW)])
    with pytest.raises(OutputError, match="/dev/fd/987: cannot be written"):
        write_atomically([("/dev/fd/987", NEW)])
    assert path.read_bytes() == OLD + NEW + NEW


def test_a_reader_of_standard_output_that_has_gone_is_no_error_however_it_is_named(tmp_path: Path) -> None:
    key = tmp_path / "k.conll"
    key.write_text(conll("k", *["Kim (1)", "she (1)"] * 10_000))
    for name in ("-", "/dev/stdout"):
        reading, writing = os.pipe()
        os.close(reading)
        done = run_process("convert", key, name, "--to", "conll", stdout=writing)
        os.close(writing)
        assert (done.returncode, done.stderr) == (0, b"")


def test_what_may_not_be_written_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").write_bytes(OLD)
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everything
    with pytest.raises(OutputError, match="Permission denied"):
        write_atomically([(str(tmp_path / "a"), NEW)])
    (tmp_path / "folder").mkdir()
    with pytest.raises(OutputError, match="Is a directory"):
        write_atomically([(str(tmp_path / "folder"), NEW)])


COMMANDS = {
    "convert": ("convert", "{key}", "{out}/a.jsonlines"),
    "convert to several files": ("convert", "{key}", "{out}", "--to", "brat"),
    "baseline": ("baseline", "{key}", "--kind", "singletons", "-o", "{out}/a.conll"),
    "report": ("report", "{key}", "{key}", "-o", "{out}/a.html", "--resamples", "100"),
    "report in a folder": ("report", "{key}", "{key}", "-o", "{out}", "--resamples", "100"),
    "plot": ("plot", "recall-precision", "{key}", "{key}", "-o", "{out}/a.svg"),
    "stats": ("stats", "{key}", "--plot", "{out}/a.svg"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_disk_leaves_the_old_files_of_every_command(command: str, tmp_path: Path) -> None:
    if command in ("plot", "stats"):
        pytest.importorskip("matplotlib", reason="figures need matplotlib")
    key, out = tmp_path / "k.conll", tmp_path / "out"
    key.write_text(conll("k", *["Kim (1)", "she (1)"] * 400))
    out.mkdir()
    arguments = [each.format(key=key, out=out) for each in COMMANDS[command]]
    assert run(*arguments).returncode == 0
    before = {path: path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}
    assert before
    done = run_limited(*arguments, most=1000)
    assert done.returncode == 74, done.stderr
    assert b"cannot be written (File too large)" in done.stderr
    assert {path: path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()} == before


@pytest.mark.parametrize("suffix", ["conll", "jsonlines", "json", "csv", "conllu", "ua", "muc", "conll.gz"])
def test_a_file_is_converted_onto_itself(suffix: str, tmp_path: Path) -> None:
    (tmp_path / "k.conll").write_text(KEY)
    path = tmp_path / f"x.{suffix}"
    assert run("convert", tmp_path / "k.conll", path).returncode == 0
    before = path.read_bytes()
    assert run("convert", path, path).returncode == 0
    assert path.read_bytes() == before


def test_a_folder_is_converted_onto_itself(tmp_path: Path) -> None:
    brat(tmp_path / "d", "k", "Kim she", (0, 3), (4, 7))
    first = corefeval.read(tmp_path / "d").entities()
    done = run("convert", tmp_path / "d", tmp_path / "d", "--to", "brat")
    assert (done.returncode, done.stderr) == (0, "")
    assert corefeval.read(tmp_path / "d").entities() == first
    assert list_names(tmp_path / "d") == ["k.ann", "k.txt"]


def test_an_existing_file_of_another_kind_needs_force(tmp_path: Path) -> None:
    key, target = tmp_path / "k.conll", tmp_path / "x.json"
    key.write_text(KEY)
    for content, what in ((KEY, "is conll, not json"), ("dear diary\n", "is not json"), ("\x1f\x8bx", "is not json")):
        target.write_text(content, "latin-1")
        done = run("convert", key, target)
        assert done.returncode == 74
        assert f"{target}: is there already and {what}; --force" in done.stderr
        assert target.read_text("latin-1") == content
        with pytest.raises(OutputError, match="force=True"):
            corefeval.convert(key, target)
    assert run("convert", key, target, "--force").returncode == 0
    assert run("convert", key, target).returncode == 0  # of its own kind now
    assert run("baseline", key, "--kind", "singletons", "-o", target, "--to", "jsonlines").returncode == 74
    target.write_text("")
    assert run("convert", key, target).returncode == 0  # an empty file is of no kind
    done = run("convert", key, key, "--to", "jsonlines")
    assert (done.returncode, key.read_text()) == (74, KEY)


def test_a_text_that_belongs_to_nothing_is_not_overwritten_by_one_that_accompanies(tmp_path: Path) -> None:
    key = tmp_path / "k.conll"
    key.write_text(KEY)
    (tmp_path / "k.txt").write_text("dear diary")
    done = run("convert", key, tmp_path / "k.ann")
    assert done.returncode == 74
    assert (tmp_path / "k.txt").read_text() == "dear diary"
    assert list_names(tmp_path) == ["k.conll", "k.txt"]
    assert run("convert", key, tmp_path / "k.ann", "--force").returncode == 0
    assert run("convert", key, tmp_path / "k.ann").returncode == 0
    assert (tmp_path / "k.txt").read_text() == "Kim she"


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (("report", EXAMPLE, EXAMPLE, "-o"), "page.html"),
        (("plot", "intervals", EXAMPLE, OTHER, "-o"), "figure.svg"),
        (("agree", EXAMPLE, OTHER, "--disagreements"), "rows.csv"),
    ],
)
def test_what_is_of_another_kind_is_not_replaced(arguments: tuple[str, ...], name: str, tmp_path: Path) -> None:
    target = tmp_path / name
    target.write_text("my,own\ndata,1\n")
    done = run(*arguments, str(target))
    assert (done.returncode, target.read_text()) == (74, "my,own\ndata,1\n")
    assert "of another kind" in done.stderr
    target.unlink()
    assert run(*arguments, str(target)).returncode == 0
    assert run(*arguments, str(target)).returncode == 0  # its own kind is
