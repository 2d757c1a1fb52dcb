"""What the documentation says is what the program does."""

from __future__ import annotations

import contextlib
import doctest
import io
import json
import re
import runpy
import shutil
import warnings
from importlib import import_module
from pathlib import Path

import click
import nbformat
import pytest

import corefeval
from corefeval.cli.main import cli
from corefeval.formats import registry as formats
from corefeval.measures import registry as measures
from corefeval.options import Decisions
from corefeval.profiles.registry import DEFAULT, PROFILES
from tests.agreement.test_adjudication import write_export
from tests.cli.test_crac import KEY, RESPONSE, written
from tests.cli.test_task_table import write_task
from tests.data import DOCS, EXAMPLES, ROOT
from tests.documentation import (
    KINDS,
    PAGES,
    count_markers,
    list_anchors,
    list_blocks,
    list_links,
    list_phrases,
    run_page,
)
from tests.formats import test_ecbplus, test_gap
from tests.formats.test_ua import STORY


@pytest.mark.parametrize("name", ["formats", "profiles", "matching"])
def test_pages_are_what_their_script_makes(name: str) -> None:
    script = runpy.run_path(str(DOCS / f"make_{name}.py"))
    assert script["made"]() == (DOCS / f"{name}.md").read_text(encoding="utf-8"), f"run: python docs/make_{name}.py"
    pages = {path.stem: path.read_text(encoding="utf-8") for path in (DOCS / name).glob("*.md")}
    assert script["make_pages"]() == pages, f"run: python docs/make_{name}.py"


def test_the_page_of_disagreements_is_made_from_the_profiles() -> None:
    page = runpy.run_path(str(DOCS / "make_disagreements.py"))
    assert page["made"]() == (DOCS / "disagreements.md").read_text("utf-8"), "run: python docs/make_disagreements.py"
    assert list(page["SYMPTOMS"]) == page["list_disputed"](), (
        "each decision that scorers take differently, and no other"
    )


def test_words_of_the_glossary_are_in_order() -> None:
    rows = (DOCS / "glossary.md").read_text(encoding="utf-8").partition("|---|---|\n")[2].splitlines()
    words = [row.split("|")[1].strip() for row in rows]
    assert len(words) > 30
    assert words == sorted(words, key=str.lower)


def test_the_pages_of_measures_are_made_from_the_measures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(DOCS)
    script = runpy.run_path(str(DOCS / "make_measures.py"))
    pages = {path.stem: path.read_text(encoding="utf-8") for path in (DOCS / "measures").glob("*.md")}
    assert script["made"]() == pages, "run: python docs/make_measures.py"
    figures = {path.stem: path.read_text(encoding="utf-8") for path in (DOCS / "measures").glob("*.svg")}
    assert script["draw_falls"]() == figures, "run: python docs/make_measures.py"


PARTS = {
    "An example": (
        r"^\| .* \|$",
        r"^\$ corefeval explain",
        r"^(?:Recall|recall|score|Rc) = .*[\d)|] ?/ ?.*\d.* = -?\d\.\d{4}$",
    ),
    "Parameters": (r"^\| `undefined` \| `0`, `1` \|",),
    "At the boundaries": (r"^\| the key itself \| [\d.]+ \|", r"– is 0/0, which counts as"),
    "Over documents": (r"^\| both \| -?[\d.]+ \|", r"^\| their mean"),
    "Properties": (r"^(?:\| [✓=✗–].* \| .* \| \S.* \|$|Not searched: the \[criteria\])",),
    "Who computes it": (r"^(?:\| .+ \| .+ \|$|No \[profile\].* and no other program is known that computes it\.$)",),
    "Where two scorers differ": (
        r"^(?:\| `.*` \| `.*` \| [01]\.\d{4} \||\$ corefeval score|.*(?:no two to compare|not run here|pages show))",
    ),
    "Advantages and drawbacks": (r"^For it:\n\n(?:- .+ \(\S.+\)\n)+\nAgainst it:\n\n(?:- .+ \(\S.+\)\n)+",),
    "How to cite": (r"^The paper: .+ signature", r"^```bibtex\n@"),
}
"""The parts that the page of each measure has, in this order, with patterns of what they cannot do without: numbers,
sources, or, where something is not there, the sentence that says why."""


@pytest.mark.parametrize("name", measures.CLASSES)
def test_the_page_of_a_measure_has_all_parts(name: str) -> None:
    page = (DOCS / "measures" / f"{name}.md").read_text(encoding="utf-8")
    (idea,) = re.findall(r"^\*\*(.+)\*\*$", page, re.MULTILINE)
    assert len(re.findall(r"[.?](?= |$)", idea)) == 2, "what it asks, in two sentences"
    titles = re.findall("^## (.+)$", page, re.MULTILINE)
    assert [title for title in titles if title != "How it falls"] == list(PARTS)
    texts = dict(zip(titles, re.split("^## .+\n", page, flags=re.MULTILINE)[1:], strict=True))
    for title, patterns in PARTS.items():
        for pattern in patterns:
            assert re.search(pattern, texts[title], re.MULTILINE), (title, pattern)


def test_the_tutorial_shows_what_its_cells_give() -> None:
    made = runpy.run_path(str(DOCS / "make_tutorial.py"))["made"]
    text = (DOCS / "tutorial.ipynb").read_text(encoding="utf-8")
    assert made() == text, "run: python docs/make_tutorial.py"
    nbformat.validate(json.loads(text))


def test_a_cell_shows_what_it_prints_and_the_value_of_its_last_expression() -> None:
    run_cell = runpy.run_path(str(DOCS / "make_tutorial.py"))["run_cell"]
    names: dict[str, object] = {}
    printed, value = run_cell("number = 2\nprint(number)\nnumber + 1", names, 1)
    assert (printed["text"], value["data"]) == (["2\n"], {"text/plain": ["3"]})
    assert run_cell("number", names, 2)[0]["execution_count"] == 2
    assert run_cell("print", names, 3)[0]["data"]
    assert run_cell("number = None\nnumber", names, 4) == []
    (table,) = run_cell("import corefeval\ncorefeval.score([['a', 'b']], [['a', 'b']])", names, 5)
    assert "<table>" in "".join(table["data"]["text/html"])
    with pytest.raises(ZeroDivisionError):
        run_cell("1 / 0", names, 6)


def test_links_of_the_tutorial_lead_somewhere(tmp_path: Path) -> None:
    cells = json.loads((DOCS / "tutorial.ipynb").read_text(encoding="utf-8"))["cells"]
    page = tmp_path / "tutorial.md"
    page.write_text("\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"), "utf-8")
    links = list_links(page)
    assert len(links) > 5
    assert all((DOCS / target).exists() for target, _ in links)


PACKAGE = Path(corefeval.__file__).parent
SHOWING = [path for path in sorted(PACKAGE.rglob("*.py")) if ">>> " in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("path", SHOWING, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_examples_of_docstrings_give_what_they_show(path: Path, tmp_path: Path) -> None:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    module = import_module(".".join(parts).removesuffix(".__init__"))
    faults = io.StringIO()
    with contextlib.chdir(tmp_path), contextlib.redirect_stdout(faults):
        done = doctest.testmod(module)
    assert done.attempted, "its examples are found"
    assert not done.failed, faults.getvalue()


def test_the_reference_has_every_public_name() -> None:
    reference = runpy.run_path(str(DOCS / "conf.py"))["list_public_names"]("")
    shown = re.findall(r"^(?:## |\.\. auto(?:class|function):: )corefeval\.([\w.]+)$", reference, re.MULTILINE)
    assert set(corefeval.__all__) - {"__version__"} <= set(shown)
    assert {f"measures.{measure.__name__}" for measure in measures.CLASSES.values()} <= set(shown)
    assert {"pages.write", "lab.study", "plots.intervals", "adapters.evaluate_path"} <= set(shown)


def test_the_index_lists_every_page() -> None:
    listed = {target for target, _ in list_links(DOCS / "README.md")}
    pages = {str(page.relative_to(DOCS)) for page in (*DOCS.glob("*.*"), *(DOCS / "guides").glob("*"))}
    assert {page for page in pages if page.endswith((".md", ".ipynb"))} - {"README.md"} <= listed


def test_the_page_of_measures_links_to_the_page_of_each() -> None:
    listed = {file for file, _ in list_links(DOCS / "measures.md")}
    assert {f"measures/{name}.md" for name in measures.CLASSES} <= listed


each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def _sections() -> dict[str, str]:
    """The sections of the page on the command line, by command."""
    parts = (DOCS / "command.md").read_text(encoding="utf-8").split("\n## corefeval ")[1:]
    return {part.split(maxsplit=1)[0]: part for part in parts}


def test_every_command_has_a_section() -> None:
    with click.Context(cli) as context:
        assert set(cli.list_commands(context)) == set(_sections())


def test_every_option_of_score_is_documented() -> None:
    with click.Context(cli) as context:
        command = cli.get_command(context, "score")
    assert command is not None
    options = [each for each in command.params if isinstance(each, click.Option) and each.name != "help"]
    missing = [
        name for each in options for name in each.opts if name.startswith("--") and name not in _sections()["score"]
    ]
    assert not missing


def test_the_values_of_options_are_documented() -> None:
    with click.Context(cli) as context:
        command = cli.get_command(context, "score")
    assert command is not None
    values = {
        name: list(each.type.choices)
        for each in command.params
        if isinstance(each.type, click.Choice)
        for name in each.opts
    }
    listed = re.findall(r"`(--[a-z-]+) ([a-z0-9.|\\_-]+\|[^` ]*)`", _sections()["score"])
    assert len(listed) >= 6
    for name, words in listed:
        shown = words.replace("\\", "").split("|")
        found = [*values[name][: len(shown) - 1], "…"] if shown[-1] == "…" else values[name]
        assert shown == found, name


def test_decisions_of_python_are_documented() -> None:
    text = (DOCS / "python.md").read_text(encoding="utf-8")
    listed = text.partition("the profile's ([profiles](profiles.md)):")[2].partition(" is what")[0]
    assert re.findall("`(.+?)`", listed) == list(Decisions.__annotations__)


@each_page
def test_commands_and_options_that_a_page_speaks_of_exist(page: Path) -> None:
    with click.Context(cli) as context:
        commands = {name: cli.get_command(context, name) for name in cli.list_commands(context)}
    parameters = [each for command in (cli, *commands.values()) if command for each in command.params]
    known = {"--help", *(name for each in parameters for name in (*each.opts, *each.secondary_opts))}
    for phrase in list_phrases(page):
        if phrase.startswith(("--", "corefeval ")):
            assert set(re.findall(r"(?<!\S)--[a-z-]+", phrase)) <= known, phrase
        if match := re.match("corefeval ([a-z][a-z-]*)", phrase):
            assert match[1] in commands, phrase


@each_page
def test_links_of_a_page_lead_somewhere(page: Path) -> None:
    for target, anchor in list_links(page):
        linked = page.parent / target if target else page
        assert linked.exists(), target
        assert not anchor or anchor in list_anchors(linked), f"{target}#{anchor}"


def _names_of_table(heading: str) -> list[str]:
    """The names in the first cells of README's table below a heading."""
    rows = (ROOT / "README.md").read_text(encoding="utf-8").partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    cells = [row.split("|")[1] for row in rows.splitlines() if row.startswith("| `")]
    return [name for cell in cells for name in re.findall("`(.+?)`", cell)]


def test_the_readme_names_every_format_measure_and_profile() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert _names_of_table("Files") == list(formats.BUILT_IN)
    assert "[thirty-six formats]" in text
    assert len(formats.BUILT_IN) == 36
    assert {name.partition(":")[0] for name in _names_of_table("Measures")} - {"4"} == set(measures.CLASSES)
    profiles = text.partition("the decisions of another scorer: ")[2].partition(". ")[0]
    assert re.findall("`(.+?)`", profiles) == [name for name in PROFILES if name != DEFAULT]


STAND_INS = {
    "key": ["KEY", "key", "ann", "key/dev"],
    "response-a": [
        *("RESPONSE", "A", "response", "a", "ours", "new", "bob", "submission", "runs/17/dev", "seed1", "response/dev"),
    ],
    "response-b": ["B", "b", "c", "theirs", "old", "cy", "other/dev", "seed2", "seed3"],
}
"""The names under which pages speak of the examples that ship with the project."""
PRADHAN = {  # et al. 2014, section 4
    "key": [["a", "b", "c"], ["d", "e", "f", "g"]],
    "response": [["a", "b"], ["c", "d"], ["f", "g", "h", "i"]],
}


@pytest.fixture(scope="module")
def named_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that pages name."""
    folder = tmp_path_factory.mktemp("named")
    shutil.copytree(EXAMPLES, folder / "examples")
    for example, names in STAND_INS.items():
        for name in names:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(EXAMPLES / f"{example}.conll", folder / (name if name.isupper() else f"{name}.conll"))
    for name, cells in {"key": KEY, "response": RESPONSE, "corpus": KEY, "gum": KEY}.items():
        (folder / f"{name}.conllu").write_text(written(cells), encoding="utf-8")
    corefeval.write(corefeval.read(folder / "response.conllu"), folder / "response.jsonlines")
    for side in ("key", "response"):
        (folder / f"{side}.conllua").write_text(STORY, encoding="utf-8")
        (folder / f"{side}.json").write_text(json.dumps(PRADHAN[side]), encoding="utf-8")
    (folder / "types.csv").write_text("type,weight\np,2\n,1\n", encoding="utf-8")
    (folder / "gap-test.tsv").write_text(test_gap.KEY, encoding="utf-8")
    (folder / "submission.tsv").write_text(test_gap.SUBMISSION, encoding="utf-8")
    for side in ("key", "response"):
        (folder / "ecbplus" / side).mkdir(parents=True)
        for name in ("36_1ecb", "36_1ecbplus"):
            (folder / "ecbplus" / side / f"{name}.xml").write_text(test_ecbplus.write(name), encoding="utf-8")
    write_task(folder)
    shutil.make_archive(str(folder / "export"), "zip", write_export(folder / "export"))
    return folder


@each_page
def test_every_block_of_a_page_is_run_or_says_why_not(page: Path) -> None:
    blocks = list_blocks(page)
    unknown = [str(block) for block in blocks if not block.kind]
    assert not unknown, f"neither a tag that is known ({', '.join(KINDS)}) nor a command"
    marked = [block for block in blocks if block.reason is not None]
    assert len(marked) == count_markers(page), "a marker stands on the line before its block"
    for block in marked:
        assert block.reason, f"{block}: the marker has no reason"
        assert block.kind in {"python", "commands"}, f"{block}: is not run anyway"


@each_page
def test_examples_of_a_page_run_and_print_what_it_shows(
    page: Path, named_files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path / "cache"))
    folder = shutil.copytree(named_files, tmp_path / "files")
    with contextlib.chdir(folder), warnings.catch_warnings():
        run_page(page)


@pytest.mark.parametrize(
    "block",
    [
        "```\n$ corefeval formats --json\n{}\n```",
        "```sh\ncorefeval score no-key.conll response.conll\n```",
        "```\n$ corefeval score no-key.conll response.conll\n…\n$ echo $?\n65\n```",
        "```\n$ corefeval formats\n…\n$ echo $?\n1\n```",
        "```sh\necho corefeval\n```",
        "```python\n1 + 1  # 3\n```",
        "```python\nprint(1 + 1)  # 3\n```",
        "```python\nprint(1)\n```\n\n```\n2\n```",
    ],
)
def test_a_page_that_shows_what_is_not_so_is_found(block: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"# Page\n\n{block}\n", encoding="utf-8")
    with contextlib.chdir(tmp_path), pytest.raises(AssertionError):
        run_page(page)


def test_a_command_may_fail_where_its_exit_code_is_shown(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```\n$ corefeval score none none\n…\n$ echo $?\n66\n```\n", encoding="utf-8")
    run_page(page)


def test_what_is_no_output_is_left_out_or_marked(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    marked = "<!-- not run: no such file -->\n```sh\ncorefeval score none none\n```\n"
    page.write_text(f"{marked}\n```\n$ corefeval measures lea\nlea: LEA\n…\n```\n\n```\nwhat?\n```\n", encoding="utf-8")
    run_page(page)
    assert [(block.kind, block.reason) for block in list_blocks(page)] == [
        ("commands", "no such file"),
        ("commands", None),
        ("", None),
    ]
