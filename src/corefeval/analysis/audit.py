"""What became of a response whose words are not all the key's: its words, its mentions, and the scores: audit().

Words are inserted, deleted or replaced. A mention is carried if it has a place among the key's words; moved if it
begins or ends with words that the key lacks, without which it counts, or fills in what another copy of its passage has
lost; lost, and left out, if none of its words, or not its head, is there, or another copy of it counts; unplaced, and
spurious, if it begins or ends within a word of the key. It is repaired if the reader had to mend how it was written,
whatever became of it then.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar, Unpack

from corefeval._arrays import Booleans, Ints, np
from corefeval._lazy import NamedTuple
from corefeval.corpus import beyond_identity
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Carried, Pieces
from corefeval.matching.carrying import REPAIRED, TextComparison, compare_texts, count_changes
from corefeval.matching.documents import PairedDocuments, pair_documents
from corefeval.matching.letters import Letters, read_both_letters
from corefeval.notices import announce_notices
from corefeval.options import IDENTITY, ScoringOptions
from corefeval.scoring.layout import EvaluationResult, ScoreReport, format_main, label_responses, list_scores
from corefeval.scoring.results import Evaluation
from corefeval.scoring.score import Measures, Source, read, score, score_corpora
from corefeval.scoring.sides import prepare_corpus
from corefeval.tables.table import Digits, Table, format_percent, make_score_formatter, shorten_text
from corefeval.tables.writers import collect_columns

EXAMPLES = 5
_FATES = ("carried", "moved", "lost", "unplaced")
Thing = TypeVar("Thing")
_SHOWN = 40  # characters of a word or mention


class ChangedWord(NamedTuple):
    """A word that only one side has, or one that stands in the place of another; None where a side has none.

    key_place, response_place: the number of the word in its document, or of its first character.
    """

    document: str
    change: str
    key: str | None
    key_place: int | None
    response: str | None
    response_place: int | None
    line: int | None


class MentionFate(NamedTuple):
    """A response mention that is not simply carried over. key: what it counts as, None if it has no place."""

    document: str
    fate: str
    mention: str
    place: str
    key: str | None
    repair: str


@dataclass(frozen=True, slots=True)
class DocumentAudit:
    """How many words of a document are changed, and what became of its mentions. name: None for all documents.

    share_changed: how much of the side with fewer words the other side lacks.
    """

    name: str | None
    key_words: int
    response_words: int
    inserted: int
    deleted: int
    replaced: int
    share_changed: float
    mentions: int
    carried: int
    moved: int
    lost: int
    unplaced: int
    repaired: int

    def to_dict(self) -> dict[str, object]:
        """Return the counts as a dict, the document's name first."""
        return {"document": self.name, **{name: getattr(self, name) for name in self.__slots__ if name != "name"}}


@dataclass(frozen=True, slots=True)
class Audit(EvaluationResult):
    """An evaluation with an account of changed words, and of mentions that were carried over or repaired.

    variants: by name, the evaluations without repaired mentions and without moved ones, where there are any.
    """

    evaluation: Evaluation
    whole: DocumentAudit
    documents: tuple[DocumentAudit, ...]
    changes: tuple[ChangedWord, ...]
    mentions: tuple[MentionFate, ...]
    variants: Mapping[str, Evaluation]

    def tables(self, *, digits: Digits = "round", examples: int | None = EXAMPLES) -> Iterator[Table]:
        """Yield tables of changed words and of mentions by document, of scores, and of `examples` of each kind."""
        documents = [
            each for each in self.documents if each.share_changed or each.repaired or each.carried < each.mentions
        ]
        rows = [*documents[:examples], self.whole] if len(self.documents) > 1 else [self.whole]
        names = [each.name if each.name is not None else "all" for each in rows]
        words = [(each.key_words, each.response_words, each.inserted, each.deleted, each.replaced) for each in rows]
        head = ["document", "key words", "response words", "inserted", "deleted", "replaced", "changed %"]
        body = [
            [name, *(f"{count:,}" for count in counts), format_percent(each.share_changed)]
            for name, counts, each in zip(names, words, rows, strict=True)
        ]
        yield Table("Words", head, body, 1, ("changed: how much of the side with fewer words the other one lacks",))
        fields = ("mentions", *_FATES, REPAIRED)
        body = [
            [name, *(f"{getattr(each, field):,}" for field in fields)] for name, each in zip(names, rows, strict=True)
        ]
        yield Table("Mentions", ["document", *fields], body, 1)
        if self.variants:
            yield self._build_score_table(digits)
        yield from self._build_example_tables(examples)

    def _build_score_table(self, digits: Digits) -> Table:
        """Build a table with a row for each measure: its main value with all mentions, and by each variant."""
        write, evaluations = make_score_formatter(digits), [self.evaluation, *self.variants.values()]
        body = [[str(by), *(format_main(each, by, write) for each in evaluations)] for by in self.evaluation.measures]
        return Table("Scores", ["measure", "all mentions", *self.variants], body, 1)

    def _build_example_tables(self, examples: int | None) -> Iterator[Table]:
        """Yield a table of changed words and one of mentions, if any, with so many of each kind."""
        words = _take_some(self.changes, [each.change for each in self.changes], examples)
        if words:
            body = [
                [each.change, each.document, _shorten(each.key), _shorten(each.response), str(each.line or "")]
                for each in words
            ]
            yield Table("Changed words", ["", "document", "key", "response", "line"], body, 5)
        fates = [each.fate if each.fate != "carried" else REPAIRED for each in self.mentions]
        mentions = _take_some(self.mentions, fates, examples)
        if mentions:
            body = [
                [each.fate, each.document, _shorten(each.mention), _shorten(each.key), each.repair, each.place]
                for each in mentions
            ]
            head = ["", "document", "mention", "counts as", "repair", "place"]
            yield Table("Mentions that were not simply carried over", head, body, len(head))

    def build_columns(self) -> dict[str, list[object]]:
        """Return columns with a row for each document, and one for all of them (document None)."""
        rows = [each.to_dict() for each in (self.whole, *self.documents)]
        return collect_columns(list(rows[0]), [list(row.values()) for row in rows])

    def build_content(self) -> dict[str, object]:
        """Return the audit as plain objects: counts in all and by document, changed words, mentions, scores."""
        return self.frame_content(self.build_account())

    def build_account(self) -> dict[str, object]:
        """Return the audit as plain objects, without the evaluation that it is about."""
        return {
            "all": self.whole.to_dict(),
            "documents": [each.to_dict() for each in self.documents],
            "changes": [each._asdict() for each in self.changes],
            "mentions": [each._asdict() for each in self.mentions],
            "scores": {
                name: list_scores(each, each.measures)
                for name, each in {"all mentions": self.evaluation, **self.variants}.items()
            },
        }


@dataclass(frozen=True)
class AuditedEvaluations(ScoreReport):
    """Evaluations, each with its audit."""

    plain: ScoreReport
    audits: tuple[Audit, ...]

    @property
    def evaluations(self) -> tuple[Evaluation, ...]:
        """The evaluations of one key that are shown together."""
        return self.plain.evaluations

    def tables(self, *, digits: Digits = "round", per_document: bool = False) -> Iterator[Table]:
        """Yield the tables of the evaluations, then those of each audit."""
        yield from self.plain.tables(digits=digits, per_document=per_document)
        yield from self._build_audit_tables(digits)

    def text_tables(self, *, digits: Digits = "round", per_document: bool = False) -> Iterator[Table]:
        """Yield the plain-text tables of the evaluations, then those of each audit."""
        yield from self.plain.text_tables(digits=digits, per_document=per_document)
        yield from self._build_audit_tables(digits)

    def paper_tables(self, *, digits: Digits = "round", per_document: bool = False) -> Iterator[Table]:
        """Yield the table of the evaluations that papers print, then those of each audit."""
        yield from self.plain.paper_tables(digits=digits, per_document=per_document)
        yield from self._build_audit_tables(digits)

    def _build_audit_tables(self, digits: Digits) -> Iterator[Table]:
        """Yield the tables of each audit, with the response's name in their titles if there are several."""
        for label, audit in zip(label_responses(self.evaluations), self.audits, strict=True):
            for table in audit.tables(digits=digits):
                title = f"{table.title} ({label})" if len(self.audits) > 1 else table.title
                yield Table(title, table.head, table.rows, table.names, table.notes)

    def build_columns(self, *, per_document: bool = False) -> dict[str, list[object]]:
        """Return the columns of the evaluations."""
        return self.plain.build_columns(per_document=per_document)

    def build_content(self, *, per_document: bool = False) -> dict[str, object]:
        """Return a dict with a list of the evaluations as plain objects, each with its audit."""
        content = self.plain.build_content(per_document=per_document)
        scores = content["evaluations"]
        assert isinstance(scores, list)  # noqa: S101 - what all reports have
        both = zip(scores, self.audits, strict=True)
        return content | {"evaluations": [each | {"audit": audit.build_account()} for each, audit in both]}


@announce_notices
def audit(
    key: Source,
    response: Source,
    *,
    measures: Measures | None = None,
    **options: Unpack[ScoringOptions],
) -> Audit:
    """Score a response against a key, and return the evaluation with an account of changed words and of mentions.

    Keywords are those of `score`.
    """
    forms = options.pop("format", None), options.pop("key_format", None), options.pop("response_format", None)
    sides = read(key, forms[1] or forms[0], side="key"), read(response, forms[2] or forms[0], side="response")
    return make_audit(score(*sides, measures=measures, **options), *sides)


def make_audit(evaluation: Evaluation, key: Corpus, response: Corpus) -> Audit:
    """Return the audit of an evaluation, given both corpora that were scored."""
    options = evaluation.options
    ours, theirs = (prepare_corpus(_select_layer(side, options.layer), options) for side in (key, response))
    paired = pair_documents(ours, theirs, options)
    compared = [_compare_document(paired, number) for number in range(len(paired.key.documents))]
    carried = paired.carried
    response = paired.response if carried is None else carried.whole
    fates = np.zeros(len(response), dtype=np.int64)
    if carried is not None:
        fates[carried.moved], fates[carried.lost], fates[carried.unplaced] = 1, 2, 3
    rules = response.attributes.get(REPAIRED)
    repaired = np.array([bool(each) for each in rules or [""] * len(fates)], dtype=np.bool_)
    paired = paired._replace(response=response)
    documents = tuple(_audit_document(paired, number, each, fates, repaired) for number, each in enumerate(compared))
    own = response.in_own_words()
    left = {"without repairs": ~repaired, "without moved mentions": fates != 1}
    variants = {
        name: score_corpora(paired.key.in_own_words(), own.keep(rows), evaluation.measures, options)
        for name, rows in left.items()
        if not rows.all()
    }
    changes = (
        word
        for number, each in enumerate(compared)
        if each is not None
        for word in _list_changed_words(paired, number, each)
    )
    chosen = np.flatnonzero((fates > 0) | repaired).tolist()
    mentions = (_describe_fate(paired, row, _FATES[fates[row]], rules[row] if rules else "") for row in chosen)
    return Audit(evaluation, _add_documents(documents), documents, tuple(changes), tuple(mentions), variants)


def _select_layer(corpus: Corpus, layer: str) -> Corpus:
    """Return the corpus with the mentions of a layer."""
    return corpus if layer == IDENTITY else beyond_identity.select_layer(corpus, layer)


def _compare_document(paired: PairedDocuments, number: int) -> TextComparison | None:
    """Return the comparison of a document's texts; None if one is not known, or the response lacks the document."""
    unknown = any(side.tokens is None and side.texts is None for side in (paired.key, paired.response))
    if unknown or paired.key.documents[number] in paired.missing:
        return None
    if paired.carried is not None and number in paired.carried.comparisons:
        return paired.carried.comparisons[number]
    return compare_texts(*read_both_letters(paired.key, paired.response, number))


def _audit_document(
    paired: PairedDocuments, number: int, compared: TextComparison | None, fates: Ints, repaired: Booleans
) -> DocumentAudit:
    """Return the account of one document, given what became of all mentions of the response."""
    here = paired.response.document == number
    counts = dict.fromkeys(("inserted", "deleted", "replaced"), 0)
    key_words, response_words, share = 0, 0, 0.0
    if compared is not None:
        counts, share = count_changes(compared.alignment), compared.alignment.share_changed
        key_words, response_words = (len(starts) - 1 for starts in compared.alignment.words)
    return DocumentAudit(
        name=paired.key.documents[number],
        key_words=key_words,
        response_words=response_words,
        **counts,
        share_changed=share,
        mentions=int(np.count_nonzero(here)),
        **dict(zip(_FATES, np.bincount(fates[here], minlength=len(_FATES)).tolist(), strict=True)),
        repaired=int(np.count_nonzero(repaired & here)),
    )


def _add_documents(documents: Sequence[DocumentAudit]) -> DocumentAudit:
    """Return the account of all documents together; the share is the mean by words of the shorter side."""
    added = ("key_words", "response_words", "inserted", "deleted", "replaced", "mentions", *_FATES, REPAIRED)
    totals = {name: sum(getattr(each, name) for each in documents) for name in added}
    fewer = [min(each.key_words, each.response_words) for each in documents]
    changed = sum(each.share_changed * words for each, words in zip(documents, fewer, strict=True))
    return DocumentAudit(name=None, **totals, share_changed=changed / sum(fewer) if sum(fewer) else 0.0)


def _list_changed_words(paired: PairedDocuments, number: int, compared: TextComparison) -> Iterator[ChangedWord]:
    """Yield the changed words of a document, in order."""
    ours, theirs, alignment = compared
    last = None
    for our_word, their_word in alignment.changes.tolist():
        key = _find_word(paired.key, number, ours, alignment.words[0], our_word)
        response = _find_word(paired.response, number, theirs, alignment.words[1], their_word)
        change = "inserted" if our_word < 0 else "deleted" if their_word < 0 else "replaced"
        if (change, key, response) == last:  # several parts of one word
            continue
        last = change, key, response
        corpus, place = (paired.key, key[1]) if response[1] is None else (paired.response, response[1])
        line = 0 if corpus.tokens is None or place is None else corpus.tokens.get_line(number, place)
        name = paired.key.documents[number]
        yield ChangedWord(name, change, key[0], key[1], response[0], response[1], line or None)


def _find_word(
    corpus: Corpus, number: int, side: Letters, starts: Ints, word: int
) -> tuple[str, int] | tuple[None, None]:
    """Return a word of a document as it is written, and where it is; None for both if there is none (-1)."""
    if word < 0:
        return None, None
    first, last = (int(side.unit[letter]) for letter in (starts[word], starts[word + 1] - 1))
    return _read_units(corpus, number, ((first, last),)), first


def _read_units(corpus: Corpus, number: int, runs: Pieces) -> str:
    """Return the text of runs of a document's words or characters; runs are parted by dots."""
    if corpus.tokens is not None:
        return " … ".join(" ".join(corpus.tokens.words(number, first, last)) for first, last in runs)
    assert corpus.texts is not None  # noqa: S101 - the caller has seen to it
    return " … ".join(corpus.texts[number][first : last + 1] for first, last in runs)


def _describe_fate(paired: PairedDocuments, row: int, fate: str, repair: str) -> MentionFate:
    """Return what became of a mention of the response, given by its row."""
    response = paired.response
    number = int(response.document[row])
    counts_as = response.words_of(row)
    if fate in ("lost", "unplaced"):
        counts_as = None
    elif paired.carried is not None and isinstance(response.mentions, Carried):
        counts_as = _read_units(paired.key, number, response.mentions.runs(row))
    text = response.words_of(row) or response.describe(row)
    return MentionFate(response.documents[number], fate, text, response.place(row, "response"), counts_as, repair)


def _take_some(things: Sequence[Thing], kinds: Sequence[str], most: int | None) -> list[Thing]:
    """Return the first `most` things of each kind (None: all), those of a kind together."""
    groups: dict[str, list[Thing]] = {}
    for thing, kind in zip(things, kinds, strict=True):
        groups.setdefault(kind, []).append(thing)
    return [thing for group in groups.values() for thing in group[:most]]


def _shorten(text: str | None) -> str:
    """Return a text cut to some characters; "" for None."""
    return shorten_text(text or "", _SHOWN)
