"""What is told apart, and at what price."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from corefeval import adapters
from corefeval.adapters import convert_object, evaluate_path, find_adapter

LIBRARIES = ("spacy", "stanza", "fastcoref", "maverick", "datasets", "evaluate", "torch")


def python(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def test_no_library_is_loaded() -> None:
    code = """
import sys
import corefeval.adapters as adapters
row = {"doc_key": "x", "sentences": [["a", "b"]], "clusters": [[[0, 0], [1, 1]]]}
prediction = {"tokens": ["a", "b"], "clusters_token_offsets": [((0, 0), (1, 1))]}
assert adapters.convert_object(row).entities() == {"x": [[(0, 0), (1, 1)]]}
assert adapters.convert_object(prediction).entities() == {"": [[(0, 0), (1, 1)]]}
assert adapters.convert_object([["a", "b"]]) is None
adapters.spacy.read, adapters.stanza.read, adapters.fastcoref.read, adapters.evaluate_path()
print(sorted({name.partition(".")[0] for name in sys.modules} & set(%r)))
"""
    assert python(code % (LIBRARIES,)) == "[]"


def test_plain_objects_load_no_adapter() -> None:
    code = """
import sys
import corefeval.adapters as adapters
assert adapters.convert_object([[1, 2]]) is None
assert adapters.convert_object({"d": [[1, 2]]}) is None
print(sorted(name for name in sys.modules if name.startswith("corefeval.")))
"""
    assert python(code) == "['corefeval.adapters']"


@pytest.mark.parametrize(
    "plain",
    [
        [],
        {},
        [["a", "b"], ["c"]],
        [{"a", "b"}],
        [[(0, 1), (2, 3)]],
        (frozenset({1}),),
        {"doc": [["a", "b"]]},
        {"text": [[(0, 1)]], "clusters": [[(0, 1)]]},
        {"text": [], "clusters": []},
        {"text": {(0, 1)}, "clusters": set()},
        {"sentences": [[(0, 1)]], "clusters": [[(0, 1)]]},
        {"tokens": "abc"},
        "path",
        7,
        None,
        [None],
        ["text"],
    ],
)
def test_what_is_not_of_another_library_is_left_alone(plain: Any) -> None:
    assert convert_object(plain) is None


def test_a_generator_is_not_used_up() -> None:
    entities = iter([["a", "b"]])
    assert convert_object(entities) is None
    assert list(entities) == [["a", "b"]]


def test_names_alone_do_not_make_a_kind() -> None:
    class Doc:
        pass

    assert find_adapter(Doc()) == ""
    Doc.__module__ = "spacy_layout.something"
    assert find_adapter(Doc()) == ""
    Doc.__module__ = "spacy.tokens.doc"
    assert find_adapter(Doc()) == "spacy"


def test_the_metric_comes_with_the_package() -> None:
    path = Path(evaluate_path())
    assert path.is_file()
    assert path.is_relative_to(Path(adapters.__file__).parent)


def test_what_there_is() -> None:
    for name in adapters.__all__:
        assert getattr(adapters, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'allennlp'"):
        adapters.allennlp  # noqa: B018
