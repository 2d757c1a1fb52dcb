"""The type of a mention: a zero, a pronoun, a name, or another noun phrase (nominal).

Known, for each mention, from the first of these that says so:

1. unwritten words: see `Corpus.zeros`;
2. its attribute `level` or `type`: NAM, NOM and PRO of ACE, PROP, NOM and PRON of LitBank, PROPER, NOMINAL and
   PRONOMINAL of CoreNLP;
3. parts of speech: one word that is a pronoun, determiner or relative (this, which, where); else a name if the head is
   a proper noun (see `heads`);
4. failing all that, English: a list of pronouns; a name has capital letters, small words between them left aside.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol
from weakref import WeakKeyDictionary

from corefeval._arrays import Booleans, Ints, np
from corefeval._lazy import NamedTuple
from corefeval.corpus import heads
from corefeval.corpus.mentions import Spans
from corefeval.notices import Notice, count_part

if TYPE_CHECKING:
    from corefeval.corpus.corpus import Corpus

MENTION_TYPES = ("zero", "pronoun", "name", "nominal")
_UNKNOWN = -1
_ZERO, _PRONOUN, _NAME, _NOMINAL = range(len(MENTION_TYPES))

_LEVELS = {
    **dict.fromkeys(("NAM", "NAME", "PROP", "PROPER"), _NAME),
    **dict.fromkeys(("NOM", "NOMINAL"), _NOMINAL),
    **dict.fromkeys(("PRO", "PRON", "PRONOUN", "PRONOMINAL"), _PRONOUN),
}

_PRONOUNS = """
i me my mine myself you your yours yourself yourselves he him his himself she her hers herself it its itself
we us our ours ourselves they them their theirs themself themselves oneself this that these those who whom whose which
"""
_PARTICLES = "a an the of and for in on at to de der den des van von la le los el al bin ibn & - 's"
_ENGLISH_PRONOUNS, _SMALL_WORDS = frozenset(_PRONOUNS.split()), frozenset(_PARTICLES.split())

_WRITTEN, _TELLING, _LOWER_CASE, _PRONOMINAL = 1, 2, 4, 8
"""Traits by which English words are guessed to be pronouns, names or nominals, for a set of them in one number.

Written: it is not blank. Telling: it is none of the small words, such as "of", that names can have. Lower case: it is
telling and has no capital. Pronominal: it is a pronoun.
"""

_KNOWN: WeakKeyDictionary[Corpus, MentionTypes] = WeakKeyDictionary()


class MentionTypes(NamedTuple):
    """The type of every mention, as its place in `MENTION_TYPES`, and which are only guessed from English words.

    Where neither words nor attributes are known, it is -1.
    """

    code: Ints
    guessed: Booleans

    def find_any_of(self, *names: str) -> Booleans:
        """Return for each mention whether it is of one of the types named."""
        return np.isin(self.code, [MENTION_TYPES.index(name) for name in names])


class _MatchedCorpora(Protocol):
    """Key and response, and the rows of mentions that are twins."""

    @property
    def key(self) -> Corpus: ...
    @property
    def response(self) -> Corpus: ...
    @property
    def twin_key(self) -> Ints: ...
    @property
    def twin_response(self) -> Ints: ...


def find_mention_types(corpus: Corpus) -> MentionTypes:
    """Return the MentionTypes of a corpus, by the file, parts of speech, or a guess; found once and remembered."""
    if corpus not in _KNOWN:
        _KNOWN[corpus] = _find_types(corpus)
    return _KNOWN[corpus]


def set_mention_types(corpus: Corpus, types: MentionTypes) -> Corpus:
    """Store mention types as what `find_mention_types` will return for a corpus; return the corpus."""
    _KNOWN[corpus] = types
    return corpus


def find_types_of_sides(rows: _MatchedCorpora) -> tuple[MentionTypes, MentionTypes]:
    """Return MentionTypes of key and response; a response twin has the key mention's type, others may use key tags."""
    ours, theirs = find_mention_types(rows.key), find_mention_types(_lend_tags(rows.response, rows.key))
    code, guessed = theirs.code.copy(), theirs.guessed.copy()
    code[rows.twin_response] = ours.code[rows.twin_key]
    guessed[rows.twin_response] = ours.guessed[rows.twin_key]
    return ours, MentionTypes(code, guessed)


def collect_type_notices(rows: _MatchedCorpora) -> Iterator[Notice]:
    """Yield for each side a notice if some mentions' types are unknown, and another if some are guessed."""
    sides = zip(("key", "response"), (rows.key, rows.response), find_types_of_sides(rows), strict=True)
    for side, corpus, types in sides:
        unknown, guessed = int((types.code == _UNKNOWN).sum()), int(types.guessed.sum())
        where = corpus.source or side
        if unknown:
            some = count_part(unknown, len(corpus), "mention", "has", "have")
            what = f"{some} no text, so pronouns and names cannot be told apart"
            yield Notice.at("unknown-kind", where, None, what, {"side": side, "count": unknown})
        if guessed > unknown:
            some = count_part(guessed - unknown, len(corpus), "mention", "has", "have")
            kinds = "it is a pronoun or a name" if guessed - unknown == 1 else "they are pronouns or names"
            what = f"{some} neither a level nor a part of speech; whether {kinds} is guessed from English words"
            yield Notice.at("guessed-kind", where, None, what, {"side": side, "count": guessed - unknown})


def _find_types(corpus: Corpus) -> MentionTypes:
    """Return MentionTypes, by the first that tells: unwritten words, level or type, parts of speech, else a guess."""
    code = np.full(len(corpus), _UNKNOWN, dtype=np.int64)
    own = corpus.in_own_words()
    code[own.zeros] = _ZERO
    for find in (_find_by_level, _find_by_tag):
        rows = np.flatnonzero(code == _UNKNOWN)
        if len(rows):
            code[rows] = find(own, rows)
    rows = np.flatnonzero(code == _UNKNOWN)
    guessed = code == _UNKNOWN
    code[rows] = _guess_types(own, rows)
    return MentionTypes(code, guessed)


def _lend_tags(corpus: Corpus, other: Corpus) -> Corpus:
    """Return the corpus with the other's words if only those are tagged and they are as many; else as it is."""
    if corpus in _KNOWN:
        return corpus
    ours, theirs = corpus.tokens, other.tokens
    tagged = ours is not None and bool(heads.list_tag_attributes(ours.attributes))
    if theirs is None or tagged or not heads.list_tag_attributes(theirs.attributes):
        return corpus
    alike = ours is None or np.array_equal(ours.bounds, theirs.bounds)
    return corpus.replace(tokens=theirs) if alike and corpus.in_own_words() is corpus else corpus


def _find_by_level(corpus: Corpus, rows: Ints) -> Ints:
    """Return the type codes of the mentions in these rows by the attribute "level", else "type"; -1 if unknown."""
    found = np.full(len(rows), _UNKNOWN, dtype=np.int64)
    for name in ("type", "level"):
        if name not in corpus.attributes:
            continue
        values = corpus.attributes[name]
        codes = np.array([_LEVELS.get(values[row].upper(), _UNKNOWN) for row in rows.tolist()], dtype=np.int64)
        found = np.where(codes >= 0, codes, found)
    return found


def _find_by_tag(corpus: Corpus, rows: Ints) -> Ints:
    """Return the type codes of the mentions in these rows by the parts of speech of their heads; -1 if untagged."""
    classes = None if corpus.tokens is None else corpus.tokens.word_classes
    if classes is None or corpus.tokens is None or not isinstance(corpus.mentions, Spans):
        return np.full(len(rows), _UNKNOWN, dtype=np.int64)
    spans = corpus.mentions.take(rows)
    begin = corpus.tokens.bounds[corpus.document[rows]]
    head = heads.fill_missing_heads(corpus.heads, np.full(len(corpus), -1)).start[rows]
    long = np.flatnonzero((spans.end > spans.start) & (head < 0)).tolist()
    head = np.where(head < 0, spans.start, head)
    for row in long:
        words = [place for first, last in spans.runs(row) for place in range(first, last + 1)]
        head[row] = words[heads.guess_head_by_classes(classes[begin[row] + words].tolist())]
    of_head = classes[begin + head]
    pronoun = np.isin(of_head, heads.PRONOUNS) & (spans.end == spans.start)
    found = np.where(pronoun, _PRONOUN, np.where(of_head == heads.NAME, _NAME, _NOMINAL))
    return np.where(of_head == heads.UNTAGGED, _UNKNOWN, found)


def _guess_types(corpus: Corpus, rows: Ints) -> Ints:
    """Return type codes guessed from English for mentions in these rows; -1 for blank ones, and all without a text."""
    spans = corpus.mentions
    if corpus.tokens is None or not isinstance(spans, Spans):
        texts = corpus.list_texts(rows) or [""] * len(rows)
        return _choose_types(np.array([_find_traits(text) for text in texts], dtype=np.int64))
    before = corpus.tokens.bounds[corpus.document[rows]]
    count = len(corpus.tokens.start)  # spans of documents without words end behind the last one
    first, stop = (np.minimum(before + place[rows], count) for place in (spans.start, spans.end + 1))
    traits = np.zeros(len(rows), dtype=np.int64)
    traits_of_words = _find_traits_of_words(corpus.tokens.all_words)
    for trait in (_WRITTEN, _TELLING, _LOWER_CASE):  # a mention has them if one of its words has
        before_word = np.append(0, np.cumsum(traits_of_words & trait != 0))
        traits[before_word[stop] > before_word[first]] |= trait
    single = stop - first == 1
    traits[single] |= traits_of_words[first[single]] & _PRONOMINAL
    traits[spans.find_discontinuous()[rows]] |= _find_traits("...")  # written in place of gaps
    return _choose_types(traits)


def _find_traits_of_words(words: Sequence[str]) -> Ints:
    """Return the traits of each of these words."""
    known = {word: _find_traits(word) for word in set(words)}
    return np.fromiter(map(known.__getitem__, words), dtype=np.int64, count=len(words))


@lru_cache(1 << 16)
def _find_traits(text: str) -> int:
    """Return the traits of a word, or of all words of a text, added up."""
    words = text.split()
    telling = [word for word in words if word.lower() not in _SMALL_WORDS]
    traits = _PRONOMINAL * (text.lower() in _ENGLISH_PRONOUNS) + _WRITTEN * bool(words) + _TELLING * bool(telling)
    return traits + _LOWER_CASE * (not all(word[:1].isupper() for word in telling))


def _choose_types(traits: Ints) -> Ints:
    """Return the type code for each mention's traits: pronoun, name if all telling words have capitals, or nominal."""
    is_name = traits & (_TELLING | _LOWER_CASE) == _TELLING
    found = np.where(traits & _PRONOMINAL, _PRONOUN, np.where(is_name, _NAME, _NOMINAL))
    return np.where(traits & _WRITTEN, found, _UNKNOWN)
