"""The tags of a MUC file: those of COREF as columns, since most tags are such, and all others one by one."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from corefeval._arrays import Booleans, Ints, number_values
from corefeval._lazy import NamedTuple
from corefeval.formats.shared import markup
from corefeval.formats.shared.columns import begin_with, decode_places, match_places
from corefeval.formats.shared.diagnostics import Diagnostics
from corefeval.formats.shared.markup import Tag

if TYPE_CHECKING:
    from corefeval.formats.shared.columns import Bytes

_START, _END = b"<COREF ", b"</COREF>"
_USUAL = rb'<COREF(?: [A-Z]++="[^"<>\n]*+")++>'
_LESS, _GREATER, _QUOTE, _SLASH, _NEWLINE = b'<>"/\n'
_BEGINS_NAME = np.isin(np.arange(256), list(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"))
_BEGINS_DECLARATION = np.isin(np.arange(256), list(b"!?"))
_UNNORMALIZED = re.compile(r"[& \t\n\r\f\v]")


class CorefTags(NamedTuple):
    """The COREF tags of a file in order: where they begin and end, and their lines.

    opens: a start tag. empty: one that is its own end.
    values: for each attribute of start tags, by its name, which tags have it, and the values as they are written.
    """

    begin: Ints
    end: Ints
    line: Ints
    opens: Booleans
    empty: Booleans
    values: dict[str, tuple[Ints, list[str]]]

    def list_values(self, name: str, *, as_written: bool = False) -> list[str]:
        """Return the value of an attribute for every tag, "" if it is missing; without needless blanks by default."""
        listed = [""] * len(self.begin)
        tags, values = self.values.get(name, (self.begin[:0], []))
        if not as_written and _UNNORMALIZED.search("".join(values)):
            values = [markup.normalize_value(value) for value in values]
        for tag, value in zip(tags.tolist(), values, strict=True):
            listed[tag] = value
        return listed


def find_tags(text: str, page: Bytes, diagnostics: Diagnostics) -> tuple[CorefTags, list[Tag]]:
    """Return the COREF tags of a text, and all others, the end of the file included; add faults.

    page: the ASCII characters of the text.
    """
    usual, ends, attributes = _find_usual_tags(page)
    less = np.flatnonzero(page == _LESS)
    first, second = page[less + 1], page[np.minimum(less + 2, len(page) - 1)]
    is_mark = _BEGINS_NAME[first] | _BEGINS_DECLARATION[first] | ((first == _SLASH) & _BEGINS_NAME[second])
    marks = np.setdiff1d(less[is_mark], usual, assume_unique=True).tolist()
    others = list(markup.find_tags(text, diagnostics, marks=marks))
    # What looks like a tag may be within a comment or the like.
    bounds = np.array([place for tag in others for place in (tag.begin, tag.end)], dtype=np.int64)
    apart = np.searchsorted(bounds, usual, side="right") % 2 == 0
    odd = [tag for tag in others if tag.name in ("COREF", "/COREF")]
    begin = np.concatenate([usual[apart], np.array([tag.begin for tag in odd], dtype=np.int64)])
    order = np.argsort(begin)
    place = np.empty(len(begin), dtype=np.int64)
    place[order] = np.arange(len(begin))
    of_usual = np.full(len(usual), -1, dtype=np.int64)
    of_usual[apart] = place[: np.count_nonzero(apart)]
    end = np.concatenate([ends[apart], np.array([tag.end for tag in odd], dtype=np.int64)])[order]
    begin = begin[order]
    values = _read_values(text, attributes, of_usual)
    more: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for tag, number in zip(odd, place[np.count_nonzero(apart) :].tolist(), strict=True):
        for name, value in tag.attributes.items() if tag.name == "COREF" else ():
            more[name].append((number, value))
    for name, pairs in more.items():
        numbers, listed = values.get(name, (begin[:0], []))
        values[name] = np.append(numbers, [number for number, _ in pairs]), [*listed, *(value for _, value in pairs)]
    is_empty = np.zeros(len(begin), dtype=np.bool_)
    is_empty[place[np.count_nonzero(apart) :]] = [tag.empty for tag in odd]
    line = np.searchsorted(np.flatnonzero(page == _NEWLINE), begin) + 1
    corefs = CorefTags(begin, end, line, page[begin + 1] != _SLASH, is_empty, values)
    return corefs, [tag for tag in others if tag.name not in ("COREF", "/COREF")]


class _Attributes(NamedTuple):
    """The attributes of tags: the number of the tag, which of `names`, and where the value is."""

    tag: Ints
    name: Ints
    begin: Ints
    end: Ints
    names: Sequence[str]


def _find_usual_tags(page: Bytes) -> tuple[Ints, Ints, _Attributes]:
    """Return where the COREF tags that are written as usual begin and end, and their attributes, each once in a tag."""
    less = np.flatnonzero(page == _LESS)
    starts = less[begin_with(_START, page, less)]
    greater = np.append(np.flatnonzero(page == _GREATER), len(page) - 1)
    stops = greater[np.searchsorted(greater[:-1], starts)] + 1
    # In a usual tag there is neither a line break nor the beginning of another one.
    barred = np.append(np.flatnonzero((page == _LESS) | (page == _NEWLINE)), len(page))
    is_usual = barred[np.searchsorted(barred, starts, side="right")] >= stops
    starts, stops = starts[is_usual], stops[is_usual]
    is_usual = match_places(_USUAL, page, starts, stops)
    starts, stops = starts[is_usual], stops[is_usual]
    quotes = np.flatnonzero(page == _QUOTE)
    tag = np.searchsorted(starts, quotes, side="right") - 1
    inside = (tag >= 0) & (quotes < np.append(stops, 0)[tag])
    quotes, tag = quotes[inside], tag[inside]
    opening, closing, tag = quotes[0::2], quotes[1::2], tag[0::2]
    is_first = np.diff(tag, prepend=-1) != 0
    before = np.where(is_first, starts[tag] + len(_START) - 2, np.append(0, closing[:-1])[: len(tag)])
    names, name = number_values(decode_places(page, before + 2, opening - 1))
    pairs, times = np.unique(tag * max(1, len(names)) + name, return_counts=True)
    is_odd = np.zeros(len(starts), dtype=np.bool_)
    is_odd[pairs[times > 1] // max(1, len(names))] = True
    is_odd[tag[closing - opening - 1 > markup.LONGEST]] = True
    ends = less[begin_with(_END, page, less)]
    begin = np.concatenate([starts[~is_odd], ends])
    end = np.concatenate([stops[~is_odd], ends + len(_END)])
    kept = ~is_odd[tag]
    number = (np.cumsum(~is_odd) - 1)[tag[kept]]
    return begin, end, _Attributes(number, name[kept], opening[kept] + 1, closing[kept], names)


def _read_values(text: str, attributes: _Attributes, place: Ints) -> dict[str, tuple[Ints, list[str]]]:
    """Return for each attribute, by name, the places of the tags that have it, and its values; -1 is no place."""
    values = {}
    there = place[attributes.tag] >= 0
    for number, name in enumerate(attributes.names):
        rows = np.flatnonzero((attributes.name == number) & there)
        places = zip(attributes.begin[rows].tolist(), attributes.end[rows].tolist(), strict=True)
        values[name] = place[attributes.tag[rows]], [text[begin:end] for begin, end in places]
    return values
