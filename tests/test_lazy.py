"""Records and named tuples: what their classes declare is what their objects have."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from corefeval._lazy import NamedTuple, Record, cached


class Pair(NamedTuple):
    """Two things."""

    left: int
    right: Any = "usual"

    @property
    def both(self) -> tuple[int, Any]:
        return self.left, self.right


class Point(Record):
    """A place."""

    x: int
    y: int = 0

    @cached
    def sum(self) -> int:
        return self.x + self.y


class NamedPoint(Point):
    """A place with a name."""

    name: str = ""


def test_a_named_tuple_has_fields_defaults_methods_and_types() -> None:
    assert Pair(1) == (1, "usual")
    assert Pair(1, right=2).both == (1, 2)
    assert Pair(1)._replace(left=3).left == 3
    assert (Pair.__name__, Pair.__doc__, Pair.__module__) == ("Pair", "Two things.", __name__)
    assert Pair.__annotations__ == {"left": "int", "right": "Any"}
    assert repr(Pair(1)) == "Pair(left=1, right='usual')"
    with pytest.raises(TypeError):
        Pair()  # type: ignore[call-arg]


def test_named_tuples_and_records_travel_between_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, __name__, __import__("types").SimpleNamespace(**globals()))
    assert pickle.loads(pickle.dumps(Pair(1, 2))) == Pair(1, 2)
    travelled = pickle.loads(pickle.dumps(NamedPoint(1, name="a")))
    assert (travelled.x, travelled.y, travelled.name) == (1, 0, "a")


def test_a_record_has_the_fields_of_its_class_and_those_before() -> None:
    assert (Point(1).x, Point(1).y) == (1, 0)
    point = NamedPoint(1, 2, "a")
    assert (point.x, point.y, point.name, point.sum) == (1, 2, "a", 3)
    assert point.replace(x=5).sum == 7
    assert point.replace(x=5).name == "a"
    assert point != NamedPoint(1, 2, "a")


@pytest.mark.parametrize(("values", "named"), [((), {}), ((1, 2, 3), {}), ((1,), {"x": 2}), ((1,), {"z": 2})])
def test_a_record_takes_each_of_its_fields_once_and_no_others(values: tuple[int, ...], named: dict[str, int]) -> None:
    with pytest.raises(TypeError, match="Point takes x, y, each once"):
        Point(*values, **named)


def test_a_record_cannot_be_changed() -> None:
    point = Point(1)
    with pytest.raises(AttributeError, match="cannot be changed"):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(AttributeError, match="cannot be changed"):
        del point.x
