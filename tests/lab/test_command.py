"""`corefeval lab`: the list, one study in all outputs, the page, the figure, and what is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from corefeval.errors import OptionError
from corefeval.lab import Figure
from corefeval.lab.registry import STUDIES, takes_files
from corefeval.show import drawing, plots
from tests.cli.running import get_output, run
from tests.data import EXAMPLES

KEY, RESPONSE = EXAMPLES / "key.conll", EXAMPLES / "response-b.conll"


def test_without_a_name_it_lists_the_studies() -> None:
    assert re.findall(r"^  (\S+)(?: \S+)*  +\S", get_output("lab"), re.MULTILINE) == list(STUDIES)
    assert "\n  ranks KEY RESPONSE RESPONSE [RESPONSE]...  Where do measures rank" in get_output("lab")
    listed = json.loads(get_output("lab", "--json"))["studies"]
    assert [each["study"] for each in listed] == list(STUDIES)
    assert all(each["title"] and each["source"] for each in listed)


def test_a_study_is_shown_in_every_output() -> None:
    text = get_output("lab", "pradhan-section-2")
    assert re.search(r"\{a, b, d\}, \{c\} +bcub\.precision +0\.58333 +0\.333 +misprint\n", text)
    assert "misprint: {a, b, d}, {c} bcub.precision: (4/3 + 1)/4" in text
    assert "  ✗ by plain B³, precision drops with the singleton\n      {a, b, d} 0.444, {a, b, d}, {c} 0.583" in text
    content = json.loads(get_output("lab", "pradhan-section-2", "--json"))
    assert [claim["holds"] for claim in content["claims"]] == [True, True, False]
    assert content["holds"] is False
    assert 'value,,"{a, b, d}",bcub.precision,0.444' in get_output("lab", "pradhan-section-2", "--csv")
    assert "| {a, b, d} | bcub.precision | 0.44444 | 0.444 | ✓ |" in get_output(
        "lab", "pradhan-section-2", "--markdown"
    )
    assert r"\begin{tabular}" in get_output("lab", "pradhan-section-2", "--latex")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("luo-tabel-1",), "did you mean luo-table-1"),
        (("-o", "page"), "name a study, or 'all'"),
        (("all", "--plot", "figure.svg"), "--plot draws one study"),
        (("lea-section-5", "--plot", "figure.svg"), "lea-section-5 has no figure"),
        (("lea-section-5", "-o", "page", "--json"), "-o and --json are two outputs"),
        (("all", KEY), "take no files"),
        (("lea-section-5", KEY), "lea-section-5 is the study of a paper: it takes no files"),
        (("lea-section-5", "-m", "lea"), "it takes no files, measures or decisions"),
        (("lea-section-5", "--singletons", "drop"), "it takes no files, measures or decisions"),
    ],
)
def test_wrong_usage_says_what_to_do(arguments: tuple[object, ...], message: str) -> None:
    done = run("lab", *arguments)
    assert (done.returncode, message in done.stderr) == (2, True), done.stderr


def test_the_page_has_all_studies(tmp_path: Path) -> None:
    page = tmp_path / "all" / "index.html"
    assert get_output("lab", "all", "-o", tmp_path / "all").strip() == str(page)
    text = page.read_text(encoding="utf-8")
    assert re.findall(r'<section id="(\S+)">', text) == [name for name in STUDIES if not takes_files(name)]
    content = json.loads(get_output("lab", "all", "--json"))
    figures = sum(len(each["figures"]) for each in content["studies"])
    assert text.count('<img src="data:image/svg+xml;base64,') == figures > 0
    assert text.count("<b>(does not hold)</b>") == content["counts"]["fail"]
    assert f"{content['counts']['as printed']} values are as printed" in text
    assert "https://" not in text.partition("<body>")[2]
    assert "Figures are shown as tables only" not in text


def test_a_page_of_one_study_without_matplotlib_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise OptionError("a plot needs matplotlib")

    monkeypatch.setattr(drawing, "load_figure_class", refuse)
    get_output("lab", "lea-figure-6", "-o", tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Figures are shown as tables only: a plot needs matplotlib" in text
    assert "<img" not in text
    assert "99.19" in text


def test_a_page_does_not_replace_what_is_no_page(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("my notes", encoding="utf-8")
    assert run("lab", "lea-section-5", "-o", tmp_path / "page.html").returncode == 74
    (tmp_path / "file").write_text("my notes", encoding="utf-8")
    assert run("lab", "lea-section-5", "-o", tmp_path / "file").returncode == 2


def test_the_figure_names_its_curves_once_each(tmp_path: Path) -> None:
    get_output("lab", "lea-figure-4", "--plot", tmp_path / "figure.svg")
    drawn = (tmp_path / "figure.svg").read_text(encoding="utf-8")
    for name in ("muc", "bcub = ceafm = lea", "ceafe", "blanc", "% correct links"):
        assert drawn.count(f">{name}<") == 1


@pytest.mark.parametrize(("name", "files"), [("sensitivity", [KEY]), ("operating-curve", [KEY, RESPONSE])])
def test_studies_of_files_have_a_page_and_figures(name: str, files: list[Path], tmp_path: Path) -> None:
    content = json.loads(get_output("lab", name, *files, "--json"))
    page, plot = tmp_path / "page.html", tmp_path / "figure.svg"
    assert get_output("lab", name, *files, "-o", page, "--plot", plot).strip() == str(page)
    text, drawn = page.read_text(encoding="utf-8"), plot.read_text(encoding="utf-8")
    assert f"corefeval lab {name} {' '.join(map(str, files))}</code>" in text
    assert text.count('<img src="data:image/svg+xml;base64,') == len(content["figures"]) > 1
    assert "The laboratory</h1>" not in text
    for sentence in content["sentences"]:
        assert f"<li>{sentence}</li>" in text
    for figure in content["figures"]:
        assert drawn.count(f">{figure['vertical']}<") == 1
    assert drawn.count(">mentions") == len(content["figures"])


def test_many_curves_that_are_the_same_have_a_short_name(tmp_path: Path) -> None:
    figure = Figure("place", "score", ["one", "two"], {name: [1, 1] for name in "abcdef"})
    plots.draw_figures([figure], tmp_path / "figure.svg")
    drawn = (tmp_path / "figure.svg").read_text(encoding="utf-8")
    assert drawn.count(">a = b = c = 3 more<") == 1


@pytest.mark.parametrize("given", [["-m", "muc"], ["--singletons", "drop"]])
@pytest.mark.parametrize("name", [[], ["all"]])
def test_papers_take_no_measures_or_decisions(name: list[str], given: list[str]) -> None:
    done = run("lab", *name, *given)
    assert done.returncode == 2
    assert f"has no use for {given[0]}" in done.stderr
