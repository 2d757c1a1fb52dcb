"""The salience resolver, by the paper's words: mentions one by one, mean compatibility, the most salient candidate."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefeval
from corefeval.errors import OptionError
from corefeval.formats.draft import Draft
from corefeval.options import Options
from corefeval.workbench import resolvers
from corefeval.workbench.resolvers import RULES, MentionProfile, PlacedProfile, are_compatible, resolve, tabulate_rules
from tests.data import public_data


def write(*sentences: str) -> corefeval.Corpus:
    """A corpus of sentences in which mentions stand in brackets: "[Kim] saw [the shop]"."""
    draft = Draft("text")
    words: list[str] = []
    numbers: list[int] = []
    spans: list[tuple[int, int]] = []
    for number, sentence in enumerate(sentences):
        for part in sentence.replace("[", " [ ").replace("]", " ] ").split():
            if part == "[":
                spans.append((len(words), -1))
            elif part == "]":
                place = max(place for place, (_, last) in enumerate(spans) if last < 0)
                spans[place] = spans[place][0], len(words) - 1
            else:
                words.append(part)
                numbers.append(number)
    document = draft.add_document("text", words=words, sentence=numbers)
    for number, span in enumerate(spans):
        document.add_mention(str(number), span)
    return draft.build_corpus()


def entities(corpus: corefeval.Corpus) -> set[frozenset[str]]:
    found: dict[int, set[str]] = {}
    for row, entity in enumerate(corpus.entity.tolist()):
        found.setdefault(entity, set()).add(f"{corpus.words_of(row)}@{corpus.own_spans.start[row]}")
    return {frozenset(words) for words in found.values()}


@pytest.mark.parametrize(
    ("text", "off", "expected"),
    [
        (["[He] saw [her] ."], [], ["He@0", "her@2"]),
        (["[He] saw [her] ."], ["gender"], ["He@0 her@2"]),
        (["[It] saw [them] ."], [], ["It@0", "them@2"]),
        (["[It] saw [them] ."], ["number"], ["It@0 them@2"]),
        (["[the shop] and [the street]"], [], ["the_shop@0", "the_street@3"]),
        (["[the shop] and [the street]"], ["head"], ["the_shop@0 the_street@3"]),
        (["[the shop] near [a shop]"], [], ["the_shop@0", "a_shop@3"]),
        (["[the shop] near [a shop]"], ["determiner"], ["the_shop@0 a_shop@3"]),
        (["[Mara Lind] left ;", "[Lind] came ."], [], ["Mara_Lind@0 Lind@4"]),
        (["[the cats] and [the dog] ;", "[they] left ."], [], ["the_cats@0 they@6", "the_dog@3"]),
    ],
)
def test_a_rule_objects_and_does_not_once_it_is_off(text: list[str], off: list[str], expected: list[str]) -> None:
    answer = resolve(write(*text), "salience", off=off)
    assert entities(answer) == {
        frozenset(mention.replace("_", " ") for mention in entity.split()) for entity in expected
    }


def test_the_most_salient_candidate_is_taken_and_without_salience_the_last() -> None:
    text = write("[Mara Lind] met [Ada Berg] , [she] said .")
    mara, ada, she = "Mara Lind@0", "Ada Berg@3", "she@6"  # the first opens the sentence
    assert entities(resolve(text, "salience")) == {frozenset({mara, she}), frozenset({ada})}
    assert entities(resolve(text, "salience", off=["salience"])) == {frozenset({mara}), frozenset({ada, she})}
    later = write("[Mara Lind] left .", "[Ada Berg] came , and [she] said .")
    assert entities(resolve(later, "salience")) == {frozenset({"Mara Lind@0"}), frozenset({"Ada Berg@4", "she@9"})}


def resolve_slowly(mentions: Sequence[PlacedProfile], off: frozenset[str]) -> list[int]:
    """The same by the words of the paper: every pair compared, salience summed up from all that is mentioned before."""
    classes: list[list[int]] = []
    for place, mention in enumerate(mentions):
        candidates = []
        for number, members in enumerate(classes):
            values = [are_compatible(mention.profile, mentions[each].profile, off) for each in members]
            if sum(values) / len(values) >= 0.5:
                salience = sum(
                    (150 if mentions[each].opens_sentence else 100) / 2 ** (mention.sentence - mentions[each].sentence)
                    for each in members
                )
                rank = members[-1] if "salience" in off else salience
                candidates.append((rank, members[-1], number))
        if candidates:
            classes[max(candidates)[2]].append(place)
        else:
            classes.append([place])
    found = {place: number for number, members in enumerate(classes) for place in members}
    return [found[place] for place in range(len(mentions))]


profiles = st.builds(
    MentionProfile,
    words=st.sampled_from([("kim",), ("kim", "lee"), ("the", "shop"), ("she",)]),
    head=st.sampled_from(["kim", "lee", "shop", "she"]),
    is_pronoun=st.booleans(),
    is_name=st.booleans(),
    gender=st.sampled_from(["", "Fem", "Masc"]),
    number=st.sampled_from(["", "Sing", "Plur"]),
    indefinite=st.booleans(),
)


@given(st.lists(st.tuples(profiles, st.integers(0, 1), st.booleans()), max_size=14), st.sets(st.sampled_from(RULES)))
def test_it_is_the_papers_procedure(drawn: list[tuple[MentionProfile, int, bool]], off: set[str]) -> None:
    sentence = 0
    mentions = []
    for profile, step, opens in drawn:
        sentence += step
        mentions.append(PlacedProfile(profile, sentence, opens))
    assert resolvers._resolve_document(mentions, frozenset(off)) == resolve_slowly(mentions, frozenset(off))


def test_features_of_the_file_come_before_english_words() -> None:
    draft = Draft("french")
    feats = ["Gender=Fem|Number=Sing", "Gender=Fem|Number=Sing", "Gender=Masc|Number=Sing", "Gender=Fem|Number=Sing"]
    tags = ["DET", "NOUN", "PRON", "PRON"]
    words = ["La", "maison", "il", "elle"]
    document = draft.add_document("d", words=words, word_attributes={"feats": feats, "upos": tags})
    for name, span in (("1", (0, 1)), ("2", (2, 2)), ("3", (3, 3))):
        document.add_mention(name, span)
    answer = resolve(draft.build_corpus(), "salience")
    assert entities(answer) == {frozenset({"La maison@0", "elle@3"}), frozenset({"il@2"})}


def test_what_is_not_possible_is_said() -> None:
    labels = corefeval.Corpus.from_entities({"": [["a", "b"]]})
    for arguments, message in (
        ((labels, "salience"), "needs words"),
        ((labels, "salienc"), "did you mean salience"),
    ):
        with pytest.raises(OptionError, match=message):
            resolve(*arguments)
    with pytest.raises(OptionError, match="no rules"):
        resolve(labels, "singletons", off=["head"])
    with pytest.raises(OptionError, match="off="):
        resolve(write("[He] left ."), "salience", off=["colour"])


def test_semantic_agreement_is_the_most_important_rule_as_the_paper_found() -> None:
    """Popescu-Belis 1999, 4.1: "showing that the most important rule was semantic agreement"; here, on English novels."""
    key = corefeval.read(public_data("litbank") / "key.conll.gz")
    rows = tabulate_rules(key.select_documents(key.documents[:3]), ["muc", "bcub", "ceafe"], Options())
    single = {row.off[0]: row.change for row in rows if len(row.off) == 1}
    assert min(single, key=lambda rule: single[rule]) == "head"
    assert len(rows) == 1 + 5 + 10
