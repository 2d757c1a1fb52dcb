"""The command of the workbench: `corefeval serve`."""

from __future__ import annotations

import gc
import importlib.util
from typing import Any

import click

from corefeval import formats
from corefeval.cli.console import echo_message, echo_text
from corefeval.cli.files import name_files
from corefeval.cli.options import shared_options
from corefeval.cli.shared import SharedOptions
from corefeval.errors import OptionError, escape_controls

_NEEDED = ("starlette", "uvicorn")


@click.command()
@click.argument("files", metavar="[KEY [RESPONSE...]]", nargs=-1)
@click.option(
    "--project", "path", metavar="FILE", help="The project's file; by default beside KEY, ending in .corefeval."
)
@click.option("--adjudicate", is_flag=True, help="The files, or one folder, are annotators'; make the key from them.")
@click.option(
    "--example", metavar="NAME", help="Start with an example or a study of a paper, such as luo-1a or lea-figure-6."
)
@click.option("--port", type=click.IntRange(0, 65535), default=0, show_default="any that is free")
@click.option("--no-browser", is_flag=True, help="Print the address only.")
@shared_options("measures", "decisions", "sides")
def serve(
    files: tuple[str, ...],
    path: str | None,
    adjudicate: bool,
    example: str | None,
    port: int,
    no_browser: bool,
    shared: SharedOptions,
    **given: Any,
) -> None:
    """Open the workbench in a browser: annotate, watch scores change, adjudicate, resolve.

    KEY may be a project of an earlier session. All edits are kept in the project's file; the files themselves change
    only when you save. The server answers on this machine only, to those who have the address that it prints.
    """
    missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise OptionError(f'the workbench needs {" and ".join(missing)}: pip install "corefeval[serve]"')
    from corefeval.workbench import running  # noqa: PLC0415 - Starlette and uvicorn are extras

    names = name_files(files, "file")
    key, *others = files or (None,)
    corpora = {}
    if key is not None and not running.is_project(key):
        if adjudicate and len(files) == 1:
            corpora = dict(formats.read_annotators(key, shared.format_))
        elif adjudicate:
            corpora = dict(zip(names, shared.read_annotators(files), strict=True))
        else:
            first, responses = shared.read_sides(key, others)
            corpora = {"key": first} | dict(zip(names[1:], responses, strict=True))
    elif others:
        corpora = dict(zip(names[1:], shared.read_responses(others), strict=True))
    rules = running.choose_rules(given.pop("measures"), given)
    place = running.choose_place(path, key)
    notices = running.prepare_project(place, corpora, adjudicate=adjudicate, example=example)
    if not shared.quiet:
        for notice in notices:
            echo_message(escape_controls(notice))
    gc.enable()  # which commands do without, but a server does not
    view = running.write_view(place, adjudicate=adjudicate)
    running.run_server(place, rules, port, view=view, opens_browser=not no_browser, tell=echo_text)
