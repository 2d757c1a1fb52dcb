"""How Sphinx makes a site of these pages: bash scripts/docs

The pages are plain Markdown, and a notebook, to be read on GitHub too. What only a site needs is added while they are
read: the order of pages, from the links of README.md, and the reference, from the docstrings of the public names.
"""

from __future__ import annotations

import json
import re
from inspect import cleandoc, isclass, isfunction, ismodule
from pathlib import Path
from typing import TYPE_CHECKING, Any

import corefeval
from corefeval.formats.registry import BUILT_IN
from corefeval.measures.registry import CLASSES
from corefeval.options import DECISIONS
from corefeval.profiles.registry import PROFILES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from sphinx.application import Sphinx

DOCS = Path(__file__).parent.resolve()

project = "corefeval"
author = "The corefeval developers"
copyright = author  # noqa: A001 - Sphinx calls it so
version = release = corefeval.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc"]
source_suffix = {".md": "markdown", ".ipynb": "markdown"}  # a notebook becomes Markdown in add_what_a_site_needs
root_doc = "README"
exclude_patterns = ["_static"]

myst_heading_anchors = 3
default_role = "code"
nitpick_ignore_regex = [("py:.*", ".*")]  # types of other libraries, whose sites would have to be asked
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
python_maximum_signature_line_length = 88
add_module_names = False
smartquotes_action = "q"  # no dashes: options have two hyphens in titles, too

html_theme = "furo"
html_title = f"corefeval {version}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_show_search_summary = False  # to show them, a page would be fetched, which no browser does from a folder


def add_what_a_site_needs(_: Sphinx, page: str, source: list[str]) -> None:
    """Add the order of pages to the first one and the docstrings to the reference; name files that are no pages.

    A notebook becomes a page, with a link to the file.
    """
    if source[0].startswith("{"):
        source[0] = write_cells(json.loads(source[0])["cells"], f"{page}.ipynb")
    if page in ADDITIONS:
        source[0] += "\n" + ADDITIONS[page](source[0])
    folder = (DOCS / page).parent
    source[0] = LINK.sub(lambda link: name_outside(folder, link), source[0])


def name_outside(folder: Path, link: re.Match[str]) -> str:
    """Return a link of a page in a folder as it is; to what is no page, as an example to load, or a path."""
    target = (folder / link[2]).resolve()
    if target.is_relative_to(DOCS):
        return link[0]
    if target.is_relative_to(DOCS.parent / "examples") and target.is_file():
        return f"{{download}}`{link[1]} <{link[2]}>`"
    return f"{link[1]} (`{target.relative_to(DOCS.parent)}` in the repository)"


def write_cells(cells: list[dict[str, Any]], name: str) -> str:
    """Return the cells of a notebook as Markdown, with what they show below them, and a link to its file by name."""
    title, *parts = (part for cell in cells for part in write_cell(cell))
    return "\n\n".join([title, f"{{download}}`The notebook <{name}>`", *parts])


def write_cell(cell: dict[str, Any]) -> Iterator[str]:
    """Yield a cell's text or code, and its outputs: tables in HTML, other values and what it prints as they are."""
    source = "".join(cell["source"])
    yield source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```"
    for output in cell.get("outputs", ()):
        if "text/html" in output.get("data", ()):
            tables = "".join(output["data"]["text/html"]).replace("<table>", '<table class="docutils">')
            yield f'<div class="table-wrapper">{tables}</div>'
        else:
            yield f"```text\n{''.join(output.get('text') or output['data']['text/plain'])}\n```"


def list_pages(text: str) -> str:
    """Return hidden tables of contents, one for each section, with the pages to which its lists link."""
    sections = re.split(r"^## (.+)\n", text, flags=re.MULTILINE)[1:]
    return "\n".join(
        write_contents(re.findall(r"^ *- \[.+?\]\((.+?)\.(?:md|ipynb)\)", links, re.MULTILINE), title)
        for title, links in zip(sections[::2], sections[1::2], strict=True)
    )


def list_folder(folder: str, names: tuple[str, ...]) -> str:
    """Return a hidden table of contents, with the pages of a folder: of each measure, format, profile or rule."""
    return write_contents([f"{name} <{folder}/{name}>" for name in names])


def write_contents(pages: list[str], title: str = "") -> str:
    """Return a hidden table of contents."""
    caption = [f":caption: {title}"] if title else []
    return "\n".join(["```{toctree}", ":hidden:", *caption, "", *pages, "```", ""])


def list_public_names(_: str) -> str:
    """Return directives that show all public names: functions, the classes of what they return, what modules have."""
    public = {f"corefeval.{name}": getattr(corefeval, name) for name in corefeval.__all__}
    functions, classes, modules = (
        {name: each for name, each in public.items() if is_kind(each)} for is_kind in (isfunction, isclass, ismodule)
    )
    sections = [("Functions", "", functions), ("Classes", "", classes)]
    for name, module in modules.items():
        sections.append((name, cleandoc(module.__doc__ or "").partition("\n\n")[0], list_members(name, module)))
    return "\n".join(
        "\n".join([f"## {title}", "", text, "", "```{eval-rst}", *list_directives(named, members=not text), "```", ""])
        for title, text, named in sections
    )


def list_directives(named: dict[str, Any], *, members: bool = False) -> Iterator[str]:
    """Yield a directive for each function and each class, with its members if asked for."""
    for name, each in named.items():
        option = "\n   :members:" if members and isclass(each) else ""
        yield f".. {'autoclass' if isclass(each) else 'autofunction'}:: {name}{option}"


def list_members(name: str, module: ModuleType) -> dict[str, Any]:
    """Return the functions and classes that a public module lists, by full name; of the measures, their classes."""
    if module is corefeval.measures:
        return {f"{name}.{each.__name__}": each for each in CLASSES.values()}
    members = {member: getattr(module, member) for member in getattr(module, "__all__", ())}
    return {f"{name}.{member}": each for member, each in members.items() if isfunction(each) or isclass(each)}


def lay_out_arguments(_: Sphinx, __: str, ___: str, ____: object, _____: object, lines: list[str]) -> None:
    """Make definitions, as Sphinx writes them, of the lines `name, name: text` of a docstring."""
    laid_out: list[str] = []
    for line in lines:
        if argument := ARGUMENT.match(line):
            laid_out += ["", f"``{argument[1]}``", f"    {argument[2]}"]
        elif line.strip() and laid_out and laid_out[-1].startswith("    "):
            laid_out[-1] += f" {line.strip()}"
        else:
            laid_out.append(line)
    lines[:] = laid_out


ARGUMENT = re.compile(r"(\w+(?:, \w+)*): (.+)")
"""An argument or a field in a docstring, and what is said of it, on further lines, too, up to an empty one."""

LINK = re.compile(r"(?<!!)\[`?([^\]`]+)`?\]\((\.\./[^)#]+)(?:#[^)]*)?\)")
"""A link to a file that is not below the page."""

ADDITIONS = {
    root_doc: list_pages,
    "measures": lambda _: list_folder("measures", tuple(CLASSES)),
    "formats": lambda _: list_folder("formats", BUILT_IN),
    "profiles": lambda _: list_folder("profiles", tuple(PROFILES)),
    "matching": lambda _: list_folder("matching", tuple(DECISIONS["match"].values)),
    "reference": list_public_names,
}
"""What is added to a page, by its name."""


def setup(app: Sphinx) -> None:
    """Connect the above with Sphinx."""
    app.connect("source-read", add_what_a_site_needs)
    app.connect("autodoc-process-docstring", lay_out_arguments)
