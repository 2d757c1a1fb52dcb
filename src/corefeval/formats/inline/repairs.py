"""What is repaired in text that a language model has written: each by a stated rule, named with its place."""

from __future__ import annotations

import re
from collections.abc import Sequence

from corefeval._arrays import np
from corefeval.errors import check_choice
from corefeval.formats.base import File
from corefeval.formats.draft import Draft

RULES = {
    "unclosed": "an opening tag that is never closed marks the one word behind it, a zero, or a mention by itself "
    "elsewhere",
    "open-ended": "an opening tag that is never closed is left out where its word is no mention by itself elsewhere, "
    "or is another one here: it is unknown how many words it marked",
    "unopened": "a closing tag that nothing opens marks the one word before it",
    "begun-earlier": "a closing tag that nothing opens is left out where its word is another mention by itself",
    "closed-twice": "a tag that closes a mention again is left out",
    "without-id": "a mention without an id is an entity of its own",
    "empty": "a mention without words is left out",
    "stray": "an opening tag that is never closed, where only closing tags have ids, is text",
    "nameless": "a closing tag that nothing opens, and that has no id, is left out",
    "malformed": "what stands in the place of a tag and cannot be read is left out",
    "preamble": "a first line that announces the text is left out",
    "fence": "only what is in a code fence is read",
}
"""For every rule, what is done."""

KEEP, DROP = "keep", "drop"


class Repairs:
    """The repairs of a file: notices of a response, faults of a key. `text` is the file's."""

    def __init__(self, file: File, draft: Draft, text: str, repairs: str) -> None:
        check_choice("repairs", repairs, (KEEP, DROP))
        self._draft, self._is_key, self.drops = draft, file.side == "key", repairs == DROP
        self._breaks = np.array([match.start() for match in re.finditer("\n", text)], dtype=np.int64)

    def find_line(self, at: int) -> int:
        """Return the line, from 1, of a place in the file's text."""
        return int(np.searchsorted(self._breaks, at)) + 1

    def find_lines(self, places: Sequence[int]) -> list[int]:
        """Return the lines, from 1, of places in the file's text."""
        lines: list[int] = (np.searchsorted(self._breaks, places) + 1).tolist()
        return lines

    def add(self, rule: str, at: int, what: str, document: str, mention: str | None = None) -> None:
        """Add a repair at a place: `what` is wrong there, and the words of the mention that comes out, if one does."""
        line = self.find_line(at)
        column = at - (int(self._breaks[line - 2]) if line > 1 else -1)
        message = f"column {column}: {what}"
        if self._is_key:
            self._draft.add_fault(line, message, "a key without anything to repair", kind=f"repaired-{rule}")
            return
        dropped = "; with repairs=drop it is left out" if self.drops and mention is not None else ""
        self._draft.add_notice(
            f"repaired-{rule}",
            line,
            f"{message}; {RULES[rule]}{dropped}",
            rule=rule,
            column=column,
            document=document,
            mention=mention,
        )
