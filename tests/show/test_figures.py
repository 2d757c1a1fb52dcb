"""Figures have room for what they say: no text leaves the page, and no two systems look alike."""

from __future__ import annotations

import random
import warnings
from itertools import combinations
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
    found: list[Any] = []
    for each in figure.axes:
        legend = each.get_legend()
        found += [each.title, each.xaxis.label, each.yaxis.label, *each.texts, *ticks(each.xaxis), *ticks(each.yaxis)]
        found += legend.get_texts() if legend else []
    texts = [text for text in found if text.get_text() and text.get_visible()]
    assert texts
    for text in texts:
        box = text.get_window_extent()
        assert box.x0 >= page.x0 - 1, text
        assert box.x1 <= page.x1 + 1, text
        assert box.y0 >= page.y0 - 1, text
        assert box.y1 <= page.y1 + 1, text
    assert page.height / figure.dpi < 10, "it fits on a page"


def test_names_stand_beside_their_points() -> None:
    key = corpus(99, 0)
    ax = plots.recall_precision(
        {name: corefeval.score(key, corpus(1, noise)) for name, noise in (("one", 0.1), ("two", 0.3))}
    )
    FigureCanvasAgg(ax.figure).draw()  # type: ignore[arg-type, no-untyped-call]
    assert ax.get_legend() is None
    named = {text.get_text(): text.get_window_extent() for text in ax.texts}
    for line in ax.lines:
        if (box := named.get(str(line.get_label()))) is not None:
            (point,) = ax.transData.transform(line.get_xydata())
            assert box.y0 - 12 < point[1] < box.y1 + 12, "at its height"
            assert min(abs(box.x0 - point[0]), abs(box.x1 - point[0])) < 20, "beside it"
            assert not box.contains(*point)
    assert not named["one"].overlaps(named["two"])


def test_a_name_at_the_edge_ends_above_its_point() -> None:
    # Right of "response-05" the axes end, left of it "lb-d" stands, and its name in the middle above it is too wide.
    points = {
        "response-05": (90.4, 92.0),
        "response-20": (65.5, 70.7),
        "response-50": (29.3, 38.8),
        "lb-d": (68.2, 90.5),
        "lb-e": (63.2, 94.5),
    }
    placed = plots.place_names(points, 21.3, 100)
    assert placed.keys() == points.keys()
    assert placed["response-05"][0] < 75
    assert 92 < placed["response-05"][1] < 100


def test_several_systems_have_a_panel_for_recall_and_one_for_precision() -> None:
    for count, panels, lines in ((1, 1, 2), (5, 2, 5)):
        ax: Any = drawn("by_size", count)
        assert [len(each.lines) for each in ax.figure.axes] == [lines] * panels
    labels = [each.get_ylabel().split()[0] for each in ax.figure.axes]
    assert labels == ["recall", "precision"]
    assert ax.figure.get_figwidth() == 3.4, "a column of a paper"


def test_agreement_counts_each_document_once_and_disagreement_has_another_colour() -> None:
    compared = corefeval.compare(corpus(99, 0), systems(2), measures=("muc", "bcub", "vi"), resamples=100)
    ax = plots.agreement(compared)
    assert ax.get_title() == "Kendall's τ on 30 documents,\nmean of 2 systems"
    from scipy.stats import kendalltau  # noqa: PLC0415

    per_document = [
        [[each.documents[name][measure].main for name in each.document_names] for measure in each.measures[:2]]
        for each in (system.runs[0] for system in compared.systems)
    ]
    expected = sum(kendalltau(*scores).statistic for scores in per_document) / 2
    assert f"{expected:.2f}" in {text.get_text() for text in ax.texts}
    colours = ax.images[0].cmap
    low, middle, high = (colours(each)[:3] for each in (0.0, 0.5, 1.0))
    assert low[0] > low[2], "below nothing it is red"
    assert high[2] > high[0], "above it blue"
    assert min(middle) > 0.9


def test_tables_of_eight_measures_and_of_five_systems_fit_a_column() -> None:
    key, responses = corpus(99, 0), {name: corpus(number, 0.1) for number, name in enumerate("abcde")}
    for ax in (
        plots.agreement(corefeval.compare(key, responses, resamples=100)),
        plots.errors({name: corefeval.score(key, each) for name, each in responses.items()}),
    ):
        assert ax.images, "a table"
        assert ax.figure.get_figwidth() == pytest.approx(3.4)  # type: ignore[union-attr]
        FigureCanvasAgg(ax.figure).draw()  # type: ignore[arg-type, no-untyped-call]
        cells = [text.get_window_extent() for text in ax.texts]
        assert not any(one.overlaps(other) for one, other in combinations(cells, 2))


def test_type_has_serifs_on_request(tmp_path: Any) -> None:
    key, response = corpus(99, 0), corpus(1, 0.1)
    for serif in (True, False):
        corefeval.plot("by-size", key, {"a": response}, tmp_path / "a.svg", serif=serif)
        assert ("serif" in (tmp_path / "a.svg").read_text().replace("sans-serif", "")) is serif


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
