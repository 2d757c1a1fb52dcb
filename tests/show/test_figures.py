"""Figures have room for what they say: no text leaves the page, and no two systems look alike."""

from __future__ import annotations

import random
import warnings
from typing import Any

import pytest

import corefeval

pytest.importorskip("matplotlib", reason="figures need matplotlib")

from matplotlib.backends.backend_agg import FigureCanvasAgg

from corefeval.show import drawing, plots

MEASURES = ("muc", "bcub", "ceafe", "lea", "conll")
JUDGED = ("intervals", "differences", "by_document", "agreement")
DRAWN = ("recall_precision", "errors", "by_size", "by_distance")


def corpus(seed: int, noise: float) -> dict[str, list[list[tuple[int, int]]]]:
    rng, found = random.Random(seed), {}
    for document in range(30):
        entities: dict[int, list[tuple[int, int]]] = {}
        for place in range(20):
            entity = place * place % 6 if rng.random() > noise else rng.randrange(6)
            if rng.random() > noise / 4:
                entities.setdefault(entity, []).append((place, place))
        found[f"d{document}"] = list(entities.values())
    return found


def systems(count: int) -> dict[str, dict[str, list[list[tuple[int, int]]]]]:
    """With names as long as those in papers, and longer."""
    names = [f"{number} a-rather-long-name_of.a.System ({2000 + number})"[: 12 + 3 * number] for number in range(count)]
    return {name: corpus(number, 0.1 + 0.03 * number) for number, name in enumerate(names)}


def drawn(kind: str, count: int) -> Any:
    key, responses = corpus(99, 0), systems(count)
    if kind in JUDGED:
        return getattr(plots, kind)(corefeval.compare(key, responses, measures=MEASURES, resamples=100))
    evaluations = {name: corefeval.score(key, each, measures=MEASURES) for name, each in responses.items()}
    return getattr(plots, kind)(evaluations)


def ticks(axis: Any) -> list[Any]:
    """Those that are drawn: within what the axis shows."""
    low, high = sorted(axis.get_view_interval())
    return [tick.label1 for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]


@pytest.mark.parametrize(
    ("kind", "count"),
    [
        *((kind, count) for kind in DRAWN for count in (1, 20)),
        *((kind, count) for kind in JUDGED for count in (2, 12)),
        *(pytest.param(kind, 3, marks=pytest.mark.slow) for kind in DRAWN),
    ],
)
def test_all_text_is_on_the_page(kind: str, count: int) -> None:
    ax = drawn(kind, count)
    figure = ax.figure
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # Matplotlib warns where a figure has no room
        FigureCanvasAgg(figure).draw()  # type: ignore[no-untyped-call]
    page = figure.bbox
    axes = [ax.title, ax.xaxis.label, ax.yaxis.label, *ax.texts, *ticks(ax.xaxis), *ticks(ax.yaxis)]
    legend = ax.get_legend()
    texts = [
        text for text in [*axes, *(legend.get_texts() if legend else [])] if text.get_text() and text.get_visible()
    ]
    assert texts
    for text in texts:
        box = text.get_window_extent()
        assert box.x0 >= page.x0 - 1, text
        assert box.x1 <= page.x1 + 1, text
        assert box.y0 >= page.y0 - 1, text
        assert box.y1 <= page.y1 + 1, text
    assert page.height / figure.dpi < 10, "it fits on a page"


def test_no_two_systems_look_alike() -> None:
    seen = {(drawing.choose_style(place)["color"], drawing.choose_style(place)["marker"]) for place in range(49)}
    assert len(seen) == 49
    hatched = (drawing.choose_style(place, "hatch") for place in range(49))
    assert len({(style["color"], style["hatch"]) for style in hatched}) == 49


def test_long_names_keep_their_ends() -> None:
    assert drawing.shorten_name("x" * 60 + "-seed-17").endswith("-seed-17")
    assert len(drawing.shorten_name("x" * 60)) == 40


@pytest.mark.parametrize("options", [{"profile": "scorch-cli"}, {"profile": "allennlp"}, {"duplicates": "coval"}])
@pytest.mark.parametrize("kind", ["errors", "by_size", "by_distance"])
def test_figures_of_errors_are_drawn_whatever_the_options(kind: str, options: dict[str, str]) -> None:
    key = {"one": [[(0, 0), (1, 1)], [(2, 2)]], "two": [[(0, 0), (1, 1), (4, 4)]]}
    response = {"one": [[(0, 0), (1, 1), (3, 3)]], "two": [[(0, 0), (4, 4)], [(4, 4), (5, 5)]]}
    assert getattr(plots, kind)({"a": corefeval.score(key, response, **options)}) is not None  # type: ignore[arg-type]


def test_a_system_without_any_recall_is_a_point_at_nothing() -> None:
    """Lines of equal F1 that cannot be seen there are left out, without a warning of NumPy's."""
    nothing = corefeval.score({"d": [["a", "b"]]}, {"d": [["c", "d"]]})
    assert plots.recall_precision({"a": nothing}) is not None


@pytest.mark.parametrize("kind", ["differences", "by_document"])
@pytest.mark.parametrize(("a", "b"), [("x", "x"), ("y", "z")])
def test_a_difference_is_one_of_two_systems(kind: str, a: str, b: str) -> None:
    compared = corefeval.compare(corpus(9, 0), {"x": corpus(1, 0.1), "y": corpus(2, 0.2)}, resamples=100)
    with pytest.raises(corefeval.OptionError, match=r"two systems|no system 'z'"):
        getattr(plots, kind)(compared, a=a, b=b)
