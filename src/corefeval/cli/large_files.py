"""Scoring files for a command that are too large for memory: some documents at a time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from corefeval.cli.console import echo_message
from corefeval.cli.files import FileToRead
from corefeval.cli.output import echo_error
from corefeval.cli.shared import SharedOptions
from corefeval.corpus.limits import parse_size
from corefeval.errors import InputError, WholeCorpusError
from corefeval.formats.shared.files import ListedFiles, list_files
from corefeval.measures import Measure
from corefeval.profiles.registry import resolve_options
from corefeval.scoring.file_sizes import MEMORY_LIMIT, has_many_files, needs_parts
from corefeval.scoring.results import Evaluation

if TYPE_CHECKING:
    from corefeval.scoring.streaming import FileSide, Way

_PROCESSES = 2


def score_large_files(
    key: str,
    responses: Iterable[str],
    measures: tuple[Measure, ...],
    ways: Sequence[Mapping[str, Any]],
    shared: SharedOptions,
    *,
    strict: bool,
    memory_limit: str | None,
    needs_mentions: str,
) -> list[Evaluation] | None:
    """Return the evaluations of responses in several ways; None if files fit, or cannot be scored in parts.

    memory_limit: what the user allows, None for the default; where it is given, what cannot be done is an OptionError.
    needs_mentions: what the user asks for that needs all mentions in memory; "" if nothing does.
    Prints the faults of files and exits if there are any.
    """
    limit = MEMORY_LIMIT if memory_limit is None else parse_size(memory_limit, "--memory-limit")
    key_file, planned = shared.plan_sides(key, responses)
    sizes = {path: list_files(path) for path in (key, *(file.path for file, _ in planned))}
    is_large = partial(_are_too_large, key, [file.path for file, _ in planned], limit)
    if not any(has_many_files(sizes[key], sizes[file.path]) for file, _ in planned) and not is_large(sizes):
        return None
    if needs_mentions:
        if memory_limit is not None and is_large(sizes):
            raise click.UsageError(f"{needs_mentions} needs all documents in memory: raise --memory-limit")
        return None
    from corefeval.scoring.streaming import score_in_parts  # noqa: PLC0415 - for large files

    try:
        return [
            evaluation
            for file, name in planned
            for evaluation in score_in_parts(
                _make_side(key_file, sizes), _make_side(file, sizes), [_make_way(measures, way) for way in ways],
                memory_limit=limit, processes=_PROCESSES, is_large=is_large, strict=strict, name=name,
            )
        ]  # fmt: skip
    except WholeCorpusError as error:
        if memory_limit is not None and is_large(sizes):
            raise
        if shared.verbose:
            echo_message(str(error))
        return None
    except InputError as error:
        if not error.others:
            raise
        echo_error("\n".join(map(str, (error, *error.others))))
        raise click.exceptions.Exit(error.exit_code) from None


def _are_too_large(key: str, paths: Sequence[str], limit: int, sizes: Mapping[str, ListedFiles] | None = None) -> bool:
    """Return whether a key and one of the files at these paths are too large for a limit; sizes: if they are known."""
    known = sizes or {path: list_files(path) for path in (key, *paths)}
    return any(needs_parts(known[key], known[path], limit) for path in paths)


def _make_side(file: FileToRead, sizes: Mapping[str, ListedFiles]) -> FileSide:
    """Return a file to read as a side that is read in parts."""
    from corefeval.scoring.streaming import FileSide  # noqa: PLC0415 - for large files

    return FileSide(file.path, file.format, file.address_hint, sizes[file.path])


def _make_way(measures: tuple[Measure, ...], decisions: Mapping[str, Any]) -> Way:
    """Return one way of scoring, given the decisions that `corefeval.score` takes."""
    given = dict(decisions)
    profile, macro = given.pop("profile"), given.pop("macro")
    options = resolve_options(profile, macro=macro, **given)
    from corefeval.scoring.streaming import Way  # noqa: PLC0415 - for large files

    return Way(measures, options, given.get("split_antecedents") == "drop")
