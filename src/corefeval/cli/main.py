"""The command line; a command is loaded when it is called."""

from __future__ import annotations

import contextlib
import errno
import gc
import importlib
import io
import os
import sys
from collections.abc import Sequence
from typing import TypeGuard

import click

from corefeval import __version__
from corefeval.cli import crash
from corefeval.cli.console import echo_message, prepare_streams
from corefeval.cli.output import echo_error
from corefeval.errors import CorefevalError, OutputError, suggest_names
from corefeval.notices import hold_announcements, print_delays

COMMANDS = {
    "score": ("score", "Score responses against a key."),
    "why": ("analysis", "Say why two scorers disagree, decision by decision."),
    "compare": ("compare", "Say which of several responses is better, and how surely."),
    "estimate": ("sampling", "Estimate scores where the truth is known for sampled entities only."),
    "sweep": ("linkage", "Score links between records at every threshold, and find the best one."),
    "report": ("show", "Write a page that shows scores and errors in the text."),
    "plot": ("show", "Draw scores and errors."),
    "agree": ("compare", "Say how far annotators agree, and what they split on."),
    "errors": ("analysis", "Show what is wrong with a response, by type, and what it costs."),
    "diff": (
        "analysis",
        "Show what one response fixed and broke, or how two differ without a key.",
    ),
    "explain": ("analysis", "Show how a measure comes to its number, step by step."),
    "align": ("analysis", "Show which entities are aligned, and into what each is divided."),
    "advise": ("lab", "Say what speaks for and against measures on a corpus."),
    "criteria": ("criteria", "Say which measure meets which criterion of the papers."),
    "contrast": ("criteria", "Show the smallest responses that two measures rank oppositely."),
    "baseline": ("writing", "Write a response that needs no system."),
    "convert": ("writing", "Convert a file to another format."),
    "prompt": ("prompting", "Write prompts for a language model from a key."),
    "join-windows": ("prompting", "Join what a language model has answered to windows."),
    "validate": ("inspection", "List what is wrong with files."),
    "stats": ("inspection", "Describe a corpus in numbers."),
    "serve": ("serve", "Open the workbench: annotate, watch scores, adjudicate, resolve."),
    "lab": ("lab", "Run the papers' studies again, or on your own files."),
    "formats": ("lists", "List the file formats, or explain one."),
    "measures": ("lists", "List the measures, or explain one."),
    "profiles": ("lists", "Show what each scorer decides, or explain one."),
}
"""The module of every command, and what it does."""

_INTERRUPTED = 130
_UNWRITABLE = {errno.EPIPE, errno.ENOSPC, errno.EIO, errno.EBADF, errno.EFBIG, errno.EDQUOT}


class _ReaderGoneError(Exception):
    """The reader of standard output has gone while a command was writing; Click would end the process by itself."""

    def __init__(self, cause: BrokenPipeError) -> None:
        super().__init__()
        self.cause = cause


class _CommandGroup(click.Group):
    """The commands, each imported when it is called."""

    def invoke(self, ctx: click.Context) -> object:
        """Run a command and return its result; _ReaderGoneError, which Click lets pass, if nobody reads its output."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise _ReaderGoneError(error) from error

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's interface
        return list(COMMANDS)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the list of commands to the help, without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        """Load a command and return it; a UsageError with suggestions if there is none of that name."""
        if cmd_name not in COMMANDS:
            ctx.fail(f"there is no command {cmd_name!r}; {suggest_names(cmd_name, list(COMMANDS))}")
        module = importlib.import_module(f"corefeval.cli.commands.{COMMANDS[cmd_name][0]}")
        command: click.Command = getattr(module, cmd_name.replace("-", "_"))
        return command


@click.group(cls=_CommandGroup, context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.version_option(__version__, prog_name="corefeval")
@click.option("--debug", is_flag=True, expose_value=False, help="Show where in the program an error came from.")
def cli() -> None:
    """Every coreference measure, exact and fast."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command, print its error if it fails, and end the process with its exit code.

    Exit codes: 0 done, 1 a threshold was missed, 2 wrong usage, 65 bad data, 66 no such file, 70 a fault of this
    program, 74 the output cannot be written, 130 interrupted.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    if sys.stdout is None:
        echo_message("standard output: it is closed")
        sys.exit(OutputError.exit_code)
    gc.disable()  # a command is short, and makes no cycles worth looking for
    prepare_streams()
    code = _run_command(given)
    if arguments is not None:
        sys.exit(code)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            with contextlib.suppress(OSError):  # warnings whose reader has gone
                stream.flush()
    os._exit(code)  # without taking arrays and modules apart one by one, which costs 10 to 20 ms


def _run_command(given: list[str]) -> int:
    """Run the command that the arguments name, print its error if it fails, and return its exit code."""
    try:
        with hold_announcements(), print_delays(echo_message):  # a command prints the notices itself
            code = cli.main(given, prog_name="corefeval", standalone_mode=False)
        sys.stdout.flush()
    except (click.exceptions.Abort, KeyboardInterrupt):
        return _INTERRUPTED
    except click.ClickException as error:
        shown = io.StringIO()
        error.show(shown)
        echo_message(shown.getvalue().rstrip("\n"))
        return error.exit_code
    except CorefevalError as error:
        if "--debug" in given:
            echo_message(crash.format_traceback(error))
        else:
            echo_error(str(error))
        return error.exit_code
    except _ReaderGoneError as error:
        return _end_output(error.cause)
    except Exception as error:  # noqa: BLE001 - whatever should not happen is said, and can be reported
        return _end_output(error) if _is_of_standard_output(error) else crash.report_crash(given, error)
    return code if isinstance(code, int) else 0


def _end_output(error: OSError) -> int:
    """Redirect standard output to nothing after an error, print why unless its reader is gone, return the exit code."""
    if not isinstance(error, BrokenPipeError):
        echo_message(f"standard output: cannot be written ({error.strerror or error})")
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nothing is left to flush at the end
    return 0 if isinstance(error, BrokenPipeError) else OutputError.exit_code  # 0: the reader has gone (`| head`)


def _is_of_standard_output(error: Exception) -> TypeGuard[OSError]:
    """Return whether an error came from writing a result: it names no file, and has to do with space or pipes."""
    return isinstance(error, OSError) and error.filename is None and error.errno in _UNWRITABLE
