"""The page in a real browser: it opens, and does what it says with mouse, keyboard and both themes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import corefeval
from corefeval.analysis.errors.types import TYPES
from corefeval.formats.draft import Draft
from corefeval.show import pages
from corefeval.show.pages import attribution
from tests.browser.made import KEY, RESPONSE, hard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

WIDE, NARROW = 1280, 380


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
    assert not page.locator("#about-0-muc").is_visible()
    page.get_by_role("button", name="MUC muc").click()
    assert "Vilain" in page.locator("#about-0-muc").inner_text()
    # By hand: entities of 3, 2, 3 and 2 mentions, and two of one, need 2 + 1 + 2 + 1 links; Mara's she is together
    # with her, the second half of a gap with its zero, and Maryam's with hers.
    assert "recall: 3 of 6, 3 not found" in page.locator("#about-0-muc").inner_text()


def test_a_measure_says_what_cost_most_and_leads_there(open_page: Callable[..., Any]) -> None:
    page = open_page()
    page.get_by_role("button", name="mention detection mentions").click()
    about = page.locator("#about-0-mentions")
    # By hand: 11 of the key's 12 mentions and of the response's 14 are twins, so F1 is 22/26; the missing one and the
    # three extra ones cost 1/26 each.
    costly = about.locator(".costs").first
    assert "Points of the 15.38 that are lost. Exact" in costly.inner_text()
    mentions = costly.locator("ol.costly").nth(1)
    assert mentions.locator(".points b").all_text_contents() == ["3.85"] * 4
    assert [text.split(",")[0] for text in mentions.locator(".what").all_text_contents()] == ["missing", *["extra"] * 3]
    assert about.locator(".costs").nth(1).inner_text() == ""
    assert "∅" in page.locator("#about-0-blanc .costly").nth(1).text_content()
    mentions.locator("a").first.click()
    page.wait_for_selector(".m.chosen")
    assert page.locator("#inspector h2").inner_text() == "un libro de cuentos"
    assert (
        "Costs 3.85 points of mention detection in <system>; its entity 3.85 points in the key."
        in page.locator("#inspector").inner_text()
    )
    assert "exact: all mentions together cost the 15.38 that are lost" in page.locator("#inspector").inner_text()


def test_costs_follow_the_measure_that_is_chosen(open_page: Callable[..., Any]) -> None:
    page = open_page("#text/0")
    page.locator("#reading [data-cost]").select_option(label="mention detection")
    page.locator(f'[data-m="{named(page, "0", "picked the book")[0]}"]').first.click()
    assert page.locator("#inspector .cost").all_text_contents() == ["3.85 points", "7.69 points"]
    page.locator(f'[data-m="{named(page, "k", "Mara Lind")[0]}"]').first.click()
    assert page.locator("#inspector .cost").all_text_contents() == ["nothing"] * 3
    page.locator("#inspector summary").click()
    rows = page.locator(".cost-table tbody tr")
    assert rows.count() == 8
    assert rows.first.inner_text().split("\t") == ["mentions", "0", "0", "0"]
    page.goto(page.url.partition("#")[0] + "#entities")
    page.wait_for_selector("article.group svg")
    # All that is wrong with mentions is in two groups: the missing and an extra one in one, two extra ones in the other.
    assert page.locator("#entities [data-cost]").evaluate("e => e.selectedOptions[0].text") == "mention detection"
    page.locator("#entities-order").select_option("cost")
    page.wait_for_selector("article.group svg")
    assert texts(page, ".group h2")[:2] == [f"{n} mentions astray 7.69 points of mention detection" for n in (2, 2)]
    assert sorted(text.count("3.85 points") for text in texts(page, ".group svg")[:2]) == [0, 2]
    assert sorted(text.count("7.69 points") for text in texts(page, ".group svg")[:2]) == [0, 1]


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
    assert "leave-one-out: what the score would gain without it" in page.locator("#inspector").inner_text()
    monkeypatch.setattr(attribution, "LEFT_OUT", 10)
    slow = corefeval.score(hard(KEY, "key"), hard(RESPONSE, "response"), measures=["dmt"])
    pages.write({"r": slow}, tmp_path / "b.html", resamples=100)
    page = open_page(path=tmp_path / "b.html")
    page.locator("[data-about]").click()
    assert "to leave out one mention after another takes long for more than 10" in page.locator(".costs").inner_text()
    page = open_page("#text/0/k.0", path=tmp_path / "b.html")
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
    page = open_page("#text/0/k.0", path=tmp_path / "b.html")
    assert "leave-one-out: what the score would gain without it" in page.locator("#inspector").inner_text()


def test_costs_that_are_nobody_s_are_told(open_page: Callable[..., Any], tmp_path: Path) -> None:
    # There are no links on either side: recall and precision are 0/0, which counts as 0.
    pages.write({"r": corefeval.score([[1], [2]], [[1], [2]], measures=["muc"])}, tmp_path / "a.html", resamples=100)
    page = open_page("#text/0/k.0", path=tmp_path / "a.html")
    told = page.locator("#inspector").inner_text()
    assert "Costs nothing of MUC" in told
    assert "the 100.00 that are lost, but for 100.00 that are nobody's" in told


@pytest.mark.parametrize("view", ["overview", "documents", "text", "entities", "compare"])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_every_view_fits_in_both_themes_and_widths(
    open_page: Callable[..., Any], view: str, theme: str, width: int
) -> None:
    page = open_page(f"#{view}", theme=theme, width=width)
    page.wait_for_selector(f"#{view}:not([hidden])")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
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
    first = "#documents-table tbody td:first-child"
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
    assert page.title() == "Coreference report: <system>, perfect"


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


def test_errors_are_filtered_and_gone_through_by_keyboard(open_page: Callable[..., Any]) -> None:
    page = open_page("#text/0")
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
        page.locator(f'#filter label[data-kind="{kind}"] input').uncheck()
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
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('[data-about]')"):
            break
    page.keyboard.press("Enter")
    assert page.locator("#about-0-mentions").is_visible()
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
    assert "Costs 3.85 points" not in page.locator("#said").inner_text()
    page.locator("#reading [data-cost]").select_option(label="mention detection")
    assert "Costs 3.85 points of mention detection" in page.locator("#said").inner_text()


def test_narrow_pages_name_both_systems(open_page: Callable[..., Any]) -> None:
    page = open_page("#text/0", width=NARROW)
    page.locator("#right").select_option("1")
    page.locator("#left").select_option("0")
    before = "e => getComputedStyle(e, '::before').content"
    row = page.locator("#sides .row:not(.heads)").first
    assert [row.locator(".block").nth(at).evaluate(before) for at in (0, 1)] == ['"<system>"', '"perfect"']


def test_a_link_to_a_mention_chooses_it(open_page: Callable[..., Any], made: Path) -> None:
    page = open_page("#text/0/0.2")
    assert page.locator(".m.chosen").first.get_attribute("data-m") == "0.2"
    assert page.locator("#inspector h2").inner_text() != ""
    page.locator(".m").nth(1).click()
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
    page = open_page("#text/0/k.300", path=tmp_path / "long.html")
    page.wait_for_function("scrollY > 0")
    box = page.locator(".m.chosen").first.bounding_box()
    assert 100 < box["y"] < 700


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
    page.locator(column.format(1)).hover()
    assert {each.get_attribute("data-m") for each in page.locator(".ghost.lit").all()} == {"k.1"}
    page.locator(column.format(2)).first.click()
    assert "key; missing in other and same" in page.locator("#inspector").inner_text()
    assert page.locator("#inspector .costs").count() == 2
    page.keyboard.press("Escape")
    # The errors of the system at the right can all be gone to.
    for _ in range(int(page.locator("#where").inner_text().split()[0])):
        page.keyboard.press("n")
        assert page.locator(".m.chosen").count() >= 1
    page.locator("#overlaid").check()
    assert texts(page, ".ghost") == ["−−can not3"]
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


def test_entities_are_drawn_worst_first(open_page: Callable[..., Any]) -> None:
    page = open_page("#entities")
    page.wait_for_selector("article.group svg")
    astray = [int(text.split()[0]) for text in texts(page, ".group h2")]
    assert astray == sorted(astray, reverse=True)
    assert "is split into 2" in page.locator(".group").first.text_content()


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
    assert texts(page, "#filter output") == ["0", "0", "0", "0", "0", "0", "1"]
    assert page.locator(".m.wrong.missing-entity").count() == 2
    assert "is missing" in open_page(path=tmp_path / "a.html").locator(".warnings").inner_text()


def test_a_folder_loads_documents_when_they_are_wanted(open_page: Callable[..., Any], tmp_path: Path) -> None:
    key, response = hard(KEY, "key"), hard(RESPONSE, "response")
    written = pages.write({"r": corefeval.score(key, response)}, tmp_path / "report", resamples=100)
    assert sorted(path.name for path in (tmp_path / "report" / "documents").iterdir()) == ["0.js", "1.js"]
    page = open_page("#text/1", path=written.path)
    page.wait_for_selector('[data-m="k.0"]')
    assert (
        json.loads(page.evaluate("JSON.stringify([...document.scripts].map(s => s.src).filter(Boolean).length)")) == 1
    )


def test_what_has_no_room_is_said(open_page: Callable[..., Any], tmp_path: Path) -> None:
    key, response = hard(KEY, "key"), hard(RESPONSE, "response")
    written = pages.write({"r": corefeval.score(key, response)}, tmp_path / "a.html", resamples=100, limit=100)
    assert (written.documents, written.shown) == (2, 1)
    page = open_page(path=written.path)
    assert "the 1 documents with most errors" in page.locator("#overview").inner_text()
    page = open_page("#text/1", path=written.path)
    assert "is not in this file" in page.locator("#sides").inner_text()


def test_paper_gets_no_controls(open_page: Callable[..., Any]) -> None:
    page = open_page("#text/0", theme="dark")
    page.emulate_media(media="print")
    assert not page.locator("#reading").is_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    # Ink on a mention is dark, and the mention is not, whatever the theme on the screen.
    light = "getComputedStyle(document.documentElement).getPropertyValue('--m-light')"
    assert page.evaluate(light) == "92%"
    page.emulate_media(media="screen")
    assert page.evaluate(light) == "33%"
