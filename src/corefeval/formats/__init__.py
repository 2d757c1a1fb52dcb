"""read(), write() and convert(): file formats, one file each; `registry` knows them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias, TypeVar

from corefeval import plugins
from corefeval._arrays import Ints
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.limits import refuse_far_offsets
from corefeval.errors import (
    Fault,
    InputError,
    OptionError,
    OutputError,
    check_choice,
    decode_escaped_bytes,
    suggest_names,
)
from corefeval.formats import registry
from corefeval.formats.base import File, Format
from corefeval.formats.shared import files, output
from corefeval.formats.shared.fitting import fit_corpus
from corefeval.formats.shared.spanning import make_spanning_notices
from corefeval.notices import Notice, announce_notices, check_strict, count_things, report_progress

Location: TypeAlias = "str | os.PathLike[str]"
Result = TypeVar("Result")

_ANNOTATION, _CURATION = "annotation", "curation"
_NO_ANNOTATORS = ("INITIAL_CAS", "CURATION_USER")
"""Names of files in INCEpTION's export that are nobody's annotation."""


@announce_notices
def read(
    source: Location,
    format: str | None = None,  # noqa: A002 - the name that users expect
    *,
    side: str = "",
) -> Corpus:
    """Return the corpus of a file, of a directory or zip archive of files, or of standard input (`-`), gzipped or not.

    format: its name, if content and suffix do not tell; options follow a colon: "table:mention=id,entity=cluster".
    side: "key" or "response", for files that hold both: JSON lines with clusters and predicted_clusters.
    """
    if side:
        check_choice("side", side, ("key", "response"))
    name = os.fspath(source)
    parts: list[Corpus] = []
    faults: list[Fault] = []
    unlisted: Counter[str] = Counter()
    opened = files.open_source(name)
    skipped = []
    paths = list(skip_companions(list(opened.files)) if opened.is_folder else opened.files)
    for number, path in enumerate(paths):
        report_progress(f"reading {name}", number, len(paths))
        try:
            parts.append(read_file(path, format, opened, side))
        except InputError as error:
            if opened.is_folder and [fault.kind for fault in error.faults] == ["format"]:
                skipped.append(path)
                continue
            faults.extend(error.faults)
            unlisted += error.unlisted
    faults.extend(find_repeated_names([(part.source, document) for part in parts for document in part.documents]))
    if faults:
        raise InputError(faults, unlisted=unlisted)
    if not parts:
        names = ", ".join(os.path.basename(path) for path in skipped[:5])
        others = f" and {len(skipped) - 5} more" if len(skipped) > 5 else ""
        what = f"no file in a known format, only {names}{others}" if skipped else "a directory without files"
        raise InputError(Fault(name, what, "files in a known format"))
    shown = decode_escaped_bytes(name)
    named_itself = len(parts) == 1 and parts[0].source in (shown, files.STANDARD_INPUT)
    corpus = parts[0] if named_itself else Corpus.join(parts, source=shown)
    notices = make_skipped_notices(dict.fromkeys(skipped, "not in a known format") | opened.passed_over)
    notices += _make_spanning_notices(corpus)
    notices += plugins.take_notices()
    return corpus.replace(notices=(*corpus.notices, *notices)) if notices else corpus


def make_skipped_notices(reasons: Mapping[str, str]) -> list[Notice]:
    """Return a list with a notice for each file that is not read, given {path: what it is}."""
    return [
        Notice.at("skipped-file", path, None, f"skipped, for it is {why}", {"file": path})
        for path, why in reasons.items()
    ]


def move_lines(corpus: Corpus, move: Callable[[Ints], Ints]) -> Corpus:
    """Return the corpus, and its layers, with `move` applied to the lines of words and mentions."""
    return corpus.replace(
        tokens=None if corpus.tokens is None else corpus.tokens.move_lines(move),
        lines=None if corpus.lines is None else move(corpus.lines),
        layers={name: move_lines(layer, move) for name, layer in corpus.layers.items()},
    )


def _make_spanning_notices(corpus: Corpus) -> tuple[Notice, ...]:
    """Return one notice of names that recur across documents, if the format has advice on that; () otherwise."""
    if len(corpus.documents) < 2 or "+" in corpus.format:  # files of several formats
        return ()
    advise = getattr(registry.load_format(corpus.format), "advise_across_documents", None)
    advice = "" if advise is None else advise(corpus)
    return make_spanning_notices(corpus, advice) if advice else ()


def read_annotators(source: Location, format: str | None = None) -> dict[str, Corpus]:  # noqa: A002
    """Return each annotator's corpus by name, from a directory or zip with a folder per document, a file per annotator.

    A file of a format that tells annotators apart (Prodigy, Label Studio) will also do.
    INCEpTION's export is such: of it only annotation/DOCUMENT/USER.tsv is read (or USER.zip with such a file), not what
    curators made of it, and not INITIAL_CAS, the documents before anybody had annotated them; notices count these.
    """
    name = os.fspath(source)
    opened = files.open_source(name)
    if not opened.is_folder:
        return _read_annotators_of_file(name, format, opened)
    paths = skip_companions(list(opened.files))
    inside = {path: os.path.relpath(path, opened.name).split(os.sep) for path in paths}
    skipped = [path for path, parts in inside.items() if parts[0] == _CURATION]
    if any(parts[0] == _ANNOTATION for parts in inside.values()):
        inside = {path: parts[1:] for path, parts in inside.items() if parts[0] == _ANNOTATION}
    if not inside or any(len(parts) not in (2, 3) for parts in inside.values()):
        expected = "a folder for each document with a file for each annotator, such as annotation/DOCUMENT/USER.tsv"
        raise InputError(Fault(name, "annotators cannot be told apart", expected, "or give a file for each of them"))
    parts_of: dict[str, list[Corpus]] = {}
    faults: list[Fault] = []
    for path, (document, *rest) in inside.items():
        annotator = decode_escaped_bytes(os.path.splitext(rest[0].removesuffix(".gz"))[0])
        if annotator in _NO_ANNOTATORS:
            skipped.append(path)
            continue
        try:
            beside = files.Source(os.path.dirname(path), is_folder=True, files=opened.files)
            part = read_file(path, format, beside, "")
        except InputError as error:
            if [fault.kind for fault in error.faults] == ["format"]:
                skipped.append(path)
            else:
                faults += error.faults
            continue
        # A file of one document is named after its folder, not after its annotator.
        of_file = part.documents[0] if len(part.documents) == 1 else ""
        stem = registry.strip_suffix(path, registry.load_format(part.format).SUFFIXES)
        named_after_file = of_file == decode_escaped_bytes(os.path.basename(stem))
        parts_of.setdefault(annotator, []).append(
            part.rename_documents({of_file: decode_escaped_bytes(document)}) if named_after_file else part
        )
    for parts in parts_of.values():
        faults += find_repeated_names([(part.source, each) for part in parts for each in part.documents])
    if faults:
        raise InputError(faults)
    corpora = {annotator: Corpus.join(parts, source=f"{name} ({annotator})") for annotator, parts in parts_of.items()}
    if skipped and corpora:
        fate = "is not read, for it is", "are not read, for they are"
        message = f"{name}: {count_things(len(skipped), 'file', *fate)} no annotator's, the first {skipped[0]}"
        first = next(iter(corpora))
        notice = Notice("skipped-file", message, {"files": len(skipped)})
        corpora[first] = corpora[first].replace(notices=(*corpora[first].notices, notice))
    return corpora


def _read_annotators_of_file(name: str, format: str | None, opened: files.Source) -> dict[str, Corpus]:  # noqa: A002
    """Return each annotator's corpus by name, from one file; an OptionError if its format knows no annotators."""
    data = opened.files[next(iter(opened.files))]()
    spec = format or registry.recognise(name, data[: registry.BEGINNING]).name
    list_annotators = getattr(registry.load_format(registry.parse_spec(spec)[0]), "list_annotators", None)
    if list_annotators is None:
        known = "a folder or archive with a folder for each document, or a file of prodigy or label_studio"
        raise OptionError(f"{name}: annotators cannot be told apart; give two annotators or more, or {known}")
    separator = "," if ":" in spec else ":"
    annotators = list_annotators(File(name, data, "", lambda _: None))
    specs = {each: f'{spec}{separator}annotator="{each}"' for each in annotators}
    source = files.Source(name, files={name: lambda: data})
    return {
        each: read_file(name, asked, source, "").replace(source=f"{name} ({each})") for each, asked in specs.items()
    }


@announce_notices
def write(
    corpus: Corpus,
    target: Location,
    format: str | None = None,  # noqa: A002 - the name that users expect
    *,
    strict: bool = False,
    force: bool = False,
) -> tuple[Notice, ...]:
    """Write a corpus to a file, packed if it ends in .gz, or to standard output (`-`); return notices of all losses.

    format: by default what the name's suffix says.
    strict: raise an error, and write nothing, where something would be left out.
    force: overwrite a file that is there already even if it is in another format or in none.

    Returns what the format has no place for. Files are written whole or not at all.
    """
    path = os.fspath(target)
    name, options = registry.parse_spec(format or registry.choose_by_suffix(path))
    chosen = registry.load_format(name)
    if chosen.CAPACITY is None:
        raise OptionError(f"{name} can be read but not written")
    if not corpus.documents:
        raise InputError(Fault(corpus.source or "corpus", "no document", "at least one to write"))
    part, left = fit_corpus(corpus, chosen.CAPACITY, name)
    check_strict(left, strict=strict)
    if getattr(chosen, "BY_SUFFIX", False):
        options.setdefault("suffix", registry.find_suffix(path, chosen.SUFFIXES) or chosen.SUFFIXES[0])
    content = call_with_options(chosen.write, part, name, options)
    if isinstance(content, bytes):
        if not force:
            _refuse_other_kinds([path], chosen, name)
        output.write_file(path, content)
    else:
        if not force:
            _refuse_other_kinds(output.list_paths(path, content, chosen.SUFFIXES).values(), chosen, name)
        output.write_files(path, content, chosen.SUFFIXES)
    return left


@announce_notices
def convert(
    source: Location,
    target: Location,
    *,
    source_format: str | None = None,
    target_format: str | None = None,
    strict: bool = False,
    force: bool = False,
) -> tuple[Notice, ...]:
    """Read a corpus and write it in another format; return notices of both, what the format has no place for included.

    source_format, target_format: where content and names do not tell. strict: write nothing if anything would be lost.
    force: overwrite a target that is there already even if it is in another format or in none.
    """
    corpus = read(source, source_format)
    return (*corpus.notices, *write(corpus, target, target_format, strict=strict, force=force))


def read_file(path: str, format: str | None, source: files.Source, side: str) -> Corpus:  # noqa: A002
    """Return the corpus of one file of a source, in the format given or recognised; an InputError if it has faults."""
    data = source.files[path]()
    if format is None:
        name, why = registry.recognise(path, data[: registry.BEGINNING])
        options: dict[str, str] = {}
    else:
        (name, options), why = registry.parse_spec(format), "as asked for"
    chosen = registry.load_format(name)
    stem = registry.strip_suffix(path, chosen.SUFFIXES)
    document = os.path.relpath(stem, source.name) if source.is_folder else os.path.basename(stem)
    file = File(
        path,
        data,
        decode_escaped_bytes(document.replace(os.sep, "/")),
        lambda suffix: source.read_if_present(stem + suffix),
        source.read_if_present,
        side,
    )
    corpus = call_with_options(chosen.read, file, name, _rename_options(chosen, options))
    refuse_far_offsets(corpus)
    if source.is_folder and corpus.documents == ("",):
        corpus = corpus.rename_documents({"": file.document})
    if source.is_folder and len(corpus.documents) == 1:
        corpus = corpus.replace(unnamed=frozenset())  # the file's path is a name among those of the directory
    return corpus.replace(format=name, recognised=why, source=decode_escaped_bytes(corpus.source))


def _refuse_other_kinds(paths: Iterable[str], chosen: Format, name: str) -> None:
    """Raise an OutputError if one of the files to be written is there and is not of this format, by its content.

    A file that only accompanies another one (a text beside its annotation) may be overwritten if that is there.
    """
    for path in paths:
        if not os.path.isfile(path) or output.find_descriptor(path) is not None:  # `>> file` is appended to
            continue
        if registry.find_suffix(path, chosen.COMPANIONS):
            stem = registry.strip_suffix(path, chosen.COMPANIONS)
            there: str | None = "not of this annotation"
            if any(os.path.isfile(f"{stem}{suffix}{packed}") for suffix in chosen.SUFFIXES for packed in ("", ".gz")):
                there = None
        else:
            there = _describe_other_format(path, chosen, name)
        if there is not None:
            hint = "--force (in Python force=True) overwrites it"
            raise OutputError(f"{path}: is there already and is {there}; {hint}")


def _describe_other_format(path: str, chosen: Format, name: str) -> str | None:
    """Return for a message what a file is, such as "corefud, not conll"; None if it is empty or of this format."""
    try:
        beginning = files.read_bytes(path)[: registry.BEGINNING]
    except InputError:
        return f"not {name}"
    if not beginning.strip() or chosen.recognise(beginning):
        return None
    known = (each for each in registry.list_names() if registry.explain_recognition(each, beginning))
    return f"{next(known, 'not')}, not {name}".replace("not, not", "not")


def call_with_options(action: Callable[..., Result], content: object, name: str, options: dict[str, str]) -> Result:
    """Return `action(content, **options)`, a format's read or write; an OptionError for an option that it lacks."""
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


def _rename_options(format: Format, options: dict[str, str]) -> dict[str, str]:  # noqa: A002
    """Return options under the names that a format's reader knows; an OptionError if one is given by two names."""
    names: Mapping[str, str] = getattr(format, "OPTION_NAMES", {})
    renamed: dict[str, str] = {}
    for option, value in options.items():
        name = names.get(option, option)
        if name in renamed:
            raise OptionError(f"{option}={value}: the {name} is given twice")
        renamed[name] = value
    return renamed


def skip_companions(paths: list[str]) -> Iterator[str]:
    """Yield the paths, without those that only accompany another one of them (a text beside its annotation)."""
    for name in {name for end, name in registry.PROJECTS.items() if any(path.lower().endswith(end) for path in paths)}:
        companions = registry.load_format(name).find_companions(paths)  # type: ignore[attr-defined]
        paths = [path for path in paths if path not in companions]
    if len(set(map(_find_stem, paths))) == len(paths):  # formats need not be loaded for what they say of companions
        yield from paths
        return
    there = set(paths)
    formats: list[Format] = [each for _, each in registry.list_formats() if each.COMPANIONS]
    suffixes = tuple(suffix + packed for each in formats for suffix in each.COMPANIONS for packed in ("", ".gz"))
    for path in paths:
        if not path.lower().endswith(suffixes) or not any(_is_companion(path, there, each) for each in formats):
            yield path


def _find_stem(path: str) -> str:
    """Return a path up to the first dot of the file's name, which suffixes of companions begin with."""
    return path[: f"{path}.".index(".", path.rfind(os.sep) + 1)]


def _is_companion(path: str, there: set[str], format: Format) -> bool:  # noqa: A002
    """Return whether a file is read along with another one that is there, such as a text beside its annotation."""
    if not registry.find_suffix(path, format.COMPANIONS):
        return False
    stem = registry.strip_suffix(path, format.COMPANIONS)
    others = {f"{stem}{suffix}{packed}" for suffix in format.SUFFIXES for packed in ("", ".gz")}
    return not there.isdisjoint(others - {path})


def find_repeated_names(documents: list[tuple[str, str]]) -> Iterator[Fault]:
    """Yield a fault for every document, given as its file and its name, whose name an earlier one has."""
    first: dict[str, str] = {}
    for path, name in documents:
        if name in first:
            what = f"document {name!r} is also in {first[name]}"
            yield Fault(path, what, "every document once", "remove one of them", kind="document-twice")
        first.setdefault(name, path)
