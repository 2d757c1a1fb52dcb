"""The command corefeval, and `python -m corefeval`."""

from __future__ import annotations

import os
import signal

_INTERRUPTED = 130


def main() -> None:
    """Run the command line; an interrupt while it is being loaded ends the process without a traceback."""
    listens = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # else the shell wants it to go on
    if listens:
        signal.signal(signal.SIGINT, lambda *_: os._exit(_INTERRUPTED))
    from corefeval.cli.main import main as run_command  # noqa: PLC0415 - loading it is what may be interrupted

    if listens:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    run_command()


if __name__ == "__main__":
    main()
