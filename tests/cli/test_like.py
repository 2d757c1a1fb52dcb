"""`--like conll-8.01` prints what the reference scorer prints. The text below is that scorer's own."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from tests.cli.running import run
from tests.data import public_data

if TYPE_CHECKING:
    from pathlib import Path

KEY = """\
#begin document (a); part 000
a	(0)
b	(0)|(1
c	1)
d	(1)

#end document
"""

RESPONSE = """\
#begin document (a); part 000
a	(0)
b	(0)|(1
c	1)|(0)
d	(1)|(0)

#end document
"""

PRINTED = """\

METRIC muc:
====> (a); part 000:
File (a); part 000:
Entity 0: (0,0) (1,1)
Entity 1: (1,2) (3,3)
====> (a); part 000:
File (a); part 000:
Entity 0: (0,0) (1,1) (2,2) (3,3)
Entity 1: (1,2) (3,3)
(a); part 000:
Repeated mention in the response: 3, 3 33
Total key mentions: 4
Total response mentions: 5
Strictly correct identified mentions: 4
Partially correct identified mentions: 0
No identified: 0
Invented: 1
Recall: (1 / 2) 50%	Precision: (1 / 3) 33.33%	F1: 40%
--------------------------------------------------------------------------

====== TOTALS =======
Identification of Mentions: Recall: (4 / 4) 100%	Precision: (4 / 5) 80%	F1: 88.88%
--------------------------------------------------------------------------
Coreference: Recall: (1 / 2) 50%	Precision: (1 / 3) 33.33%	F1: 40%
--------------------------------------------------------------------------

METRIC bcub:
====> (a); part 000:
File (a); part 000:
Entity 0: (0,0) (1,1)
Entity 1: (1,2) (3,3)
====> (a); part 000:
File (a); part 000:
Entity 0: (0,0) (1,1) (2,2) (3,3)
Entity 1: (1,2) (3,3)
(a); part 000:
Repeated mention in the response: 3, 3 33
Total key mentions: 4
Total response mentions: 5
Strictly correct identified mentions: 4
Partially correct identified mentions: 0
No identified: 0
Invented: 1
Recall: (3 / 4) 75%	Precision: (2.25 / 5) 45%	F1: 56.25%
--------------------------------------------------------------------------

====== TOTALS =======
Identification of Mentions: Recall: (4 / 4) 100%	Precision: (4 / 5) 80%	F1: 88.88%
--------------------------------------------------------------------------
Coreference: Recall: (3 / 4) 75%	Precision: (2.25 / 5) 45%	F1: 56.25%
--------------------------------------------------------------------------

METRIC ceafm:
====> (a); part 000:
File (a); part 000:
Entity 0: (0,0) (1,1)
Entity 1: (1,2) (3,3)
====> (a); part 000:
File (a); part 000:
Entity 0: (0,0) (1,1) (2,2) (3,3)
Entity 1: (1,2) (3,3)
(a); part 000:
Repeated mention in the response: 3, 3 33
Total key mentions: 4
Total response mentions: 5
Strictly correct identified mentions: 4
Partially correct identified mentions: 0
No identified: 0
Invented: 1
Recall: (3 / 4) 75%	Precision: (3 / 5) 60%	F1: 66.66%
--------------------------------------------------------------------------

====== TOTALS =======
Identification of Mentions: Recall: (4 / 4) 100%	Precision: (4 / 5) 80%	F1: 88.88%
--------------------------------------------------------------------------
Coreference: Recall: (3 / 4) 75%	Precision: (3 / 5) 60%	F1: 66.66%
--------------------------------------------------------------------------

METRIC ceafe:
====> (a); part 000:
File (a); part 000:
Entity 0: (0,0) (1,1)
Entity 1: (1,2) (3,3)
====> (a); part 000:
File (a); part 000:
Entity 0: (0,0) (1,1) (2,2) (3,3)
Entity 1: (1,2) (3,3)
(a); part 000:
Repeated mention in the response: 3, 3 33
Total key mentions: 4
Total response mentions: 5
Strictly correct identified mentions: 4
Partially correct identified mentions: 0
No identified: 0
Invented: 1
Recall: (1.33333333333333 / 2) 66.66%	Precision: (1.33333333333333 / 2) 66.66%	F1: 66.66%
--------------------------------------------------------------------------

====== TOTALS =======
Identification of Mentions: Recall: (4 / 4) 100%	Precision: (4 / 5) 80%	F1: 88.88%
--------------------------------------------------------------------------
Coreference: Recall: (1.33333333333333 / 2) 66.66%	Precision: (1.33333333333333 / 2) 66.66%	F1: 66.66%
--------------------------------------------------------------------------

METRIC blanc:
====> (a); part 000:
File (a); part 000:
Entity 0: (0,0) (1,1)
Entity 1: (1,2) (3,3)
====> (a); part 000:
File (a); part 000:
Entity 0: (0,0) (1,1) (2,2) (3,3)
Entity 1: (1,2) (3,3)
:
Repeated mention in the response: 3, 3 33
Total key mentions: 4
Total response mentions: 5
Strictly correct identified mentions: 4
Partially correct identified mentions: 0
No identified: 0
Invented: 1

====== TOTALS =======
Identification of Mentions: Recall: (4 / 4) 100%	Precision: (4 / 5) 80%	F1: 88.88%
--------------------------------------------------------------------------

Coreference:
Coreference links: Recall: (1 / 2) 50%	Precision: (1 / 6) 16.66%	F1: 25%
--------------------------------------------------------------------------
Non-coreference links: Recall: (2 / 4) 50%	Precision: (2 / 4) 50%	F1: 50%
--------------------------------------------------------------------------
BLANC: Recall: (0.5 / 1) 50%	Precision: (0.333333333333333 / 1) 33.33%	F1: 37.5%
--------------------------------------------------------------------------
"""


def printed(key: Path, response: Path, like: str = "conll-8.01") -> list[str]:
    """What the command prints, without its first line, which ends with a path."""
    found = run("score", str(key), str(response), "--like", like, "-q")
    assert found.returncode == 0, found.stderr
    first, *others = found.stdout.split("\n")
    assert first.startswith("version: 8.01 ")
    return others


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """A key, and a response with a repeated and an invented mention."""
    key, response = tmp_path / "key.conll", tmp_path / "response.conll"
    key.write_text(KEY)
    response.write_text(RESPONSE)
    return key, response


def test_it_prints_what_the_reference_scorer_prints(files: tuple[Path, Path]) -> None:
    assert printed(*files) == PRINTED.split("\n")


def test_totals_are_what_it_prints_with_none(files: tuple[Path, Path]) -> None:
    """`scorer.pl all KEY RESPONSE none` leaves out all about documents but their repeated mentions."""
    totals = []
    outside = True
    for line in PRINTED.split("\n"):
        outside = (outside and not line.startswith("====>")) or line == ""
        if outside or line.startswith("Repeated"):
            totals.append(line)
    assert printed(*files, "conll-8.01-totals") == totals


def test_a_missing_document_has_no_name_in_the_response(tmp_path: Path, files: tuple[Path, Path]) -> None:
    both = tmp_path / "both.conll"
    both.write_text(KEY + "#begin document (b); part 000\na\t(0)\nb\t(0)\n#end document\n")
    text = "\n".join(printed(both, files[1]))
    assert "Entity 0: (0,0) (1,1)\n====> :\nFile :\n(b); part 000:\nTotal key mentions: 2\n" in text


def test_percentages_are_cut_off_as_floating_point_has_them(tmp_path: Path) -> None:
    """57 of 100 links are printed as 56.99 there, because 0.57 * 10000 is less than 5700."""
    key, response = tmp_path / "key.conll", tmp_path / "response.conll"
    key.write_text("#begin document d\n" + "w\t(0)\n" * 101 + "#end document\n")
    response.write_text("#begin document d\n" + "w\t(0)\n" * 58 + "w\t-\n" * 43 + "#end document\n")
    assert "Coreference: Recall: (57 / 100) 56.99%\tPrecision: (57 / 57) 100%\tF1: 72.61%" in printed(key, response)


@pytest.mark.parametrize("option", [["-m", "muc"], ["--json"], ["--match", "head"], ["--macro"], ["--crac"]])
def test_it_takes_no_other_way_of_scoring(files: tuple[Path, Path], option: list[str]) -> None:
    found = run("score", *map(str, files), "--like", "conll-8.01", *option)
    assert found.returncode == 2
    assert "--like" in found.stderr


def test_the_reference_scorers_own_cases_are_printed_as_it_does() -> None:
    folder = public_data("conll-scorer")
    cases = json.loads((folder / "expected.json").read_text())
    lines = {"Identification of Mentions", "Coreference", "Coreference links", "Non-coreference links", "BLANC"}
    for case in cases:
        expected = case["conll-8.01"]
        measure = ""
        seen = 0
        for line in printed(folder / case["key"], folder / case["response"], "conll-8.01-totals"):
            measure = line[7:-1] if line.startswith("METRIC") else measure
            label = line.partition(": ")[0]
            if label in lines and "Recall" in line:
                percent = [float(value) for value in re.findall(r"([0-9.]+)%", line)]
                assert percent == expected[measure][label]["percent_truncated"], (case["response"], measure, line)
                seen += 1
        assert seen == 12
