"""spaCy: a `Doc` that some component has written entities into.

annotation       where they are                                     who puts them there
spans            doc.spans["coref_clusters_1"], "coref_clusters_2"  spacy-experimental
coref_chains     doc._.coref_chains: lists of numbers of words      coreferee
coref_clusters   doc._.coref_clusters: spans, or pairs of           neuralcoref, spacy-coref; fastcoref,
                 characters with the last one not included          crosslingual-coreference 0.3.1

Characters must begin and end where words do. Words, sentences and heads (the roots of the mentions) come from the Doc,
as far as it knows them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, cast

from corefeval.adapters import shared
from corefeval.errors import check_choice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from corefeval.corpus.corpus import Corpus
    from corefeval.corpus.mentions import Pieces
    from corefeval.formats.draft import DocumentDraft, Draft

PREFIX = "coref_clusters"
HEADS = "coref_head_clusters"


class _Token(Protocol):
    @property
    def i(self) -> int: ...
    @property
    def idx(self) -> int: ...
    @property
    def text(self) -> str: ...
    @property
    def is_sent_start(self) -> bool | None: ...
    def __len__(self) -> int: ...


class _SpacySpan(Protocol):
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def root(self) -> _Token: ...


class _Underscore(Protocol):
    def get(self, name: str, /) -> object: ...


class Doc(Protocol):
    """What is used of a Doc."""

    @property
    def spans(self) -> Mapping[str, Iterable[_SpacySpan]]:
        """Its groups of spans."""
        ...

    @property
    def user_data(self) -> Mapping[Any, object]:
        """What custom attributes are kept in."""
        ...

    @property
    def _(self) -> _Underscore: ...

    def has_extension(self, name: str, /) -> bool:
        """Whether there is such a custom attribute."""
        ...

    def has_annotation(self, attr: str, /) -> bool:
        """Whether its words have such an attribute."""
        ...

    def __iter__(self) -> Iterator[_Token]: ...

    def __getitem__(self, key: slice, /) -> _SpacySpan: ...


class DocBin(Protocol):
    """What is used of a DocBin."""

    @property
    def get_docs(self) -> Callable[..., Iterator[Doc]]:
        """Its Docs, made with a vocabulary."""
        ...


Docs: TypeAlias = "Doc | DocBin | Iterable[Doc] | Mapping[str, Doc]"


def read(docs: Docs, *, annotation: str | None = None, prefix: str = PREFIX) -> Corpus:
    """The corpus of a Doc, of several, of a DocBin, or of {name: Doc}; in words.

    annotation: "spans", "coref_chains" or "coref_clusters"; by default the one that there is.
    prefix: how the keys of span groups begin, before an underscore and a number.
    """
    if annotation is not None:
        check_choice("annotation", annotation, tuple(_ANNOTATIONS))

    def add(draft: Draft, name: shared.DocumentName, doc: object) -> None:
        _add_doc(draft, name.choose(None), cast("Doc", doc), annotation, prefix)

    return shared.build_corpus("spacy", "spaCy", _unpack_docs(docs), add)


def _unpack_docs(docs: object) -> object:
    if not hasattr(docs, "get_docs"):
        return docs
    from spacy.vocab import Vocab  # noqa: PLC0415 - whoever has a DocBin has spaCy

    return list(docs.get_docs(Vocab()))


def _add_doc(draft: Draft, name: str, doc: Doc, annotation: str | None, prefix: str) -> None:
    tokens = list(doc)
    document = draft.add_document(
        name,
        words=[token.text for token in tokens],
        sentence=_number_sentences(tokens) if doc.has_annotation("SENT_START") else None,
    )
    there = [each for each, find in _ANNOTATIONS.items() if find(doc, prefix)]
    if len(there) > 1 and annotation is None:
        what = f"document {name!r} has entities in {' and in '.join(there)}"
        draft.add_fault(None, what, "one place", f"choose one: annotation={there[0]!r}", kind="two-annotations")
        return
    if not there and annotation in (None, "spans") and prefix != HEADS and _find_span_groups(doc, HEADS):
        what = f"document {name!r} has span groups {HEADS}_…, but none named {prefix}_…"
        hint = f"run the span resolver, or read the heads with prefix={HEADS!r}"
        draft.add_fault(None, what, "span groups of whole mentions", hint, kind="heads-only")
        return
    chosen = annotation or (there[0] if there else "spans")
    _EntityAdder(draft, document, doc, tokens).add(_ANNOTATIONS[chosen](doc, prefix))


def _number_sentences(tokens: Iterable[_Token]) -> list[int]:
    """The number of each word's sentence."""
    number = -1
    found = []
    for token in tokens:
        number += bool(token.is_sent_start) or number < 0
        found.append(number)
    return found


def _find_span_groups(doc: Doc, prefix: str) -> list[tuple[str, object]]:
    """The span groups that are entities, by number."""
    key = re.compile(rf"{re.escape(prefix)}_(\d+)")
    found = [(match[1], group) for name, group in doc.spans.items() if (match := key.fullmatch(name))]
    return sorted(found, key=lambda each: int(each[0]))


def _find_chains(doc: Doc, _prefix: str) -> list[tuple[str, object]]:
    return _name_entities(_get_custom_attribute(doc, "coref_chains"), "index")


def _find_clusters(doc: Doc, _prefix: str) -> list[tuple[str, object]]:
    return _name_entities(_get_custom_attribute(doc, "coref_clusters"), "i")


_ANNOTATIONS = {"spans": _find_span_groups, "coref_chains": _find_chains, "coref_clusters": _find_clusters}
"""Where entities may be, and how they are found there: their names and their mentions."""


def _get_custom_attribute(doc: Doc, name: str) -> object:
    """A custom attribute, also of a Doc that was made where it was known and is read where it is not."""
    return doc._.get(name) if doc.has_extension(name) else doc.user_data.get(("._.", name, None, None))


def _name_entities(entities: object, attribute: str) -> list[tuple[str, object]]:
    """Entities with the numbers that they have, or by their place."""
    if entities is None:
        return []
    found = []
    for place, entity in enumerate(entities if shared.is_list(entities) else [entities]):
        number, mentions = getattr(entity, attribute, None), getattr(entity, "mentions", entity)
        if isinstance(mentions, list | tuple) and len(mentions) == 2 and shared.read_integer(mentions[0]) is not None:
            number, mentions = mentions  # some write (number, spans)
        found.append((str(place if number is None else number), mentions))
    return found


class _EntityAdder:
    """What is found in a Doc, on its way into a draft."""

    def __init__(self, draft: Draft, document: DocumentDraft, doc: Doc, tokens: list[_Token]) -> None:
        self.draft, self.document, self.doc = draft, document, doc
        self.parsed = doc.has_annotation("DEP")
        self.first = {token.idx: token.i for token in tokens}
        self.last = {token.idx + len(token): token.i for token in tokens}

    def add(self, entities: Iterable[tuple[str, object]]) -> None:
        """Add every mention of every entity."""
        for name, mentions in entities:
            self.document.describe_entity(name)
            if not shared.is_list(mentions):
                what = f"document {self.document.name!r}: entity {name} is {shared.quote_object(mentions)}"
                self.draft.add_fault(None, what, "a list of mentions")
                continue
            for mention in mentions:
                runs = self._find_runs(mention)
                if runs is None:
                    what = (
                        f"document {self.document.name!r}: a mention of entity {name} is {shared.quote_object(mention)}"
                    )
                    expected = "a span, or first character and the one after the last, at the ends of words"
                    self.draft.add_fault(None, what, expected, kind="mention-outside")
                else:
                    self.document.add_mention(name, runs if len(runs) > 1 else runs[0], head=self._find_head(runs))

    def _find_runs(self, mention: object) -> Pieces | None:
        """First and last word of every run."""
        if hasattr(mention, "token_indexes"):
            return _join_words(sorted(set(mention.token_indexes)))
        if hasattr(mention, "start_char"):
            span = cast("_SpacySpan", mention)
            return ((span.start, span.end - 1),)
        pair = shared.read_integers(mention, 2)
        if pair is None or pair[0] not in self.first or pair[1] not in self.last:
            return None
        return ((self.first[pair[0]], self.last[pair[1]]),)

    def _find_head(self, runs: Pieces) -> tuple[int, int] | None:
        if not self.parsed or len(runs) > 1 or runs[0][0] > runs[0][1]:
            return None
        root = self.doc[runs[0][0] : runs[0][1] + 1].root.i
        return root, root


def _join_words(words: list[int]) -> Pieces:
    """Numbers of words as runs."""
    runs: list[tuple[int, int]] = []
    for word in words:
        if runs and runs[-1][1] == word - 1:
            runs[-1] = runs[-1][0], word
        else:
            runs.append((word, word))
    return tuple(runs)
