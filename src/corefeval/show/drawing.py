"""What all figures share: axes, colours that colour-blind readers can tell apart, and how they are saved."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from io import BytesIO
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, ParamSpec

from corefeval.errors import OptionError
from corefeval.formats.shared.output import write_over_own_kind

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Given = ParamSpec("Given")

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Okabe & Ito's palette."""

_SIGNS = {
    "marker": ("o", "s", "^", "D", "v", "P", "X"),
    "hatch": ("", "///", "...", "xxx", "\\\\\\", "++", "oo"),
}
TYPE_SIZES: Any = {  # Matplotlib's type of it lists the settings of one version
    "font.size": 9,
    "axes.titlesize": 9,
    "axes.labelsize": 9,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "legend.fontsize": 8,
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
    "svg.hashsalt": "corefeval",
}

_SERIF: Any = {
    "font.family": "serif",
    "font.serif": ["Times New Roman", "Nimbus Roman", "Liberation Serif", "TeX Gyre Termes", "STIXGeneral"],
    "mathtext.fontset": "stix",
}

_METADATA: dict[str, dict[str, None]] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": {}}
"""The endings of figures' files, and what is left out of these, so that the same figure is the same file."""

BARE: Any = {"facecolor": "white", "edgecolor": "none", "pad": 0.4}
"""The ground of a name that stands on lines: none of them strikes it through."""

LINE = 0.17
"""The height of a line of a legend, in inches."""

_COLUMN = 3.4  # inches: a column of a paper
_LONGEST = 40  # letters of a name that a figure has room for


def shorten_name(name: str) -> str:
    """Return a name with "…" for its middle if a figure has no room for all of it; else unchanged."""
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 16]}…{name[-15:]}"


def fit_width(names: Sequence[str]) -> float:
    """Return the width in inches of a figure with these names beside its axes: a paper's column, or wider."""
    return _COLUMN + 0.06 * max(0, max((len(shorten_name(name)) for name in names), default=0) - 18)


def make_axes(ax: Axes | None, *, width: float = _COLUMN, height: float = 2.8) -> Axes:
    """Return the axes that are given or, for None, those of a new figure of this width and height in inches."""
    if ax is not None:
        return ax
    return load_figure_class()(figsize=(width, height), layout="constrained").add_subplot()


def split_axes(ax: Axes) -> Axes:
    """Make the axes the upper half of where they stand, and return new axes in the lower half, with the same scales."""
    spec = ax.get_subplotspec()
    if spec is not None:
        halves = spec.subgridspec(2, 1)
        ax.set_subplotspec(halves[0])
        return ax.figure.add_subplot(halves[1], sharex=ax, sharey=ax)
    left, bottom, width, height = ax.get_position().bounds
    ax.set_position((left, bottom + 0.54 * height, width, 0.46 * height))
    return ax.figure.add_axes((left, bottom, width, 0.46 * height), sharex=ax, sharey=ax)


@contextmanager
def with_serif(*, serif: bool) -> Iterator[None]:
    """Draw in the type of a paper's text, with serifs, if asked for; else as Matplotlib is set."""
    if not serif:
        yield
        return
    load_figure_class()
    from matplotlib import rc_context  # noqa: PLC0415 - an extra

    with rc_context(_SERIF):
        yield


def load_figure_class() -> type[Figure]:
    """Return Matplotlib's class of figures; raise an OptionError that says how to install it if it is missing."""
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415 - an extra
    except ImportError:
        raise OptionError('a plot needs matplotlib: pip install "corefeval[plots]"') from None
    return Figure


def with_type_sizes(draw: Callable[Given, Axes]) -> Callable[Given, Axes]:
    """Return `draw` wrapped: our sizes of type hold while it draws, unless the caller gives the axes (`ax`)."""

    @wraps(draw)
    def draw_with_sizes(*args: Given.args, **options: Given.kwargs) -> Axes:
        """Draw and return the axes, with our sizes of type or, if `ax` is given, with those that hold already."""
        if options.get("ax") is not None:
            return draw(*args, **options)
        load_figure_class()
        from matplotlib import rc_context  # noqa: PLC0415 - an extra

        with rc_context(TYPE_SIZES):
            return draw(*args, **options)

    return draw_with_sizes


def add_legend(ax: Axes, *, columns: int = 1, handles: Sequence[Artist] | None = None) -> None:
    """Add a legend above the axes, where it hides nothing: of `handles` or, for None, of everything labelled."""
    ax.legend(handles=handles, frameon=False, loc="lower left", bbox_to_anchor=(0, 1.0), ncols=columns,
              borderaxespad=0.2, handlelength=2.4, labelspacing=0.3)  # fmt: skip


def remove_box(ax: Axes, *, grid: Literal["x", "y"] | None = None) -> None:
    """Remove the upper and right side of the axes' box; with `grid`, draw thin lines across that axis."""
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    ax.set_axisbelow(True)
    if grid:
        ax.grid(visible=True, axis=grid, color="#d9d9d9", linewidth=0.6)


def choose_style(place: int, sign: Literal["marker", "hatch"] = "marker") -> dict[str, Any]:
    """Return {"color": ..., "marker" or "hatch": ...} of the system at a place; the first 49 all differ."""
    signs = _SIGNS[sign]
    return {"color": COLOURS[place % len(COLOURS)], sign: signs[(place + place // len(signs)) % len(signs)]}


def write_figure(figure: Figure, path: str | PathLike[str], dpi: float | Literal["figure"] = "figure") -> None:
    """Write a figure as SVG, PDF or PNG; OptionError for other endings, OutputError over a file of another kind."""
    suffix = Path(path).suffix.lower()
    if suffix not in _METADATA:
        raise OptionError(f"{path}: a figure is written as {', '.join(_METADATA)}")
    write_over_own_kind(fspath(path), render_figure(figure, suffix, dpi), mark=4)


def render_figure(figure: Figure, suffix: str, dpi: float | Literal["figure"] = "figure") -> bytes:
    """Return a figure as the content of a file with this ending: ".svg", ".pdf" or ".png"."""
    drawn = BytesIO()
    figure.savefig(drawn, format=suffix[1:], dpi=dpi, metadata=_METADATA[suffix])
    return drawn.getvalue()
