"""JSON of the scores of each document, which is written in parts: to the letter what json writes of plain objects."""

from __future__ import annotations

import json
import random

import pytest

import corefeval
from corefeval.scoring import streamed_json
from corefeval.scoring.layout import Evaluations
from corefeval.tables.writers import StreamedObject, stream_json, write_json
from tests.analysis.drawing import documents

NAMES = ("one", "100 %", "100 %s {x}", 'a "quoted"\\ name', "line\nbreak", "Ærø\u2028\x7f", "\udce9")


@pytest.mark.parametrize("measures", ["default", "all", ["blanc", "distributional_error", "mean(muc,lea)"], ["conll"]])
@pytest.mark.parametrize("count", [1, 2, len(NAMES)])
def test_parts_are_together_what_json_writes(
    measures: str | list[str], count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streamed_json, "_AT_ONCE", 3)
    rng = random.Random(count)
    for _ in range(5):
        key, response = ({name: next(iter(documents(rng).values())) for name in NAMES[:count]} for _ in range(2))
        evaluation = corefeval.score(key, response, measures=measures)
        plain = [evaluation.build_content(per_document=True)]
        assert evaluation.to_json(per_document=True) == write_json({"evaluations": plain})
        several = Evaluations((evaluation, evaluation))
        parts = list(several.stream_json(per_document=True))
        assert (
            "".join(parts) == several.to_json(per_document=True) == write_json(several.build_content(per_document=True))
        )
        assert len(parts) > 2 * (count // 3)


def test_without_documents_there_is_an_empty_object() -> None:
    evaluation = corefeval.score({}, {}, measures="muc")
    assert json.loads(evaluation.to_json(per_document=True))["evaluations"][0]["per_document"] == {}


def test_objects_in_parts_stand_anywhere() -> None:
    def write(depth: int) -> list[str]:
        return ["{\n", " " * (depth + 1), '"a": 1\n', " " * depth, "}"]

    streamed: dict[str, object] = {
        "list": [[], {"in": StreamedObject(write)}, ({}, StreamedObject(write))],
        "last": None,
    }
    plain = {"list": [[], {"in": {"a": 1}}, ({}, {"a": 1})], "last": None}
    assert "".join(stream_json(streamed)) == write_json(plain)
