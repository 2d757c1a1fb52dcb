"""`diff_entities` and `corefeval diff A B`: two responses without a key."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING

import pytest

import corefeval
from corefeval.analysis.entity_diff import KINDS
from tests.cli.running import get_output, run
from tests.rounds import few_or_many

if TYPE_CHECKING:
    from pathlib import Path

Entities = list[list[str]]

A = [["a", "b"], ["c"], ["d", "e", "f"], ["g", "h"], ["i", "j"], ["k", "l"], ["m"], ["n", "o"]]
B = [["a", "b"], ["c", "d", "e", "f"], ["g"], ["h"], ["i", "k"], ["j", "l"], ["n", "o", "p"], ["q", "r"]]


def classify(ours: list[set[str]], theirs: list[set[str]]) -> str:
    """What happened to a group, from the sets of its entities on both sides."""
    if not theirs:
        return "only in A"
    if not ours:
        return "only in B"
    several = len(ours) > 1, len(theirs) > 1
    if several == (False, False):
        return "unchanged" if ours == theirs else "resized"
    return {(True, False): "merged", (False, True): "split", (True, True): "rearranged"}[several]


def group_slowly(a: Entities, b: Entities) -> list[tuple[str, int, list[list[str]], list[list[str]]]]:
    """The groups of entities that share records, by joining sets until nothing changes."""
    left = [("A", set(entity)) for entity in a] + [("B", set(entity)) for entity in b]
    groups = []
    while left:
        members = [left.pop()]
        while True:
            seen = set().union(*(records for _, records in members))
            joined = [each for each in left if each[1] & seen]
            if not joined:
                break
            members += joined
            left = [each for each in left if each not in joined]
        ours, theirs = ([records for side, records in members if side == which] for which in "AB")
        groups.append((classify(ours, theirs), len(seen), sorted(map(sorted, ours)), sorted(map(sorted, theirs))))
    return sorted(groups)


def test_every_kind_of_change_by_hand() -> None:
    with pytest.warns(corefeval.CorefevalWarning, match="1 record only in A, 3 only in B"):
        found = corefeval.diff_entities(A, B)
    assert [tuple(count) for count in found.counts] == [
        # groups, entities of A and of B, records, those of the largest group
        ("unchanged", 1, 1, 1, 2, 2),  # a b
        ("resized", 1, 1, 1, 3, 3),  # n o, and p
        ("merged", 1, 2, 1, 4, 4),  # c, and d e f
        ("split", 1, 1, 2, 2, 2),  # g h
        ("rearranged", 1, 2, 2, 4, 4),  # i j and k l
        ("only in A", 1, 1, 0, 1, 1),  # m
        ("only in B", 1, 0, 1, 2, 2),  # q r
    ]
    assert (found.a_records, found.b_records, found.shared) == (15, 17, 14)
    (merged,) = found.list_changes("merged")
    assert [(entity.size, entity.first_records) for entity in merged.a] == [(3, ("'d'", "'e'", "'f'")), (1, ("'c'",))]
    assert [entity.size for entity in merged.b] == [4]
    assert "10 of 18 records (55.56 %) in entities that were merged, split or rearranged" in found.to_text()


@few_or_many(50, 1000)
@pytest.mark.filterwarnings("ignore::corefeval.CorefevalWarning")
def test_groups_are_those_that_joining_sets_finds(rounds: int) -> None:
    rng = random.Random(rounds)
    for _ in range(rounds):
        sides: list[Entities] = []
        for _side in range(2):
            entities: dict[int, list[str]] = {}
            for record in range(rng.randint(2, 25)):
                if rng.random() < 0.9:
                    entities.setdefault(rng.randrange(12), []).append(f"r{record}")
            sides.append(list(entities.values()) or [["r0"]])
        found = corefeval.diff_entities(*sides)
        expected = group_slowly(*sides)
        assert sum(count.records for count in found.counts) == len({r for side in sides for e in side for r in e})
        for count in found.counts:
            assert count.groups == sum(kind == count.kind for kind, *_ in expected)
            assert count.records == sum(records for kind, records, *_ in expected if kind == count.kind)
        shown = sorted(
            (
                c.kind,
                c.records,
                *(sorted(sorted(sides[s][int(e.name)]) for e in side) for s, side in enumerate((c.a, c.b))),
            )
            for kind in KINDS
            for c in found.list_changes(kind)
        )
        assert shown == expected


def test_the_largest_change_comes_first_and_no_more_than_asked_for() -> None:
    a = [[f"{number}-{record}" for record in range(number)] for number in range(2, 9)]
    found = corefeval.diff_entities(a, [[record] for entity in a for record in entity])
    assert [change.records for change in found.list_changes("split", 3)] == [8, 7, 6]
    assert [change.records for change in found.list_changes()] == [8, 7, 6, 5, 4, 3, 2]
    text = found.to_text(examples=2)
    assert "split (7)" in text
    assert "and 5 more" in text
    assert "8-0" not in found.to_text(examples=0)


def test_groups_stay_within_their_documents() -> None:
    found = corefeval.diff_entities({"x": [["a", "b"]], "y": [["a", "b"]]}, {"x": [["a", "b"]], "y": [["a"], ["b"]]})
    assert [count.groups for count in found.counts] == [1, 0, 0, 1, 0, 0, 0]
    assert found.list_changes("split")[0].document == "y"


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    paths = []
    for name, entities in (("old", A), ("new", B)):
        rows = [f"{record},{name}{number}" for number, entity in enumerate(entities) for record in entity]
        (tmp_path / f"{name}.csv").write_text("\n".join(["no,person", *rows]) + "\n")
        paths.append(str(tmp_path / f"{name}.csv"))
    return paths


COLUMNS = ["--response-columns", "id=no,cluster=person"]


def test_the_command_without_a_key(files: list[str]) -> None:
    printed = json.loads(get_output("diff", *files, *COLUMNS, "--json"))
    assert printed["counts"]["merged"] == {
        "kind": "merged",
        "groups": 1,
        "a_entities": 2,
        "b_entities": 1,
        "records": 4,
        "largest": 4,
    }
    assert [change["change"] for change in printed["changes"]] == [
        *("merged", "rearranged", "resized", "split", "only in B", "only in A"),
    ]
    text = get_output("diff", f"before={files[0]}", f"after={files[1]}", *COLUMNS)
    assert "entities of before" in text
    assert "only in after (1)" in text
    assert "old2 (3: 'd', 'e', 'f') + old1 (1: 'c') → new1 (4: 'c', 'd', 'e', …)" in text
    table = get_output("diff", *files, *COLUMNS, "--csv").splitlines()
    assert table[:4] == [
        "group,change,document,records,side,entity,size",
        "1,merged,,4,A,old2,3",
        "1,merged,,4,A,old1,1",
        "1,merged,,4,B,new1,4",
    ]
    assert "| merged |" in get_output("diff", *files, *COLUMNS, "--markdown")


def test_options_that_need_a_key_and_wrong_numbers_of_files_are_refused(files: list[str]) -> None:
    done = run("diff", *files, "-m", "muc", "--match", "head")
    assert done.returncode == 2
    assert "--match, --measure: only with a key: diff KEY A B" in done.stderr
    for given in (files[:1], [*files, *files]):
        done = run("diff", *given)
        assert done.returncode == 2
        assert "diff takes two responses, A B, or a key and two responses, KEY A B" in done.stderr
    done = run("diff", *files, *COLUMNS, "--strict")
    assert done.returncode == 65
    assert "1 record only in A, 3 only in B" in done.stderr
