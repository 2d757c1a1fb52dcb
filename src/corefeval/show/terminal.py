"""How text is shown on a terminal: as wide as that is, and in colour where it wants any."""

from __future__ import annotations

import sys

from corefeval.show.text import Style, plain, starred

_STYLES = {"head": "bold", "best": "bold green", "quiet": "dim"}


def style() -> Style:
    """A style for standard output: plain where it is no terminal; without colour where none is wanted (NO_COLOR)."""
    if not sys.stdout.isatty():
        return plain
    from rich.console import Console  # noqa: PLC0415 - loaded for terminals only
    from rich.style import Style as RichStyle  # noqa: PLC0415

    console = Console()
    system = console._color_system
    if system is None or console.no_color:
        return Style(starred, console.width)
    styles = {name: RichStyle.parse(words) for name, words in _STYLES.items()}

    def paint(name: str, text: str) -> str:
        painted = styles[name].render(text, color_system=system)
        return f"{painted}*" if name == "best" else painted

    return Style(paint, console.width)
