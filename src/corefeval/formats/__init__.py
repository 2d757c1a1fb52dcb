"""File formats, one file each."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import TypeAlias, TypeVar

from corefeval.corpus.corpus import Corpus
from corefeval.errors import Fault, InputError, OptionError, suggest_names
from corefeval.formats import registry
from corefeval.formats.base import File, Format
from corefeval.formats.shared import files
from corefeval.formats.shared.fitting import fit_corpus
from corefeval.notices import Notice, check_strict

Location: TypeAlias = "str | os.PathLike[str]"
Result = TypeVar("Result")


def read(source: Location, format: str | None = None) -> Corpus:  # noqa: A002 - the name that users expect
    """Read a file, a directory of files, or standard input (`-`); gzip is seen by itself.

    format: its name, if content and suffix do not tell; options follow a colon: "table:mention=id,entity=cluster".
    """
    name = os.fspath(source)
    parts: list[Corpus] = []
    faults: list[Fault] = []
    more = 0
    paths = files.list_files(name)
    inside = paths != [name] and name != "-"
    skipped = []
    for path in _skip_companions(paths) if inside else paths:
        try:
            parts.append(_read_file(path, format, name if inside else ""))
        except InputError as error:
            if inside and [fault.kind for fault in error.faults] == ["format"]:
                skipped.append(path)
                continue
            faults.extend(error.faults)
            more += error.more
    faults.extend(_find_repeated_names([(part.source, document) for part in parts for document in part.documents]))
    if faults:
        raise InputError(faults, more=more)
    if not parts:
        names = ", ".join(os.path.basename(path) for path in skipped[:5])
        others = f" and {len(skipped) - 5} more" if len(skipped) > 5 else ""
        what = f"no file in a known format, only {names}{others}" if skipped else "an empty directory"
        raise InputError(Fault(name, what, "files in a known format"))
    named_itself = len(parts) == 1 and parts[0].source in (name, files.STANDARD_INPUT)
    corpus = parts[0] if named_itself else Corpus.join(parts, source=name)
    why = "skipped, for it is not in a known format"
    notices = [Notice.at("skipped-file", path, None, why, {"file": path}) for path in skipped]
    return corpus.replace(notices=(*corpus.notices, *notices)) if skipped else corpus


def write(
    corpus: Corpus,
    target: Location,
    format: str | None = None,  # noqa: A002 - the name that users expect
    *,
    strict: bool = False,
) -> tuple[Notice, ...]:
    """Write a corpus to a file; a name that ends in .gz is compressed, `-` is standard output.

    format: by default what the name's suffix says.
    strict: raise an error, and write nothing, where something would be left out.
    Returns what the format has no place for.
    """
    path = os.fspath(target)
    name, options = registry.parse_spec(format or registry.choose_by_suffix(path))
    chosen = registry.load_format(name)
    if chosen.CAPACITY is None:
        raise OptionError(f"{name} can be read but not written")
    part, left = fit_corpus(corpus, chosen.CAPACITY, name)
    check_strict(left, strict=strict)
    if getattr(chosen, "BY_SUFFIX", False):
        options.setdefault("suffix", registry.find_suffix(path, chosen.SUFFIXES) or chosen.SUFFIXES[0])
    content = _call_with_options(chosen.write, part, name, options)
    if isinstance(content, bytes):
        files.write_file(path, content)
    else:
        files.write_files(path, content, chosen.SUFFIXES)
    return left


def convert(
    source: Location,
    target: Location,
    *,
    source_format: str | None = None,
    target_format: str | None = None,
    strict: bool = False,
) -> tuple[Notice, ...]:
    """Read a corpus and write it in another format; return notices of both, what the format has no place for included.

    source_format, target_format: where content and names do not tell. strict: write nothing if anything would be lost.
    """
    corpus = read(source, source_format)
    return (*corpus.notices, *write(corpus, target, target_format, strict=strict))


def _read_file(path: str, format: str | None, folder: str) -> Corpus:  # noqa: A002
    """Read one file in the format given or recognised; `folder` is what document names leave out."""
    data = files.read_bytes(path)
    if format is None:
        name, why = registry.recognise(path, data[: registry.BEGINNING])
        options: dict[str, str] = {}
    else:
        (name, options), why = registry.parse_spec(format), "as asked for"
    chosen = registry.load_format(name)
    stem = registry.strip_suffix(path, chosen.SUFFIXES)
    document = os.path.relpath(stem, folder) if folder else os.path.basename(stem)
    file = File(path, data, document.replace(os.sep, "/"), lambda suffix: files.read_if_present(stem + suffix))
    corpus = _call_with_options(chosen.read, file, name, options)
    if folder and corpus.documents == ("",):
        corpus = corpus.rename_documents({"": file.document})
    return corpus.replace(format=name, recognised=why)


def _call_with_options(action: Callable[..., Result], content: object, name: str, options: dict[str, str]) -> Result:
    """Read or write with a format; raises OptionError if it does not have an option."""
    if not options:
        return action(content)
    from inspect import signature  # noqa: PLC0415 - options are seldom given

    known_options = list(signature(action).parameters)[1:]
    for option in options:
        if option not in known_options:
            doing = getattr(action, "__name__", "use")
            raise OptionError(
                f"{name} has no option {option!r} to {doing} it; {suggest_names(option, known_options or ['none'])}"
            )
    return action(content, **options)


def _skip_companions(paths: list[str]) -> Iterator[str]:
    """Yield the files that do not only accompany another one."""
    there = set(paths)
    formats: list[Format] = [each for each in map(registry.load_format, registry.list_names()) if each.COMPANIONS]
    for path in paths:
        if not any(_is_companion(path, there, each) for each in formats):
            yield path


def _is_companion(path: str, there: set[str], format: Format) -> bool:  # noqa: A002
    """Return whether a file is read along with another one that is there, such as a text beside its annotation."""
    if not registry.find_suffix(path, format.COMPANIONS):
        return False
    stem = registry.strip_suffix(path, format.COMPANIONS)
    others = {f"{stem}{suffix}{packed}" for suffix in format.SUFFIXES for packed in ("", ".gz")}
    return not there.isdisjoint(others - {path})


def _find_repeated_names(documents: list[tuple[str, str]]) -> Iterator[Fault]:
    """Yield a fault for every document name in two files; within one file the reader has seen to it."""
    first: dict[str, str] = {}
    for path, name in documents:
        if name in first:
            what = f"document {name!r} is also in {first[name]}"
            yield Fault(path, what, "every document once", "remove one of them", kind="document-twice")
        first.setdefault(name, path)
