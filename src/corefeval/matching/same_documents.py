"""Which documents of two sides are the same: by name, by its spelling, by file, by text, or by order."""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from corefeval._lazy import NamedTuple
from corefeval.corpus import tokens
from corefeval.corpus.corpus import Corpus
from corefeval.errors import OptionError, suggest_names
from corefeval.formats import registry
from corefeval.matching.letters import read_folded_text

_PART = r"\((.*)\); part (\d+)"
BY_ORDER = "they have no names and are paired by order"
_FEW = 20  # names that a message lists
_ONLY = "each side has but one document"


class SameDocument(NamedTuple):
    """The key's name for a document of the response, and why; nothing needs to be said where it is evident."""

    ours: str
    why: str = ""


def find_same_documents(key: Corpus, response: Corpus) -> dict[str, SameDocument]:
    """Return {response's name: SameDocument} of documents that are the same though names differ or are missing."""
    common = (set(response.documents) - response.unnamed) & (set(key.documents) - key.unnamed)
    left_ours = [name for name in key.documents if name not in common]
    left_theirs = [name for name in response.documents if name not in common]
    same: dict[str, SameDocument] = {}
    for rule in (_pair_by_spelling, _pair_by_files, _pair_only_documents, _pair_unnamed):
        new = rule(key, response, left_ours, left_theirs)
        same.update(new)
        taken = {each.ours for each in new.values()}
        left_ours = [name for name in left_ours if name not in taken]
        left_theirs = [name for name in left_theirs if name not in new]
    return same


def _pair_by_spelling(key: Corpus, response: Corpus, ours: list[str], theirs: list[str]) -> dict[str, SameDocument]:
    """Return {their name: SameDocument} of names that differ in spelling: (x); part 001 is x_1, part 000 x_0 or x."""
    named = (
        [name for name in ours if name not in key.unnamed],
        [name for name in theirs if name not in response.unnamed],
    )
    forms = ([(form, name) for name in names for form in _list_spellings(name)] for names in named)
    return {their: SameDocument(our) for our, their in _pair_by_forms(*forms)}


def _list_spellings(name: str) -> list[str]:
    """Return short spellings of a name: x_1 for "(x); part 001", x_0 and x for "(x); part 000"; of others, the name."""
    match = re.fullmatch(_PART, name)
    if not match:
        return [name]
    part = int(match[2])
    return [f"{match[1]}_{part}", *([match[1]] if part == 0 else [])]


def find_document(written: str, names: Sequence[str]) -> str:
    """Return the one of `names` that is written so, or in a spelling of `_list_spellings`; OptionError if not one is.

    A name without a part stands for all parts that there are, so that it is several names where there are two.
    """
    if written in names:
        return written
    spellings = set(_list_spellings(written))
    found = [name for name in names if spellings & {*_list_spellings(name), re.sub(_PART, r"\1", name)}]
    if len(found) == 1:
        return found[0]
    if found:
        listed = ", ".join(map(repr, found[:_FEW])) + (" ..." if len(found) > _FEW else "")
        raise OptionError(f"{written!r} is the name of {len(found)} documents: {listed}; choose one of them")
    raise OptionError(f"there is no document {written!r}; {suggest_names(written, names[:100])}")


def _pair_by_files(key: Corpus, response: Corpus, ours: list[str], theirs: list[str]) -> dict[str, SameDocument]:
    """Return {their name: SameDocument} of documents alone in their files, where the files' names are the same."""
    if not (key.files and response.files):
        return {}
    sides = (ours, _find_lone_documents(key)), (theirs, _find_lone_documents(response))
    forms = ([(file_of[name], name) for name in names if name in file_of] for names, file_of in sides)
    return {their: SameDocument(our, "their files have the same name") for our, their in _pair_by_forms(*forms)}


def _find_lone_documents(corpus: Corpus) -> dict[str, str]:
    """Return {document: its file's path below the corpus's directory, without suffix} of documents alone in a file."""
    suffixes = tuple(suffix for _, each in registry.list_formats() for suffix in each.SUFFIXES)
    times = Counter(corpus.files)
    found = {}
    for document, file in zip(corpus.documents, corpus.files, strict=True):
        if file and times[file] == 1:
            path = os.path.relpath(file, corpus.source)
            stem = registry.strip_suffix(path, suffixes)
            found[document] = stem if stem != path else os.path.splitext(path)[0]
    return found


def _pair_only_documents(key: Corpus, response: Corpus, ours: list[str], theirs: list[str]) -> dict[str, SameDocument]:
    """Return {their name: SameDocument} of the only documents of both sides, whatever their names; {} if more."""
    if not len(key.documents) == len(response.documents) == len(ours) == len(theirs) == 1:
        return {}
    absent = not ours[0] or not theirs[0] or key.unnamed or response.unnamed
    return {theirs[0]: SameDocument(ours[0], "" if absent else _ONLY)}


def _pair_unnamed(key: Corpus, response: Corpus, ours: list[str], theirs: list[str]) -> dict[str, SameDocument]:
    """Return {their name: SameDocument} where a side has no names: documents of the same text, the others by order.

    Where texts are known, and more documents are left on one side than on the other, these have no pair.
    """
    if not (key.unnamed.intersection(ours) or response.unnamed.intersection(theirs)):
        return {}
    if key.documents == response.documents and len(ours) == len(key.documents) and _have_same_words(key, response):
        repeated = _find_repeated_texts(key) if key.source != response.source else set()
        return {name: SameDocument(name, BY_ORDER if name in repeated else "") for name in theirs}
    same: dict[str, SameDocument] = {}
    has_text = all(side.tokens is not None or side.texts is not None for side in (key, response))
    if has_text:
        our_texts, their_texts = _group_by_text(key, ours), _group_by_text(response, theirs)
        for text, names in their_texts.items():
            twins = our_texts.get(text, [])
            why = "" if len(names) == len(twins) == 1 else BY_ORDER
            same.update((their, SameDocument(our, why)) for our, their in zip(twins, names, strict=False))
    taken = {each.ours for each in same.values()}
    left_ours, left_theirs = [name for name in ours if name not in taken], [name for name in theirs if name not in same]
    if len(left_ours) == len(left_theirs) or not has_text:
        pairs = zip(left_ours, left_theirs, strict=False)
        same.update((their, SameDocument(our, BY_ORDER)) for our, their in pairs)
    return same


def _have_same_words(key: Corpus, response: Corpus) -> bool:
    """Return whether all documents of two corpora have the same words, or the same texts, in the same order."""
    if key.tokens is None or response.tokens is None:
        return key.texts is not None and key.texts == response.texts
    if not np.array_equal(np.diff(key.tokens.bounds), np.diff(response.tokens.bounds)):
        return False
    return not tokens.find_differing_words(key.tokens, response.tokens).any()


def _find_repeated_texts(corpus: Corpus) -> set[str]:
    """Return the names of documents whose words, or texts, another document of the corpus has as well."""
    by_length: dict[int, list[int]] = defaultdict(list)
    lengths = map(len, corpus.texts or ()) if corpus.tokens is None else np.diff(corpus.tokens.bounds).tolist()
    for number, length in enumerate(lengths):
        by_length[length].append(number)
    repeated: set[str] = set()
    for numbers in by_length.values():
        if len(numbers) > 1:
            groups = _group_by_text(corpus, [corpus.documents[number] for number in numbers])
            repeated.update(name for names in groups.values() if len(names) > 1 for name in names)
    return repeated


def _group_by_text(corpus: Corpus, names: Sequence[str]) -> dict[str, list[str]]:
    """Return {letters: document names}, these documents grouped by their letters, whatever the words are."""
    groups: dict[str, list[str]] = defaultdict(list)
    number = {name: place for place, name in enumerate(corpus.documents)}
    for name in names:
        groups[read_folded_text(corpus, number[name])].append(name)
    return groups


def rename_to_key(key: Corpus, response: Corpus, same: Mapping[str, SameDocument]) -> Corpus:
    """Return the response with the key's names for documents that are the same.

    Another document of the response that has no name, but a number that names one of the key's, gets another name.
    """
    names = {theirs: each.ours for theirs, each in same.items()}
    taken = {*key.documents, *response.documents}
    for name in response.documents:
        if name not in names and name in taken and (name in response.unnamed or name in key.unnamed):
            names[name] = _make_free_name(f"{name} (unnamed)", taken)
            taken.add(names[name])
    left = frozenset(names.get(name, name) for name in response.unnamed.difference(same))
    return response.rename_documents(names).replace(unnamed=left)


def _make_free_name(name: str, taken: set[str]) -> str:
    """Return the name, with apostrophes added until it is none of those that are taken."""
    while name in taken:
        name += "'"
    return name


def _pair_by_forms(ours: list[tuple[str, str]], theirs: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield (our, their) documents that share a form which no other one has; given are lists of (form, document)."""
    our_forms, their_forms = _find_unique_forms(ours), _find_unique_forms(theirs)
    used: set[str] = set()
    for form, their in their_forms.items():
        our = our_forms.get(form)
        if our is not None and our not in used and their not in used:
            used.update((our, their))
            yield our, their


def _find_unique_forms(forms: list[tuple[str, str]]) -> dict[str, str]:
    """Return {form: document} of every form that occurs once in a list of (form, document)."""
    times = Counter(form for form, _ in forms)
    return {form: document for form, document in forms if times[form] == 1}
