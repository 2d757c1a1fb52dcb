"""Figures of how each measure falls as errors of one kind grow: one SVG each, small and readable on light and dark."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from corefeval._arrays import np
from corefeval.lab.corruption import KINDS, corrupt_key
from corefeval.lab.partitions import LEA_KEY
from corefeval.lab.sides import MatchedSides, NumberedSide
from corefeval.measures import Measure
from corefeval.measures.registry import CLASSES, parse
from corefeval.options import Options

RATES = (0, 10, 20, 30, 40, 50)
SEEDS = 8
DRAWN = {"mentions": sum(map(len, LEA_KEY)), "entities": len(LEA_KEY), "seeds": SEEDS}
"""What the figures are made of."""

_WIDTH, _HEIGHT, _LEFT, _TOP = 640, 300, 44, 14
_PLOT = 410, 244
"""The size of the plotting area; the names of lines stand to its right."""
_COLOURS = ("#4477aa", "#c04e5c", "#228833", "#a08a20", "#2e9fc4", "#aa3377", "#7d7d7d", "#d07a2d")
_DASHES = ("", "6 3")
_GREY = "#7d7d7d"


@cache
def draw_falls() -> dict[str, str]:
    """Return an SVG for each measure that goes by entities alone, by its name."""
    measures = {name: parse("ceaf:phi=2" if name == "ceaf" else name) for name in CLASSES}
    chosen = {name: each for name, each in measures.items() if not each.needs_mentions and each.scores_entities}
    scores = _score_errors(tuple(chosen.values()))
    return {name: _draw(measure, scores[str(measure)]) for name, measure in chosen.items()}


def _score_errors(measures: tuple[Measure, ...]) -> dict[str, dict[str, list[float]]]:
    """Return by measure and kind of error the mean score at each rate."""
    entity = np.repeat(np.arange(len(LEA_KEY)), [len(each) for each in LEA_KEY])
    mention = np.arange(len(entity))
    key = NumberedSide(("d",), mention, np.zeros(len(entity), dtype=np.int64), entity)
    sides = MatchedSides(key, key, measures, Options())
    found: dict[str, dict[str, list[float]]] = {str(each): {} for each in measures}
    for kind in KINDS:
        responses = [corrupt_key(key, kind, rate / 100, seed) for rate in RATES for seed in range(SEEDS)]
        for name, scores in sides.score(responses).items():
            values = [float(score.main) for score in scores]
            found[name][kind] = [sum(values[n : n + SEEDS]) / SEEDS for n in range(0, len(values), SEEDS)]
    return found


def _draw(measure: Measure, scores: dict[str, list[float]]) -> str:
    """Return the SVG of one measure: a line for each kind of error, named at its end."""
    values = [value for line in scores.values() for value in line]
    low, high = min(0.0, *values), max(1.0 if measure.more_is_better else 0.0, *values)
    size = f'viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12">\n']
    parts += _draw_axes(low, high)
    ends = {kind: _place(50, line[-1], low, high)[1] for kind, line in scores.items()}
    heights = dict(zip(sorted(ends, key=lambda kind: ends[kind]), _spread(sorted(ends.values())), strict=True))
    for number, (kind, line) in enumerate(scores.items()):
        colour, dash = _COLOURS[number], _DASHES[number % 2]
        points = " ".join("{:.1f},{:.1f}".format(*_place(x, y, low, high)) for x, y in zip(RATES, line, strict=True))
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"{dashed}/>\n')
        at = f'x="{_LEFT + _PLOT[0] + 26}" y="{heights[kind] + 4:.1f}"'
        start, end = f"{_LEFT + _PLOT[0] + 2},{ends[kind]:.1f}", f"{_LEFT + _PLOT[0] + 22},{heights[kind]:.1f}"
        parts.append(f'<polyline points="{start} {end}" fill="none" stroke="{colour}" stroke-width="1"/>\n')
        parts.append(f'<text {at} fill="{colour}">{kind}: {line[-1]:.2f}</text>\n')
    return "".join([*parts, "</svg>\n"])


def _draw_axes(low: float, high: float) -> Iterator[str]:
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        value = low + share * (high - low)
        x, y = _place(0, value, low, high)
        ends = f'x1="{x:.1f}" y1="{y:.1f}" x2="{_LEFT + _PLOT[0]}" y2="{y:.1f}"'
        yield f'<line {ends} stroke="{_GREY}" stroke-opacity="0.35"/>\n'
        yield f'<text x="{x - 6:.1f}" y="{y + 4:.1f}" text-anchor="end" fill="{_GREY}">{value:.4g}</text>\n'
    for rate in RATES:
        x, y = _place(rate, low, low, high)
        yield f'<text x="{x:.1f}" y="{y + 18:.1f}" text-anchor="middle" fill="{_GREY}">{rate}</text>\n'
    x, y = _place(25, low, low, high)
    yield f'<text x="{x:.1f}" y="{y + 34:.1f}" text-anchor="middle" fill="{_GREY}">rate, %</text>\n'


def _place(rate: float, value: float, low: float, high: float) -> tuple[float, float]:
    """Return where a score at a rate is drawn."""
    return _LEFT + rate / RATES[-1] * _PLOT[0], _TOP + (high - value) / (high - low) * _PLOT[1]


def _spread(heights: Sequence[float]) -> list[float]:
    """Return heights, in order, moved apart so that names do not overlap and stay within the figure."""
    moved: list[float] = []
    for height in heights:
        moved.append(max(height, moved[-1] + 16 if moved else 0))
    over = max(0.0, moved[-1] - (_TOP + _PLOT[1]))
    for place in range(len(moved) - 1, -1, -1):
        limit = moved[place + 1] - 16 if place + 1 < len(moved) else moved[place] - over
        moved[place] = min(moved[place], limit)
    return moved
