"""Processes that do a share of some work beside this one, and answer by a connection."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import Context
from typing import TYPE_CHECKING, Any

from corefeval.errors import CorefevalError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

_FEW = 4  # processes, from which on each more saves little, and takes a processor that others may need
_ENDED = "a process ended before it was done; there may not be enough memory"


def count_processors() -> int:
    """Return how many processes can be at work on this machine at the same time, up to a few."""
    available = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    return min(available, _FEW)


def can_copy_process() -> bool:
    """Return whether a helper can begin as a copy of this process, which takes a few milliseconds."""
    return sys.platform == "linux" and threading.active_count() == 1  # threads would not be copied


@contextmanager
def start_helpers(count: int, work: Callable[[Connection], None]) -> Iterator[list[Connection]]:
    """Let so many processes work while a block runs; yield what each of them is sent things by, and sends answers."""
    if not count:
        yield []
        return
    import multiprocessing  # noqa: PLC0415 - it takes time to load, and few corpora are so large

    context: Any = multiprocessing.get_context("fork" if can_copy_process() else "spawn")
    started = []
    try:
        for _ in range(count):
            ours, theirs = context.Pipe()
            process = context.Process(target=_do_share, args=(work, theirs, ours), daemon=True)
            process.start()
            theirs.close()
            started.append((process, ours))
        yield [ours for _, ours in started]
    finally:
        for process, ours in started:
            ours.close()
            process.terminate()
            process.join()


def send(helper: Connection, task: object) -> None:
    """Send a helper what its work receives."""
    try:
        helper.send(task)
    except BrokenPipeError:
        raise ChildProcessError(_ENDED) from None


def receive(helper: Connection) -> Any:
    """Return what a helper answers; raise the error if it has sent one instead."""
    try:
        answer = helper.recv()
    except (EOFError, ConnectionError):
        raise ChildProcessError(_ENDED) from None
    if isinstance(answer, BaseException):
        raise answer
    return answer


def _do_share(work: Callable[[Connection], None], connection: Connection, others: Connection) -> None:
    """Do some work in a process of its own; what goes wrong is sent to the first process, which ends this one.

    others: the first process's end of the connection. Where it is copied, this one would never hear that it is closed.
    """
    others.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process hears it, too
    try:
        Context().run(work, connection)  # without what listens to progress
    except (EOFError, ConnectionError):
        pass  # the first process is gone
    except (CorefevalError, MemoryError) as error:
        connection.send(error)
    except Exception:  # noqa: BLE001 - it is raised where it can be reported
        import traceback  # noqa: PLC0415

        connection.send(RuntimeError(traceback.format_exc()))
