"""Resolvers: responses made from the mentions of a key, by a baseline or by the salience resolver of Popescu-Belis.

The salience resolver (Popescu-Belis 1999, Evaluating reference resolution, 5.2, after Lappin & Leass 1994) is given the
right mentions. It takes them one by one; entities whose mentions are compatible with the new one on average are
candidates; the most salient candidate gets it, and its salience rises; where there is none, a new entity is made.

The paper says that compatibility depends on gender, number, and semantic content (head and determiner of the noun
group), for French. It leaves open, and here is chosen:

- two mentions are compatible (1) if no rule that is switched on objects, else incompatible (0); an entity is a
  candidate if the mean over its mentions is at least one half;
- `gender`, `number`: different values object, unknown ones do not. They are those of the head's word in the column
  `feats`, where the corpus has one (CoNLL-UA), else guessed from English pronouns, titles and plural endings;
- `head`: two noun groups or names object unless they have the same head, or one name is part of the other; pronouns
  have no semantic content, so the rule does not object where one of the two is a pronoun;
- `determiner`: an indefinite noun group (a, an, some, another) objects to all that comes before it;
- `salience`: an entity gains 100 by each mention, and half as much again by one that opens its sentence; all salience
  halves from sentence to sentence (as in Lappin & Leass). Switched off, the candidate mentioned last is taken;
- where no sentences are known, ten words or mentions count as one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import combinations

import numpy as np

from corefeval import measures as known
from corefeval._lazy import NamedTuple
from corefeval.baselines import responses
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.heads import guess_head_text
from corefeval.corpus.mention_types import find_mention_types
from corefeval.corpus.mentions import Spans
from corefeval.errors import OptionError, check_choice
from corefeval.measures import Measure
from corefeval.notices import hold_announcements
from corefeval.options import Options
from corefeval.scoring.score import score_corpora

RULES = ("gender", "number", "head", "determiner", "salience")
"""What can be switched off."""
SALIENCE = "salience"
RESOLVERS = (*responses.KINDS, SALIENCE)

_GAIN, _OPENING, _CANDIDATE = 100.0, 1.5, 0.5
_UNITS_PER_SENTENCE = 10
_WORD_LISTS = {
    "Fem": "she her hers herself mrs ms miss lady woman girl mother sister daughter queen aunt",
    "Masc": "he him his himself mr sir lord man boy father brother son king uncle",
    "Neut": "it its itself this that these those",
    "Plur": "they them their theirs themselves we us our ours ourselves these those",
    "Sing": "i me my mine myself he him his himself she her hers herself it its itself this that",
    "Ind": "a an some another",
}
_LISTED = {feature: frozenset(words.split()) for feature, words in _WORD_LISTS.items()}
"""English words that tell gender, number or indefiniteness, each by its value in CoNLL-U's features."""
_FEATURES = ("feats", "FEATS", "Feats")


class MentionProfile(NamedTuple):
    """What rules look at: "" where it is not known."""

    words: tuple[str, ...]
    head: str
    is_pronoun: bool
    is_name: bool
    gender: str
    number: str
    indefinite: bool


class PlacedProfile(NamedTuple):
    """The profile of a mention, the number of its sentence, and whether it opens that."""

    profile: MentionProfile
    sentence: int
    opens_sentence: bool


def resolve(key: Corpus, resolver: str, *, off: Collection[str] = (), seed: int = 0) -> Corpus:
    """Return a response of the key's mentions, made by a baseline or by the salience resolver without some rules."""
    check_choice("resolver", resolver, RESOLVERS)
    if resolver == SALIENCE:
        return resolve_by_salience(key, off=off)
    if off:
        raise OptionError(f"{resolver} has no rules to switch off; {SALIENCE} has")
    with hold_announcements():
        return responses.baseline(key, resolver, seed=seed)


def resolve_by_salience(
    key: Corpus, *, off: Collection[str] = (), profiles: Sequence[PlacedProfile] | None = None
) -> Corpus:
    """Return a response of the key's mentions, made by the salience resolver with some rules switched off.

    profiles: those of the key's mentions, where they are known already.
    """
    for rule in off:
        check_choice("off", rule, RULES)
    profiles = collect_profiles(key) if profiles is None else profiles
    group = np.zeros(len(key), dtype=np.int64)
    made = 0
    for document in range(len(key.documents)):
        rows = _sort_rows(key, document)
        entities = _resolve_document([profiles[row] for row in rows], frozenset(off))
        for row, entity in zip(rows, entities, strict=True):
            group[row] = made + entity
        made += 1 + max(entities, default=-1)
    return responses.group_mentions(key, group)


def _sort_rows(key: Corpus, document: int) -> list[int]:
    """Return the rows of a document's mentions in the order of the text."""
    rows = np.flatnonzero(key.document == document)
    if isinstance(key.mentions, Spans):
        rows = rows[key.own_spans.take(rows).sort_outer_first(np.zeros(len(rows), dtype=np.int64))]
    found: list[int] = rows.tolist()
    return found


def _resolve_document(mentions: Sequence[PlacedProfile], off: frozenset[str]) -> list[int]:
    """Return the number of the entity of each mention of a document, taken one by one."""
    members: list[Counter[MentionProfile]] = []  # pronouns recur, and need be compared once
    salience: list[float] = []
    last: list[int] = []
    found: list[int] = []
    sentence = mentions[0].sentence if mentions else 0
    compare = cache(partial(are_compatible, off=off))
    for place, (profile, own_sentence, opens_sentence) in enumerate(mentions):
        if own_sentence != sentence:
            salience = [each / 2 ** abs(own_sentence - sentence) for each in salience]
            sentence = own_sentence
        candidates = [
            number
            for number, others in enumerate(members)
            if sum(count for other, count in others.items() if compare(profile, other)) >= _CANDIDATE * others.total()
        ]
        if candidates:
            order = last if SALIENCE in off else salience
            chosen = max(candidates, key=lambda number: (order[number], last[number]))
        else:
            chosen = len(members)
            members.append(Counter())
            salience.append(0.0)
            last.append(place)
        members[chosen][profile] += 1
        salience[chosen] += _GAIN * (_OPENING if opens_sentence else 1)
        last[chosen] = place
        found.append(chosen)
    return found


def are_compatible(mention: MentionProfile, earlier: MentionProfile, off: Collection[str] = ()) -> bool:
    """Return whether no rule that is switched on objects to two mentions' being the same entity."""
    return not any(name not in off and rule(mention, earlier) for name, rule in _OBJECTIONS.items())


def _differ_in_head(mention: MentionProfile, earlier: MentionProfile) -> bool:
    """Return whether two mentions, none a pronoun, have other heads, and are no names of which one is part of one."""
    if mention.is_pronoun or earlier.is_pronoun or mention.head == earlier.head:
        return False
    both_names = mention.is_name and earlier.is_name
    ours, theirs = set(mention.words), set(earlier.words)
    return not (both_names and (ours <= theirs or theirs <= ours))


_OBJECTIONS: Mapping[str, Callable[[MentionProfile, MentionProfile], bool]] = {
    "gender": lambda mention, earlier: bool(mention.gender and earlier.gender) and mention.gender != earlier.gender,
    "number": lambda mention, earlier: bool(mention.number and earlier.number) and mention.number != earlier.number,
    "head": _differ_in_head,
    "determiner": lambda mention, earlier: mention.indefinite,  # noqa: ARG005 - to whatever is earlier
}
"""When a rule objects to two mentions, the later one first."""


def collect_profiles(corpus: Corpus) -> list[PlacedProfile]:
    """Return what rules look at for each mention; an OptionError if no words are known."""
    if corpus.tokens is None and corpus.texts is None:
        raise OptionError(f"{SALIENCE} needs words, but {corpus.source or 'the key'} has none")
    types = find_mention_types(corpus)
    pronouns, names = types.find_any_of("pronoun", "zero").tolist(), types.find_any_of("name").tolist()
    features = _read_features(corpus)
    profiles = []
    for row, (is_pronoun, is_name, given) in enumerate(zip(pronouns, names, features, strict=True)):
        words = tuple((corpus.words_of(row) or "").lower().split())
        head = guess_head_text(corpus, row).lower()
        gender = given.get("Gender") or _guess_gender(words)
        number = given.get("Number") or _guess_number(words, head, is_nominal=not is_pronoun and not is_name)
        indefinite = not is_pronoun and bool(words) and words[0] in _LISTED["Ind"]
        profiles.append(MentionProfile(words, head, is_pronoun, is_name, gender, number, indefinite))
    return list(map(PlacedProfile, profiles, *_find_sentences(corpus)))


def _guess_gender(words: Sequence[str]) -> str:
    """Return the gender, as CoNLL-U has it, that some English word among these tells; "" if none does."""
    genders = ("Fem", "Masc", "Neut")
    return next((each for each in genders if any(word.rstrip(".") in _LISTED[each] for word in words)), "")


def _guess_number(words: Sequence[str], head: str, *, is_nominal: bool) -> str:
    """Return the number, as CoNLL-U has it, of an English mention: by its pronoun, "and", or plural ending."""
    if len(words) == 1 and words[0] in _LISTED["Sing"]:
        return "Sing"
    if (len(words) == 1 and words[0] in _LISTED["Plur"]) or "and" in words:
        return "Plur"
    if not is_nominal or not head:
        return ""
    return "Plur" if head.endswith("s") and not head.endswith(("ss", "us", "is")) else "Sing"


def _find_sentences(corpus: Corpus) -> tuple[list[int], list[bool]]:
    """Return for each mention the number of its sentence, and whether it opens it."""
    start = corpus.own_spans.start
    if corpus.tokens is None:
        number = start // (_UNITS_PER_SENTENCE * 6)  # characters of a word and its blank
    else:
        number = corpus.tokens.sentence[corpus.tokens.bounds[corpus.document] + start]
        if not corpus.tokens.sentence.any():
            number = start // _UNITS_PER_SENTENCE
    first: dict[tuple[int, int], int] = {}
    places = list(zip(corpus.document.tolist(), number.tolist(), strict=True))
    for place, begin in zip(places, start.tolist(), strict=True):
        first[place] = min(begin, first.get(place, begin))
    return number.tolist(), [first[place] == begin for place, begin in zip(places, start.tolist(), strict=True)]


def _read_features(corpus: Corpus) -> list[dict[str, str]]:
    """Return the features of each mention's head, as CoNLL-U's column FEATS has them; empty where there are none."""
    tokens = corpus.tokens
    name = None if tokens is None else next((each for each in _FEATURES if each in tokens.attributes), None)
    if tokens is None or name is None:
        return [{} for _ in range(len(corpus))]
    column = tokens.attributes[name]
    return [
        dict(part.split("=", 1) for part in column[row].split("|") if "=" in part) for row in corpus.head_words.tolist()
    ]


class RuleRow(NamedTuple):
    """A row of the table of rules: which are off, each measure's main number, their mean, and the change of that."""

    off: tuple[str, ...]
    values: dict[str, float]
    mean: float
    change: float


def tabulate_rules(key: Corpus, measures: Sequence[str | Measure], options: Options) -> list[RuleRow]:
    """Return scores of the salience resolver with all rules, without each, and without each pair of them.

    measures: those that are averaged (Popescu-Belis 1999, 4.1), by their f1 or single number.
    """
    chosen = known.select_measures(tuple(measures))
    rows: list[RuleRow] = []
    profiles = collect_profiles(key)
    for off in _list_switches():
        with hold_announcements():
            evaluation = score_corpora(key, resolve_by_salience(key, off=off, profiles=profiles), chosen, options)
        values = {str(measure): float(evaluation[measure].main) for measure in evaluation.measures}
        mean = sum(values.values()) / len(values)
        rows.append(RuleRow(off, values, mean, mean - rows[0].mean if rows else 0.0))
    return rows


def _list_switches() -> Iterator[tuple[str, ...]]:
    """Yield which rules are off: none, each, each pair."""
    return (off for size in range(3) for off in combinations(RULES, size))
