"""The page in a real browser: it opens, and does what it says with mouse, keyboard and both themes."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import corefeval
from corefeval.analysis.errors.types import TYPES
from corefeval.formats.draft import Draft
from corefeval.show import pages
from corefeval.show.pages.content import attribution, lists
from tests.browser.made import KEY, RESPONSE, hard
from tests.browser.waiting import wait
from tests.cli.running import run
from tests.data import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

WIDE, ZOOMED, NARROW = 1280, 640, 390
"""Widths of the window; a page at 200 % in a window of 1280 has 640."""


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of two systems, one of which is the key itself."""
    key, response = hard(KEY, "key.conllu"), hard(RESPONSE, "response.conllu")
    path = tmp_path_factory.mktemp("page") / "report.html"
    evaluations = {"<system>": corefeval.score(key, response), "perfect": corefeval.score(key, key)}
    pages.write(evaluations, path, resamples=100)
    return path


@pytest.fixture(scope="session")
def window(browser: Any) -> Any:
    """A window that all tests use in turn: to open one takes longer than most of them."""
    page = browser.new_context().new_page()
    page.set_default_timeout(5000)
    return page


@pytest.fixture
def open_page(window: Any, made: Path) -> Iterator[Callable[..., Any]]:
    """Opens the page at a fragment; nothing may be written to the console, or asked from the network."""
    complaints: list[str] = []
    window.complaints = complaints
    listeners = {
        "console": lambda message: complaints.append(message.text),
        "pageerror": lambda error: complaints.append(str(error)),
        "request": lambda request: None if request.url.startswith("file:") else complaints.append(request.url),
    }

    def opened(fragment: str = "", path: Path = made, width: int = WIDE, theme: str = "light") -> Any:
        leave(window)
        window.set_viewport_size({"width": width, "height": 800})
        window.emulate_media(color_scheme=theme, media="screen")
        window.goto(f"file://{path}{fragment}")
        # What is outside of the window is laid out once a frame has been drawn.
        window.evaluate("() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
        return window

    for event, listener in listeners.items():
        window.on(event, listener)
    yield opened
    leave(window)
    for event, listener in listeners.items():
        window.remove_listener(event, listener)
    assert complaints == []


def leave(window: Any) -> None:
    """Leave a page without a trace: nothing stored, and the pointer away from where the next page has something."""
    if window.url.startswith("file:"):
        window.evaluate("localStorage.clear()")
    window.goto("about:blank")
    window.mouse.move(0, 0)


def texts(page: Any, selector: str) -> list[str]:
    found: list[str] = page.locator(selector).all_text_contents()
    return found


def test_the_overview_has_the_scores_and_explains_a_measure(open_page: Callable[..., Any]) -> None:
    page = open_page()
    assert page.locator("#overview").is_visible()
    assert "100.00" in page.locator("table.scores").inner_text()
    assert not page.locator("#about-muc").is_visible()
    page.get_by_role("button", name="MUC muc").click()
    assert "Vilain" in page.locator("#about-muc").inner_text()
    # By hand: entities of 3, 2, 3 and 2 mentions, and two of one, need 2 + 1 + 2 + 1 links; Mara's she is together
    # with her, the second half of a gap with its zero, and Maryam's with hers.
    assert "recall: 3 of 6, 3 not found" in page.locator("#about-muc").inner_text()


def test_a_measure_says_what_cost_most_and_leads_there(open_page: Callable[..., Any]) -> None:
    page = open_page()
    page.get_by_role("button", name="mention detection mentions").click()
    about = page.locator("#about-mentions")
    # By hand: 11 of the key's 12 mentions and of the response's 14 are twins, so F1 is 22/26; the missing one and the
    # three extra ones cost 1/26 each.
    costly = about.locator(".costs").first
    assert "Shares of the 15.38 points that are lost. Exact" in costly.inner_text()
    mentions = costly.locator("ol.costly").nth(1)
    assert mentions.locator(".points b").all_text_contents() == ["25 %"] * 4
    assert [text.split(",")[0] for text in mentions.locator(".what").all_text_contents()] == ["missing", *["extra"] * 3]
    assert about.locator(".costs").nth(1).inner_text() == ""
    assert "∅" in page.locator("#about-blanc .costly").nth(1).text_content()
    mentions.locator("a").first.click()
    page.wait_for_selector(".m.chosen")
    assert page.locator("#inspector h2").inner_text() == "un libro de cuentos"
    # Four mentions cost alike, and all that is lost is lost in this document.
    assert (
        "Costs 25 % of what this document loses by mention detection in <system>; its entity 25 % in the key."
        in page.locator("#inspector").inner_text()
    )
    assert (
        "exact: this document's mentions together cost 100 % of the 15.38 points that are lost"
        in page.locator("#inspector").inner_text()
    )


def test_costs_follow_the_measure_that_is_chosen(open_page: Callable[..., Any]) -> None:
    page = open_page("#text/0")
    page.locator("#cost-by").select_option(label="mention detection")
    page.locator(f'[data-m="{named(page, "0", "picked the book")[0]}"]').first.click(position={"x": 12, "y": 4})
    assert page.locator("#inspector .cost").all_text_contents() == ["25 %", "50 %"]
    page.locator(f'[data-m="{named(page, "k", "Mara Lind")[0]}"]').first.click()
    assert page.locator("#inspector .cost").all_text_contents() == ["nothing"] * 3
    page.locator("#inspector summary").click()
    rows = page.locator(".cost-table tbody tr")
    assert rows.count() == 8
    assert rows.first.inner_text().split("\t") == ["mentions", "nothing", "nothing", "nothing"]
    page.get_by_role("link", name="Entities").click()
    page.wait_for_selector("article.group svg")
    # The entity of two extra mentions costs most; then those with the missing mention and with one extra mention.
    assert page.locator("#entities-by").evaluate("e => e.selectedOptions[0].text") == "mention detection"
    shares = [text.split("; ")[1] for text in texts(page, ".group h2") if "; " in text]
    assert shares == [f"{share} % of what the document loses by mention detection" for share in (50, 25, 25)]


def test_costs_that_do_not_add_up_say_so(
    open_page: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluation = corefeval.score(hard(KEY, "key"), hard(RESPONSE, "response"), measures=["rand"])
    pages.write({"r": evaluation}, tmp_path / "a.html", resamples=100)
    page = open_page(path=tmp_path / "a.html")
    page.locator("[data-about]").click()
    assert "Leave-one-out: points that the score would gain without it" in page.locator(".costs").inner_text()
    page.locator(".costly a").last.click()
    page.wait_for_selector(".m.chosen")
    assert "points of Rand index" in page.locator("#inspector").inner_text()
    assert "leave-one-out: what the score would gain without it" in page.locator("#inspector").inner_text()
    monkeypatch.setattr(attribution, "LEFT_OUT", 10)
    slow = corefeval.score(hard(KEY, "key"), hard(RESPONSE, "response"), measures=["dmt"])
    pages.write({"r": slow}, tmp_path / "b.html", resamples=100)
    page = open_page(path=tmp_path / "b.html")
    page.locator("[data-about]").click()
    assert "to leave out one mention after another takes long for more than 10" in page.locator(".costs").inner_text()
    page = open_page("#text/0/k:0-1", path=tmp_path / "b.html")
    assert "takes long" in page.locator("#inspector").inner_text()


def test_costs_of_mentions_in_several_entities_add_up_unless_a_score_is_above_1(
    open_page: Callable[..., Any], tmp_path: Path
) -> None:
    # B³ looks every occurrence up: 1 of {1} is found in {1, 2}, and lacks nothing; precision loses nothing either.
    looked_up = corefeval.score([[1, 2], [1], [3]], [[1, 2], [4]], measures=["bcub"], duplicates="coval")
    pages.write({"r": looked_up}, tmp_path / "a.html", resamples=100)
    page = open_page(path=tmp_path / "a.html")
    page.locator("[data-about]").click()
    assert (
        "Exact: those of all entities add up to it, and so do those of all mentions."
        in page.locator(".costs").inner_text()
    )
    # One link of the response is right twice over.
    above = corefeval.score([[1, 2], [1, 2], [3, 4]], [[1, 2]], measures=["pairwise"], duplicates="coval")
    assert above["pairwise"].precision == 2
    pages.write({"r": above}, tmp_path / "b.html", resamples=100)
    page = open_page("#text/0/k:1", path=tmp_path / "b.html")
    assert "leave-one-out: what the score would gain without it" in page.locator("#inspector").inner_text()


def test_what_is_lost_without_any_mention_is_told(open_page: Callable[..., Any], tmp_path: Path) -> None:
    # There are no links on either side: recall and precision are 0/0, which counts as 0.
    pages.write({"r": corefeval.score([[1], [2]], [[1], [2]], measures=["muc"])}, tmp_path / "a.html", resamples=100)
    page = open_page("#text/0/k:1", path=tmp_path / "a.html")
    told = page.locator("#inspector").inner_text()
    assert "Costs nothing of what this document loses by MUC" in told
    assert "100.00 are lost without any mention, as a side has nothing to count (0/0)" in told


@pytest.mark.parametrize("view", ["overview", "errors", "text", "entities", "documents", "compare"])
def test_every_view_fits_in_both_themes_and_all_widths(open_page: Callable[..., Any], view: str) -> None:
    page = open_page(f"#{view}")
    page.wait_for_selector(f"#{view}:not([hidden])")
    for width in (WIDE, ZOOMED, NARROW):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        ink, paper = page.evaluate(
            "[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]"
        )
        brightness = [sum(map(int, colour[4:-1].split(","))) for colour in (ink, paper)]
        assert (brightness[0] < brightness[1]) == (theme == "light")


def test_the_theme_can_be_chosen(open_page: Callable[..., Any]) -> None:
    page = open_page(theme="light")
    before = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.locator("#theme").click()
    page.locator("#theme").click()
    assert page.locator("#theme").inner_text() == "Theme: dark"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != before


def test_tables_sort_and_are_filtered(open_page: Callable[..., Any]) -> None:
    page = open_page("#documents")
    first = "#documents-table tbody th"
    # The worst comes first.
    assert texts(page, first) == ["hard <i>", "plain"]
    heading = page.locator("#documents-table th", has=page.get_by_role("button", name="document", exact=True))
    heading.get_by_role("button").click()
    assert heading.get_attribute("aria-sort") == "ascending"
    heading.get_by_role("button").click()
    assert texts(page, first) == ["plain", "hard <i>"]
    page.locator("#documents-table").get_by_role("button", name="errors", exact=True).click()
    assert texts(page, first) == ["hard <i>", "plain"]
    page.locator("#find").fill("PLA")
    assert texts(page, first) == ["plain"]
    assert page.locator("#listed").inner_text() == "1 of 2 documents"
    # The address says all of it.
    again = open_page(f"#{page.url.partition('#')[2]}")
    assert texts(again, first) == ["plain"]
    assert again.locator("[aria-sort]").inner_text() == "errors"


def test_heads_and_names_of_documents_stay_in_sight(open_page: Callable[..., Any], many: Path) -> None:
    page = open_page("#documents", path=many, width=NARROW)
    head, name = page.locator("#documents-table thead th").first, page.locator("#documents-table tbody th").first
    before = head.bounding_box(), name.bounding_box()
    page.locator(".tall").evaluate("e => { e.scrollTop = 300; e.scrollLeft = 200; }")
    assert head.bounding_box() == pytest.approx(before[0], abs=1)  # the table's own edge may go
    assert name.bounding_box()["x"] == pytest.approx(before[1]["x"], abs=1)
    assert name.bounding_box()["y"] < before[1]["y"]


def test_a_mention_lights_up_its_entity_on_both_sides(open_page: Callable[..., Any]) -> None:
    page = open_page("#text/0")
    page.locator('[data-m="k.0"]').hover()
    lit = {each.get_attribute("data-m") for each in page.locator(".lit").all()}
    # Mara is mentions 0, 3 and 10 of the key; the response has all three, in two entities.
    assert {name for name in lit if name.startswith("k")} == set(named(page, "k", "Mara Lind", "she", "She"))
    assert {name for name in lit if name.startswith("0")} == set(named(page, "0", "Mara Lind", "she", "She"))
    near = {each.get_attribute("data-m") for each in page.locator(".near").all()}
    assert near == set(named(page, "0", "the shop"))


def named(page: Any, side: str, *names: str) -> list[str]:
    """The mentions of a side that read so."""
    found = []
    for each in page.locator(f'[data-m^="{side}."]').all():
        read = each.evaluate(
            "e => { const c = e.cloneNode(true); c.querySelectorAll('.label, .sign').forEach(x => x.remove());"
            " return c.textContent; }"
        )
        if read in names:
            found.append(each.get_attribute("data-m"))
    return found


def test_text_that_looks_like_html_stays_text(open_page: Callable[..., Any]) -> None:
    page = open_page("#text/0")
    shown = page.locator("#sides .block").first.text_content().replace("\u2060", "").replace("1", "")
    assert "and <b> she" in shown.replace("  ", " ")
    assert page.locator("#sides b").count() == 0
    assert page.title() == "hard <i> – Coreference report: <system>, perfect"


def test_gaps_zeros_and_crossing_mentions_are_all_there(open_page: Callable[..., Any]) -> None:
    page = open_page("#text/0")
    (gap,) = set(named(page, "k", "comprado"))
    parts = page.locator(f'[data-m="{gap}"]')
    assert parts.all_text_contents()[0].endswith("comprado")
    assert parts.count() == 2
    assert parts.nth(0).evaluate("e => e.classList.contains('cut-right')")
    assert parts.nth(1).evaluate("e => e.classList.contains('cut-left')")
    assert page.locator('.zero[title="not written in the text"]').count() == 2
    crossing = named(page, "0", "picked the book")
    assert len(crossing) == 1
    assert page.locator(f'[data-m="{crossing[0]}"]').count() == 1
    assert page.locator('[data-m^="0."]', has_text="up").count() == 1


def test_right_to_left_text_runs_from_the_right(open_page: Callable[..., Any]) -> None:
    page = open_page("#text/0")
    arabic = page.locator("#sides .block", has_text="مريم").first
    assert arabic.evaluate("e => getComputedStyle(e).direction") == "rtl"
    words = [page.locator(f'[data-m="{name}"]').bounding_box()["x"] for name in named(page, "k", "مريم", "لها")]
    assert words[0] > words[1]


def test_contexts_run_as_their_mentions_do(open_page: Callable[..., Any]) -> None:
    page = open_page("#text/0/k:23-23")
    lines = page.locator(".concordance a")
    assert [line.get_attribute("dir") for line in lines.all()] == ["rtl", "rtl"]
    word, after = lines.first.locator("b").bounding_box(), lines.first.locator(".context").last
    assert "المكتبة" in after.inner_text()
    assert page.locator("#inspector .told, #inspector h3 bdi").count() > 0, "parts are isolated"
    assert word["x"] > after.bounding_box()["x"]


def test_errors_are_filtered_and_gone_through_by_keyboard(open_page: Callable[..., Any]) -> None:
    page = open_page("#text/0?signs=1")
    page.locator("#types summary").click()
    # By hand: 17-20 is missing and 18-19 extra beside others of their entities; the key has nothing of the entity of
    # 33-34 and 31-33; Mara's 30 is with the shop, and the shop's 12 with Maryam.
    counts = dict(zip((kind.replace(" ", "-") for kind in TYPES), texts(page, "#filter output"), strict=True))
    assert counts == {
        "span-error": "0",
        "conflated-entities": "2",
        "extra-mention": "1",
        "extra-entity": "1",
        "divided-entity": "2",
        "missing-mention": "1",
        "missing-entity": "0",
    }
    assert page.locator("#where").inner_text() == "7 errors"
    page.keyboard.press("n")
    assert page.locator("#where").inner_text() == "1 of 7"
    assert page.locator(".m.chosen").count() >= 1
    page.keyboard.press("p")
    assert page.locator("#where").inner_text() == "7 of 7"
    page.keyboard.press("Escape")
    assert page.locator(".m.chosen").count() == 0
    for kind in counts.keys() - {"missing-mention"}:
        page.locator(f"#filter label:has(.{kind}) input").uncheck()
    assert page.locator("#where").inner_text() == "1 error"
    assert {each.get_attribute("title") for each in page.locator(".m > .sign").all()} == {"missing mention"}


def test_mentions_without_a_twin_can_be_told_even_where_they_are_no_error(open_page: Callable[..., Any]) -> None:
    page = open_page("#text/0")
    # One of the key and three of the response; against itself, none.
    assert page.locator("[data-m^='k.'].alone.opens").count() == 1
    assert page.locator("[data-m^='0.'].alone.opens").count() == 3
    page.locator("#right").select_option("k")
    assert page.locator(".alone").count() == 0


def test_arrow_keys_go_from_mention_to_mention(open_page: Callable[..., Any]) -> None:
    page = open_page("#text/0")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.m") == page.locator(".m").nth(1).get_attribute("data-m")
    assert page.evaluate("document.querySelectorAll('.m[tabindex=\"0\"]').length") == 1
    # All mentions of both sides are come to, those with gaps once, and then the first again.
    met = []
    for _ in range(23):
        met.append(page.evaluate("document.activeElement.dataset.m"))
        page.keyboard.press("ArrowRight")
    assert len(set(met[:22])) == 22
    assert met[22] == met[0]


def test_a_measure_is_looked_into_with_the_keyboard_alone(open_page: Callable[..., Any]) -> None:
    page = open_page()
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('[data-about]')"):
            break
    page.keyboard.press("Enter")
    assert page.locator("#about-mentions").is_visible()
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.costly a')"):
            break
    page.keyboard.press("Enter")
    page.wait_for_selector(".m.chosen")
    chosen = page.evaluate("document.activeElement.dataset.m")
    assert chosen == page.locator(".m.chosen").first.get_attribute("data-m")
    # What is chosen stays so when it is shown otherwise, and the keyboard where it was.
    page.locator("#overlaid").focus()
    page.keyboard.press("Space")
    assert chosen in page.locator(".m.chosen").first.get_attribute("data-m").split()
    assert page.evaluate("document.activeElement.id") == "overlaid"


def test_mentions_say_what_they_are_to_those_who_hear_them(open_page: Callable[..., Any]) -> None:
    page = open_page("#text/0")
    label = page.locator('[data-m="k.0"]').get_attribute("aria-label")
    assert label == "Mara Lind, entity 1, key"
    missing = page.locator(".m.missing-mention").first
    assert missing.get_attribute("aria-label") == "un libro de cuentos, entity 3, key, missing mention"
    missing.click(position={"x": 3, "y": 3})
    assert "missing mention: " in page.locator("#said").inner_text()
    assert "by CoNLL average" in page.locator("#said").inner_text()
    page.locator("#cost-by").select_option(label="mention detection")
    assert "Costs 25 % of what this document loses by mention detection" in page.locator("#said").inner_text()


def test_narrow_pages_name_both_systems(open_page: Callable[..., Any]) -> None:
    page = open_page("#text/0", width=NARROW)
    page.locator("#right").select_option("1")
    page.locator("#left").select_option("0")
    before = "e => getComputedStyle(e, '::before').content"
    row = page.locator("#sides .row:not(.heads)").first
    assert [row.locator(".block").nth(at).evaluate(before) for at in (0, 1)] == ['"<system>"', '"perfect"']


def test_a_link_to_a_mention_chooses_it(open_page: Callable[..., Any], made: Path) -> None:
    # A link has the words of the mention, not its number: it holds when the page is made anew.
    page = open_page("#text/hard%20%3Ci%3E/0:8-8")
    assert page.locator("#inspector h2").inner_text() == "she"
    page.locator(".m").nth(1).click()
    assert page.url.endswith("/k:3-4")
    again = open_page(f"#{page.url.partition('#')[2]}")
    assert again.locator(".m.chosen").first.get_attribute("data-m") == page.locator(".m").nth(1).get_attribute("data-m")


def test_a_link_to_a_mention_far_down_brings_it_into_sight(open_page: Callable[..., Any], tmp_path: Path) -> None:
    draft = Draft("long")
    words = ["word", "."] * 400
    document = draft.add_document("long", words=words, sentence=[place // 2 for place in range(len(words))])
    for place in range(0, len(words), 2):
        document.add_mention("x", ((place, place),))
    corpus = draft.build_corpus()
    pages.write({"r": corefeval.score(corpus, corpus)}, tmp_path / "long.html", resamples=100)
    page = open_page("#text/0/k:600-600", path=tmp_path / "long.html")
    wait(page, "scrollY > 0")
    box = page.locator(".m.chosen").first.bounding_box()
    assert 100 < box["y"] < 700


def test_a_side_can_be_taken_away_from_a_chosen_mention(open_page: Callable[..., Any]) -> None:
    page = open_page("#text/0/k:0-1")
    page.locator("#left").select_option("1")
    assert page.locator("#left").input_value() == "1"
    assert page.locator(".m.chosen").count() == 0
    assert "k:0-1" not in page.url
    # A link to it brings the key back.
    page.evaluate("location.hash = '#text/0/k:0-1?left=1'")
    page.wait_for_selector(".m.chosen")
    assert page.locator("#left").input_value() == "k"


def test_without_a_script_the_page_has_the_scores(browser: Any, made: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"file://{made}")
    assert not page.locator("#overview").is_visible()
    assert page.locator("noscript table tbody tr").count() == 16
    context.close()


def test_overlaid_sides_show_twins_once(open_page: Callable[..., Any]) -> None:
    page = open_page("#text/0")
    side_by_side = page.locator(".m.opens").count()
    page.locator("#overlaid").check()
    # Nine of the key's ten mentions have a twin; the response has three more.
    assert side_by_side == 10 + 12
    assert page.locator(".m.both.opens").count() == 9
    assert page.locator(".m.opens").count() == 10 + 3


@pytest.fixture
def other_words(tmp_path: Path) -> Path:
    """A response whose words are not the key's, and one whose are."""
    written = {
        "key": ([["I", "can", "not", "see", "do-it-yourself", "shops", "."], ["They", "close", "."]],
                [[[4, 5], [7, 7]], [[0, 0]], [[1, 2]]]),
        "other": ([["I", "cannot", "see", "do", "-", "it", "-", "yourself", "shops", "."], ["They", "close", "."]],
                  [[[3, 8], [10, 10]], [[5, 5], [0, 0]]]),
        "same": ([["I", "can", "not", "see", "do-it-yourself", "shops", "."], ["They", "close", "."]],
                 [[[4, 5], [0, 0]]]),
    }  # fmt: skip
    for name, (sentences, entities) in written.items():
        record = {"doc_key": "d", "sentences": sentences, "clusters": entities}
        (tmp_path / f"{name}.jsonlines").write_text(json.dumps(record) + "\n")
    key = tmp_path / "key.jsonlines"
    evaluations = {name: corefeval.score(key, tmp_path / f"{name}.jsonlines") for name in ("other", "same")}
    pages.write(evaluations, tmp_path / "a.html", resamples=100)
    return tmp_path / "a.html"


def test_sides_of_other_words_are_overlaid_on_the_key_s(open_page: Callable[..., Any], other_words: Path) -> None:
    page = open_page("#text/0", path=other_words)
    page.locator("#overlaid").check()
    assert "Their texts differ; this is the key's." in page.locator(".legend").inner_text()
    assert "cannot" not in page.locator("#sides").text_content()
    both = [page.locator(f'.both[data-m="{name}"]') for name in ("k.0 0.0", "k.2 0.1", "k.3 0.3")]
    assert [each.count() for each in both] == [1, 1, 1]
    assert "do-it-yourself shops" in both[1].text_content()
    # "it" is within a word of the key.
    assert "These do not begin and end with words of this text: 1 mention." in page.locator(".rest").text_content()
    assert named(page, "0", "it") == ["0.2"]
    page.locator(".rest .m").click()
    assert page.locator("#inspector h2").inner_text() == "it"
    # Two systems of different words meet on the key's, too.
    page.locator("#left").select_option("1")
    assert page.locator('.both[data-m="1.0 0.0"], .both[data-m="1.1 0.1"]').count() == 2


def test_two_systems_side_by_side_show_what_each_misses(open_page: Callable[..., Any], other_words: Path) -> None:
    page = open_page("#text/0", path=other_words)
    page.locator("#right").select_option("1")
    page.locator("#left").select_option("0")
    column = "#sides .row:not(.heads) > :nth-child({}) .ghost"
    # Both miss "can not", which is one word of the other system; that of the key's words misses "They", too.
    assert [texts(page, column.format(at)) for at in (1, 2)] == [["−−cannot3"], ["−−can not3", "−They1"]]
    assert page.locator("#where").inner_text() == f"{sum(counted(page))} errors"
    assert len(counted(page)) == 2 * 7, "the counts are of both systems"
    page.locator(column.format(1)).hover()
    assert {each.get_attribute("data-m") for each in page.locator(".ghost.lit").all()} == {"k.1"}
    page.locator(column.format(2)).first.click()
    assert "key; missing in other and same" in page.locator("#inspector").inner_text()
    assert page.locator("#inspector .costs").count() == 2
    page.keyboard.press("Escape")
    # The errors of both systems can all be gone to.
    for _ in range(int(page.locator("#where").inner_text().split()[0])):
        page.keyboard.press("n")
        assert page.locator(".m.chosen").count() >= 1
    page.locator("#overlaid").check()
    # It is an error of both.
    assert texts(page, ".ghost") == ["−−−−can not3"]
    assert {each.get_attribute("title") for each in page.locator(".ghost > .sign").all()} == {
        "missing entity (other)",
        "missing entity (same)",
    }
    page.locator("#left").select_option("k")
    assert page.locator(".ghost").count() == 0


def test_a_key_of_numbers_stands_on_the_response_s_text(open_page: Callable[..., Any], tmp_path: Path) -> None:
    sentences = [["Ann", "met", "Bo", "."]]
    record = {"doc_key": "d", "sentences": sentences, "clusters": [[[0, 0]], [[2, 2]]]}
    (tmp_path / "r.jsonlines").write_text(json.dumps(record) + "\n")
    (tmp_path / "key.csv").write_text("document,entity,start,end\nd,x,0,0\nd,y,1,1\n")
    key = corefeval.read(tmp_path / "key.csv")
    pages.write({"r": corefeval.score(key, tmp_path / "r.jsonlines")}, tmp_path / "a.html", resamples=100)
    page = open_page("#text/0", path=tmp_path / "a.html")
    assert named(page, "k", "Ann") == ["k.0"]
    page.locator("#overlaid").check()
    assert page.locator(".both").count() == 1


def test_what_cannot_be_overlaid_says_why(open_page: Callable[..., Any], tmp_path: Path) -> None:
    pages.write({"r": corefeval.score([["a", "b"]], [["a"]])}, tmp_path / "a.html", resamples=100)
    page = open_page("#text/0", path=tmp_path / "a.html")
    assert page.locator("#overlaid").is_disabled()
    assert page.locator("#no-overlay").inner_text() == "(not possible: key and r have no text)"
    page.locator("#right").select_option("k")
    assert page.locator("#no-overlay").inner_text() == "(one side only)"


def counted(page: Any) -> list[int]:
    """The numbers of errors beside the types, of all systems that are shown."""
    return [int(number) for text in texts(page, "#filter output") for number in text.split(" / ")]


def test_entities_are_drawn_costliest_first_with_their_neighbours_only(open_page: Callable[..., Any]) -> None:
    page = open_page("#entities?order=misplaced")
    page.wait_for_selector("article.group svg")
    misplaced = [int(text.partition(" misplaced")[0].rsplit(" ", 1)[1]) for text in texts(page, ".group h2")]
    assert misplaced == sorted(misplaced, reverse=True)
    mara = page.locator("article.group", has=page.locator("h2", has_text="Mara Lind")).first
    # Mara Lind and she are in one response entity, She is with the shop: two bands, and no dashed end.
    assert mara.locator(".band").count() == 2
    assert mara.locator(".absent").count() == 0


@pytest.fixture(scope="session")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of 40 documents with two systems; in the first, one entity of 40 mentions is in 40 others."""
    words = [f"w{place}" for place in range(80)]

    def side(document: int, entity: Callable[[int], str]) -> dict[str, list[tuple[tuple[int, int], ...]]]:
        found: dict[str, list[tuple[tuple[int, int], ...]]] = {}
        for place in range(0, 80, 1 if document == 0 else 8):
            found.setdefault(entity(place), []).append(((place, place),))
        return found

    def corpus(entity: Callable[[int, int], str]) -> corefeval.Corpus:
        draft = Draft("made")
        for number in range(40):
            document = draft.add_document(f"d{number}", words=words, sentence=[place // 8 for place in range(80)])
            for name, mentions in side(number, lambda place, number=number: entity(number, place)).items():  # type: ignore[misc]
                for runs in mentions:
                    document.add_mention(name, runs)
        return draft.build_corpus()

    key = corpus(lambda _, place: "x" if place < 40 else f"y{place}")
    split = corpus(lambda number, place: f"y{place % 40}" if number < 30 else "x" if place < 40 else f"y{place}")
    merged = corpus(lambda number, place: "all" if number % 2 else "x" if place < 40 else f"y{place}")
    path = tmp_path_factory.mktemp("many") / "many.html"
    limit = 60_000
    pages.write(
        {"split": corefeval.score(key, split), "merged": corefeval.score(key, merged)}, path, resamples=100, limit=limit
    )
    return path


def test_entities_of_a_document_are_all_its_own(open_page: Callable[..., Any], many: Path) -> None:
    page = open_page("#entities?within=d0", path=many)
    page.wait_for_selector("article.group svg")
    # 40 mentions of x are each with one of 40 others: x of the key is wrong, and 40 entities of the response are.
    assert page.locator("#entities-count").inner_text() == "41 entities with misplaced mentions"
    whole = open_page("#entities?within=d39&system=0", path=many)
    assert whole.locator("#entities-count").inner_text() in (
        "nothing is wrong here",
        "the text of d39 is not in this file",
    )


def test_no_band_is_left_out_of_a_picture(open_page: Callable[..., Any], many: Path) -> None:
    page = open_page("#entities?within=d0&order=misplaced", path=many)
    page.wait_for_selector("article.group svg")
    first = page.locator("article.group").first
    assert "40 misplaced" not in first.inner_text()
    assert "39 misplaced" in first.locator("h2").inner_text()
    # All forty mentions have a twin: nothing is dashed, and bands have forty mentions.
    assert first.locator(".absent").count() == 0
    assert sum(int(title.split()[0]) for title in texts(page, "article.group:first-of-type .band title")) == 40
    assert first.locator("ul.told-groups li").count() == 40


def test_bars_are_as_long_as_their_numbers(open_page: Callable[..., Any], many: Path) -> None:
    page = open_page(path=many)
    rows = page.locator("table.kinds tbody tr")
    points = [float(rows.nth(at).locator(".points").inner_text()) for at in range(rows.count())]
    widths = [rows.nth(at).locator(".rail i").evaluate("e => e.getBoundingClientRect().width") for at in range(2)]
    assert points == sorted(points, reverse=True)
    assert points[1] > 1
    assert widths[1] / widths[0] == pytest.approx(points[1] / points[0], rel=0.02)


def test_intervals_are_seen_beside_the_score(open_page: Callable[..., Any], many: Path) -> None:
    page = open_page(path=many)
    for place in range(page.locator(".matrix .range").count()):
        line, band = (page.locator(".matrix .range").nth(place).locator(part).bounding_box() for part in ("b", "i"))
        assert line["width"] <= 2
        if band["width"] > 4:
            assert band["x"] < line["x"] < band["x"] + band["width"]
    assert page.locator(".matrix .range i").count() == 16


def test_bold_says_best_and_nothing_else(open_page: Callable[..., Any]) -> None:
    page = open_page()
    weight = "e => Number(getComputedStyle(e).fontWeight)"
    assert page.locator("table.scores td.main").first.evaluate(weight) == 400
    assert {each.evaluate(weight) for each in page.locator("table.scores tr:not(.about) > td > b").all()} == {700}
    # Neither are recall and precision beside the score, which are of one system.
    assert page.locator("#headline .rates").evaluate(weight) == 400
    assert page.locator("#headline .rates :is(b, strong)").count() == 0
    # The key itself is best by every measure.
    assert page.locator("table.matrix tbody tr").nth(0).locator("td > b").count() == 0
    assert page.locator("table.matrix tbody tr").nth(1).locator("td > b").count() == 8


def test_documents_without_text_have_their_errors_counted(open_page: Callable[..., Any], many: Path) -> None:
    page = open_page("#documents", path=many)
    unlinked = page.locator("#documents-table tbody tr", has=page.locator("th span[title]"))
    assert unlinked.count() > 0
    name, errors = unlinked.first.locator("th").inner_text(), unlinked.first.locator("td").nth(3).inner_text()
    page = open_page(f"#text/{name}", path=many)
    assert "is not in this file" in page.locator("#sides").inner_text()
    assert int(errors) > 0
    assert page.locator("#where").inner_text() == f"{errors} errors"


def test_the_first_screen_says_what_costs_most(open_page: Callable[..., Any], many: Path) -> None:
    page = open_page(path=many)
    assert page.locator("#headline strong").is_visible()
    assert re.fullmatch(
        r"Divided entities cost most: \d+\.\d of \d+\.\d points\.", page.locator(".sentence").inner_text()
    )
    page.wait_for_selector("#costliest li")
    assert page.locator("#costliest li").count() == 5
    page.locator("#answer-of").select_option("1")
    assert "Conflated entities cost most" in page.locator(".sentence").inner_text()
    page.wait_for_selector("#costliest li[data-kind=conflated-entities]")
    page.locator("#costliest .snippet").first.click()
    page.wait_for_selector(".m.chosen")
    assert "conflated entities" in page.locator("#inspector").inner_text()
    assert page.locator("#right").input_value() == "1"
    # Back is undo: the first screen as it was.
    page.go_back()
    assert page.locator("#overview").is_visible()
    assert page.locator("#answer-of").input_value() == "1"


def test_errors_of_all_documents_are_listed_by_cost(open_page: Callable[..., Any], many: Path) -> None:
    page = open_page("#errors?system=1", path=many)
    page.wait_for_selector("#errors .error")
    widths = page.locator("#errors .rail i").evaluate_all("all => all.map(e => e.getBoundingClientRect().width)")
    assert len(widths) >= 30
    assert widths == sorted(widths, reverse=True)
    page.locator("#errors-kind").select_option(label="divided entity")
    assert page.locator("#errors-count").inner_text() == "0 errors"


def test_an_entity_is_read_in_context_with_what_is_right(open_page: Callable[..., Any]) -> None:
    page = open_page("#text/0/k:0-1")
    lines = page.locator(".concordance li")
    assert lines.count() == 3
    assert [line.locator(".right, .amiss").inner_text().split()[0] for line in lines.all()][:2] == ["✓", "✓"]
    # She is with the shop, which has the number 2 there.
    assert "✗" in lines.nth(2).inner_text()
    assert lines.nth(2).locator(".chip").inner_text() == "2"
    assert "picked the book" in lines.nth(2).inner_text()


def test_overlaid_systems_say_whose_error_it_is(open_page: Callable[..., Any]) -> None:
    page = open_page("#text/0?left=0&right=1&overlaid=1&signs=1")
    titles = {each.get_attribute("title") for each in page.locator(".m > .sign").all()}
    assert titles
    assert all(title.endswith("(<system>)") for title in titles)
    assert "divided entity (<system>)" in page.locator(".m.divided-entity").first.get_attribute("aria-label")


def test_signs_are_quiet_until_asked_for(open_page: Callable[..., Any]) -> None:
    page = open_page("#text/0")
    sign = page.locator(".m > .sign")
    assert sign.count() > 0
    assert not any(each.is_visible() for each in sign.all())
    page.locator("#signs").check()
    assert all(each.is_visible() for each in sign.all())
    assert page.url.endswith("?signs=1")


def test_mentions_within_each_other_are_seen_at_any_depth(open_page: Callable[..., Any], tmp_path: Path) -> None:
    draft = Draft("deep")
    document = draft.add_document("deep", words=list("abcdefgh"), sentence=[0] * 8)
    for last in range(8):
        document.add_mention(f"e{last}", ((0, last),))
    corpus = draft.build_corpus()
    pages.write({"r": corefeval.score(corpus, corpus)}, tmp_path / "a.html", resamples=100)
    page = open_page("#text/0", path=tmp_path / "a.html")
    tops = page.locator(".m[data-m^='k.']").evaluate_all("all => all.map(e => e.getBoundingClientRect().top)")
    assert len(tops) == 8
    assert all(after - before >= 1 for before, after in itertools.pairwise(tops)), "the inner ones begin lower"


def test_the_title_and_the_focus_follow_the_view(open_page: Callable[..., Any]) -> None:
    page = open_page()
    for name in ("Errors", "Entities", "Documents", "Compare", "Overview"):
        page.get_by_role("navigation").get_by_role("link", name=name, exact=True).click()
        focus = page.evaluate("[document.activeElement.tagName, document.activeElement.closest('.view').id]")
        assert focus == ["H1", name.lower()]
        assert page.title().startswith(f"{name} – " if name != "Overview" else "Coreference report")
    page.get_by_role("navigation").get_by_role("link", name="Text").click()
    wait(page, "document.title.startsWith('hard <i> – ')")


def test_the_address_says_what_is_shown(open_page: Callable[..., Any]) -> None:
    page = open_page("#text/0")
    page.locator("#overlaid").check()
    page.locator("#cost-by").select_option(label="LEA")
    page.locator("#types summary").click()
    page.locator("#filter label:has(.extra-mention) input").uncheck()
    shown = page.locator("#sides").inner_html()
    again = open_page(f"#{page.url.partition('#')[2]}")
    assert again.locator("#overlaid").is_checked()
    assert again.locator("#cost-by").evaluate("e => e.selectedOptions[0].text") == "LEA"
    assert again.locator("#sides").inner_html() == shown


def test_back_undoes_a_choice(open_page: Callable[..., Any]) -> None:
    page = open_page("#text/0")
    page.locator("#overlaid").check()
    page.locator("#right").select_option("1")
    page.go_back()
    wait(page, "document.querySelector('#right').value === '0'")
    assert page.locator("#sides.overlaid").count() == 1
    page.go_back()
    page.wait_for_selector("#sides:not(.overlaid)")
    assert not page.locator("#overlaid").is_checked()


def test_choices_are_undone_and_done_again_by_keys_and_buttons(open_page: Callable[..., Any]) -> None:
    page = open_page("#text/0")

    def address() -> str:
        return str(page.url.partition("#")[2])

    begun = address()
    undo, redo = page.get_by_role("button", name="Undo"), page.get_by_role("button", name="Redo")
    assert [each.get_attribute("aria-disabled") for each in (undo, redo)] == ["true", "true"]
    page.locator("#overlaid").check()
    page.locator("#right").select_option("1")
    page.get_by_role("navigation").get_by_role("link", name="Compare").click()
    ended = address()
    assert ended.startswith("compare")
    # One history: what keys undo, the browser's buttons do again, and the other way round.
    page.keyboard.press("Control+z")
    wait(page, "!document.querySelector('#text').hidden")
    assert page.locator("#right").input_value() == "1"
    page.keyboard.press("Control+z")
    wait(page, "document.querySelector('#right').value === '0'")
    page.go_forward()
    wait(page, "document.querySelector('#right').value === '1'")
    page.keyboard.press("Control+Shift+Z")
    wait(page, "!document.querySelector('#compare').hidden")
    assert address() == ended
    assert redo.get_attribute("aria-disabled") == "true"
    for _ in range(3):
        before = address()
        undo.click()
        wait(page, f"location.hash.slice(1) !== {json.dumps(before)}")
    wait(page, "document.querySelector('#undo').getAttribute('aria-disabled') === 'true'")
    assert address() == begun
    assert not page.locator("#overlaid").is_checked()
    page.keyboard.press("Control+z")
    assert address() == begun
    # A page that is loaded again, and an address that somebody types, have their places in it.
    page.keyboard.press("Control+y")
    wait(page, "document.querySelector('#overlaid').checked")
    page.reload()
    assert undo.get_attribute("aria-disabled") == "false"
    page.evaluate("location.hash = '#documents'")
    wait(page, "!document.querySelector('#documents').hidden")
    # Where somebody writes, the keys undo what was written.
    page.locator("#find").fill("plain")
    wait(page, "document.querySelectorAll('#documents-table tbody tr').length === 1")
    page.keyboard.press("Control+z")
    wait(page, "document.querySelectorAll('#documents-table tbody tr').length === 2")
    assert address().startswith("documents")
    page.locator("#documents h1").focus()
    page.keyboard.press("Control+z")
    wait(page, "!document.querySelector('#text').hidden && document.querySelector('#overlaid').checked")
    page.keyboard.press("Control+z")
    wait(page, "!document.querySelector('#overlaid').checked")
    assert address() == begun


def test_two_systems_are_compared_by_type_and_against_the_key(open_page: Callable[..., Any]) -> None:
    page = open_page("#compare")
    rows = {
        row.locator("th").inner_text(): row.locator("td").all_inner_texts()
        for row in page.locator("table.flow tbody tr").all()
    }
    divided = next(cells for name, cells in rows.items() if "divided entity" in name)
    assert divided == ["2", "−2", "0", "0", "0", "−2"]
    page.wait_for_selector(".change")
    told = page.locator(".fixed li", has_text="divided entity").first.inner_text()
    assert "key: " in told
    assert "<system>: " in told
    assert "perfect: " in told
    assert "more" not in page.locator("#compared").inner_text()


def test_the_page_runs_nothing_but_its_own_script(open_page: Callable[..., Any]) -> None:
    page = open_page()
    policy = page.locator("meta[http-equiv]").get_attribute("content")
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    ran = page.evaluate(
        "() => { const s = document.createElement('script'); s.textContent = 'window.foreign = 1';"
        " const told = new Promise(done => document.addEventListener('securitypolicyviolation', e => done(e.violatedDirective), {once: true}));"
        " document.head.append(s); return told.then(why => [window.foreign ?? null, why]); }"
    )
    assert ran == [None, "script-src-elem"]
    page.complaints.clear()  # the browser has told of it


@pytest.mark.parametrize("view", ["overview", "errors", "text/0/k:0-1", "entities", "documents", "compare"])
def test_axe_finds_nothing(open_page: Callable[..., Any], axe: str, view: str) -> None:
    page = open_page(f"#{view}")
    if view == "overview":
        page.get_by_role("button", name="LEA lea").click()
    page.evaluate(axe)
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
        told = [(each["id"], [node["html"][:200] for node in each["nodes"][:3]]) for each in found]
        assert told == [], theme


# Of letters that stand alone axe says nothing: labels of entities have two from the tenth on. A long page has parts that
# are far from what is in sight.
@pytest.mark.parametrize("place", ["text/d0", "text/d0?left=0&right=1&overlaid=1&signs=1", "compare", "documents"])
def test_axe_finds_nothing_on_a_long_page_with_many_entities(
    open_page: Callable[..., Any], axe: str, many: Path, place: str
) -> None:
    page = open_page(f"#{place}", path=many)
    page.wait_for_selector(f"#{place.partition('/')[0].partition('?')[0]} :is(.m, .change, td)")
    page.evaluate(axe)
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
        assert [(each["id"], len(each["nodes"]), each["nodes"][0]["html"][:200]) for each in found] == [], theme


def test_two_systems_side_by_side(open_page: Callable[..., Any]) -> None:
    page = open_page("#compare")
    page.wait_for_selector(".change")
    assert page.locator(".fixed h4").text_content() == "Fixed 7"
    assert page.locator(".broken h4").text_content() == "Broken 0"
    page.locator(".fixed a").first.click()
    page.wait_for_selector("#text:not([hidden]) .m.chosen")


def test_labels_without_text_are_shown_by_name(open_page: Callable[..., Any], tmp_path: Path) -> None:
    key = [["Mara", "she", "<her>"], ["the shop", "it"]]
    path = tmp_path / "labels.html"
    pages.write({"r": corefeval.score(key, [["Mara", "she"], ["<her>", "the shop"]])}, path, resamples=100)
    page = open_page("#text/0", path=path)
    assert named(page, "k", "<her>", "it") == ["k.2", "k.4"]
    page.locator('[data-m="k.2"]').hover()
    assert page.locator(".lit").count() == 6


def test_running_text_is_counted_in_characters(open_page: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "d.txt").write_text("😀 Ann\nmet <Bo>.\nShe smiled.", encoding="utf-8")
    (tmp_path / "d.ann").write_text(
        "T1\tP 2 5\tAnn\nT2\tP 16 19\tShe\nT3\tP 10 14\t<Bo>\nR1\tCoreference Arg1:T1 Arg2:T2\n"
    )
    corpus = corefeval.read(tmp_path / "d.ann")
    pages.write({"r": corefeval.score(corpus, corpus)}, tmp_path / "a.html", resamples=100)
    page = open_page("#text/0", path=tmp_path / "a.html")
    assert page.locator("#sides .row:not(.heads)").count() == 3
    assert len(named(page, "k", "Ann", "She")) == 2


def test_a_document_that_a_response_lacks_is_all_missing(open_page: Callable[..., Any], tmp_path: Path) -> None:
    key = tmp_path / "key.conll"
    key.write_text("#begin document a\na\t0\t0\tKim\t(1)\na\t0\t1\tshe\t(1)\n#end document\n"
                   "#begin document b\nb\t0\t0\tLee\t(1)\n#end document\n")  # fmt: skip
    response = tmp_path / "response.conll"
    response.write_text("#begin document b\nb\t0\t0\tLee\t(1)\n#end document\n")
    pages.write({"r": corefeval.score(key, response)}, tmp_path / "a.html", resamples=100)
    page = open_page("#text/0", path=tmp_path / "a.html")
    assert counted(page) == [0, 0, 0, 0, 0, 0, 1]
    assert page.locator(".m.wrong.missing-entity").count() == 2
    assert "is missing" in open_page(path=tmp_path / "a.html").locator(".warnings").inner_text()


def test_a_folder_loads_documents_when_they_are_wanted(open_page: Callable[..., Any], tmp_path: Path) -> None:
    key, response = hard(KEY, "key"), hard(RESPONSE, "response")
    written = pages.write({"r": corefeval.score(key, response)}, tmp_path / "report", resamples=100)
    assert sorted(path.name for path in (tmp_path / "report" / "documents").iterdir()) == ["0.js", "1.js"]
    assert [path.name for path in (tmp_path / "report" / "systems").iterdir()] == ["0.js"]
    page = open_page("#text/1", path=written.path)
    page.wait_for_selector('[data-m="k.0"]')
    assert (
        json.loads(page.evaluate("JSON.stringify([...document.scripts].map(s => s.src).filter(Boolean).length)")) == 1
    )
    page.get_by_role("link", name="Errors").click()
    page.wait_for_selector("#errors .error")
    assert page.locator("#errors .error").count() == 7


def test_what_has_no_room_is_said(open_page: Callable[..., Any], tmp_path: Path) -> None:
    key, response = hard(KEY, "key"), hard(RESPONSE, "response")
    written = pages.write({"r": corefeval.score(key, response)}, tmp_path / "a.html", resamples=100, limit=100)
    assert (written.documents, written.shown) == (2, 1)
    page = open_page(path=written.path)
    assert (
        "the text of 1 document, those with the costliest and with most errors"
        in page.locator("#overview").inner_text()
    )
    page = open_page("#text/1", path=written.path)
    assert "is not in this file" in page.locator("#sides").inner_text()


def test_the_costliest_errors_have_their_text_whatever_has_no_room(
    open_page: Callable[..., Any], tmp_path: Path
) -> None:
    # Sixteen documents with eight small errors each, and one with one large one: its only entity is divided.
    draft, other = Draft("key"), Draft("response")
    for number in range(16):
        words = [f"w{place}" for place in range(12)]
        pair = [each.add_document(f"d{number}", words=words, sentence=[0] * 12) for each in (draft, other)]
        for place in range(12):
            pair[0].add_mention(str(place // 2), ((place, place),))
            pair[1].add_mention(str((place + 1) // 4), ((place, place),))
    long = [each.add_document("large", words=["word"] * 60, sentence=[0] * 60) for each in (draft, other)]
    for place in range(60):
        long[0].add_mention("x", ((place, place),))
        long[1].add_mention("xy"[place % 2], ((place, place),))
    evaluation = corefeval.score(draft.build_corpus(), other.build_corpus())
    written = pages.write({"r": evaluation}, tmp_path / "a.html", resamples=100, limit=14_000)
    assert written.shown < written.documents
    page = open_page(path=written.path)
    for measure in evaluation.measures:
        page.locator("#answer-by").select_option(label=measure.title)
        wait(page, "document.querySelectorAll('#costliest li').length === 5")
        assert page.locator("#costliest .snippet").count() == 5, measure
    page.get_by_role("link", name="Documents").click()
    left = written.documents - written.shown
    assert page.locator("#listed").inner_text() == f"17 documents; the text of {left} is not in this file"
    page.locator("#find").fill("large")
    assert page.locator("#listed").inner_text() == "1 of 17 documents"


def test_paper_gets_no_controls(open_page: Callable[..., Any]) -> None:
    page = open_page("#text/0", theme="dark")
    page.emulate_media(media="print")
    assert not page.locator("#reading").is_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    # Names, intervals and what is significant are on paper, which is narrow.
    page.set_viewport_size({"width": 700, "height": 1000})
    page.evaluate("location.hash = '#overview'")
    for kept in ("table.scores .name", "table.scores .wide", "table.matrix .range i"):
        assert page.locator(kept).first.is_visible(), kept
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    # What was chosen is told in words, and the text has the name of its document.
    assert page.locator("#answer-of").is_visible()
    page.evaluate("location.hash = '#text/0'")
    wait(page, "document.querySelector('#text h1').getBoundingClientRect().width > 50")
    assert page.locator("#text h1").evaluate("e => getComputedStyle(e).whiteSpace + getComputedStyle(e).overflow") == (
        "normalvisible"
    )
    # Ink on a mention is dark, and the mention is not, whatever the theme on the screen.
    light = "getComputedStyle(document.documentElement).getPropertyValue('--m-light')"
    assert page.evaluate(light) == "92%"
    page.emulate_media(media="screen")
    assert page.evaluate(light) == "33%"


@pytest.fixture(scope="session")
def merged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of a response that merges entities of 20 mentions each, which are w0 to w39."""
    draft = Draft("merged")
    document = draft.add_document("d", words=[f"w{place}" for place in range(40)], sentence=[0] * 40)
    for place in range(40):
        document.add_mention("ab"[place // 20], ((place, place),))
    key, path = draft.build_corpus(), tmp_path_factory.mktemp("merged") / "a.html"
    response = {"d": [[(place, place) for place in range(40)]]}
    pages.write({"r": corefeval.score(key, response)}, path, resamples=100)
    return path


def test_what_a_sentence_leaves_out_is_opened_in_place(open_page: Callable[..., Any], merged: Path) -> None:
    page = open_page("#errors", path=merged)
    sentence = page.locator("#errors .what")
    assert sentence.inner_text().endswith("w20, w21, w22, w23, w24, w25, 14 more together with w0")
    fold = page.get_by_role("button", name="14 more")
    fold.focus()
    page.keyboard.press("Enter")
    whole = ", ".join(f"w{place}" for place in range(20, 40))
    assert f"{whole} fewer together with w0" in sentence.inner_text()
    assert page.evaluate("document.activeElement.getAttribute('aria-expanded')") == "true"
    page.keyboard.press("Enter")
    assert "w39" not in sentence.inner_text()
    # Paper has no buttons: all is said there.
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert f"{whole} together with w0" in " ".join(sentence.inner_text().split())
    # The panel and the first screen fold, too.
    page = open_page("#text/d/k:20-20", path=merged)
    assert page.locator("#inspector .fold").inner_text() == "14 more"
    page = open_page(path=merged)
    page.wait_for_selector("#costliest li")
    assert page.locator("#costliest .fold").inner_text() == "19 more"


def test_all_errors_can_be_come_to_page_by_page(open_page: Callable[..., Any], many: Path) -> None:
    page = open_page("#errors?system=0", path=many)
    page.wait_for_selector("#errors .pages a")
    count = int(page.locator("#errors-count").inner_text().split()[0].replace(",", ""))
    assert count > 100
    met = page.locator("#errors .error").count()
    assert met == 100
    assert page.locator("#errors .part").inner_text() == f"1 to 100 of {count:,} errors"
    while (more := page.locator("#errors .pages a", has_text="next")).count():
        more.focus()
        page.keyboard.press("Enter")
        wait(page, f"document.querySelector('#errors .part').textContent.startsWith('{met + 1} ')")
        assert page.evaluate("document.activeElement.textContent") == "Errors"
        met += page.locator("#errors .error").count()
    assert met == count
    last = (count - 1) // 100 + 1
    assert f"page={last}" in page.url
    page.go_back()
    wait(
        page,
        f"document.querySelector('#errors .pages input').value === '{last - 1}'"
        " && document.querySelector('#errors .part').textContent.length > 0",
    )
    # Another list begins at its first page; an address, or a number, leads to any.
    page.locator("#errors-kind").select_option(label="divided entity")
    assert "page=" not in page.url
    page = open_page(f"#errors?page={last}&system=0", path=many)
    page.wait_for_selector("#errors .part")
    assert page.locator("#errors .part").inner_text().startswith(f"{100 * (last - 1) + 1} to ")
    page.locator("#errors .pages input").fill("1")
    page.keyboard.press("Enter")
    wait(page, "document.querySelector('#errors .part').textContent.startsWith('1 to')")


def test_entities_and_documents_with_changes_are_read_page_by_page(open_page: Callable[..., Any], many: Path) -> None:
    page = open_page("#entities?within=d0", path=many)
    page.wait_for_selector("#entities .pages a")
    assert page.locator("article.group").count() == 25
    page.get_by_role("link", name="next 16 ›").click()
    wait(page, "document.querySelectorAll('article.group').length === 16")
    page = open_page("#entities", path=many)
    page.wait_for_selector("article.group")
    pages_there = int(page.locator("#entities .pages input").get_attribute("max"))
    page = open_page(f"#entities?page={pages_there}", path=many)
    page.wait_for_selector("#entities .pages .notice")
    assert "of documents whose text is not in this file" in page.locator("#entities .pages .notice").inner_text()
    page = open_page("#compare", path=many)
    page.wait_for_selector(".change")
    assert page.locator(".change").count() == 10
    page.locator("#compared .pages a", has_text="next").click()
    wait(page, "document.querySelector('#compared .part').textContent.startsWith('11 to')")
    assert page.evaluate("document.activeElement.id") == "changes"
    page.locator(".movers + .movers + .fold").click()
    assert page.locator(".movers li").count() == 40


def test_a_list_that_ends_early_says_so_and_what_shows_the_rest(
    open_page: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lists, "LISTED", 2)
    pages.write({"r": corefeval.score(hard(KEY, "k"), hard(RESPONSE, "r"))}, tmp_path / "a.html", resamples=100)
    page = open_page("#errors", path=tmp_path / "a.html")
    page.wait_for_selector("#errors .pages .notice")
    assert page.locator("#errors-count").inner_text() == "7 errors"
    assert page.locator("#errors .pages").inner_text() == (
        "The list ends here, with the costliest 2 of 7 errors by CoNLL average. All of them: "
        "corefeval errors KEY RESPONSE --all --csv"
    )
    page.get_by_role("link", name="Entities").click()
    page.wait_for_selector("#entities .pages .notice")
    # By hand: three of the key (Mara, the shop, the zero's), and four of the response, all but Mara's.
    assert "the costliest 2 of 7 entities by CoNLL average" in page.locator("#entities .pages").inner_text()


def test_errors_are_ranked_by_the_measure_that_is_chosen(open_page: Callable[..., Any]) -> None:
    page = open_page("#errors")
    for measure in corefeval.score(hard(KEY, "key"), hard(RESPONSE, "response")).measures:
        evaluation = corefeval.score(hard(KEY, "key"), hard(RESPONSE, "response"), measures=[measure])
        costs = [error.cost or 0 for error in corefeval.Analysis(evaluation).errors]
        loss = 1 - evaluation[measure].main
        page.locator("#errors-by").select_option(label=measure.title)
        wait(page, f"document.querySelector('#errors-order').textContent.includes('by {measure.title}.')")
        page.wait_for_selector("#errors .share")
        shares = [
            0 if "nothing" in text else float(re.search(r"([\d.]+) % of the whole", text)[1])  # type: ignore[index]
            for text in texts(page, "#errors .share")
        ]
        expected = sorted((100 * cost / loss for cost in costs), reverse=True)
        assert shares == pytest.approx(expected, rel=0.05, abs=0.01), measure
        assert measure.name == "conll" or f"measure={measure.name}" in page.url
    # The five costliest follow the measure, too.
    page.get_by_role("link", name="Overview").click()
    page.locator("#answer-by").select_option(label="mention detection")
    wait(page, "document.querySelector('#costliest .share').textContent.includes('50 %')")


def test_what_the_page_says_is_what_the_commands_say(open_page: Callable[..., Any], tmp_path: Path) -> None:
    sides = [str(EXAMPLES / name) for name in ("key.conll", "response-a.conll", "response-b.conll")]
    assert run("report", *sides, "-o", str(tmp_path / "a.html"), "-q").returncode == 0
    scored = json.loads(run("score", *sides, "--json", "-q").stdout)["evaluations"]
    compared = json.loads(run("compare", *sides, "--json", "-q").stdout)
    page = open_page(path=tmp_path / "a.html")
    percent = "{:.2f}".format
    rows = page.locator(".matrix tbody tr")
    for number, (evaluation, system) in enumerate(zip(scored, compared["systems"], strict=True)):
        cells = [cell.split()[0] for cell in rows.nth(number).locator("td").all_inner_texts()]
        mains = {name: values["f1"] for name, values in evaluation["measures"].items()}
        assert cells == [percent(100 * value) for value in mains.values()]
        page.locator("#answer-of").select_option(str(number))
        headline = page.locator("#headline").inner_text()
        interval = [percent(100 * bound) for bound in system["measures"]["conll"]["interval"]]
        assert f"95 % interval {' to '.join(interval)}" in headline
        parts = [evaluation["measures"][name] for name in ("muc", "bcub", "ceafe")]
        recall, precision = (sum(part[field] for part in parts) / 3 for field in ("recall", "precision"))
        assert f"recall {percent(100 * recall)}, precision {percent(100 * precision)}" in headline
        check_types(page, json.loads(run("errors", sides[0], sides[1 + number], "--json", "-q").stdout))
    page.get_by_role("link", name="Compare").click()
    for found in compared["comparisons"]:
        title = page.locator("#compared table").first.locator("tbody tr", has=page.locator("th")).all()
        (row,) = [each for each in title if names_measure(each.locator("th").inner_text(), found["measure"])]
        cells = row.locator("td").all_inner_texts()
        assert cells[2] == f"{'+' if found['difference'] > 0 else '−'}{percent(abs(100 * found['difference']))}"
        assert ("*" in cells[4]) == found["significant"]


def test_numbers_are_rounded_as_the_commands_round_them(open_page: Callable[..., Any], tmp_path: Path) -> None:
    # F1 of mentions: 34/64 is 53.125, halfway between two that are written; 50/101 is 49.50495…, which is 49.50, but
    # 49.51 if it is rounded to four digits first.
    def write(name: str, mentions: list[int]) -> str:
        record = {"doc_key": "d", "sentences": [["w"] * 100], "clusters": [[[place, place]] for place in mentions]}
        (tmp_path / f"{name}.jsonlines").write_text(json.dumps(record) + "\n")
        return str(tmp_path / f"{name}.jsonlines")

    key = write("key", list(range(32)))
    sides = [key, write("tie", list(range(15, 47))), write("near", list(range(7, 76)))]
    assert run("report", *sides, "-m", "mentions", "-o", str(tmp_path / "a.html"), "-q").returncode == 0
    told = run("score", *sides, "-m", "mentions", "-q").stdout
    page = open_page(path=tmp_path / "a.html")
    shown = [row.locator("td").first.inner_text().split()[0] for row in page.locator(".matrix tbody tr").all()]
    assert shown == ["53.12", "49.50"]
    assert all(number in told for number in shown)
    page.get_by_role("link", name="Compare").click()
    difference = page.locator("#compared table").first.locator("tbody td").nth(2).inner_text()
    compared = json.loads(run("compare", *sides, "-m", "mentions", "--json", "-q").stdout)["comparisons"][0]
    assert difference == f"−{abs(100 * compared['difference']):.2f}"


def names_measure(title: str, measure: str) -> bool:
    return title == next(each.title for each in corefeval.score([[1]], [[1]]).measures if str(each) == measure)


def check_types(page: Any, told: dict[str, Any]) -> None:
    """Fail unless types of errors are counted, and cost by CoNLL, as `errors` says; the sentence names the worst."""
    f1 = [stage["measures"]["conll"]["f1"] for stage in told["stages"]]
    points = {
        stage["corrected"]: 100 * (after - before)
        for stage, before, after in zip(told["stages"][1:], f1, f1[1:], strict=False)
    }
    counts = {each["type"]: each["count"] for each in told["types"]}
    shown: dict[str, tuple[Any, int]] = {}
    for row in page.locator("table.kinds tbody tr").all():
        name, cells = row.locator("a").inner_text(), row.locator("td").all_inner_texts()
        shown[re.sub(r"^\W+", "", name).strip()] = (float(cells[1]), int(cells[2]))
    expected: Any = {name: (pytest.approx(points[name], abs=0.0051), counts[name]) for name in counts}
    assert shown == expected
    assert [each[0] for each in shown.values()] == sorted((each[0] for each in shown.values()), reverse=True)
    worst, whole = max(points.values()), sum(points.values())
    assert f"cost most: {worst:.1f} of {whole:.1f} points." in page.locator(".sentence").inner_text()
    costliest = sorted((error["cost"] for error in told["errors"]), reverse=True)[:5]
    wait(page, f"document.querySelectorAll('#costliest li').length === {len(costliest)}")
    shares = [float(re.search(r"([\d.]+) % of the whole", text)[1]) for text in texts(page, "#costliest .share")]  # type: ignore[index]
    assert shares == pytest.approx([100 * cost / (1 - f1[0]) for cost in costliest], rel=0.06)


@pytest.fixture(scope="session")
def ranked(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """Pages of one, two and five systems by ten measures, with long names of all that has a name."""
    words = [f"international-organisation-of-standards-{place}" for place in range(40)]

    def corpus(entity: Callable[[int], str]) -> corefeval.Corpus:
        draft = Draft("made")
        for number in range(4):
            document = draft.add_document(f"collected works, volume {number}, as they were printed", words=words)
            for place in range(40):
                document.add_mention(entity(place), ((place, place),))
        return draft.build_corpus()

    measures = [
        *["mentions", "muc", "bcub", "ceafm", "ceafe", "blanc", "lea", "exclusive_core", "adjusted_rand", "conll"]
    ]
    key = corpus(lambda place: str(place // 4))
    names = [
        "coref-spanbert-large-seed-42",
        "منظومة الإحالة الكبيرة جدا",
        "five shots, windows of 2,000 words",
        "a",
        "b" * 60,
    ]
    found = {
        name: corefeval.score(key, corpus(lambda place, at=at: str(place // (at + 2) % 7)), measures=measures)  # type: ignore[misc]
        for at, name in enumerate(names)
    }
    folder = tmp_path_factory.mktemp("ranked")
    for count in (1, 2, 5):
        pages.write({name: found[name] for name in names[:count]}, folder / f"{count}.html", resamples=100)
    return {count: folder / f"{count}.html" for count in (1, 2, 5)}


@pytest.mark.parametrize("systems", [1, 2, 5])
def test_the_first_screen_holds_the_answer(
    open_page: Callable[..., Any], ranked: dict[int, Path], systems: int
) -> None:
    page = open_page(path=ranked[systems])
    page.wait_for_selector("#costliest li")
    held = {
        ".matrix tbody tr": systems,
        ".matrix tbody .range": 10 * systems,
        "#headline strong": 1,
        "#headline .interval": 1,
        "#headline .rates": 1,
        ".sentence": 1,
        "table.kinds tbody tr": 7,
        "table.kinds .points": 7,
        "#costliest li": 5,
        "#costliest .snippet": 5,
    }
    for part, count in held.items():
        assert page.locator(part).count() == count, part
        for each in page.locator(part).all():
            box = each.bounding_box()
            assert box["x"] >= 0, part
            assert box["y"] >= 0, part
            assert box["x"] + box["width"] <= 1280, part
            assert box["y"] + box["height"] <= 800, part
    # Nothing is so dense that it overlaps: numbers are as large as text, rows stand below each other.
    rows = [each.bounding_box() for each in page.locator(".matrix tbody tr, table.kinds tbody tr, #costliest li").all()]
    assert min(row["height"] for row in rows) >= 20
    size = "e => parseFloat(getComputedStyle(e).fontSize)"
    assert all(each.evaluate(size) >= 14 for each in page.locator(".matrix tbody td, table.kinds tbody td").all())
    for mark in page.locator("#costliest .snippet mark").all():
        assert mark.bounding_box()["x"] < 1100


def test_the_first_screen_of_five_systems_is_read_in_small_windows_and_on_paper(
    open_page: Callable[..., Any], ranked: dict[int, Path], axe: str
) -> None:
    page = open_page(path=ranked[5])
    page.wait_for_selector("#costliest li")
    name = page.locator(".matrix .who bdi").last
    assert page.locator(".matrix th.name").last.get_attribute("title") == name.inner_text() == "b" * 60
    page.evaluate(axe)
    for width in (WIDE, ZOOMED, NARROW):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
        # Names of systems stay before their rows, and leave room for the numbers.
        assert name.evaluate("e => e.closest('th').getBoundingClientRect().width") < width / 2
        assert page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"] == []
    page.set_viewport_size({"width": 720, "height": 800})
    page.emulate_media(media="print")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    # Paper has no pointer: names are there in full.
    for part in (".matrix .who", ".scores td.name", "table.kinds thead bdi", "#costliest .document"):
        for each in page.locator(part).all():
            assert each.evaluate(
                "e => e.scrollWidth <= e.clientWidth + 1 || getComputedStyle(e).overflow === 'visible'"
            )


@pytest.mark.parametrize(
    "word", ["international-organisation-of-standards", "المنظمةالدوليةللمعاييروالمقاييسوالمكتبات"]
)
def test_a_mention_is_in_sight_in_its_snippet_whichever_way_the_text_runs(
    open_page: Callable[..., Any], tmp_path: Path, word: str
) -> None:
    def corpus(entity: Callable[[int], int]) -> corefeval.Corpus:
        draft = Draft("made")
        document = draft.add_document("d", words=[word] * 40)
        for place in range(0, 40, 2):
            document.add_mention(str(entity(place)), ((place, place),))
        return draft.build_corpus()

    key, response = corpus(lambda place: place // 8), corpus(lambda place: place // 6)
    pages.write({"r": corefeval.score(key, response)}, tmp_path / "a.html", resamples=100)
    page = open_page(path=tmp_path / "a.html")
    page.wait_for_selector("#costliest li")
    for snippet in page.locator("#costliest .snippet").all():
        outer, inner = snippet.bounding_box(), snippet.locator("mark").bounding_box()
        assert outer["x"] <= inner["x"]
        assert inner["x"] + inner["width"] <= outer["x"] + outer["width"] + 1


@pytest.mark.parametrize("view", ["errors", "text", "entities", "documents", "compare"])
def test_paper_is_as_wide_as_what_five_systems_need(
    open_page: Callable[..., Any], ranked: dict[int, Path], view: str
) -> None:
    page = open_page(f"#{view}", path=ranked[5], width=720)  # A4 within its margins
    page.wait_for_selector(f"#{view} :is(.error, .block, .group, td)")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.emulate_media(media="print")
    # Frames around words stand out by a pixel.
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth + 2")
    for each in page.locator(f"#{view} :is(.scroll, h1, h2, header, .movers a)").all():
        if each.is_visible():
            assert each.evaluate("e => e.scrollWidth <= e.clientWidth + 1"), each.evaluate(
                "e => e.outerHTML.slice(0, 200)"
            )


def test_a_line_of_the_first_screen_opens_to_all_that_it_names(open_page: Callable[..., Any], merged: Path) -> None:
    page = open_page(path=merged)
    page.wait_for_selector("#costliest li")
    line = page.locator("#costliest .what").first
    before = line.bounding_box()["height"]
    line.locator(".fold").click()
    assert "w38, w39 fewer together with w0" in line.inner_text()
    assert line.bounding_box()["height"] > before
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_systems_can_be_told_apart_where_they_are_chosen(open_page: Callable[..., Any], tmp_path: Path) -> None:
    names = ["baseline-response-05", "baseline-response-20"]
    evaluation = corefeval.score(hard(KEY, "key"), hard(RESPONSE, "response"))
    pages.write(dict.fromkeys(names, evaluation), tmp_path / "a.html", resamples=100)
    page = open_page("#text/0", path=tmp_path / "a.html")
    # What a box has room for beside its arrow: a box that nothing bounds has as much as its text needs.
    for chosen in ("#left", "#right"):
        bounded, free = page.locator(chosen).evaluate(
            "e => { const width = () => e.getBoundingClientRect().width; const before = width();"
            " e.style.maxWidth = 'none'; return [before, width()]; }"
        )
        assert bounded == free


def test_labels_in_text_from_the_right_read_from_the_left(open_page: Callable[..., Any]) -> None:
    page = open_page("#text/0?overlaid=1")
    label = page.locator("#sides .block", has_text="مريم").locator(".m > .label").first
    assert label.evaluate("e => getComputedStyle(e).direction") == "ltr"


def test_all_rows_of_a_table_are_printed(open_page: Callable[..., Any], tmp_path: Path) -> None:
    key = {f"d{number}": [[1, 2]] for number in range(400)}
    pages.write({"r": corefeval.score(key, key, measures=["muc"])}, tmp_path / "a.html", resamples=100)
    page = open_page("#documents", path=tmp_path / "a.html")
    assert page.locator("#documents-table tbody tr").count() < 400
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("#documents-table tbody tr").count() == 400


def test_a_name_that_is_cut_short_is_told_in_full(open_page: Callable[..., Any]) -> None:
    page = open_page("#documents")
    assert page.locator("#documents-table tbody th").first.get_attribute("title") == "hard <i>"
