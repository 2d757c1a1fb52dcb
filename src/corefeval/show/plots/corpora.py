"""A figure of corpora: the distributions that `corefeval stats` counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval.errors import OptionError, OutputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefeval.inspection.stats import CorpusStats, Spread

_PANELS = (
    ("entity_size", "mentions per entity"),
    ("mention_length", "length of mentions"),
    ("distance", "distance to the antecedent"),
    ("sentence_distance", "… in sentences"),
)


def draw_distributions(corpora: Sequence[CorpusStats], path: str) -> None:
    """Draw for every corpus how many of its entities or mentions have at least a size, length or distance."""
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415 - an extra
    except ImportError:
        raise OptionError('a plot needs matplotlib: pip install "corefeval[plots]"') from None
    shown = [(field, title) for field, title in _PANELS if any(getattr(each, field) for each in corpora)]
    figure = Figure(figsize=(3.4 * len(shown), 3.2), layout="constrained")
    for place, (field, title) in enumerate(shown):
        axes = figure.add_subplot(1, len(shown), place + 1)
        for each in corpora:
            spread: Spread | None = getattr(each, field)
            if spread is not None and spread.times:
                axes.plot(*_accumulate(spread), drawstyle="steps-pre", marker=".", markersize=3, label=each.name)
        axes.set_xlabel(title)
        axes.set_xscale("symlog", linthresh=10)
        axes.set_yscale("log")
        axes.xaxis.set_major_formatter("{x:g}")
        axes.yaxis.set_major_formatter(lambda share, _: f"{100 * share:g}%")
        axes.grid(visible=True, alpha=0.3)
        if place == 0:
            axes.set_ylabel("at least as many")
            if len(corpora) > 1:
                axes.legend(fontsize="small", frameon=False)
    try:
        figure.savefig(path)
    except (OSError, ValueError) as error:
        raise OutputError(f"{path}: cannot be drawn ({error})") from None


def _accumulate(spread: Spread) -> tuple[list[int], list[float]]:
    values = sorted(spread.times)
    total = left = sum(spread.times.values())
    shares = []
    for value in values:
        shares.append(left / total)
        left -= spread.times[value]
    return values, shares
