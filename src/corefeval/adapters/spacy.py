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
from collections.abc import Iterable, Mapping
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING, Any, TypeAlias

from corefeval.adapters import shared
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.from_python import is_list
from corefeval.corpus.mentions import Pieces, join_runs
from corefeval.errors import check_choice
from corefeval.notices import announce_notices

if TYPE_CHECKING:
    from spacy.tokens import Doc, DocBin


PREFIX = "coref_clusters"
HEADS = "coref_head_clusters"
_ANNOTATIONS = {"spans": "", "coref_chains": "index", "coref_clusters": "i"}  # and the attribute of entities' numbers
Docs: TypeAlias = "Doc | DocBin | Iterable[Doc] | Mapping[str, Doc]"


@announce_notices
def read(docs: Docs, *, annotation: str | None = None, prefix: str = PREFIX) -> Corpus:
    """Return the corpus, in words, of a Doc, several, a DocBin, or {name: Doc}; InputError with all faults.

    annotation: "spans", "coref_chains" or "coref_clusters"; by default the one that there is.
    prefix: how the keys of span groups begin, before an underscore and a number.
    """
    if annotation is not None:
        check_choice("annotation", annotation, tuple(_ANNOTATIONS))
    add = partial(_add_doc, annotation=annotation, prefix=prefix)
    return shared.build_corpus("spacy", "spaCy", _unpack_docs(docs), add)


def _unpack_docs(docs: object) -> object:
    """Return a list of the Docs of a DocBin; anything else as it is."""
    if not hasattr(docs, "get_docs"):
        return docs
    from spacy.vocab import Vocab  # noqa: PLC0415 - whoever has a DocBin has spaCy

    return list(docs.get_docs(Vocab()))


def _add_doc(reader: shared.DocumentReader, doc: Doc, annotation: str | None, prefix: str) -> None:
    """Add a spaCy Doc with the entities of the chosen or only annotation; a fault if there are two, or only heads."""
    tokens = list(doc)
    number = accumulate(int(bool(token.is_sent_start) and token.i > 0) for token in tokens)
    sentence = list(number) if doc.has_annotation("SENT_START") else None
    reader.add_document(words=[token.text for token in tokens], sentence=sentence)
    there = [each for each in _ANNOTATIONS if _find_entities(doc, each, prefix)]
    if len(there) > 1 and annotation is None:
        hint = f"choose one: annotation={there[0]!r}"
        reader.add_fault(f"it has entities in {' and in '.join(there)}", "one place", hint, kind="two-annotations")
        return
    if not there and annotation in (None, "spans") and prefix != HEADS and _find_span_groups(doc, HEADS):
        what = f"it has span groups {HEADS}_…, but none named {prefix}_…"
        hint = f"run the span resolver, or read the heads with prefix={HEADS!r}"
        reader.add_fault(what, "span groups of whole mentions", hint, kind="heads-only")
        return
    chosen = annotation or (there[0] if there else "spans")
    first = {token.idx: token.i for token in tokens}
    last = {token.idx + len(token): token.i for token in tokens}
    parsed = doc.has_annotation("DEP")

    def locate_mention(mention: Any) -> Pieces | None:
        """Return a mention (word numbers, a Span, or a pair of characters) as runs of words; None for anything else."""
        if hasattr(mention, "token_indexes"):
            return join_runs((word, word) for word in sorted(mention.token_indexes))
        if hasattr(mention, "start_char"):
            return ((mention.start, mention.end - 1),)
        pair = shared.read_integers(mention, 2)
        if pair is None or pair[0] not in first or pair[1] not in last:
            return None
        return ((first[pair[0]], last[pair[1]]),)

    def find_root_word(runs: Pieces) -> tuple[int, int] | None:
        """Return (word, word) of the root of a mention; None without a parse, or if the mention has gaps."""
        if not parsed or len(runs) > 1 or runs[0][0] > runs[0][1]:
            return None
        root = doc[runs[0][0] : runs[0][1] + 1].root.i
        return root, root

    for name, mentions in _find_entities(doc, chosen, prefix):
        expected = "a span, or first character and the one after the last, at the ends of words"
        reader.add_entity(name, mentions, locate_mention, expected, find_root_word)


def _find_span_groups(doc: Doc, prefix: str) -> list[tuple[str, object]]:
    """Return (number, span group) of all groups whose key is the prefix, _ and a number, sorted by number."""
    key = re.compile(rf"{re.escape(prefix)}_(\d+)")
    found = [(match[1], group) for name, group in doc.spans.items() if (match := key.fullmatch(name))]
    return sorted(found, key=lambda each: int(each[0]))


def _find_entities(doc: Doc, annotation: str, prefix: str) -> list[tuple[str, object]]:
    """Return a list of (name, mentions) of an annotation's entities; names are numbers, or places in the list."""
    if annotation == "spans":
        return _find_span_groups(doc, prefix)
    if doc.has_extension(annotation):
        entities = doc._.get(annotation)
    else:  # the Doc may have been made where the attribute was known
        user_data: Mapping[Any, object] = doc.user_data  # its keys are tuples, too
        entities = user_data.get(("._.", annotation, None, None))
    found: list[tuple[str, object]] = []
    for place, entity in enumerate(entities if is_list(entities) else [entities] if entities is not None else []):
        number, mentions = getattr(entity, _ANNOTATIONS[annotation], None), getattr(entity, "mentions", entity)
        if isinstance(mentions, list | tuple) and len(mentions) == 2 and shared.read_integer(mentions[0]) is not None:
            number, mentions = mentions  # some write (number, spans)
        found.append((str(place if number is None else number), mentions))
    return found
