"""A format of one's own: a line for every mention, with its document, its entity, and its first and last word.

%plain
story Kim 0 1
story Kim 7 7
"""

from corefeval.corpus.corpus import Corpus
from corefeval.formats.base import Capacity, File
from corefeval.formats.draft import Draft

TITLE = "a line for every mention: document, entity, first and last word"
EXAMPLE = "%plain\nstory Kim 0 1\nstory Kim 7 7"
SUFFIXES = (".plain",)
COMPANIONS = ()
CAPACITY = Capacity(units=("word",))
_MARK = b"%plain\n"


def recognise(beginning: bytes) -> str:
    """By its first line."""
    return "'%plain' found" if beginning.startswith(_MARK) else ""


def read(file: File) -> Corpus:
    """Read all lines, and tell of all that are wrong."""
    draft = Draft(file.name)
    documents = {}
    for number, line in enumerate(file.data.decode("utf-8", "replace").splitlines()[1:], start=2):
        match line.split():
            case [document, entity, first, last] if first.isdecimal() and last.isdecimal():
                if document not in documents:
                    documents[document] = draft.add_document(document)
                documents[document].add_mention(entity, (int(first), int(last)), line=number)
            case _:
                draft.add_fault(number, f"{line!r} is not a mention", "document, entity, first and last word")
    return draft.build_corpus()


def write(corpus: Corpus) -> bytes:
    """Write a line for every mention."""
    lines = [
        f"{document.name} {entity.name} {mention.start} {mention.end}\n"
        for document in corpus
        for entity in document
        for mention in entity
    ]
    return _MARK + "".join(lines).encode()
