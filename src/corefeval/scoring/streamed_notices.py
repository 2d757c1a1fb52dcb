"""Notices of parts of a corpus, put together to what would be said of all of it at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from corefeval.errors import WholeCorpusError
from corefeval.formats.shared.diagnostics import limit_by_line
from corefeval.matching.matching import NOTHING_IN_COMMON
from corefeval.matching.repeats import KIND as REPEATED
from corefeval.matching.rules.cores import join_headless_notices
from corefeval.matching.rules.overlap import join_credit_notices
from corefeval.matching.split_antecedents import join_unscored_notices
from corefeval.notices import MOST_OF_A_KIND, Notice

Joiner = Callable[[Sequence[Notice]], Notice | None]
"""Returns one notice for several of a kind, each about a part; None if that cannot be said."""


def _keep_each(notices: Sequence[Notice]) -> Notice | None:  # noqa: ARG001 - notices about single documents stay
    """Return None: the notices are not joined."""
    return None


def _keep_first(notices: Sequence[Notice]) -> Notice:
    """Return the first of notices that are all alike."""
    return notices[0]


_JOINERS: dict[tuple[str, str], Joiner] = {
    ("different-length", ""): _keep_each,
    ("different-words", ""): _keep_each,
    ("different-text", ""): _keep_each,
    ("moved-mention", ""): _keep_each,
    ("lost-mention", ""): _keep_each,
    ("not-carried-over", ""): _keep_each,
    ("split-antecedents", "key"): join_unscored_notices,
    ("split-antecedents", "response"): join_unscored_notices,
    ("no-head", "key"): join_headless_notices,
    ("no-head", "response"): join_headless_notices,
    ("no-minimum", ""): _keep_first,
    ("no-parse", ""): _keep_each,
    ("partial-credit", ""): join_credit_notices,
    (REPEATED, "key"): _keep_each,
    (REPEATED, "response"): _keep_each,
    (NOTHING_IN_COMMON, ""): _keep_first,
    ("caveat", ""): _keep_first,
}
"""The kinds of notices, by side where each has its own, in the order in which scoring finds them; how they are joined.

Those that are not here are about all documents together, and not to be told from what is said of parts.
"""

_ONCE_IN_A_FILE = frozenset({"no-declaration", "encoding"})
"""The kinds of notices that a reader has once for a file: from there on it holds."""


_ABOUT_ALL = frozenset({"unknown-words"})
"""The kinds of a reader's notices that say how the whole file is read."""


class NoticeTally:
    """Notices of one kind in order, of which a thousand are kept and the others counted."""

    def __init__(self) -> None:
        self._kept: list[Notice] = []
        self._more = 0

    def add(self, notice: Notice) -> None:
        """Add a notice, or one that counts several."""
        if "more" in notice.details:
            self._more += int(str(notice.details["more"]))
        elif len(self._kept) < MOST_OF_A_KIND:
            self._kept.append(notice)
        else:
            self._more += 1

    def list_notices(self) -> Iterator[Notice]:
        """Yield the notices, and one that counts those that are not kept, if any."""
        yield from self._kept
        if self._more:
            kind, first = self._kept[0].kind, self._kept[0].message
            yield Notice(kind, f"and {self._more} more of kind {kind}", {"more": self._more, "like": first})


class PairingNotices:
    """What matching and measures say about parts, in order; a WholeCorpusError for what must be said of all."""

    def __init__(self) -> None:
        self._tallies = {kind: NoticeTally() for kind in _JOINERS}
        self._joined: dict[tuple[str, str], list[Notice]] = {}

    def add(self, notices: Iterable[Notice]) -> None:
        """Add the notices of the next part, those that nothing is in common aside."""
        last = "", ""
        for notice in notices:
            kind = last if "more" in notice.details else (notice.kind, str(notice.details.get("side", "")))
            last = kind
            if notice.kind == NOTHING_IN_COMMON:
                continue
            if kind not in _JOINERS:
                raise WholeCorpusError(f"this is said of all documents together: {notice.message}")
            if _JOINERS[kind] is _keep_each:
                self._tallies[kind].add(notice)
            else:
                held = self._joined.setdefault(kind, [])
                joined = _JOINERS[kind]([*held, notice])
                if joined is None:
                    raise WholeCorpusError(f"this is said of all documents together: {notice.message}")
                self._joined[kind] = [joined]

    def list_notices(self, nothing_in_common: Notice | None) -> Iterator[Notice]:
        """Yield all notices, in the order in which they would be found in all documents at once."""
        if nothing_in_common is not None:
            self._joined[NOTHING_IN_COMMON, ""] = [nothing_in_common]
        for kind, tally in self._tallies.items():
            yield from tally.list_notices()
            yield from self._joined.get(kind, ())


class ReaderNotices:
    """What readers say about files of which parts were read, in whatever order."""

    def __init__(self, joiners: Mapping[str, Callable[[Sequence[Notice]], Notice]]) -> None:
        self._joiners = joiners
        self._files: dict[str, dict[str, list[Notice]]] = {}
        self._more: dict[tuple[str, str], int] = {}

    @property
    def sources(self) -> Iterable[str]:
        """The files that there are notices about."""
        return self._files.keys()

    def add(self, notices: Iterable[Notice]) -> None:
        """Add notices of a part; of a kind in a file, only those of the first thousand lines are kept."""
        source = ""
        for notice in notices:
            if notice.kind in _ABOUT_ALL:
                raise WholeCorpusError(f"this is said of all documents together: {notice.message}")
            source = notice.source or source
            if "more" in notice.details:
                key = source, notice.kind
                self._more[key] = self._more.get(key, 0) + int(str(notice.details["more"]))
                continue
            found = self._files.setdefault(source, {}).setdefault(notice.kind, [])
            found.append(notice)
            if len(found) > 2 * MOST_OF_A_KIND and notice.kind not in self._joiners:
                self._shorten(source, notice.kind)

    def _shorten(self, source: str, kind: str) -> None:
        """Keep the notices of a kind in a file that have the first lines, and count the others."""
        found = sorted(self._files[source][kind], key=lambda each: each.line or 0)
        self._files[source][kind] = found[:MOST_OF_A_KIND]
        more = len(found) - MOST_OF_A_KIND
        if more > 0:
            self._more[source, kind] = self._more.get((source, kind), 0) + more

    def list_notices(self, source: str) -> tuple[Notice, ...]:
        """Return the notices of a file, as if it had been read at once."""
        kinds = self._files.get(source, {})
        notices: list[Notice] = []
        counts: dict[str, int] = {}
        for kind, found in kinds.items():
            ordered = sorted(found, key=lambda each: each.line or 0)
            if kind in _ONCE_IN_A_FILE:
                notices += ordered[:1]
            elif kind in self._joiners:
                notices.append(self._joiners[kind](ordered))
            else:
                notices += ordered[:MOST_OF_A_KIND]
                more = self._more.get((source, kind), 0) + max(0, len(ordered) - MOST_OF_A_KIND)
                counts |= {kind: more} if more else {}
        return tuple(_insert_counts(limit_by_line(notices), counts))


def _insert_counts(notices: tuple[Notice, ...], counts: dict[str, int]) -> Iterator[Notice]:
    """Yield notices, kind by kind, with a notice that counts those left out behind each kind that has such."""
    for place, notice in enumerate(notices):
        yield notice
        if notice.kind in counts and (place + 1 == len(notices) or notices[place + 1].kind != notice.kind):
            more = counts[notice.kind]
            first = next(each for each in notices if each.kind == notice.kind).message
            yield Notice(notice.kind, f"and {more} more of kind {notice.kind}", {"more": more, "like": first})
