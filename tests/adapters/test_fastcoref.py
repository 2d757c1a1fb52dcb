"""fastcoref's results, by a stand-in: the library comes with torch. The spaCy component is in test_spacy.py."""

from __future__ import annotations

from typing import Any

import pytest

from corefeval import InputError
from corefeval.adapters import convert_object, fastcoref

TEXT = "Kim Lee saw herself."


class CorefResult:
    """As fastcoref 2.1.6 has it in modeling.py: `clusters` of tokens, and a map from them to characters."""

    def __init__(self, text: str | list[str], clusters: Any, char_map: Any) -> None:
        self.text, self.clusters, self.char_map = text, clusters, char_map

    def get_clusters(self, as_strings: bool = True) -> Any:
        assert not as_strings
        return [[self.char_map[mention][1] for mention in cluster] for cluster in self.clusters]


CorefResult.__module__ = "fastcoref.modeling"


def result(text: str | list[str], *clusters: list[Any]) -> Any:
    numbered = [[(i, j) for j in range(len(cluster))] for i, cluster in enumerate(clusters)]
    places = {(i, j): (None if span is None else 0, span) for i, c in enumerate(clusters) for j, span in enumerate(c)}
    return CorefResult(text, numbered, places)


def test_characters_are_half_open() -> None:
    (document,) = fastcoref.read(result(TEXT, [(0, 7), (12, 19)], [(4, 7)]))
    assert document.text == TEXT
    assert [[mention.text for mention in entity] for entity in document] == [["Kim Lee", "herself"], ["Lee"]]
    assert [mention.id for mention in document.entities[0]] == [(0, 6), (12, 18)]


def test_text_that_came_as_words_is_counted_in_words() -> None:
    corpus = fastcoref.read(result(["Kim", "Lee", "saw", "herself", "."], [(0, 2), (3, 4)]))
    assert corpus.unit == "word"
    assert corpus.entities() == {"": [[(0, 1), (3, 3)]]}


def test_a_mention_on_a_special_token_is_left_out_and_said() -> None:
    """`align_to_char_level` in fastcoref/utilities/util.py maps special tokens and padding to (None, None)."""
    corpus = fastcoref.read(result(TEXT, [(0, 7), None, (12, 19)]))
    assert corpus.entities() == {"": [[(0, 6), (12, 18)]]}
    (notice,) = corpus.notices
    assert notice.kind == "no-place"
    assert notice.details == {"document": "", "entity": "0"}


def test_rows_of_its_output_file() -> None:
    row = {"text": TEXT, "clusters": [[[0, 7], [12, 19]]], "clusters_strings": [["Kim Lee", "herself"]]}
    corpus = convert_object([row, row])
    assert corpus is not None
    assert corpus.entities() == {"0": [[(0, 6), (12, 18)]], "1": [[(0, 6), (12, 18)]]}


def test_several_and_named_results() -> None:
    found = result(TEXT, [(0, 7), (12, 19)])
    for several, names in [([found, found], ("0", "1")), ({"a": found}, ("a",)), (found, ("",))]:
        corpus = convert_object(several)
        assert corpus is not None
        assert corpus.documents == names
        assert corpus.texts == (TEXT,) * len(names)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"text": TEXT, "clusters": [[[0, 99]]]}, "(0, 98) is not within the 20 characters of document ''"),
        ({"text": TEXT, "clusters": [[[3, 3]]]}, "(3, 2) is not within the 20 characters of document ''"),
        ({"text": TEXT, "clusters": [[[3, 4, 5]]]}, "a mention of entity 0 is [3, 4, 5] (list); expected 2 integers"),
        ({"text": TEXT, "clusters": [[3, 4]]}, "a mention of entity 0 is 3 (int); expected 2 integers"),
        ({"text": TEXT, "clusters": ["ab"]}, "entity 0 is 'ab' (str); expected a list of mentions"),
        ({"text": TEXT, "clusters": 7}, "the entities are 7 (int); expected a list of entities"),
        ({"text": ["a", 1], "clusters": []}, "the words are ['a', 1] (list); expected a list of strings"),
    ],
)
def test_faults(row: Any, said: str) -> None:
    with pytest.raises(InputError) as caught:
        fastcoref.read(row)
    assert said in str(caught.value)
