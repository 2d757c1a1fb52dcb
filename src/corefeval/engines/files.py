"""Files of tables: a path, a folder of a partitioned table, or a pattern of paths."""

from __future__ import annotations

from collections.abc import Sequence
from glob import glob
from pathlib import Path

from corefeval.errors import Fault, InputError, MissingFileError

SUFFIXES = (".parquet", ".arrow", ".feather", ".csv", ".tsv", ".csv.gz", ".tsv.gz")
ARROW = (".arrow", ".feather")


def list_files(given: str) -> list[str]:
    """Return the files of a path, a folder or a pattern, sorted; an error if there are none."""
    if Path(given).is_dir():
        listed = (str(each) for each in Path(given).rglob("*") if not each.name.startswith((".", "_")))
        found = sorted(each for each in listed if each.endswith(SUFFIXES))
        if not found:
            expected = f"files that end in {', '.join(SUFFIXES)}"
            raise InputError(Fault(given, "no files of tables in this folder", expected))
        return found
    matched = glob(given, recursive=True) if is_pattern(given) else [given]  # noqa: PTH207 - absolute ones, too
    found = sorted(each for each in matched if Path(each).exists())
    if not found:
        raise MissingFileError(Fault(given, "there is no such file"))
    return found


def find_suffix(paths: Sequence[str]) -> str:
    """Return the suffix that the files of a table have, or "" if it is no table's; an InputError if they differ."""
    found = {path: next((each for each in SUFFIXES if path.endswith(each)), "") for path in paths}
    for path, suffix in found.items():
        if suffix != found[paths[0]]:
            raise InputError(Fault(path, "a table's files are of one kind", f"a file like {paths[0]}"))
    return found[paths[0]]


def is_pattern(given: str) -> bool:
    """Return whether a path has a mark that stands for other characters, and is not itself a file."""
    return any(mark in given for mark in "*?[") and not Path(given).exists()
