"""Levels: the documents of a group become one, and an entity whose name recurs in them is one entity."""

from __future__ import annotations

import random
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import pytest

import corefeval
from corefeval import Corpus, InputError, OptionError
from corefeval.corpus.mentions import Spans
from corefeval.formats.draft import Draft
from tests.cli.running import get_output, run
from tests.formats.small_files import conll
from tests.oracles import measures as oracle
from tests.rounds import few_or_many

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

MEASURES = ("mentions", "muc", "bcub", "ceafm", "ceafe", "blanc", "lea", "conll", "adjusted_rand")
NAMES = ("36/36a/1", "37/37a/1", "36/36a/2", "36/36b/1", "37/37b/9")
Rows = dict[str, list[tuple[str, tuple[int, int]]]]
"""By document, pairs of an entity's name and a span."""


def make_corpus(rows: Rows, words: int = 8, kinds: dict[str, str] | None = None, prefix: str = "w") -> Corpus:
    """A corpus in words; `kinds` has the attribute kind of mentions by their entities."""
    draft = Draft("side")
    for name, mentions in rows.items():
        document = draft.add_document(name, words=[f"{prefix}{number}" for number in range(words)])
        for entity, span in mentions:
            document.add_mention(entity, span, attributes={"kind": kinds[entity]} if kinds else {})
    return draft.build_corpus()


def merge_by_hand(rows: Rows, level: str) -> dict[str, list[list[Any]]]:
    """What a level is by definition, on plain sets: entities by group, their mentions with their documents."""
    groups: dict[str, dict[str, dict[Any, None]]] = defaultdict(lambda: defaultdict(dict))
    for name, mentions in rows.items():
        topic, subtopic, _ = name.split("/")
        group = {"document": name, "subtopic": f"{topic}/{subtopic}", "topic": topic, "corpus": "corpus"}[level]
        entities = groups[group]
        for entity, span in mentions:
            entities[entity][name, span] = None
    return {group: [list(mentions) for mentions in entities.values()] for group, entities in groups.items()}


def draw_rows(draw: random.Random, documents: Iterable[str], entities: int) -> Rows:
    """Mentions at random, each span once in a document, of entities e1, e2 … that occur in all of them."""
    spans = [(first, last) for first in range(8) for last in range(first, min(8, first + 2))]
    return {
        name: [(f"e{draw.randint(1, entities)}", span) for span in draw.sample(spans, draw.randint(0, 6))]
        for name in documents
    }


@few_or_many(30, 600)
def test_levels_are_what_they_are_by_definition_on_sets(rounds: int) -> None:
    draw = random.Random(14)
    for _ in range(rounds):
        key, response = draw_rows(draw, NAMES, 6), draw_rows(draw, draw.sample(NAMES, 5), 4)
        sides = make_corpus(key), make_corpus(response)
        for level in ("document", "subtopic", "topic", "corpus"):
            found = corefeval.score(*sides, level=level, measures=MEASURES)
            for measure in MEASURES:
                expected = oracle.score(measure, merge_by_hand(key, level), merge_by_hand(response, level))
                field = "score" if measure == "adjusted_rand" else "f1"
                assert getattr(found[measure], field) == pytest.approx(oracle.number(expected, field)), (level, measure)


def test_a_missing_cross_document_link_costs_what_it_is_worth() -> None:
    """One entity of two mentions in two documents: no document has a link, the topic has one, and it is missed.

    B³ of the topic: each key mention finds one of two.
    """
    key = make_corpus({"t/s/a": [("Kim", (0, 0))], "t/s/b": [("Kim", (0, 0))]})
    response = make_corpus({"t/s/a": [("x", (0, 0))], "t/s/b": [("y", (0, 0))]})
    cut = corefeval.score(key, response, measures=["muc", "bcub"])
    assert (cut["bcub"].f1, cut["muc"].recall_denominator) == (1, 0)
    whole = corefeval.score(key, response, level="topic", measures=["muc", "bcub"])
    assert (whole["muc"].recall_numerator, whole["muc"].recall_denominator) == (0, 1)
    assert (whole["bcub"].recall, whole["bcub"].precision) == (0.5, 1)
    assert whole.document_names == ("t",)


def test_the_same_span_in_two_documents_is_two_mentions() -> None:
    key = make_corpus({"t/s/a": [("Kim", (0, 0))], "t/s/b": []})
    response = make_corpus({"t/s/a": [], "t/s/b": [("Kim", (0, 0))]})
    found = corefeval.score(key, response, level="corpus", measures=["mentions"])
    assert found["mentions"].recall_numerator == 0


def test_singletons_are_counted_in_the_group() -> None:
    """Kim has one mention in each document, and two in the topic; Lee has one."""
    key = make_corpus({"t/s/a": [("Kim", (0, 0)), ("Lee", (3, 3))], "t/s/b": [("Kim", (0, 0))]})
    for level, mentions in (("document", 0), ("topic", 2)):
        found = corefeval.score(key, key, level=level, singletons="drop", measures=["mentions"])
        assert found["mentions"].recall_denominator == mentions


def test_other_words_and_a_missing_document_do_not_move_mentions_of_the_others() -> None:
    """The response lacks one document, and has one more word in another, which its letters make up for."""
    key = make_corpus(
        {"t/s/a": [("Kim", (7, 7))], "t/s/b": [("Kim", (0, 0)), ("Lee", (5, 6))], "t/s/c": [("Lee", (1, 1))]}
    )
    draft = Draft("response")
    words = ["w0", "w1", "w2", "w3", "w4", "w", "5", "w6", "w7"]
    document = draft.add_document("t/s/b", words=words)
    document.add_mention("k", (0, 0))
    document.add_mention("l", (5, 7))
    document = draft.add_document("t/s/c", words=[f"w{number}" for number in range(8)])
    document.add_mention("l", (1, 1))
    found = corefeval.score(key, draft.build_corpus(), level="topic", measures=["mentions", "muc"])
    assert found["mentions"].recall_numerator == 3
    assert (found["muc"].recall_numerator, found["muc"].recall_denominator) == (1, 2)
    rows = found.mentions
    assert rows is not None
    assert [rows.response.words_of(row) for row in range(3)] == ["w0", "w 5 w6", "w1"]
    assert rows.key.attributes["document"] == ["t/s/a", "t/s/b", "t/s/b", "t/s/c"]


@pytest.mark.parametrize("zeros", ["order", "alone", "drop", "dependency"])
def test_zeros_that_one_side_lacks_move_no_mention_of_a_later_document(zeros: str) -> None:
    sides = []
    for empty in ([False, True, False], [False, False]):
        draft = Draft("side")
        for name in ("t/s/a", "t/s/b"):
            document = draft.add_document(name, words=["w"] * len(empty), empty=empty)
            document.add_mention("Kim", (0, 0))
            document.add_mention("Kim", (len(empty) - 1, len(empty) - 1))
        sides.append(draft.build_corpus())
    found = corefeval.score(*sides, level="topic", zeros=zeros, measures=["muc"])
    assert (found["muc"].recall_numerator, found["muc"].recall_denominator) == (3, 3)


def test_running_text_and_heads_are_joined_too() -> None:
    draft = Draft("side")
    for name in ("t/s/a", "t/s/b"):
        document = draft.add_document(name, text="Kim saw her")
        document.add_mention("Kim", (0, 2), head=(0, 2))
        document.add_mention("Kim", (8, 10))
    corpus = draft.build_corpus()
    found = corefeval.score(corpus, corpus, level="corpus", match="head", measures=["muc"])
    assert found["muc"].recall_numerator == 3
    rows = found.mentions
    assert rows is not None
    assert [rows.key.words_of(row) for row in range(4)] == ["Kim", "her"] * 2
    assert isinstance(rows.key.heads, Spans)
    assert rows.key.heads.start.tolist() == [0, -1, 12, -1]


def test_mentions_that_are_no_spans_are_told_apart_by_their_documents() -> None:
    columns = {"mention": ["m1", "m1", "m2"], "document": ["t/a", "t/b", "t/b"]}
    key = Corpus.from_labels(entity=["A", "A", "B"], **columns)
    response = Corpus.from_labels(entity=["x", "y", "x"], **columns)
    found = corefeval.score(key, response, level="topic", measures=["mentions", "muc"])
    assert found["mentions"].recall_numerator == 3
    assert (found["muc"].recall_numerator, found["muc"].recall_denominator, found["muc"].precision_denominator) == (
        0,
        1,
        1,
    )


def test_numbers_that_begin_anew_are_no_names() -> None:
    """Plain CoNLL and lists of entities: entity 0 of one document is not entity 0 of another."""
    key = {"t/a": [[(0, 0), (1, 1)]], "t/b": [[(0, 0), (1, 1)]]}
    found = corefeval.score(key, key, level="topic", measures=["muc"])
    assert found["muc"].recall_denominator == 2
    assert [notice.kind for notice in found.notices] == ["local-names"] * 2
    shared = corefeval.score(key, key, level="topic", entity_names="shared", measures=["muc"])
    assert (shared["muc"].recall_denominator, shared.notices) == (3, ())
    named = make_corpus({"t/s/a": [("Kim", (0, 0))], "t/s/b": [("Kim", (0, 0))]})
    local = corefeval.score(named, named, level="topic", entity_names="local", measures=["muc"])
    assert local["muc"].recall_denominator == 0


def test_a_name_that_recurs_beyond_its_group_is_said() -> None:
    key = make_corpus({"36/a/1": [("Kim", (0, 0))], "37/a/1": [("Kim", (0, 0))]})
    found = corefeval.score(key, key, level="topic")
    assert [notice.message for notice in found.notices] == [
        "side: 1 entity name recurs in several topics, e.g. 'Kim' in '36' and '37'; such entities are cut at topic "
        "borders; level=corpus scores across them"
    ] * 2
    assert corefeval.score(key, key, level="corpus").notices == ()


def test_topics_come_from_names_columns_a_table_or_an_expression(tmp_path: Path) -> None:
    """Four documents of two topics, in which Kim is one entity each: four mentions, two links."""
    rows = [("36_1ecb", "36"), ("36_2ecb", "36"), ("37_1ecb", "37"), ("37_2ecb", "37")]
    plain, columns, table = (tmp_path / name for name in ("plain.csv", "columns.csv", "topics.csv"))
    plain.write_text("document,mention,entity\n" + "".join(f"{name},m,Kim\n" for name, _ in rows))
    columns.write_text("document,mention,entity,topic\n" + "".join(f"{name},m,Kim,{topic}\n" for name, topic in rows))
    table.write_text("document,topic,subtopic\n" + "".join(f"{name},{topic},s\n" for name, topic in rows))
    slashed = tmp_path / "names.csv"
    slashed.write_text("document,mention,entity\n" + "".join(f"{topic}/{name},m,Kim\n" for name, topic in rows))
    for path, topics in (
        (slashed, None),
        (columns, None),
        (plain, str(table)),
        (plain, r"(?P<topic>\d+)_\d+(?P<subtopic>ecb|ecbplus)"),
    ):
        found = corefeval.score(path, path, level="topic", topics=topics, measures=["muc"])
        assert (found["muc"].recall_denominator, found.document_names) == (2, ("36", "37")), path
    found = corefeval.score(plain, plain, level="subtopic", topics=str(table), measures=["muc"])
    assert found.document_names == ("36/s", "37/s")


def test_names_of_conll_have_brackets_and_parts_around_topics(tmp_path: Path) -> None:
    path = tmp_path / "key.conll"
    path.write_text("".join(conll(f"36/36a/{name}", "Kim (70)", "met -", "Lee (94)") for name in "ab"))
    found = corefeval.score(path, path, level="subtopic", measures=["muc"])
    assert (found["muc"].recall_denominator, found.document_names) == (2, ("36/36a",))


def test_documents_without_topics_stand_for_topics_and_some_without_are_a_fault(tmp_path: Path) -> None:
    """A file may have all documents of a topic in one already."""
    whole = make_corpus({"36": [("Kim", (0, 0))], "37": [("Lee", (0, 0))]})
    found = corefeval.score(whole, whole, level="topic")
    assert {notice.kind for notice in found.notices} == {"no-groups"}
    assert found.document_names == ("36", "37")
    some = make_corpus({"36/a": [("Kim", (0, 0))], "b": [("Lee", (0, 0))]})
    with pytest.raises(InputError, match="document 'b' has no topic; expected names such as topic/subtopic/document"):
        corefeval.score(some, some, level="topic")
    table = tmp_path / "topics.csv"
    table.write_text("document,topic\nb,1\nb,2\n\nc\n")
    with pytest.raises(InputError) as error:
        corefeval.score(some, some, level="topic", topics=str(table))
    assert [(fault.line, fault.what) for fault in error.value.faults] == [
        (3, "document 'b' is in topic '1' already"),
        (5, "1 value"),
    ]
    table.write_text("name,topic\n")
    with pytest.raises(InputError, match=r"topics.csv:1: the first row is name, topic; expected the columns document"):
        corefeval.score(some, some, level="topic", topics=str(table))
    contradiction = tmp_path / "key.csv"
    contradiction.write_text("document,mention,entity,topic\na,m,Kim,1\na,n,Kim,2\n")
    with pytest.raises(InputError, match=r"key.csv:3: document 'a' is in topic '1' and topic '2'"):
        corefeval.score(contradiction, contradiction, level="topic")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": "all"}, "score_levels returns them"),
        ({"level": "topics"}, "did you mean topic"),
        ({"level": "topic", "split_antecedents": "keep"}, "needs level='document'"),
        ({"level": "topic", "singletons": "drop_listed", "zeros": "drop"}, "needs level='document'"),
        ({"level": "topic", "topics": "(?P<topic>"}, "is no regular expression"),
        ({"level": "topic", "topics": "(?P<name>.)"}, r"expected a group \(\?P<topic>"),
        ({"where": "kind"}, "expected ATTRIBUTE=VALUE"),
        ({"where": "type=event"}, "have no attribute 'type'"),
        ({"where": "kind=evnt"}, "did you mean event"),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, str], message: str) -> None:
    key = make_corpus({"t/s/a": [("Kim", (0, 0))]}, kinds={"Kim": "event"})
    with pytest.raises(OptionError, match=message):
        corefeval.score(key, key, **options)  # type: ignore[arg-type]


def test_events_and_entities_apart() -> None:
    """The response says no kind: its mention that the key has as an entity goes, a spurious one stays."""
    kinds = {"Kim": "entity", "fall": "event", "rise": "event"}
    rows: Rows = {
        "t/s/a": [("Kim", (0, 0)), ("fall", (1, 1))],
        "t/s/b": [("Kim", (0, 0)), ("fall", (1, 1)), ("rise", (2, 2))],
    }
    key = make_corpus(rows, kinds=kinds)
    found = corefeval.score(key, key, level="topic", where="kind=event", measures=["mentions", "muc"])
    assert (found["mentions"].recall_denominator, found["muc"].recall_denominator) == (3, 1)
    response = make_corpus({"t/s/a": [("x", (0, 0)), ("y", (1, 1)), ("y", (7, 7))], "t/s/b": [("x", (2, 2))]})
    found = corefeval.score(key, response, level="topic", where="kind=event", measures=["mentions"])
    assert found["mentions"].precision_denominator == 3
    assert found["mentions"].recall_numerator == 2
    assert str(found.notices[0]).endswith("1 mention is left out that the key has with another value; the others stay")


def test_the_key_alone_loses_its_singletons() -> None:
    """Counted over all documents: Kim has two, in two topics, and stays; the response's own singletons count."""
    rows: Rows = {"36/a/1": [("Kim", (0, 0)), ("Lee", (1, 1))], "37/a/1": [("Kim", (0, 0))]}
    found = corefeval.score(make_corpus(rows), make_corpus(rows), singletons="drop_key", measures=["mentions"])
    assert (found["mentions"].recall_denominator, found["mentions"].precision_denominator) == (2, 3)


def test_all_levels_with_and_without_singletons_in_one_table(tmp_path: Path) -> None:
    path = tmp_path / "key.conll"
    names = ("36/36a/1", "36/36a/2", "36/36b/1", "37/37a/1")
    path.write_text("".join(conll(name, "Kim (70)", "met -", "Lee (94)", f"x ({150 + place})")
                            for place, name in enumerate(names)))  # fmt: skip
    evaluations = corefeval.score_levels(path, path, measures=["muc", "mentions"]).evaluations
    options = [(each.options.level, each.options.singletons) for each in evaluations]
    assert options == [
        (level, way) for level in ("document", "subtopic", "topic", "corpus") for way in ("keep", "drop")
    ]
    # Links of Kim and Lee: none in documents, one each in 36a, two each in 36, three each in the corpus.
    assert [each["muc"].recall_denominator for each in evaluations] == [0, 0, 2, 2, 4, 4, 6, 6]
    assert [each["mentions"].recall_denominator for each in evaluations] == [12, 0, 12, 4, 12, 6, 12, 8]
    shown = get_output("score", path, path, "--level", "all", "-m", "muc", "-q")
    assert "(without singletons, topic level)" in shown
    only = corefeval.score_levels(path, path, singletons="drop")
    assert [each.options.level for each in only.evaluations] == ["document", "subtopic", "topic", "corpus"]


def test_levels_that_names_do_not_tell_are_left_out() -> None:
    key = make_corpus({"36/1": [("Kim", (0, 0))], "36/2": [("Kim", (0, 0))]})
    levels = [each.options.level for each in corefeval.score_levels(key, key, singletons="keep").evaluations]
    assert levels == ["document", "topic", "corpus"]


def test_every_command_that_scores_knows_levels(tmp_path: Path) -> None:
    """Kim and Lee are split by the response, across documents only: an error of the topic, none of the documents."""
    key, response = tmp_path / "key.conll", tmp_path / "response.conll"
    key.write_text("".join(conll(f"36/{name}", "Kim (70)", "met -", "Lee (94)") for name in "ab"))
    response.write_text(conll("36/a", "Kim (70)", "met -", "Lee (94)") + conll("36/b", "Kim (50)", "met -", "Lee (94)"))
    errors = run("errors", key, response, "--level", "topic", "-q").stdout
    assert "divided" in errors.lower() or "split" in errors.lower()
    for arguments in (
        ("errors", key, response, "--level", "topic"),
        ("explain", "muc", key, response, "--level", "topic"),
        ("align", key, response, "--level", "topic"),
        ("compare", key, f"a={response}", f"b={key}", "--level", "topic"),
        ("why", key, response, "--from", "conll-8.01", "--to", "cattan-2021"),
    ):
        done = run(*arguments, "-q")
        assert done.returncode == 0, done.stderr
    for baseline in ("random", "singletons", "one-entity", "string-match"):
        assert run("score", key, response, "--level", "topic", "--relative-to", baseline, "-q").returncode == 0
    refused = run("score", key, response, "--level", "topic", "--relative-to", response, "-q")
    assert (refused.returncode, "only one side has the documents" in refused.stderr) == (2, True)
    refused = run("agree", key, response, "--level", "topic")
    assert (refused.returncode, "it takes no level" in refused.stderr) == (2, True)


def test_ways_that_do_not_go_together_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "key.conll"
    path.write_text(conll("36/a", "Kim (70)"))
    for more in (
        ["--crac", "--where", "kind=event"],
        ["--crac", "--level", "all"],
        ["--table", "--where", "kind=event"],
    ):
        done = run("score", path, path, *more)
        assert (done.returncode, "--crac and --table" in done.stderr) == (2, True), more


def test_why_names_the_entities_that_a_level_joins() -> None:
    key = make_corpus({"t/s/a": [("Kim", (0, 0))], "t/s/b": [("Kim", (0, 0)), ("Lee", (2, 2))]})
    for from_, to in (("conll-8.01", "cattan-2021"), ("cattan-2021", "conll-8.01")):
        step = next(each for each in corefeval.why(key, key, from_=from_, to=to).steps if each.decision == "level")
        assert step.causes[0] == "the key has 1 entity in several documents of a topic"
        assert step.causes[2] == "key: entity Kim is in t/s/a, t/s/b"


def test_a_scorer_wants_all_documents_of_a_group_at_once() -> None:
    parts = [make_corpus({name: [("Kim", (0, 0))]}) for name in ("t/s/a", "t/s/b")]
    scorer = corefeval.Scorer(level="topic")
    scorer.update(parts[0], parts[0])
    with pytest.raises(
        InputError, match=r"document 't' is there already; .* give all documents of a topic in one update"
    ):
        scorer.update(parts[1], parts[1])


def test_a_signature_with_an_expression_reads_back() -> None:
    key = make_corpus({"36_1a": [("Kim", (0, 0))], "37_1a": [("Kim", (0, 0))]})
    topics = r"(?P<topic>36|37)_%?"
    found = corefeval.score(key, key, level="topic", topics=topics, where="")
    read_back = corefeval.Signature.parse(found.signature)
    assert (read_back.decisions, read_back.decisions.topics) == (found.options, topics)
