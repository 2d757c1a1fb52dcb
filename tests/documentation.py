"""Blocks of the documentation's pages, and how they are run: what a page shows must be what the program does."""

from __future__ import annotations
import __future__

import ast
import contextlib
import io
import re
import shlex
import tokenize
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.running import run
from tests.data import DOCS, ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]
KINDS = {
    "python": "python",
    **dict.fromkeys(["sh", "bash", "console"], "commands"),
    **dict.fromkeys(["text", "bibtex", "latex", "toml", "yaml"], "text"),
}
"""What a block with a tag is. One without is commands (`corefeval …`, `$ …`) or the output of the Python before it."""
_MARKER = re.compile(r"<!-- not run:(.*)-->")
_EXIT_CODE = "echo $?"


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a page: where it begins, what it is, and why it is not run, if a marker says that."""

    page: Path
    line: int
    kind: str
    text: str
    reason: str | None

    def __str__(self) -> str:
        return f"{self.page.name}:{self.line}"


def list_blocks(page: Path) -> list[Block]:
    """Return the blocks of a page; their kind is "" where neither tag nor text nor place tells it."""
    blocks: list[Block] = []
    lines = page.read_text(encoding="utf-8").splitlines(keepends=True)
    opened, end = 0, -1
    for number, line in enumerate(lines):
        if not line.lstrip().startswith("```"):
            continue
        if not opened:
            opened = number + 1
            continue
        tag, text = lines[opened - 1].strip().removeprefix("```"), "".join(lines[opened:number])
        marker = _MARKER.fullmatch(lines[opened - 2].strip())
        follows = bool(blocks) and blocks[-1].kind == "python" and not "".join(lines[end + 1 : opened - 1]).strip()
        untagged = "commands" if text.startswith(("corefeval ", "$ ")) else "output" if follows else ""
        kind = KINDS.get(tag, "") if tag else untagged
        blocks.append(Block(page, opened, kind, text, marker[1].strip() if marker else None))
        opened, end = 0, number
    assert not opened, f"{page.name}:{opened}: the block has no end"
    return blocks


def count_markers(page: Path) -> int:
    """Return how many markers a page has, wherever they stand."""
    return sum(line.startswith("<!-- not run") for line in page.read_text(encoding="utf-8").splitlines())


def list_phrases(page: Path) -> list[str]:
    """Return the code within the sentences of a page, such as `--match head` or `corefeval score KEY RESPONSE`."""
    return [" ".join(phrase.split()) for phrase in re.findall("`([^`]+)`", _read_prose(page))]


def _read_prose(page: Path) -> str:
    return re.sub("^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


def list_links(page: Path) -> list[tuple[str, str]]:
    """Return the links of a page within the project: the file, "" for the page itself, and the anchor or ""."""
    text = re.sub("^    .*$|`[^`]*`", "", _read_prose(page), flags=re.MULTILINE)
    targets = re.findall(r"\]\(([^)\s]+)\)", text)
    return [(file, anchor) for file, _, anchor in (each.partition("#") for each in targets if "://" not in each)]


def list_anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub and the site make them."""
    headings = re.findall("^#+ (.+)$", _read_prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def run_page(page: Path) -> None:
    """Run the blocks of a page in the working directory, its Python in one namespace, and compare what they show.

    Commands within sentences are run, too, where they name a file that is there.
    """
    names: dict[str, Any] = {}
    printed = ""
    for block in list_blocks(page):
        if block.reason is not None:
            continue
        if block.kind == "python":
            printed = run_python(block, names)
        elif block.kind == "output":
            assert printed == block.text, block
        elif block.kind == "commands":
            run_commands(block)
    for phrase in list_phrases(page):
        name, *arguments = phrase.split(" ")
        if name == "corefeval" and any(Path(each).exists() for each in arguments):
            done = run(*arguments)
            assert done.returncode == 0, f"{page.name}: {phrase}: {done.stderr}"


def run_python(block: Block, names: dict[str, Any]) -> str:
    """Run a block statement by statement, compare values with comments that are values, and return what it prints."""
    code = "\n" * block.line + block.text
    comments = _read_values(code)
    flags = __future__.annotations.compiler_flag if "from __future__ import annotations" in code else 0
    printed = io.StringIO()
    for statement in ast.parse(code, str(block.page)).body:
        before = printed.tell()
        with contextlib.redirect_stdout(printed):
            value = _run_statement(statement, str(block.page), names, flags)
        if statement.end_lineno in comments:
            shown = comments[statement.end_lineno]
            found = ast.literal_eval(printed.getvalue()[before:]) if value is None else value
            assert found == pytest.approx(shown, abs=5e-4), f"{block.page.name}:{statement.lineno}"
    return printed.getvalue()


def _run_statement(statement: ast.stmt, name: str, names: dict[str, Any], flags: int) -> Any:
    if isinstance(statement, ast.Expr):
        return eval(compile(ast.Expression(statement.value), name, "eval", flags, dont_inherit=True), names)
    exec(compile(ast.Module([statement], []), name, "exec", flags, dont_inherit=True), names)
    return None


def _read_values(code: str) -> dict[int, Any]:
    """Return the values that comments show, by line: `# 2, 3`, or `# True; and why`."""
    values = {}
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type == tokenize.COMMENT:
            with contextlib.suppress(ValueError, SyntaxError):
                values[token.start[0]] = ast.literal_eval(token.string.lstrip("# ").partition(";")[0])
    return values


def run_commands(block: Block) -> None:
    """Run each command of a block; what stands below one that begins with `$ ` must be its output.

    Each must succeed, unless `$ echo $?` follows, which shows its exit code.
    """
    commands = list(_list_commands(block.text))
    for (command, output), (after, code) in zip(commands, [*commands[1:], ("", None)], strict=True):
        if command == _EXIT_CODE:
            continue
        name, *arguments = shlex.split(command, comments=True)
        assert name == "corefeval", f"{block}: {command}: run by no test; give it a block of its own with a marker"
        done = run(*arguments)
        expected = int(code or "") if after == _EXIT_CODE else 0
        assert done.returncode == expected, f"{block}: {command}: {done.stderr}"
        if output is not None:
            parts = [re.escape(part) for part in re.split("^…\n", output, flags=re.MULTILINE)]
            assert re.fullmatch(r"(?:.*\n)*?".join(parts), done.stdout + done.stderr), f"{block}: {done.stdout}"


def _list_commands(text: str) -> Iterator[tuple[str, str | None]]:
    if text.startswith("$ "):
        for command, output in re.findall(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", text, flags=re.MULTILINE):
            yield command.replace("\\\n", " "), output
    else:
        for line in text.replace("\\\n", " ").splitlines():
            if shlex.split(line, comments=True):
                yield line, None
