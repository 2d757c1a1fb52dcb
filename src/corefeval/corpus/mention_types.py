"""What kind of expression a mention is: a zero, a pronoun, a name, or another noun phrase (nominal).

Known, for each mention, from the first of these that says so:

1. unwritten words: a mention whose head, or first word where no head is given, is not written is a zero;
2. its attribute `level` or `type`: NAM, NOM and PRO of ACE, PROP, NOM and PRON of LitBank, PROPER, NOMINAL and
   PRONOMINAL of CoreNLP;
3. parts of speech, as CoNLL-2012, CorefUD and CoNLL-U Plus have them: one word that is a pronoun; else a name if the
   head is a proper noun. Where no head is given, it is the last noun before the first preposition, comma, verb or
   relative pronoun, a possessor left aside;
4. failing all that, English: a list of pronouns; a name has capital letters, small words between them left aside.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

from corefeval._arrays import np
from corefeval.notices import Notice

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefeval._arrays import Booleans, Ints
    from corefeval.corpus.corpus import Corpus
    from corefeval.corpus.mentions import Spans
    from corefeval.corpus.tokens import Tokens
    from corefeval.overlap.cells import Rows

MENTION_TYPES = ("zero", "pronoun", "name", "nominal")
_UNKNOWN = -1
_ZERO, _PRONOUN, _NAME, _NOMINAL = range(len(MENTION_TYPES))

_LEVELS = {
    **dict.fromkeys(("NAM", "NAME", "PROP", "PROPER"), _NAME),
    **dict.fromkeys(("NOM", "NOMINAL"), _NOMINAL),
    **dict.fromkeys(("PRO", "PRON", "PRONOUN", "PRONOMINAL"), _PRONOUN),
}
_LEVEL_ATTRIBUTES = ("level", "type")

_TAG_ATTRIBUTES = ("upos", "pos", "xpos")
_OTHER, _STOP, _POSSESSIVE = 10, 11, 12
_TAGS = {
    **dict.fromkeys(("PRON", "PRP", "PRP$", "WP", "WP$", "PPER", "PPOSAT", "PRELS", "PRF", "PDS"), _PRONOUN),
    **dict.fromkeys(("PROPN", "NNP", "NNPS", "NE", "NR"), _NAME),
    **dict.fromkeys(("NOUN", "NN", "NNS"), _NOMINAL),
    **dict.fromkeys(("ADP", "SCONJ", "VERB", "AUX", "PUNCT", "IN", "TO", "WDT", "WRB", ",", ":", "-LRB-", "VBD", "VBZ",
                     "VBP", "MD"), _STOP),
    "POS": _POSSESSIVE,
}  # fmt: skip

_KNOWN: WeakKeyDictionary[Corpus, MentionTypes] = WeakKeyDictionary()
_LOOKED_UP: WeakKeyDictionary[Tokens, Ints | None] = WeakKeyDictionary()

_ENGLISH_PRONOUNS = """
i me my mine myself you your yours yourself yourselves he him his himself she her hers herself it its itself
we us our ours ourselves they them their theirs themself themselves oneself this that these those who whom whose which
"""
_SMALL_WORDS = "a an the of and for in on at to de der den des van von la le los el al bin ibn & - 's"
_ENGLISH_ENDS = """
of in on at by for from with without within to into onto over under about against between among through during near
behind beside beyond across along around above below since until till like as than who whom
whose which that where when ,
"""
_ENDS = frozenset(_ENGLISH_ENDS.split())
_PRONOUNS, _SMALL = frozenset(_ENGLISH_PRONOUNS.split()), frozenset(_SMALL_WORDS.split())


class MentionTypes(NamedTuple):
    """The kind of every mention, as its place in `KINDS`, and of which mentions it is only a guess from English words.

    Where neither words nor attributes are known, it is -1.
    """

    code: Ints
    guessed: Booleans

    def of(self, *names: str) -> Booleans:
        """Which mentions are of these kinds."""
        return np.isin(self.code, [MENTION_TYPES.index(name) for name in names])


def find_mention_types(corpus: Corpus) -> MentionTypes:
    """The kind of every mention. Looked up once."""
    if corpus not in _KNOWN:
        _KNOWN[corpus] = _kinds(corpus)
    return _KNOWN[corpus]


def set_mention_types(corpus: Corpus, found: MentionTypes) -> Corpus:
    """A corpus whose mentions' kinds are known, as they were told where its words still were."""
    _KNOWN[corpus] = found
    return corpus


def _kinds(corpus: Corpus) -> MentionTypes:
    code = np.full(len(corpus), _UNKNOWN, dtype=np.int64)
    own = corpus.in_own_words()
    code[find_zeros(own)] = _ZERO
    for find in (_by_level, _by_tag):
        rows = np.flatnonzero(code == _UNKNOWN)
        if len(rows):
            code[rows] = find(own, rows)
    rows = np.flatnonzero(code == _UNKNOWN)
    guessed = np.zeros(len(corpus), dtype=np.bool_)
    guessed[rows] = True
    code[rows] = [_by_words(own.words_of(row)) for row in rows.tolist()]
    return MentionTypes(code, guessed)


def find_zeros(corpus: Corpus) -> Booleans:
    """Which mentions have a head, or a first word where no head is given, that is not written in the text."""
    from corefeval.corpus.mentions import Spans  # noqa: PLC0415 - measures are described without NumPy

    own = corpus.in_own_words()
    if own.tokens is None or own.tokens.empty is None or not isinstance(own.mentions, Spans):
        return np.zeros(len(corpus), dtype=np.bool_)
    return own.tokens.empty[own.tokens.bounds[own.document] + _given_heads(own, own.mentions.start)]


def find_types_of_sides(rows: Rows) -> tuple[MentionTypes, MentionTypes]:
    """The kinds of the key's and of the response's mentions; twins are of the kind that the key says."""
    ours, theirs = find_mention_types(rows.key), find_mention_types(_lent(rows.response, rows.key))
    code, guessed = theirs.code.copy(), theirs.guessed.copy()
    code[rows.twin_response] = ours.code[rows.twin_key]
    guessed[rows.twin_response] = ours.guessed[rows.twin_key]
    return ours, MentionTypes(code, guessed)


def _lent(corpus: Corpus, other: Corpus) -> Corpus:
    """The corpus with the other's words where it has none that are tagged, and the other has as many."""
    if corpus in _KNOWN:
        return corpus
    ours, theirs = corpus.tokens, other.tokens
    if theirs is None or _tag_names(theirs) == [] or (ours is not None and _tag_names(ours)):
        return corpus
    alike = ours is None or np.array_equal(ours.bounds, theirs.bounds)
    return corpus.replaced(tokens=theirs) if alike and corpus.in_own_words() is corpus else corpus


def _given_heads(corpus: Corpus, otherwise: Ints) -> Ints:
    if corpus.heads is None:
        return otherwise
    return np.where(corpus.heads.start >= 0, corpus.heads.start, otherwise)


def _by_level(corpus: Corpus, rows: Ints) -> Ints:
    found = np.full(len(rows), _UNKNOWN, dtype=np.int64)
    for name in reversed([name for name in _LEVEL_ATTRIBUTES if name in corpus.attributes]):
        values = corpus.attributes[name]
        codes = np.array([_LEVELS.get(values[row].upper(), _UNKNOWN) for row in rows.tolist()], dtype=np.int64)
        found = np.where(codes >= 0, codes, found)
    return found


def _by_tag(corpus: Corpus, rows: Ints) -> Ints:
    from corefeval.corpus.mentions import Spans  # noqa: PLC0415

    tags = None if corpus.tokens is None else _tags(corpus.tokens)
    if tags is None or corpus.tokens is None or not isinstance(corpus.mentions, Spans):
        return np.full(len(rows), _UNKNOWN, dtype=np.int64)
    spans = corpus.mentions.take(rows)
    begin = corpus.tokens.bounds[corpus.document[rows]]
    heads = _given_heads(corpus, np.full(len(corpus), -1))[rows]
    long = np.flatnonzero((spans.end > spans.start) & (heads < 0))
    heads = np.where(heads < 0, spans.start, heads)
    heads[long] = [_head(spans, row, tags, int(begin[row])) for row in long.tolist()]
    tag = tags[begin + heads]
    pronoun = (tag == _PRONOUN) & (spans.end == spans.start)
    found = np.where(pronoun, _PRONOUN, np.where(tag == _NAME, _NAME, _NOMINAL))
    return np.where(tag == _UNKNOWN, _UNKNOWN, found)


def _tags(tokens: Tokens) -> Ints | None:
    """What the parts of speech say of every word, in numbers; None where there are none. Looked up once."""
    if tokens not in _LOOKED_UP:
        _LOOKED_UP[tokens] = _look_up(tokens)
    return _LOOKED_UP[tokens]


def _look_up(tokens: Tokens) -> Ints | None:
    for name in _tag_names(tokens):
        values = list(tokens.attributes[name])
        if not _TAGS.keys().isdisjoint(values):
            return np.array([_TAGS.get(tag, _OTHER) if tag else _UNKNOWN for tag in values], dtype=np.int64)
    return None


def _tag_names(tokens: Tokens) -> list[str]:
    """The words' attributes that are parts of speech, the best first."""
    named = {name.lower(): name for name in tokens.attributes}
    return [named[name] for name in _TAG_ATTRIBUTES if name in named]


def _head(spans: Spans, row: int, tags: Ints, begin: int) -> int:
    """The last noun before the first word that cannot stand before the head, a possessor left aside."""
    words = [place for first, last in spans.runs(row) for place in range(first, last + 1)]
    return _noun(words, tags[[begin + word for word in words]].tolist())


def find_head_word(corpus: Corpus, document: int, words: Sequence[int], written: Sequence[str]) -> int:
    """Which of a document's words, some of them, is their head: the last noun as above.

    Without parts of speech it is the last one before an English preposition, relative pronoun or comma.
    """
    tags = None if corpus.tokens is None else _tags(corpus.tokens)
    if tags is None or corpus.tokens is None:
        ends = (place for place, word in enumerate(words) if place and written[word].lower() in _ENDS)
        return words[next(ends, len(words)) - 1]
    begin = int(corpus.tokens.bounds[document])
    return _noun(words, tags[[begin + word for word in words]].tolist())


def _noun(words: Sequence[int], tags: Sequence[int]) -> int:
    found = -1
    for word, tag in zip(words, tags, strict=True):
        if tag in (_NAME, _NOMINAL):
            found = word
        elif tag == _POSSESSIVE:
            found = -1
        elif tag == _STOP and found >= 0:
            break
    return found if found >= 0 else words[-1]


def _by_words(text: str | None) -> int:
    """What English words look like."""
    words = [] if text is None else text.split()
    if not words:
        return _UNKNOWN
    if text is not None and text.lower() in _PRONOUNS:
        return _PRONOUN
    return _NAME if _is_name(words) else _NOMINAL


def _is_name(words: Sequence[str]) -> bool:
    telling = [word for word in words if word.lower() not in _SMALL]
    return bool(telling) and all(word[:1].isupper() for word in telling)


def collect_type_notices(rows: Rows) -> Iterator[Notice]:
    """Sides whose mentions' kinds are partly a guess, or not known."""
    for side, corpus, found in zip(("key", "response"), rows[:2], find_types_of_sides(rows), strict=True):
        blind, guessed = int((found.code == _UNKNOWN).sum()), int(found.guessed.sum())
        where = corpus.source or side
        if blind:
            message = (
                f"{where}: {blind:,} of {len(corpus):,} mentions have neither words nor a level: they are of no kind"
            )
            yield Notice("unknown-kind", message, {"side": side, "count": blind})
        if guessed > blind:
            what = f"{guessed - blind:,} of {len(corpus):,} mentions have neither a level nor a part of speech"
            message = f"{where}: {what}; whether they are pronouns or names is guessed from English words"
            yield Notice("guessed-kind", message, {"side": side, "count": guessed - blind})
