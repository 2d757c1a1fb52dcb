"""Small damages to a text, for files that nobody would write."""

from __future__ import annotations

from hypothesis import strategies as st

KINDS = ("delete", "insert", "replace", "drop", "repeat")


def edits(*new: str) -> st.SearchStrategy[list[tuple[str, float, str]]]:
    """Up to six: what is done, where, and with which new text."""
    return st.lists(
        st.tuples(st.sampled_from(KINDS), st.floats(0, 1, exclude_max=True), st.sampled_from(new)), max_size=6
    )


def edited(text: str, made: list[tuple[str, float, str]]) -> str:
    """The text with all of them."""
    for edit, where, new in made:
        lines = text.split("\n")
        place, line = int(where * len(text)), int(where * len(lines))
        if edit == "drop":
            text = "\n".join(lines[:line] + lines[line + 1 :])
        elif edit == "repeat":
            text = "\n".join(lines[:line] + lines[line : line + 1] * 2 + lines[line + 1 :])
        else:
            text = text[:place] + ("" if edit == "delete" else new) + text[place + (edit != "insert") :]
    return text
