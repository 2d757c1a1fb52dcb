"""The formats by name, and which of them a file is in."""

from __future__ import annotations

import functools
import importlib
import re
import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, cast

from corefeval import plugins
from corefeval._lazy import NamedTuple
from corefeval.corpus.corpus import Corpus
from corefeval.errors import Fault, InputError, OptionError, suggest_names

if TYPE_CHECKING:
    from corefeval.formats.base import Format

BUILT_IN = (
    "conll",
    "corefud",
    "ua",
    "jsonlines",
    "json",
    "muc",
    "ace",
    "brat",
    "litbank",
    "inception",
    "mmax2",
    "cas",
    "prodigy",
    "label_studio",
    "doccano",
    "onf",
    "glozz",
    "urs",
    "corenlp",
    "i2b2",
    "gap",
    "cattan",
    "ecbplus",
    "ucdcr",
    "xcore",
    "table",
    "pairs",
    "crac",
    "markdown",
    "xml",
    "corefinst",
    "seq2seq",
    "sacr",
    "brackets",
    "strings",
    "typed",
)
"""The modules of this folder that are formats, in the order in which they are asked whether a file is theirs."""

PROJECTS = {".mmax": "mmax2", ".xmi": "cas", "-urs.xml": "urs"}
"""How names of files end that other files accompany, which are called otherwise, and the formats that know these.

Such a format has `find_companions(paths)`: it returns those of some paths that accompany others of them.
"""

INLINE = ("crac", "markdown", "xml", "corefinst", "seq2seq", "sacr", "brackets")
"""Those of the folder inline: notations for mentions within a text."""

_LIKE_CONLL = re.compile(
    rb"#begin document[^\n]*(?:; part \d\r?\n|\n\s*(?:[^\t\n]*\t){6}(?:True|False)\t)"  # uCDCR's, Cattan's
)
_SOONEST = ("cattan", "ucdcr", "conll")
"""CoNLL, the usual format, behind those that look like it."""

BEGINNING = 1 << 16

_OPTION = r'(?:"[^"]*"|[^,])+'
_QUOTED = r'\s*"([^"]*)"\s*$'
_PARTS = ("TITLE", "EXAMPLE", "SUFFIXES", "COMPANIONS", "CAPACITY", "recognise", "read")
_RESULTS: dict[str, tuple[type, ...]] = {"recognise": (str,), "read": (Corpus,), "write": (bytes, Mapping)}
"""What a format has, and what its functions return."""


class Recognition(NamedTuple):
    """The format of a file, and how that is known."""

    name: str
    why: str


def list_names() -> tuple[str, ...]:
    """Return the names of the built-in formats and those of installed packages."""
    return tuple(dict.fromkeys((*BUILT_IN, *plugins.list_plugins(plugins.FORMATS))))


def find_format(name: str) -> Format | None:
    """Return a format, a module or a plug-in, by its name; None if there is none."""
    if name in BUILT_IN:
        module = f"corefeval.formats.{'inline.' if name in INLINE else ''}{name}"
        return cast("Format", sys.modules.get(module) or importlib.import_module(module))
    added = plugins.load_plugin(plugins.FORMATS, name) if name else None
    return None if added is None else cast("Format", _PluginFormat(name, added))


def load_format(name: str) -> Format:
    """Return a format, a module or a plug-in, by its name; an OptionError if there is none."""
    found = find_format(name)
    if found is None:
        raise OptionError(f"there is no format {name!r}; {suggest_names(name, list_names())}")
    return found


class _PluginFormat:
    """A format that another package brings, checked; whatever goes wrong in its functions is an OptionError."""

    def __init__(self, name: str, format_: object) -> None:
        lacking = [each for each in _PARTS if not hasattr(format_, each)]
        if lacking:
            raise OptionError(f"{name}, a plug-in, is no format: it has no {', '.join(lacking)}")
        self._name, self._format = name, format_
        self.__doc__ = format_.__doc__

    def __getattr__(self, part: str) -> object:
        value = getattr(self._format, part)
        if part not in _RESULTS:
            return value

        @functools.wraps(value)
        def call(*given: object, **options: object) -> object:
            """Call the plug-in's function; an OptionError that names it if that fails or returns something else."""
            with plugins.blame_plugin(f"the plug-in {self._name} cannot {part}"):
                result: object = value(*given, **options)
                if not isinstance(result, _RESULTS[part]):
                    raise TypeError(f"a {type(result).__name__} came out")
            return result

        return call


def list_formats() -> Iterator[tuple[str, Format]]:
    """Yield pairs of name and format for all formats; a plug-in that cannot be loaded is passed over, and noted."""
    for name in list_names():
        try:
            found = load_format(name)
        except OptionError as error:
            plugins.pass_over(name, error)
            continue
        yield name, found


def explain_recognition(name: str, beginning: bytes) -> str:
    """Return why a file with this beginning is in the format of this name; "" if not, or if a plug-in fails, noted."""
    try:
        return load_format(name).recognise(beginning)
    except OptionError as error:
        plugins.pass_over(name, error)
        return ""


def parse_spec(written: str) -> tuple[str, dict[str, str]]:
    """Return name and options of NAME:OPTION=VALUE,OPTION="A,B"; an OptionError if malformed or of no known format."""
    name, _, options = written.partition(":")
    if name not in BUILT_IN:
        load_format(name)
    pairs = [option.partition("=") for option in re.findall(_OPTION, options)]
    for option, sign, _ in pairs:
        if not sign:
            raise OptionError(f"format {written}: expected {name}:OPTION=VALUE, not {option!r}")
    return name, {option.strip(): re.sub(_QUOTED, r"\1", value) for option, _, value in pairs}


def recognise(name: str, beginning: bytes) -> Recognition:
    """Return the name of a file's format, and why: by content, or else by suffix; an InputError if neither tells."""
    for first in _SOONEST if _may_be_like_conll(beginning) else _SOONEST[-1:]:
        why = load_format(first).recognise(beginning)
        if why:
            return Recognition(first, why)
    suffixed = []
    for known, is_suffixed in _sort_by_likelihood(name):
        why = explain_recognition(known, beginning)
        if why:
            return Recognition(known, f"{why}, and the file's name" if is_suffixed else why)
        suffixed += [known] * (is_suffixed and tells_by_name(load_format(known)))
    if suffixed:
        return Recognition(suffixed[0], "the file's name")
    if beginning.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError(Fault(name, "UTF-16 text", "UTF-8", "convert it: iconv -f UTF-16 -t UTF-8", 1))
    what = "not in a known format" if beginning.strip() else "an empty file"
    raise InputError(
        Fault(name, what, ", ".join(list_names()), "if it is one of them, say which with --format", 1, kind="format")
    )


def tells_by_name(format_: Format) -> bool:
    """Return whether a file may be taken for one of a format by its name alone."""
    return not getattr(format_, "BY_CONTENT", False)


def _may_be_like_conll(beginning: bytes) -> bool:
    """Return whether a file may be in a format that looks like CoNLL; for others these are not even loaded."""
    may_be_json = not beginning.startswith(b"#") and b'"coref_chain"' in beginning
    return may_be_json or _LIKE_CONLL.search(beginning) is not None


def _sort_by_likelihood(name: str) -> Iterator[tuple[str, bool]]:
    """Yield pairs: each format's name, and whether the file has a suffix of it; those whose suffix it has come first.

    Formats of installed packages are looked for when no other one with this suffix will do, for that takes as long as
    reading a small file.
    """
    plain_name = _strip_gz(name)
    suffixed = [known for known, suffixes in _list_suffixes(BUILT_IN) if plain_name.endswith(suffixes)]
    yield from ((known, True) for known in suffixed)
    formats = dict(list_formats())
    added = [known for known, each in formats.items() if known not in BUILT_IN and find_suffix(name, each.SUFFIXES)]
    yield from ((known, True) for known in added)
    yield from ((known, False) for known in formats if known not in (*suffixed, *added))


@functools.cache
def _list_suffixes(names: tuple[str, ...]) -> list[tuple[str, tuple[str, ...]]]:
    """Return these names of formats, each with its suffixes; once for many files."""
    return [(name, load_format(name).SUFFIXES) for name in names]


def choose_by_suffix(name: str) -> str:
    """Return the name of the format that can be written and has the longest suffix of a file; OptionError if none."""
    written = {known: find_suffix(name, each.SUFFIXES) for known, each in list_formats() if each.CAPACITY is not None}
    chosen = max(written, key=lambda known: len(written[known]))
    if not written[chosen]:
        raise OptionError(f"{name}: its name tells no format that can be written; say which with --to")
    return chosen


def find_suffix(name: str, suffixes: tuple[str, ...]) -> str:
    """Return the longest of these suffixes that a name has, before any .gz and in any case; "" if it has none."""
    return max(filter(_strip_gz(name).endswith, suffixes), key=len, default="")


def _strip_gz(name: str) -> str:
    """Return a name in lower case, without .gz."""
    return name.lower().removesuffix(".gz")


def strip_suffix(name: str, suffixes: tuple[str, ...]) -> str:
    """Return a name without the longest of these suffixes, and without .gz."""
    suffix = find_suffix(name, suffixes)
    name = name[:-3] if name.lower().endswith(".gz") else name
    return name[: len(name) - len(suffix)]
