"""`corefeval lab`: the list, one study in all outputs, the page, the figure, and what is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from corefeval.errors import OptionError
from corefeval.lab.registry import STUDIES, takes_files
from corefeval.show import drawing
from tests.cli.running import get_output, run


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
    ],
)
def test_wrong_usage_says_what_to_do(arguments: tuple[str, ...], message: str) -> None:
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
