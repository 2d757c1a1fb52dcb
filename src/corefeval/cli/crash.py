"""What a user can send when something happens that should not: version, command, and where in the program."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence

from corefeval import __version__
from corefeval.cli.console import echo_message

EXIT_CODE = 70
_FOLDERS = r"(?<![\w:])(?:[A-Za-z]:)?(?:[\\/][^\\/\s'\"=,:;]+)*[\\/](?=[^\\/\s'\"]+)"
"""The folders of a path, which may say more about a user than is meant to be sent."""


def report_crash(arguments: Sequence[str], error: BaseException) -> int:
    """Print an error and write a report to a temporary file (not for lack of memory); return the exit code."""
    import tempfile  # noqa: PLC0415 - loaded when it is needed, which should be never

    if "--debug" in arguments:
        echo_message(format_traceback(error))
    if isinstance(error, MemoryError):
        echo_message("error: there is not enough memory")
        return EXIT_CODE
    report = "\n".join(_describe_crash(arguments, error))
    what = _hide_folders(f"{type(error).__name__}: {error}".rstrip(": "))
    echo_message(f"error: this should not have happened: {what}")
    try:
        number, path = tempfile.mkstemp(prefix="corefeval-", suffix=".log", text=True)
        with os.fdopen(number, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(f"{report}\n")
    except OSError:
        echo_message(f"Please report it to the developers of corefeval, with this:\n\n{report}")
    else:
        echo_message(
            f"Please report it to the developers of corefeval, with the file {path}. It has versions, the command "
            "and where in the program it happened; folders are left out. Read it before you send it."
        )
    return EXIT_CODE


def format_traceback(error: BaseException) -> str:
    """Return the traceback of an error as Python prints it."""
    import traceback  # noqa: PLC0415

    return "".join(traceback.format_exception(error)).rstrip("\n")


def _describe_crash(arguments: Sequence[str], error: BaseException) -> Iterator[str]:
    """Yield lines: versions, the command, and the calls that led to the error, without the folders of any file."""
    import platform  # noqa: PLC0415
    import traceback  # noqa: PLC0415
    from importlib import metadata  # noqa: PLC0415

    yield f"corefeval {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}"
    for name in ("numpy", "scipy", "click", "rich"):
        try:
            yield f"{name} {metadata.version(name)}"
        except metadata.PackageNotFoundError:
            yield f"{name}: not installed as a package"
    yield f"command: corefeval {' '.join(map(_hide_folders, arguments))}"
    for each in _list_chain(error):
        yield ""
        for frame in traceback.extract_tb(each.__traceback__):
            yield f"  {_shorten_module(frame.filename)}:{frame.lineno} in {frame.name}: {frame.line or ''}"
        yield _hide_folders("".join(traceback.format_exception_only(each)).rstrip("\n"))


def _list_chain(error: BaseException) -> list[BaseException]:
    """Return a list of an error and all errors that led to it, the first of them first."""
    chain = [error]
    while (before := chain[-1].__cause__ or chain[-1].__context__) is not None and before not in chain:
        chain.append(before)
    return chain[::-1]


def _shorten_module(path: str) -> str:
    """Return a source file's path from its package on: "corefeval/cli/main.py"."""
    parts = path.replace("\\", "/").split("/")
    packages = [place for place, part in enumerate(parts) if part in ("site-packages", "src", "lib")]
    return "/".join(parts[packages[-1] + 1 :] if packages else parts[-2:])


def _hide_folders(text: str) -> str:
    """Return text with "…/" for the folders of every path in it: "/home/kim/key.conll" is "…/key.conll"."""
    return re.sub(_FOLDERS, "…/", text)
