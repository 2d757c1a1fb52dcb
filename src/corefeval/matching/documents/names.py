"""Which document of the response is which of the key, where their names are written differently."""

from __future__ import annotations

import os
import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from corefeval.formats import registry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from corefeval.corpus.corpus import Corpus

_PART = re.compile(r"\((.*)\); part (\d+)")


class SameDocument(NamedTuple):
    """The key's name for a document of the response, and why; nothing needs to be said where it is evident."""

    ours: str
    why: str = ""


def find_same_documents(key: Corpus, response: Corpus) -> dict[str, SameDocument]:
    """Find the key's names for documents of the response that have another one."""
    theirs, ours = set(response.documents), set(key.documents)
    left_ours = [name for name in key.documents if name not in theirs]
    left_theirs = [name for name in response.documents if name not in ours]
    same: dict[str, SameDocument] = {}
    for rule in (_pair_by_spelling, _pair_by_files, _pair_only_documents):
        new = rule(key, response, left_ours, left_theirs)
        same.update(new)
        taken = {each.ours for each in new.values()}
        left_ours = [name for name in left_ours if name not in taken]
        left_theirs = [name for name in left_theirs if name not in new]
    return same


def _pair_by_spelling(key: Corpus, response: Corpus, ours: list[str], theirs: list[str]) -> dict[str, SameDocument]:  # noqa: ARG001
    """CoNLL's (x); part 001 is x_1 elsewhere, and (x); part 000 is x_0 or x."""
    return {their: SameDocument(our) for our, their in _find_pairs(ours, theirs, _list_spellings)}


def _pair_by_files(key: Corpus, response: Corpus, ours: list[str], theirs: list[str]) -> dict[str, SameDocument]:
    """The only documents of two files of the same name, in two directories."""
    if not (key.files and response.files):
        return {}
    our_file, their_file = _find_lone_documents(key), _find_lone_documents(response)

    def names(document: str, files: dict[str, str]) -> list[str]:
        return [files[document]] if document in files else []

    paired = _find_pairs(ours, theirs, lambda name: names(name, our_file), lambda name: names(name, their_file))
    return {their: SameDocument(our, "their files have the same name") for our, their in paired}


def _pair_only_documents(key: Corpus, response: Corpus, ours: list[str], theirs: list[str]) -> dict[str, SameDocument]:
    """The only document of each side, if one has no name, or in two formats, or both are named after their files.

    In one format names tell documents apart, but those of two files that were asked for one by one say nothing.
    """
    alone = len(key.documents) == len(response.documents) == len(ours) == len(theirs) == 1
    if alone and not (ours[0] and theirs[0]):
        return {theirs[0]: SameDocument(ours[0])}
    if alone and (key.format != response.format or (_is_named_after_file(key) and _is_named_after_file(response))):
        return {theirs[0]: SameDocument(ours[0], "each side has but one document")}
    return {}


def _is_named_after_file(corpus: Corpus) -> bool:
    file = corpus.file(0)
    return bool(file) and file == corpus.source and os.path.basename(file).startswith(f"{corpus.documents[0]}.")


def _find_pairs(
    ours: Iterable[str],
    theirs: Iterable[str],
    names: Callable[[str], list[str]],
    their_names: Callable[[str], list[str]] | None = None,
) -> Iterator[tuple[str, str]]:
    """Documents that share a name which no other document has."""
    our_forms = _find_unique_names(ours, names)
    their_forms = _find_unique_names(theirs, their_names or names)
    used: set[str] = set()
    for form, their in their_forms.items():
        our = our_forms.get(form)
        if our is not None and our not in used and their not in used:
            used.update((our, their))
            yield our, their


def _find_unique_names(documents: Iterable[str], names: Callable[[str], list[str]]) -> dict[str, str]:
    forms = [(form, document) for document in documents for form in names(document)]
    times = Counter(form for form, _ in forms)
    return {form: document for form, document in forms if times[form] == 1}


def _list_spellings(name: str) -> list[str]:
    match = _PART.fullmatch(name)
    if not match:
        return [name]
    part = int(match[2])
    return [f"{match[1]}_{part}", *([match[1]] if part == 0 else [])]


def _find_lone_documents(corpus: Corpus) -> dict[str, str]:
    """Documents that are alone in their file, with its name below the directory and without what follows a dot."""
    times = Counter(corpus.files)
    return {
        document: _remove_suffix(os.path.relpath(file, corpus.source))
        for document, file in zip(corpus.documents, corpus.files, strict=True)
        if times[file] == 1
    }


def _remove_suffix(path: str) -> str:
    stem = registry.strip_suffix(
        path, tuple(suffix for name in registry.list_names() for suffix in registry.load_format(name).SUFFIXES)
    )
    return stem if stem != path else os.path.splitext(path)[0]
