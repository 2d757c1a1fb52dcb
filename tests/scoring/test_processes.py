"""Processes that help: what they answer, what they raise, and what becomes of them."""

from __future__ import annotations

import multiprocessing
import os
import signal
from multiprocessing.connection import Connection

import pytest

from corefeval.errors import Fault, InputError
from corefeval.scoring.processes import receive, start_helpers


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


def test_every_helper_answers_what_it_is_sent() -> None:
    with start_helpers(2, double) as helpers:
        for round_ in range(2):
            for number, helper in enumerate(helpers):
                helper.send(10 * round_ + number)
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
        helper.send(sent)
        with pytest.raises(error, match=message):
            receive(helper)


def test_interrupts_are_for_the_first_process() -> None:
    with start_helpers(1, interrupt_itself) as (helper,):
        helper.send(None)
        assert receive(helper) == "still there"


def test_helpers_end_where_the_first_process_gives_up() -> None:
    def give_up() -> None:
        with start_helpers(2, double):
            assert len(multiprocessing.active_children()) == 2
            raise KeyError

    with pytest.raises(KeyError):
        give_up()
    assert multiprocessing.active_children() == []
