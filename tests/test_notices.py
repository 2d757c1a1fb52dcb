"""Messages with counts: singular and plural agree, whatever is counted."""

from __future__ import annotations

import ast
import re
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import corefeval
from corefeval.errors import Fault, InputError
from corefeval.formats.base import Capacity
from corefeval.formats.draft import Draft
from corefeval.formats.shared.fitting import fit_corpus
from corefeval.notices import count_part, count_things
from tests.corpus.drafts import draft_corpus

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCES = Path(corefeval.__file__).parent
_THINGS = """
mentions zeros documents entities words links files lines pairs systems singletons errors antecedents resamples
characters columns anaphors relations values heads labels rows cells layers faults spans sets records sentences runs
names offsets escapes events comparisons warnings entries items
"""
COUNTED = re.compile(rf" (?:\S+ ){{0,2}}?(?:{'|'.join(_THINGS.split())})\b")
COUNTS = re.compile(r"\blen\(|\bcount|\bsum\(")
NEVER_ONE = {
    "agreement/agreement.py", "agreement/results.py",  # several pairs
    "analysis/why.py", "comparison/notices.py", "matching/documents.py", "matching/same_documents.py",  # documents
    "cli/output.py", "formats/ace.py", "formats/i2b2.py", "formats/shared/markup.py", "formats/table/reading.py",
    "matching/numbers.py",
}  # fmt: skip
"""Modules that write counts of things of which there are always several, as the code around them says."""


def test_a_count_agrees_with_its_noun_and_its_verb() -> None:
    assert count_things(1, "entity") == "1 entity"
    assert count_things(2000, "entity") == "2,000 entities"
    assert [count_things(n, "mention", "has", "have") for n in (0, 1, 2)] == [
        "0 mentions have", "1 mention has", "2 mentions have",
    ]  # fmt: skip
    assert count_part(1, 27, "mention", "has", "have") == "1 of 27 mentions has"
    assert count_part(1, 1, "mention", "has", "have") == "1 of 1 mention has"
    assert count_part(2, 3, "document") == "2 of 3 documents"


def find_counts_of_several() -> Iterator[tuple[str, str]]:
    """Modules, and texts in them that have a count in front of a plural, which one would not fit."""
    for path in sorted(SOURCES.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            parts = node.values if isinstance(node, ast.JoinedStr) else []
            for number, text in pairwise(parts):
                if not isinstance(number, ast.FormattedValue) or not isinstance(text, ast.Constant):
                    continue
                written = ast.unparse(number.value)
                if COUNTS.search(written) and "count_" not in written and COUNTED.match(str(text.value)):
                    yield path.relative_to(SOURCES).as_posix(), f"{{{written}}}{text.value!s}"


def test_no_message_counts_one_mentions() -> None:
    found = [(module, text) for module, text in find_counts_of_several() if module not in NEVER_ONE]
    assert found == []


def one_of_each() -> corefeval.Corpus:
    """One zero, one mention with a zero inside, one with a gap, one that crosses it, one head, one of all else."""
    draft = Draft("made up")
    document = draft.add_document(
        "d", words=["a", "_", "b b", "c", "d", "e"], empty=[False, True, *[False] * 4], sentence=[0, 0, 0, 1, 1, 1]
    )
    document.add_mention("x", (1, 1))
    document.add_mention("x", (0, 2), head=(0, 0), minimum=(0, 0), attributes={"level": "NAM"})
    document.add_mention("y", ((2, 2), (4, 4)))
    document.add_mention("z", (3, 5))
    document.describe_entity("z", type="PER")
    document.add_relation("split", "x", ("y", "z"))
    document.get_layer("other").add_mention("o", (0, 0))
    draft.add_document("empty", words=["f"])
    return draft.build_corpus()


def test_what_a_format_cannot_hold_is_one_thing_where_it_is_one() -> None:
    _, notices = fit_corpus(one_of_each(), Capacity(empty=False, crossing="none", names=False, blanks="none"), "tiny")
    told = {notice.kind: notice.message.removeprefix("made up: ") for notice in notices if notice.details["count"] == 1}
    assert told["lost-zero"].startswith("1 zero left out: ")
    assert told["lost-zero-words"].startswith(
        "1 mention of written and unwritten words, or with these between its parts, kept"
    )
    assert told["lost-discontinuous"].startswith("1 mention with gaps left out: ")
    assert told["lost-heads"] == "1 head left out; tiny has no place for it"
    assert told["lost-minimum-spans"] == "1 minimum span left out; tiny has no place for it"
    assert told["lost-blanks"].startswith("1 word is written without blanks inside: ")
    assert told["lost-documents-without-mentions"].startswith("1 document without mentions left out; ")
    assert told["lost-split-relations"].startswith("1 split relation left out; ")
    assert told["lost-mentions-of-the-layer-other"].startswith("1 mention of the layer other left out; ")
    assert told["lost-values-of-level-of-mentions"].startswith("1 value of level of mentions left out; ")
    assert not [message for message in told.values() if re.match(r"1 \w+s\b", message)]


def test_one_mention_that_crosses_another() -> None:
    corpus = draft_corpus({"d": [("a", (0, 2)), ("b", (1, 3))]})
    _, notices = fit_corpus(corpus, Capacity(crossing="none"), "tiny")
    (message,) = (notice.message for notice in notices if notice.kind == "lost-crossing")
    assert re.match(r"side: (1 mention that crosses another|2 mentions that cross another) left out", message)


def test_one_more_fault() -> None:
    assert "and 1 more fault of this kind" in str(InputError([Fault("f", "x")] * 51))
    assert "and 2 more faults of this kind" in str(InputError([Fault("f", "x")] * 52))


def test_one_mention_whose_kind_is_guessed() -> None:
    def side(*words: str) -> corefeval.Corpus:
        draft = Draft("side")
        tags = ["" if word == "it" else "NNP" for word in words]
        document = draft.add_document("d", words=list(words), word_attributes={"pos": tags})
        for place in range(len(words)):
            document.add_mention("1", (place, place))
        return draft.build_corpus()

    messages = [
        next(n.message for n in corefeval.score(key, key, measures="nec").notices if n.kind == "guessed-kind")
        for key in (side("Ann", "it", "Bea"), side("it", "it", "Bea"))
    ]
    assert messages == [
        "side: 1 of 3 mentions has neither a level nor a part of speech; whether it is a pronoun or a name is guessed from "
        "English words",
        "side: 2 of 3 mentions have neither a level nor a part of speech; whether they are pronouns or names is guessed "
        "from English words",
    ]


@pytest.mark.parametrize(("missed", "message"), [(1, "1 of 1 entity with a name is missed"), (0, "0 of 1 entity with")])
def test_one_entity_with_a_name(missed: int, message: str) -> None:
    key = draft_corpus({"d": [("a", (0, 0)), ("a", (1, 1))]})
    made = corefeval.score(key, key if not missed else draft_corpus({"d": [("b", (4, 4))]}), measures="nec")
    assert message in str(made)


def test_one_key_mention_without_a_head() -> None:
    draft = Draft("key")
    document = draft.add_document("d", words=["a", "b", "c"])
    document.add_mention("1", (0, 1))
    document.add_mention("1", (2, 2), head=(2, 2))
    key = draft.build_corpus()
    (notice,) = corefeval.score(key, key, match="lenient").notices
    assert notice.message.endswith("has no head and matches exactly only; 1 of 2 key mentions has none")
