"""What the documentation says is what the program does."""

from __future__ import annotations

import contextlib
import io
import re
import runpy
import shlex

import click

from corefeval.cli.main import cli
from tests.cli.running import run
from tests.data import DOCS


def test_the_page_of_formats_is_made_from_the_formats() -> None:
    made = runpy.run_path(str(DOCS / "make_formats.py"))["made"]
    assert made() == (DOCS / "formats.md").read_text(encoding="utf-8"), "run: python docs/make_formats.py"


def test_the_page_of_profiles_is_made_from_the_profiles() -> None:
    made = runpy.run_path(str(DOCS / "make_profiles.py"))["made"]
    assert made() == (DOCS / "profiles.md").read_text(encoding="utf-8"), "run: python docs/make_profiles.py"


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


README = (DOCS.parent / "README.md").read_text(encoding="utf-8")


def test_the_first_score_of_the_readme_is_what_python_prints() -> None:
    program, shown = re.findall(r"```python\n(.*?)```\n\n```\n(.*?)```", README, re.DOTALL)[0]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(program, {})
    assert printed.getvalue() == shown


def test_commands_of_the_readme_print_what_it_shows() -> None:
    shown = re.findall(r"```\n\$ corefeval (.*?)\n(.*?)```", README, re.DOTALL)
    assert shown
    with contextlib.chdir(DOCS.parent):
        for command, output in shown:
            assert run(*shlex.split(command)).stdout == output
