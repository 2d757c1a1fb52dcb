"""The command corefeval, and `python -m corefeval`: it loads nothing before an interrupt is listened to."""

import _signal  # type: ignore[import-not-found] # built in, where `signal` is a file that has to be read and run
import gc
import os

_INTERRUPTED = 130
_NEW_OBJECTS = 100_000  # before garbage is looked for: Python's 700 is reached a hundred times while modules are loaded
_ONE_THREAD = "OPENBLAS_NUM_THREADS", "1"  # no product of matrices here is so large that starting more is worth it


def main() -> None:
    """Run the command line; an interrupt at any time ends the process with exit code 130, without a traceback."""
    listens = _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler  # else the shell wants it to go on
    if listens:
        _signal.signal(_signal.SIGINT, lambda *_: os._exit(_INTERRUPTED))
    gc.set_threshold(_NEW_OBJECTS)
    os.environ.setdefault(*_ONE_THREAD)
    try:
        from corefeval.cli.main import main as run_command  # noqa: PLC0415 - loading it is what may be interrupted

        if listens:
            _signal.signal(_signal.SIGINT, _signal.default_int_handler)
        run_command()
    except KeyboardInterrupt:
        os._exit(_INTERRUPTED)


if __name__ == "__main__":
    main()
