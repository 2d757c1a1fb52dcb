"""Commands run in this process, as fast as what they do, or in one of their own."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from click.testing import CliRunner

from corefeval.cli.main import main

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Finished:
    """What a command left: its exit code, and what it printed."""

    returncode: int
    stdout: str
    stderr: str


def run(*arguments: object, stdin: str | bytes | None = None) -> Finished:
    """Run `corefeval` with these arguments in this process, as its entry point does."""
    code: object = 0
    with CliRunner().isolation(input=stdin) as (out, err, _):
        try:
            main([str(each) for each in arguments])
        except SystemExit as end:
            code = end.code
        finally:
            gc.enable()  # `main` leaves it off, for a process that is about to end
        stdout, stderr = out.getvalue().decode(), err.getvalue().decode()
    assert isinstance(code, int)
    return Finished(code, stdout, stderr)


def get_output(*arguments: object) -> str:
    """Run `corefeval` with these arguments in this process, to its good end; return what it printed."""
    done = run(*arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def run_process(
    *arguments: object, stdin: bytes | None = None, environment: Mapping[str, str] | None = None
) -> Finished:
    """Run `corefeval` with these arguments in a process of its own, where its end, streams or start are tested."""
    done = subprocess.run(
        [sys.executable, "-m", "corefeval", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        check=False,
        env={**os.environ, **(environment or {})},
    )
    encoding = (environment or {}).get("PYTHONIOENCODING", "utf-8")
    return Finished(done.returncode, done.stdout.decode(encoding), done.stderr.decode(encoding))
