"""Files, directories and packed files: what is read, and what is said of what is not."""

from __future__ import annotations

from pathlib import Path

import pytest

import corefeval
from corefeval import InputError
from corefeval.formats import registry
from tests.formats.small_files import columns, conll


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
