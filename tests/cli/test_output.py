"""What commands print beside their results: notices in groups, in colour on terminals; and bare numbers."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

import pytest
from click.testing import CliRunner

from corefeval.cli import output
from corefeval.notices import Notice, join_notices, make_notices
from tests.cli.running import get_output, run
from tests.data import EXAMPLES

KEY, BETTER, WORSE = (str(EXAMPLES / f"{name}.conll") for name in ("key", "response-a", "response-b"))


def echo(notices: list[Notice], *, show_all: bool = False) -> list[str]:
    """The lines that these notices make on standard error."""
    with CliRunner().isolation() as (_, err, _):
        output.echo_notices(notices, show_all=show_all)
        return err.getvalue().decode().splitlines()


def make_words(count: int) -> list[Notice]:
    """Notices of words that differ, each in a document of its own."""
    return [
        Notice.at("different-words", "r.conll", 9 + n, f"document 'd{n}': 1 word differs", {"document": f"d{n}"})
        for n in range(count)
    ]


def test_a_single_notice_is_a_sentence() -> None:
    assert echo(make_words(1)) == ["warning: r.conll:9: document 'd0': 1 word differs"]


def test_notices_of_one_kind_are_one_line() -> None:
    others = [Notice("few-documents", "there are only 2 documents")]
    assert echo([*make_words(263), *others]) == [
        "warning: different-words  263 documents  (first: r.conll:9: document 'd0': 1 word differs)",
        "warning: there are only 2 documents",
        "(-v shows all 264 warnings)",
    ]


def test_two_of_a_kind_are_shown_as_they_are() -> None:
    assert echo(make_words(2)) == [f"warning: {notice}" for notice in make_words(2)]


def test_verbose_shows_each() -> None:
    assert echo(make_words(7), show_all=True) == [f"warning: {notice}" for notice in make_words(7)]


def test_what_was_cut_off_at_the_source_counts() -> None:
    notices = make_notices("split", 1003, lambda n: Notice("split", f"x{n}", {"document": f"d{n}"}))
    assert echo(list(notices))[0] == "warning: split  1,003 documents  (first: x0)"
    assert echo(list(notices), show_all=True)[-1] == "warning: and 3 more of kind split"


def test_how_many_more_there_are_is_counted_for_each_side() -> None:
    key = make_notices("split", 1003, lambda n: Notice("split", f"a{n}"))
    response = make_notices("split", 1003, lambda n: Notice("split", f"b{n}"))
    assert echo(list(join_notices([[*key, *response]])))[0] == "warning: split  2,006 times  (first: a0)"


@pytest.mark.parametrize(
    ("notices", "shown"),
    [
        ([Notice.at("k", f"f{n}", None, "x") for n in range(3)], "warning: k  3 files  (first: f0: x)"),
        ([Notice.at("k", "f", n, "x") for n in range(3)], "warning: k  3 times  (first: f:0: x)"),
        ([Notice("k", "x")] * 3, "warning: x (3 times)"),
        ([Notice("k", f"x{n}", {"document": "d"}) for n in range(3)], "warning: k  3 times  (first: x0)"),
    ],
)
def test_the_unit_of_a_group_is_what_its_notices_are_about(notices: list[Notice], shown: str) -> None:
    assert echo(notices)[0] == shown


def test_warnings_and_errors_are_in_colour_on_terminals_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert output.paint_label("warning:") == "warning:"
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    assert output.paint_label("warning:") == "\x1b[33m\x1b[1mwarning:\x1b[0m"
    assert output.paint_label("error:") == "\x1b[31m\x1b[1merror:\x1b[0m"
    monkeypatch.setenv("NO_COLOR", "1")
    assert output.paint_label("error:") == "error:"


def test_errors_say_that_they_are_on_terminals_and_begin_with_the_file_elsewhere() -> None:
    assert run("score", KEY, "nowhere.conll").stderr == "nowhere.conll: no such file\n"
    master, terminal = pty.openpty()
    command = [sys.executable, "-m", "corefeval", "score", KEY, "nowhere.conll"]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=terminal, check=False, env={**os.environ, "NO_COLOR": ""}
    )
    os.close(terminal)
    assert (done.returncode, os.read(master, 1000)) == (
        66,
        b"\x1b[31m\x1b[1merror:\x1b[0m nowhere.conll: no such file\r\n",
    )
    os.close(master)


# CoNLL and LEA of the example: README.md's table, whose numbers are the reference scorer's.
def test_bare_numbers() -> None:
    assert get_output("score", KEY, BETTER, "-b") == "88.97\n"
    assert get_output("score", KEY, BETTER, WORSE, "--bare") == "88.97\n66.60\n"
    assert get_output("score", KEY, BETTER, WORSE, "-b", "-m", "conll,lea") == "88.97\t84.83\n66.60\t60.85\n"
    assert get_output("score", KEY, BETTER, "-b", "--digits", "truncate") == "88.96\n"
    assert float(get_output("score", KEY, BETTER, "-b", "--digits", "full")) == pytest.approx(0.8897, abs=1e-4)


def test_a_bare_number_that_is_undefined_is_no_number() -> None:
    assert get_output("score", KEY, KEY, "-b", "-m", "zero", "-q").strip() in ("nan", "")


@pytest.mark.parametrize("other", ["--json", "--per-document", "--like=conll-8.01", "--relative-to=random"])
def test_bare_numbers_stand_alone(other: str) -> None:
    done = run("score", KEY, BETTER, "-b", other)
    assert (done.returncode, "--bare" in done.stderr) == (2, True)
