"""The workbench in a real browser: every gesture and every key, and what it leaves in the project's file."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import corefeval
from corefeval import read
from corefeval.workbench.annotations import Annotation, Content, build_corpus, read_annotations
from corefeval.workbench.opening import create_project, join_sides
from corefeval.workbench.project import Project, StartingSide
from corefeval.workbench.resolvers import resolve_by_salience
from tests.browser.waiting import wait
from tests.data import EXAMPLES, ROOT
from tests.formats.test_ua import STORY as UA
from tests.workbench.command import serve
from tests.workbench.made import KEY, RESPONSE, STORY, annotate, make_project, partition

NUMBERS = count(1)
WAIT = 15_000
CURRENT = "document.querySelector('#status').textContent"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("workbench")


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    pytest.importorskip("uvicorn", reason="uvicorn is not installed")
    with serve(folder, "--example", "luo-1a") as found:
        yield found


@pytest.fixture(scope="module")
def window(browser: Any, address: str) -> Any:
    page = browser.new_context(viewport={"width": 1300, "height": 850}).new_page()
    page.set_default_timeout(WAIT)
    page.goto(address)
    return page


class Bench:
    """A project, and the page that shows it."""

    def __init__(self, page: Any, project: Project) -> None:
        self.page, self.path = page, project.path
        self.name = Path(project.path).stem
        project.close()

    def read(self, side: str = "response") -> Annotation:
        project = Project(self.path)
        found = project.get_annotation(side, 0)
        project.close()
        return found

    def partition(self, side: str = "response") -> set[frozenset[Any]]:
        return partition(self.read(side))

    @property
    def revision(self) -> int:
        project = Project(self.path)
        found = project.revision
        project.close()
        return found

    def mention(self, key: str) -> Any:
        """The first word of a mention, to be clicked."""
        return self.page.locator(f'#text .m[data-m="{key}"] .w').first

    def click(self, *keys: str) -> None:
        for place, key in enumerate(keys):
            self.mention(key).click(modifiers=["Control"] if place else [])

    def drag(self, first: int, last: int) -> None:
        """Select words with the pointer."""
        begin, end = (self.page.locator(f'#text .w[data-i="{place}"]').bounding_box() for place in (first, last))
        self.page.mouse.move(begin["x"] + 1, begin["y"] + begin["height"] / 2)
        self.page.mouse.down()
        self.page.mouse.move(end["x"] + end["width"] - 1, end["y"] + end["height"] / 2, steps=3)
        self.page.mouse.up()

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def edit(self, *keys: str) -> None:
        """Press keys and wait until an edit is confirmed and drawn."""
        before = self.revision
        self.press(*keys)
        self.wait_for_revision(before + 1)

    def wait_for_revision(self, revision: int) -> None:
        wait(self.page, f"document.querySelector('#message').textContent.includes('(revision {revision})')")

    @property
    def message(self) -> str:
        return str(self.page.locator("#message").text_content())

    @property
    def selected(self) -> list[str]:
        found: list[str] = self.page.locator("#text .m.selected").evaluate_all("all => all.map((m) => m.dataset.m)")
        return list(dict.fromkeys(found))

    def make_current(self, key: str) -> None:
        self.click(key)
        self.press("c", "Escape")


Open = Callable[..., Bench]


@pytest.fixture
def open_bench(window: Any, address: str, folder: Path) -> Iterator[Open]:
    complaints: list[str] = []
    host = address.partition("/?")[0]
    listeners = {
        "console": lambda message: (
            None if re.search("status of 4|ERR_FAILED", message.text) else complaints.append(message.text)
        ),
        "pageerror": lambda error: complaints.append(str(error)),
        "request": lambda request: None if request.url.startswith((host, "data:")) else complaints.append(request.url),
    }
    for event, listener in listeners.items():
        window.on(event, listener)

    def opened(page: Any = window, place: str = "", **sides: Annotation) -> Bench:
        project = make_project(folder, f"story-{next(NUMBERS)}", **sides)
        bench = Bench(page, project)
        go(page, f"{host}/#{bench.name}{place}")
        return bench

    yield opened
    for event, listener in listeners.items():
        window.remove_listener(event, listener)
    assert complaints == []


def go(page: Any, address: str) -> None:
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector("#text .block, #panel-files:not([hidden])")
    wait(page, "document.querySelector('#status').textContent !== ''")


def sets(*entities: str) -> set[frozenset[Any]]:
    return partition(annotate(*entities))


# The response has m2 and m3 in its first entity e1, then m5, m6, m7 in e4, m9 and m10 in e8, and m12 alone in e11.


def test_words_are_selected_with_the_pointer_and_become_a_mention(open_bench: Open) -> None:
    bench = open_bench()
    bench.drag(12, 13)
    bench.edit("n")
    assert bench.partition() == sets("0 16", "2 7 9", "4-5 18-19", "11", "12-13")
    bench.make_current("m6")
    bench.drag(14, 15)
    bench.edit("j")
    assert bench.partition() == sets("0 16", "2 7 9 14-15", "4-5 18-19", "11", "12-13")


def test_words_are_selected_with_keys(open_bench: Open) -> None:
    bench = open_bench()
    bench.page.locator("#text").focus()
    bench.press("ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft")  # on "saw"
    bench.press("Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowLeft")
    bench.edit("n")
    assert frozenset({((1, 2),)}) in bench.partition()
    bench.press("Escape", "ArrowLeft", "Enter")
    assert bench.selected != []


@pytest.mark.parametrize(
    ("chosen", "current", "keys", "after"),
    [
        (["m6"], "m2", ["j"], sets("0 16 7", "2 9", "4-5 18-19", "11")),
        (["m6", "m12"], "m10", ["j"], sets("0 16", "2 9", "4-5 18-19 7 11", "")),
        (["m6"], None, ["s"], sets("0 16", "2 9", "7", "4-5 18-19", "11")),
        (["m6", "m3"], None, ["n"], sets("0", "2 9", "7 16", "4-5 18-19", "11")),
        (["m2", "m9", "m12"], None, ["g"], sets("0 16 4-5 18-19 11", "2 7 9")),
        (["m2", "m6"], None, ["x"], sets("16", "2 9", "4-5 18-19", "11")),
        (["m12"], None, ["Delete"], sets("0 16", "2 7 9", "4-5 18-19")),
        (["m6"], None, ["a", "x"], sets("0 16", "4-5 18-19", "11")),
    ],
)
def test_keys_edit_what_is_selected(
    open_bench: Open, chosen: list[str], current: str | None, keys: list[str], after: set[frozenset[Any]]
) -> None:
    bench = open_bench()
    if current:
        bench.make_current(current)
    bench.click(*chosen)
    assert set(bench.selected) == set(chosen)
    bench.edit(*keys)
    assert bench.partition() == after - {frozenset()}


def test_buttons_do_what_keys_do(open_bench: Open) -> None:
    bench = open_bench()
    bench.click("m2", "m9")
    bench.page.click("[data-action=merge]")
    bench.wait_for_revision(1)
    bench.page.click("[data-action=undo]")
    bench.wait_for_revision(2)
    assert bench.partition() == partition(RESPONSE)


def test_a_mention_gets_other_words_a_head_a_minimum_and_a_second_piece(open_bench: Open) -> None:
    bench = open_bench()
    bench.click("m9")
    bench.drag(3, 5)
    bench.edit("r")
    bench.click("m9")
    bench.drag(5, 5)
    bench.edit("h")
    bench.click("m9")
    bench.drag(4, 5)
    bench.edit("i")
    bench.click("m9")
    bench.drag(8, 8)
    bench.edit("p")
    mention = bench.read().mentions["m9"]
    assert (mention.runs, mention.head, mention.minimum) == (((3, 5), (8, 8)), (5, 5), (4, 5))


def test_mentions_are_moved_to_an_entity_by_clicking_it(open_bench: Open) -> None:
    bench = open_bench()
    bench.click("m6")
    bench.press("v")
    before = bench.revision
    bench.mention("m9").click()
    bench.wait_for_revision(before + 1)
    assert bench.partition() == sets("0 16", "2 9", "4-5 18-19 7", "11")
    bench.click("m12")
    bench.press("v")
    bench.page.click("#tab-entities")
    bench.page.click('.entity[data-e="e1"]')
    bench.wait_for_revision(before + 2)
    assert bench.partition() == sets("0 16 11", "2 9", "4-5 18-19 7")


def test_links_are_drawn_and_their_closure_is_shown_before_they_are_made(open_bench: Open) -> None:
    bench = open_bench()
    bench.click("m2")
    bench.press("l")
    bench.mention("m12").click()
    bench.mention("m9").click()
    closure = bench.page.locator("#text .m.closure").evaluate_all("all => all.map((m) => m.dataset.m)")
    assert set(closure) == {"m2", "m3", "m12", "m9", "m10"}
    assert "5 mentions become one entity" in str(bench.page.locator("#status").text_content())
    assert bench.partition() == partition(RESPONSE)
    bench.edit("Enter")
    assert bench.partition() == sets("0 16 11 4-5 18-19", "2 7 9")
    bench.click("m2")
    bench.press("l")
    bench.mention("m6").click()
    bench.press("Escape")
    assert bench.page.locator("#text .m.closure").count() == 0


def test_the_next_unlinked_mention_and_the_neighbours_are_found(open_bench: Open) -> None:
    bench = open_bench(key=KEY, response=annotate("0", "2 7", "9", "11 16"))
    for key, expected in (("u", "m2"), ("u", "m7"), ("u", "m2"), ("U", "m7"), (".", "m9"), (",", "m7")):
        bench.press(key)
        assert bench.selected == [expected]


def test_all_matches_of_a_search_are_added(open_bench: Open) -> None:
    bench = open_bench(key=KEY, response=annotate("2 9"))
    bench.press("/")
    bench.page.keyboard.type("the shop")
    assert "2 matches" in bench.page.evaluate(CURRENT)
    bench.edit("Enter")
    assert bench.partition() == sets("2 9", "4-5 18-19")
    bench.make_current("m2")
    bench.press("/")
    bench.page.locator("#search").fill("Kim")
    bench.edit("Enter")
    assert bench.partition() == sets("2 9 0 16", "4-5 18-19")


def test_edits_are_undone_and_redone_by_keys_without_limit(open_bench: Open) -> None:
    bench = open_bench()
    states = [bench.partition()]
    for key in ("m2", "m6", "m9", "m12"):
        bench.click(key)
        bench.edit("x")
        states.append(bench.partition())
    for state in reversed(states[:-1]):
        bench.edit("Control+z")
        assert bench.partition() == state
    bench.press("Control+z")
    wait(bench.page, "document.querySelector('#message').textContent.includes('nothing left')")
    for key, state in zip(("Control+y", "Control+Shift+Z", "Control+y", "Control+y"), states[1:], strict=True):
        bench.edit(key)
        assert bench.partition() == state


def test_an_entity_is_renamed(open_bench: Open) -> None:
    bench = open_bench()
    bench.make_current("m2")
    bench.press("e")
    bench.page.locator("dialog input").fill("Kim")
    bench.edit("Enter")
    assert bench.read().entities["e1"].name == "Kim"
    assert bench.page.locator('#text .m[data-m="m2"] .name').text_content() == "Kim"


def test_scores_follow_every_edit_and_a_preview_shows_them_before(open_bench: Open) -> None:
    bench = open_bench()
    bench.page.click("#tab-scores")
    bench.page.wait_for_selector("tr[data-measure=muc]")

    def read(measure: str = "muc") -> list[list[str]]:
        """Recall, precision and F1 of a measure, each with the changes that are shown below it."""
        cells = bench.page.locator(f"tr[data-measure={measure}] td").all()
        return [str(cell.evaluate("e => e.innerText")).split() for cell in cells]

    assert read() == [["60.00", "·", "·"], ["75.00", "·", "·"], ["66.67", "·", "·"]]  # 3/5, 3/4
    height = bench.page.locator("table.scores").bounding_box()["height"]
    bench.make_current("m2")
    bench.click("m6")
    bench.page.hover("[data-action=join]")
    bench.page.wait_for_selector("td .preview")
    assert read() == [["60.00", "+20.00"], ["75.00", "+25.00"], ["66.67", "+22.22"]]  # 4/5, 4/4
    assert bench.page.locator("table.scores").bounding_box()["height"] == height, "nothing moves below the pointer"
    cells = bench.page.locator(".cells li").all_text_contents()
    assert cells == ["key 1 × response 1: 2 → 3 mentions", "key 1 × response 2: 1 → 0 mentions"]
    assert bench.revision == 0
    bench.edit("j")
    bench.page.mouse.move(5, 400)
    wait(bench.page, "document.querySelector('tr[data-measure=muc] td').textContent.startsWith('80.00')")
    wait(bench.page, "!document.querySelector('td .preview')")
    assert read() == [["80.00", *["+20.00"] * 2], ["100.00", *["+25.00"] * 2], ["88.89", *["+22.22"] * 2]]
    assert bench.page.locator("tr[data-measure=muc] td .better").count() == 6
    bench.click("m12")
    bench.edit("x")
    # An extra singleton costs MUC nothing.
    assert read() == [["80.00", "·", "+20.00"], ["100.00", "·", "+25.00"], ["88.89", "·", "+22.22"]]
    assert [len(cell) for cell in read("conll")] == [0, 0, 3]  # an average has no recall and no precision
    assert "corefeval:" in str(bench.page.locator(".signature").text_content())
    shown = bench.page.locator("table.scores tbody tr").count()
    bench.page.check(".toggle input")
    assert bench.page.locator("table.scores tbody tr").count() > shown
    bench.page.click('[data-key="explain-muc"]')
    bench.page.wait_for_selector("dialog[open] pre")
    assert "Recall =" in str(bench.page.locator("dialog pre").text_content())
    bench.press("Escape")


def test_all_cells_that_an_edit_touches_can_be_read(open_bench: Open) -> None:
    singletons = annotate(*map(str, range(16)))
    bench = open_bench(key=singletons, response=singletons)
    bench.page.click("#tab-resolve")
    bench.page.locator("[data-key=resolver]").select_option("one-entity")
    bench.page.locator("[data-key=Resolve]").click()
    bench.wait_for_revision(1)
    bench.page.click("#tab-scores")
    # Each key entity leaves a response entity of its own for the one that all are in, but for that one's own.
    assert bench.page.locator(".cells > summary").text_content() == f"Cells touched: {15 + 15}"
    assert bench.page.locator(".cells > ul li").count() == 12
    bench.page.get_by_text("18 more").click()
    assert bench.page.locator(".cells li:visible").count() == 30


def test_cells_name_entities_that_are_gone_and_that_are_not_there_yet(open_bench: Open) -> None:
    bench = open_bench()
    bench.page.click("#tab-scores")
    bench.make_current("m2")
    bench.click("m9")
    bench.press("a")
    names = {key: entity.name for key, entity in bench.read().entities.items()}
    bench.page.hover("[data-action=join]")
    bench.page.wait_for_selector("td .preview")
    would = bench.page.locator(".cells li").all_text_contents()
    assert len(would) == 2
    assert f"response {names['e8']}: 2 → 0 mentions" in " ".join(would)
    bench.edit("j")
    assert "e8" not in bench.read().entities
    bench.page.mouse.move(5, 400)
    wait(bench.page, "document.querySelector('.cells > summary')?.textContent === 'Cells touched: 2'")
    assert bench.page.locator(".cells li").all_text_contents() == would
    bench.press("Escape")
    bench.click("m6")
    bench.page.hover("[data-action=split]")
    bench.page.wait_for_selector("td .preview")
    assert any("× response new: 0 → 1 mentions" in each for each in bench.page.locator(".cells li").all_text_contents())


def test_edits_are_undone_after_the_server_was_started_anew(browser: Any, folder: Path) -> None:
    project = make_project(folder, f"story-{next(NUMBERS)}")
    project.close()

    def edit(key: str, *chosen: str) -> set[frozenset[Any]]:
        """Start a server, press a key in a browser that knows nothing, and return the entities of the response."""
        context = browser.new_context()
        page = context.new_page()
        page.set_default_timeout(WAIT)
        with serve(folder, project.path) as address:
            go(page, f"{address}#{Path(project.path).stem}")
            bench = Bench(page, Project(project.path))
            bench.click(*chosen)
            bench.edit(key)
        context.close()
        return bench.partition()

    assert edit("x", "m6") == sets("0 16", "2 9", "4-5 18-19", "11")
    assert edit("Control+z") == partition(RESPONSE)
    assert edit("Control+y") == sets("0 16", "2 9", "4-5 18-19", "11")


def test_each_page_has_a_name_of_its_own_and_one_that_is_opened_again_its_own_again(
    browser: Any, address: str, folder: Path
) -> None:
    project = make_project(folder, f"story-{next(NUMBERS)}")
    name = Path(project.path).stem
    project.close()
    context = browser.new_context()

    def open_tab() -> tuple[Any, str]:
        page = context.new_page()
        page.set_default_timeout(WAIT)
        page.goto(address)
        go(page, f"{address.partition('/?')[0]}/#{name}")
        return page, page.locator("#author").input_value()

    (first, its_name), (_, other_name) = open_tab(), open_tab()
    assert its_name != other_name
    first.reload()
    wait(first, "document.querySelector('#author').value !== ''")
    assert first.locator("#author").input_value() == its_name
    for page in context.pages:
        page.close()
    assert open_tab()[1] in {its_name, other_name}
    context.close()


def test_an_entity_in_the_list_previews_a_move(open_bench: Open) -> None:
    bench = open_bench()
    bench.click("m6")
    bench.page.click("#tab-entities")
    bench.page.hover('.entity[data-e="e1"]')
    wait(bench.page, "window.performance.getEntriesByType('resource').some((e) => e.name.endsWith('/preview'))")
    bench.page.locator("#search").fill("mara")
    assert bench.page.locator(".entity").count() == 1


def test_two_browsers_see_each_other_and_a_conflict_is_shown(browser: Any, address: str, open_bench: Open) -> None:
    bench = open_bench()
    context = browser.new_context()
    other = context.new_page()
    other.set_default_timeout(WAIT)
    other.goto(address)
    host = address.partition("/?")[0]
    go(other, f"{host}/#{bench.name}")
    second = Bench(other, Project(bench.path))
    second.click("m6")
    bench.click("m2")
    bench.edit("x")
    wait(other, "!document.querySelector('#text .m[data-m=m2]')")
    assert second.selected == ["m6"], "what others do leaves the selection alone"
    # From here on the other browser does not hear of edits before it makes its own.
    other.route(re.compile("wait=20"), lambda route: None)
    go(other, f"{host}/#{bench.name}")
    second.click("m9")
    bench.click("m9")
    bench.edit("s")
    second.press("x")
    other.wait_for_selector(".message.error")
    assert "has edited these since" in second.message
    assert other.locator("#text .m.conflict").evaluate_all("all => all.map((m) => m.dataset.m)") == ["m9"]
    second.edit("x")
    assert bench.partition() == sets("16", "2 7 9", "18-19", "11")
    wait(bench.page, "!document.querySelector('#text .m[data-m=m9]')")
    second.click("m6")
    bench.click("m6")
    bench.edit("x")
    second.press("s")
    wait(other, "document.querySelector('.message.error')?.textContent.includes('no such mention')")
    assert other.locator('#text .m[data-m="m6"]').count() == 0
    assert bench.partition() == sets("16", "2 9", "18-19", "11")
    context.close()


def test_an_undo_of_what_others_have_edited_is_refused_and_then_passed_over(open_bench: Open) -> None:
    bench = open_bench()
    bench.click("m9")
    bench.edit("s")
    bench.click("m6")
    bench.edit("s")
    project = Project(bench.path)
    project.make_edit("bob", "response", 0, {"kind": "delete", "mentions": ["m6"]})
    project.close()
    wait(bench.page, "document.querySelector('#message').textContent.startsWith('bob')")
    bench.press("Control+z")
    wait(bench.page, "document.querySelector('#message').textContent.includes('again passes over it')")
    bench.edit("Control+z")
    assert bench.partition() == sets("0 16", "2 9", "4-5", "18-19", "11")
    bench.edit("Control+z")
    assert bench.partition() == sets("0 16", "2 9", "4-5 18-19", "11")


def test_annotators_are_adjudicated_side_by_side(open_bench: Open) -> None:
    sides = {
        "key": annotate(),
        "ann": annotate("0 7 16", "2 9", "4-5 11 18-19"),
        "bob": annotate("0 16", "2 7 9", "4-5 11 18-19"),
        "cy": annotate("0 7 16", "2 9", "4-5 18-19"),
    }
    bench = open_bench(place="?side=key&beside=ann", **sides)
    assert bench.page.locator('.beside[data-side="ann"] .m').count() == 8
    bench.page.click("#tab-adjudicate")
    bench.page.wait_for_selector(".disagreements li")
    assert bench.page.locator(".pairs tbody tr").count() == 3
    wait(bench.page, "document.querySelector('.agreement tr[data-measure=muc] td:last-child').textContent !== ''")
    agreed = corefeval.agree({name: build_corpus(STORY, sides[name]) for name in ("ann", "bob", "cy")})
    for measure in ("muc", "bcub", "kappa", "adjusted_rand"):
        summary = agreed.summary[measure]
        shown = bench.page.locator(f".agreement tr[data-measure={measure}] td").all_text_contents()
        numbers = (summary.mean, summary.chance.mean, summary.above_chance)
        written = [f"{100 * number:.2f}".replace("-", "−") if number is not None else "–" for number in numbers]
        assert shown == written, measure
    alpha = {(each.distance, each.itself): f"{each.alpha.value:.4f}" for each in agreed.alpha}
    assert bench.page.locator(".alpha td").all_text_contents() == [
        alpha[distance, itself] for distance in ("passonneau", "masi") for itself in (False, True)
    ]
    bench.page.click("text=Majority draft")
    bench.wait_for_revision(1)
    assert bench.partition("key") == partition(sides["ann"])
    bench.page.locator(".disagreements li", has_text="She").get_by_label("take the entity as bob has it").click()
    bench.wait_for_revision(2)
    assert bench.partition("key") == partition(sides["bob"])
    bench.page.locator(".disagreements li", has_text="She").get_by_label("take the mention as ann has it").click()
    bench.wait_for_revision(3)
    assert bench.partition("key") == partition(sides["ann"])
    bench.page.click(".menu summary")
    bench.page.check("[data-key=beside-bob]")
    bench.page.check("[data-key=beside-cy]")
    assert bench.page.locator(".beside h2").all_text_contents() == ["ann", "bob", "cy"]
    bench.page.click("#text-title")  # a click elsewhere closes the list
    assert not bench.page.locator("#beside").is_visible()
    bench.page.locator('.beside[data-side="bob"] .m .w[data-i="7"]').click()
    bench.edit("T")
    assert bench.partition("key") == partition(sides["bob"])
    assert list_differing(bench, '.beside[data-side="bob"]') == []
    assert list_differing(bench, '.beside[data-side="ann"]') == ["Kim", "Mara", "She", "her", "Kim"]
    bench.page.locator('.beside[data-side="ann"] .m .w[data-i="7"]').click()
    bench.edit("t")
    assert bench.partition("key") == partition(sides["ann"])
    assert "beside=ann&beside=bob&beside=cy" in bench.page.url
    bench.page.locator(".disagreements li button.plain", has_text="the shop").first.click()
    bench.page.click('[data-key="side-cy"]')  # whose box is drawn anew at once
    wait(bench.page, "document.querySelector('.agreement caption')?.textContent === 'Agreement: ann – bob'")
    new = bench.page.locator("[placeholder='new side']")
    new.fill("mi")
    bench.page.click('[data-key="side-cy"]')  # the panel is drawn anew
    wait(bench.page, "document.querySelector('.agreement caption')?.textContent === 'Agreement: mean of 3 pairs'")
    assert new.input_value() == "mi"
    new.fill("mine")
    bench.page.click("text=Add a side")
    wait(bench.page, "document.querySelector('#side').value === 'mine'")


def list_differing(bench: Bench, column: str) -> list[str]:
    """The words of the mentions of a side that are marked as different."""
    marked: list[str] = bench.page.locator(f"{column} .m.differs .w").all_text_contents()
    return marked


def test_agreement_follows_every_edit(open_bench: Open) -> None:
    bench = open_bench()
    bench.page.click("#tab-adjudicate")
    cell = ".agreement tr[data-measure=mentions] td"
    wait(bench.page, f"document.querySelector('{cell}')?.textContent === '100.00'")  # 8 of 8
    bench.click("m12")
    bench.edit("x")
    wait(bench.page, f"document.querySelector('{cell}')?.textContent === '93.33'")  # 7 of 8 and of 7


def test_heads_minimums_relations_and_layers_are_shown(open_bench: Open, folder: Path) -> None:
    page = open_bench().page
    path = folder / "ua.conllua"
    path.write_text(UA, encoding="utf-8")
    name = f"ua-{next(NUMBERS)}"
    bench = Bench(page, create_project(str(folder / f"{name}.corefeval"), name, join_sides({"key": read(path)})))
    go(page, f"{page.url.partition('#')[0]}#{name}?side=key")
    bench.page.click("#tab-details")
    assert bench.page.locator(".relations li").all_text_contents() == [
        "split: entity 4 → entity 1 + entity 2",
        "bridge poss: the door → entity 2",
    ]
    layers = bench.page.locator("[data-layer] li").all_text_contents()
    assert layers == ["3-Pseudo: There", "1-DD: Kim met the man . · that", "m1: Kim", "m2: the man"]
    marked = bench.page.evaluate("[...CSS.highlights.get('layer')].map(String)")
    assert set(marked) == {"There", "Kim", "met", "the", "man", ".", "that"}
    door = next(key for key, each in bench.read("key").mentions.items() if each.runs == ((6, 7),))
    bench.click(door)
    facts = bench.page.locator("section.mention dl").inner_text().split("\n")
    assert facts == [
        "entity",
        "5",
        "minimum",
        "the door",
        "MarkableID",
        "m4",
        "relation",
        "bridge poss: the door → entity 2",
    ]
    assert bench.page.evaluate("[...CSS.highlights.get('minimum')].map(String)") == ["the", "door"]
    bench.edit("i")
    assert bench.read("key").mentions[door].minimum is None
    bench.click(door)
    bench.drag(7, 7)
    bench.edit("h")
    assert bench.read("key").mentions[door].head == (7, 7)
    bench.page.locator(".layers button", has_text="that").click()
    assert bench.page.evaluate("[...CSS.highlights.get('chosen')].map(String)") == ["that"]


def test_resolvers_answer_and_rules_are_switched_off(open_bench: Open) -> None:
    bench = open_bench()
    bench.page.click("#tab-resolve")
    bench.page.locator("[data-key=resolver]").select_option("one-entity")
    bench.page.click("text=Resolve >> nth=-1")
    bench.wait_for_revision(1)
    assert len(bench.partition()) == 1
    bench.page.locator("[data-key=resolver]").select_option("salience")
    bench.page.locator("[data-key=rule-number]").uncheck()
    bench.page.locator("[data-key=Resolve]").click()
    bench.wait_for_revision(2)
    corpus = resolve_by_salience(build_corpus(STORY, KEY), off=["number"])
    (expected,), _ = read_annotations(corpus, [STORY])
    assert 1 < len(bench.partition()) < 8
    assert bench.partition() == partition(expected)
    bench.page.click("text=Switch rules off")
    bench.page.wait_for_selector("table:has-text('with rules switched off')")
    assert bench.page.locator("#panel-resolve tbody tr").count() == 16


def test_files_examples_and_studies_are_opened_and_files_saved(open_bench: Open, folder: Path) -> None:
    bench = open_bench()
    page = bench.page
    page.click("#tab-files")
    page.locator("[name=file]").fill("saved.conll")
    page.click("text=Save response")
    wait(page, "document.querySelector('#message').textContent.includes('is written')")
    assert "#begin document story" in (folder / "saved.conll").read_text()
    with page.expect_download() as download:
        page.click("text=Download")
    assert download.value.suggested_filename == "response.conll"
    page.set_input_files("[name=files]", [EXAMPLES / "key.conll", EXAMPLES / "response-a.conll"])
    page.click("text=Open files")
    wait(page, "document.querySelector('#title').textContent === 'key'")
    assert page.locator("#document option").count() == 2
    bench.press("Escape", "]")
    wait(page, "document.querySelector('#document').value === '1'")
    page.locator("#text").focus()
    bench.press("[", "o")
    wait(page, "document.querySelector('#document').value === '0'")
    page.click("#tab-files")
    page.locator("[data-key=example]").select_option("luo-1b")
    wait(page, "document.querySelector('#title').textContent === 'luo-1b'")
    page.locator("[data-key=study]").select_option("luo-table-3")
    assert page.get_by_text("Open its partitions").is_disabled()
    page.locator("[data-key=study]").select_option("luo-table-1")
    page.click("text=Show its findings")
    page.wait_for_selector("dialog[open] pre")
    bench.press("Escape")
    page.click("text=Open its partitions")
    wait(page, "document.querySelector('#title').textContent === 'luo-table-1'")
    assert page.locator("#response option").all_text_contents() == ["none", "key", "(a)", "(b)", "(c)", "(d)"]
    page.locator("#text").focus()
    bench.press("?")
    page.wait_for_selector("#panel-keys:not([hidden]) kbd")


def test_characters_are_selected_letter_by_letter(window: Any, address: str, folder: Path) -> None:
    text = "Kim's shop.\nIt is hers."
    start = {"key": StartingSide([annotate("0-2 18-21")]), "response": StartingSide([annotate("0-2")])}
    bench = Bench(window, Project.create(str(folder / "page.corefeval"), "page", [Content("page", text=text)], start))
    go(window, f"{address.partition('/?')[0]}/#page")
    window.evaluate("""() => {
      const words = [...document.querySelectorAll("#text .w")];
      const last = words.find((word) => word.textContent.startsWith("It"));
      const range = document.createRange();
      range.setStart(last.firstChild, 6);
      range.setEnd(last.firstChild, 10);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      document.querySelector("#text").dispatchEvent(new MouseEvent("mouseup"));
    }""")
    bench.edit("n")
    assert bench.partition() == {frozenset({((0, 2),)}), frozenset({((18, 21),)})}


def test_a_server_that_has_gone_is_said_and_keys_in_a_dialog_edit_nothing(open_bench: Open) -> None:
    bench = open_bench()
    bench.click("m6")
    bench.page.click('[data-key="explain-muc"]')
    bench.page.wait_for_selector("dialog[open] pre")
    bench.press("x", "Escape")
    wait(bench.page, "!document.querySelector('dialog').open")
    assert bench.selected == ["m6"]
    assert bench.revision == 0
    bench.page.route("**/edits", lambda route: route.abort())
    bench.press("x")
    bench.page.wait_for_selector(".message.error")
    assert "is corefeval serve still running?" in bench.message
    bench.page.unroute("**/edits")
    bench.edit("x")


def test_a_page_that_cannot_begin_says_why(browser: Any, address: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.route(re.compile("/api/studies"), lambda route: route.abort())
    page.goto(address)
    page.wait_for_selector(".message.error")
    assert "is corefeval serve still running?" in str(page.locator("#message").text_content())
    assert faults == []
    context.close()


def test_a_key_without_a_selection_says_what_is_missing(open_bench: Open) -> None:
    bench = open_bench()
    for key in ("n", "j", "s", "g", "x", "r", "h", "i", "p", "v", "l", "c", "e"):
        bench.press("Escape", key)
        assert bench.message != "", key
    assert bench.revision == 0


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1300, 390])
def test_axe_finds_nothing(open_bench: Open, axe: str, theme: str, width: int) -> None:
    bench = open_bench(place="?beside=key")
    bench.page.set_viewport_size({"width": width, "height": 850})
    bench.page.emulate_media(color_scheme=theme)
    try:
        bench.page.evaluate(axe)
        bench.make_current("m2")
        bench.click("m6")
        found = {}
        for panel in ("scores", "entities", "details", "adjudicate", "resolve", "files", "keys"):
            bench.page.click(f"#tab-{panel}")
            bench.page.wait_for_timeout(150)
            problems = bench.page.evaluate("() => axe.run().then(({violations}) => violations)")
            found[panel] = [(each["id"], [node["html"][:120] for node in each["nodes"]][:3]) for each in problems]
            wide = bench.page.evaluate("document.documentElement.scrollWidth > innerWidth")
            assert not wide, (panel, "it scrolls sideways")
        assert {panel: problems for panel, problems in found.items() if problems} == {}
    finally:
        bench.page.set_viewport_size({"width": 1300, "height": 850})
        bench.page.emulate_media(color_scheme="light")


def test_every_key_of_the_table_is_tested_here() -> None:
    table = (ROOT / "web" / "views" / "workbench" / "actions.js").read_text(encoding="utf-8")
    keys = {key for listed in re.findall(r'keys: \[((?:"[^"]+",? ?)+)\]', table) for key in json.loads(f"[{listed}]")}
    here = Path(__file__).read_text(encoding="utf-8").replace("Control+Shift+Z", "Ctrl+Z").replace("Control+", "Ctrl+")
    assert {key for key in keys if f'"{key}"' not in here} == set()
