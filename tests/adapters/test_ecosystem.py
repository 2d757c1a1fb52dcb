"""Objects of other libraries on either side. The examples of docs/ecosystem.md are run with those of all pages."""

from __future__ import annotations

import corefeval
from tests.data import DOCS


def test_there_is_an_example_for_each() -> None:
    sections = (DOCS / "ecosystem.md").read_text(encoding="utf-8").split("\n## ")[1:]
    titles = {section.partition("\n")[0] for section in sections if "\n```python\n" in section}
    assert titles == {"spaCy", "Stanza", "fastcoref", "Maverick", "datasets", "evaluate"}


def test_score_takes_objects_on_either_side() -> None:
    row = {"doc_key": "0", "sentences": [["a", "b", "c"]], "clusters": [[[0, 0], [1, 1], [2, 2]]]}
    prediction = {"tokens": ["a", "b", "c"], "clusters_token_offsets": [((0, 0), (2, 2))]}
    assert corefeval.score([row], [prediction])["muc"].recall == 1 / 2
    assert corefeval.score({"x": row}, {"x": prediction})["muc"].recall == 1 / 2
    assert corefeval.score([[(0, 0), (2, 2)]], prediction)["muc"].f1 == 1


def test_a_scorer_takes_them_too() -> None:
    prediction = {"tokens": ["a", "b", "c"], "clusters_token_offsets": [((0, 0), (2, 2))]}
    scorer = corefeval.Scorer("muc")
    scorer.update(prediction, prediction)
    scorer.update(prediction, [[(0, 0), (2, 2)]])
    assert scorer.compute()["muc"].recall_denominator == 2
