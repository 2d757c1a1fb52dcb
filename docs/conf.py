"""How Sphinx makes a site of these pages: bash scripts/docs

The pages are plain Markdown, to be read on GitHub too. What only a site needs is added while they are read: the order
of pages, from the links of README.md, and the reference, from the docstrings of the public names.
"""

from __future__ import annotations

import re
from inspect import isclass, isfunction
from pathlib import Path
from typing import TYPE_CHECKING

import corefeval
from corefeval.formats.registry import BUILT_IN
from corefeval.measures.registry import CLASSES
from corefeval.options import DECISIONS
from corefeval.profiles.registry import PROFILES

if TYPE_CHECKING:
    from sphinx.application import Sphinx

DOCS = Path(__file__).parent.resolve()

project = "corefeval"
author = "The corefeval developers"
copyright = author  # noqa: A001 - Sphinx calls it so
version = release = corefeval.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc"]
root_doc = "README"
exclude_patterns = ["_static"]

myst_heading_anchors = 3
default_role = "code"
nitpick_ignore_regex = [("py:.*", ".*")]  # types of other libraries, whose sites would have to be asked
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
python_maximum_signature_line_length = 88
add_module_names = False

html_theme = "furo"
html_title = f"corefeval {version}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False


def add_what_a_site_needs(_: Sphinx, page: str, source: list[str]) -> None:
    """Add the order of pages to the first one and the docstrings to the reference; name files that are no pages."""
    if page in ADDITIONS:
        source[0] += "\n" + ADDITIONS[page](source[0])
    folder = (DOCS / page).parent
    source[0] = LINK.sub(lambda link: name_outside(folder, link), source[0])


def name_outside(folder: Path, link: re.Match[str]) -> str:
    """Return a link of a page in a folder as it is, or the path of its file where that is no page of the site."""
    target = (folder / link[2]).resolve()
    return (
        link[0] if target.is_relative_to(DOCS) else f"{link[1]} (`{target.relative_to(DOCS.parent)}` in the repository)"
    )


def list_pages(text: str) -> str:
    """Return a hidden table of contents, with the pages to which the lists of a page link."""
    return write_contents(re.findall(r"^- \[.+?\]\((.+?)\.md\)", text, re.MULTILINE))


def list_folder(folder: str, names: tuple[str, ...]) -> str:
    """Return a hidden table of contents, with the pages of a folder: of each measure, format, profile or rule."""
    return write_contents([f"{name} <{folder}/{name}>" for name in names])


def write_contents(pages: list[str]) -> str:
    """Return a hidden table of contents."""
    return "\n".join(["```{toctree}", ":hidden:", "", *pages, "```", ""])


def list_public_names(_: str) -> str:
    """Return directives that show all public names: functions first, then the classes of what they return."""
    public = {name: getattr(corefeval, name) for name in corefeval.__all__}
    functions = [f".. autofunction:: corefeval.{name}" for name, each in public.items() if isfunction(each)]
    classes = [f".. autoclass:: corefeval.{name}\n   :members:" for name, each in public.items() if isclass(each)]
    parts = []
    for title, directives in {"Functions": functions, "Classes": classes}.items():
        parts += [f"## {title}", "", "```{eval-rst}", *directives, "```", ""]
    return "\n".join(parts)


def lay_out_arguments(_: Sphinx, __: str, ___: str, ____: object, _____: object, lines: list[str]) -> None:
    """Make definitions, as Sphinx writes them, of the lines `name, name: text` of a docstring."""
    laid_out: list[str] = []
    for line in lines:
        if argument := ARGUMENT.match(line):
            laid_out += ["", f"``{argument[1]}``", f"    {argument[2]}"]
        else:
            follows = bool(laid_out) and laid_out[-1].startswith("    ") and line[:1].strip() != ""
            laid_out += ["", line] if follows else [line]
    lines[:] = laid_out


ARGUMENT = re.compile(r"(\w+(?:, \w+)*): (.+)")
"""An argument or a field in a docstring, and what is said of it; further lines are indented."""

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
