"""Processes that help: what they answer, what they raise, and what becomes of them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from corefeval.errors import Fault, InputError
from corefeval.notices import listen_to_progress, report_progress
from corefeval.scoring.processes import receive, send, start_helpers

PROJECT = Path(__file__).parent.parent.parent


def double(connection: Connection) -> None:
    for _ in range(2):
        connection.send(2 * connection.recv())


def find_fault(connection: Connection) -> None:
    raise InputError(Fault("file", connection.recv(), line=3))


def divide(connection: Connection) -> None:
    connection.send(1 // connection.recv())


def end(connection: Connection) -> None:
    connection.recv()
    os._exit(1)


def interrupt_itself(connection: Connection) -> None:
    connection.recv()
    os.kill(os.getpid(), signal.SIGINT)
    connection.send("still there")


def report_and_send(connection: Connection) -> None:
    report_progress("elsewhere", 0, 1)
    connection.send(None)


def leave(connection: Connection) -> None:
    connection.close()


def test_every_helper_answers_what_it_is_sent() -> None:
    with start_helpers(2, double) as helpers:
        for round_ in range(2):
            for number, helper in enumerate(helpers):
                send(helper, 10 * round_ + number)
            assert list(map(receive, helpers)) == [20 * round_, 20 * round_ + 2]
        processes = multiprocessing.active_children()
    assert not any(process.is_alive() for process in processes)


def test_no_helper_is_no_process() -> None:
    before = len(multiprocessing.active_children())
    with start_helpers(0, double) as helpers:
        assert helpers == []
        assert len(multiprocessing.active_children()) == before


@pytest.mark.parametrize(
    ("work", "sent", "error", "message"),
    [
        (find_fault, "wrong", InputError, "^file:3: wrong$"),
        (divide, 0, RuntimeError, "(?s)Traceback.*in divide.*ZeroDivisionError"),
        (end, None, ChildProcessError, "ended before it was done"),
    ],
)
def test_what_goes_wrong_in_a_helper_is_raised(work: object, sent: object, error: type, message: str) -> None:
    with start_helpers(1, work) as (helper,):  # type: ignore[arg-type]
        send(helper, sent)
        with pytest.raises(error, match=message):
            receive(helper)


def test_a_helper_that_is_gone_is_no_closed_output() -> None:
    with start_helpers(1, leave) as (helper,):
        (process,) = multiprocessing.active_children()
        process.join()
        with pytest.raises(ChildProcessError, match="ended before it was done"):
            send(helper, 1)


def test_progress_is_reported_by_the_first_process_alone() -> None:
    seen: list[str] = []
    listen = listen_to_progress(lambda step, _done, _total: seen.append(step))
    with listen, start_helpers(1, report_and_send) as (helper,):
        assert receive(helper) is None
        report_progress("here", 0, 1)
    assert seen == ["here"]


def test_interrupts_are_for_the_first_process() -> None:
    with start_helpers(1, interrupt_itself) as (helper,):
        send(helper, None)
        assert receive(helper) == "still there"


def test_helpers_end_where_the_first_process_gives_up() -> None:
    def give_up() -> None:
        with start_helpers(2, double):
            assert len(multiprocessing.active_children()) == 2
            raise KeyError

    with pytest.raises(KeyError):
        give_up()
    assert multiprocessing.active_children() == []


KILLED = """
import multiprocessing, os, signal
from corefeval.scoring.processes import start_helpers
from tests.scoring.test_processes import double

with start_helpers(2, double):
    print(*(process.pid for process in multiprocessing.active_children()), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="looks at processes as Linux lists them")
def test_helpers_do_not_outlive_a_first_process_that_is_killed() -> None:
    command = [sys.executable, "-c", KILLED]
    # Helpers have the same output, which is read to its end: when the last of them is gone.
    ran = subprocess.run(command, stdout=subprocess.PIPE, text=True, cwd=PROJECT, check=False, timeout=60)
    assert ran.returncode == -signal.SIGKILL
    assert len(ran.stdout.split()) == 2
