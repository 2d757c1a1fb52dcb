"""BLANC where counts are large or a side is empty."""

from __future__ import annotations

import corefeval


def test_entities_that_share_thousands_of_mentions_are_counted_by_kind() -> None:
    many = list(range(4000))
    links = corefeval.score([many, many], [many])["blanc"].links
    assert links["key_coreference"] == 4000 * 3999 // 2
    assert links["key_noncoreference"] == 4000 * 3999 // 2 + 4000


def test_an_empty_response_leaves_the_precision_of_blanc_undefined() -> None:
    score = corefeval.score([[1, 2], [3]], [])["blanc"]
    assert score.undefined == ("precision",)
    assert corefeval.score([[1, 2], [3]], [])["blanc:undefined=1"].precision == 1
