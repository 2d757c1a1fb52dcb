"""The commands for language models: `corefeval prompt` and `join-windows`."""

from __future__ import annotations

import click

import corefeval
from corefeval.cli.commands.writing import FORCE
from corefeval.cli.console import echo_data
from corefeval.cli.options import Word, shared_options
from corefeval.cli.shared import SharedOptions
from corefeval.formats.shared import json_values

_NOTATIONS = ("markdown", "xml", "crac")


@click.command()
@click.argument("key", metavar="KEY")
@click.option(
    "--notation", type=Word(_NOTATIONS), default="markdown", show_default=True, help="How mentions are marked."
)
@click.option("--documents", metavar="NAME", multiple=True, help="Only this document; can be given again.")
@click.option(
    "--window", type=click.IntRange(min=1), metavar="WORDS", help="Divide documents into windows of so many words."
)
@click.option(
    "--overlap",
    type=click.IntRange(min=0),
    default=0,
    metavar="WORDS",
    help="Words of a window that the next one has, too.",
)
@click.option("--plain", is_flag=True, help="Without the key's mentions: prompts to be answered, not examples.")
@click.option("--no-instruction", is_flag=True, help="Without the sentences that say what to do.")
@click.option("--json-lines", "as_lines", is_flag=True, help="JSON lines, one for each document or window.")
@click.option("--from", "format_", metavar="FORMAT", help="The key's format, if it is not recognised.")
@shared_options("quiet", "verbose")
def prompt(
    key: str,
    notation: str,
    documents: tuple[str, ...],
    window: int | None,
    overlap: int,
    plain: bool,
    no_instruction: bool,
    as_lines: bool,
    shared: SharedOptions,
) -> None:
    """Print KEY's documents as examples for a language model, or, with --plain, as prompts to be answered.

    Answers can be scored as they are. Answers to windows are joined by `corefeval join-windows`.
    """
    (corpus,) = shared.read_corpora([key], "--from", side="key")
    made = corefeval.prompt(
        corpus,
        notation,
        documents=documents,
        window=window,
        overlap=overlap,
        plain=plain,
        instruction=not no_instruction,
    )
    if as_lines:
        echo_data("\n".join(json_values.dump_line(each.to_dict()) for each in made.prompts))
    else:
        echo_data("\n".join(map(str, made.prompts)))
    shared.print_notices((*corpus.notices, *made.notices))


@click.command("join-windows")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option(
    "--notation", metavar="FORMAT", default="markdown", show_default=True, help="The format of the responses in IN."
)
@click.option(
    "--repairs",
    type=Word(("keep", "drop")),
    default="keep",
    show_default=True,
    help="What to do with mentions that had to be repaired.",
)
@click.option("--to", metavar="FORMAT", help="The format of OUT, if the name does not tell.")
@click.option("--force", is_flag=True, help=FORCE)
@shared_options("quiet", "verbose")
def join_windows(
    source: str, target: str, notation: str, repairs: str, to: str | None, force: bool, shared: SharedOptions
) -> None:
    """Join the responses to windows in IN, and write their documents to OUT.

    IN has the lines that `corefeval prompt --json-lines` printed, each with the model's text as "response".
    """
    corpus = corefeval.join_windows(source, notation, repairs=repairs)
    lost = corefeval.write(corpus, target, to, force=force)
    shared.print_notices((*corpus.notices, *lost))
