"""GAP's TSV: the key with its texts, and submissions of ID, A-coref and B-coref; read only.

    ID	Text	Pronoun	Pronoun-offset	A	A-offset	A-coref	B	B-offset	B-coref	URL
    test-1	Kim met Lee when she ...	she	17	Kim	0	TRUE	Lee	8	FALSE	http://...

A line is a document, named by its ID, with three mentions: the pronoun and the names A and B, which their attribute
`gap` calls so; their level is PRO or NAM. A name that corefers is in the pronoun's entity, others are entities of their
own. The pronoun has the attribute `gender`, masculine or feminine; other pronouns than he, him, his, she, her and hers
have none. Offsets count the characters of the text; quotation marks mean nothing.

    test-1	TRUE	FALSE

A submission says the same without texts and places, so its mentions can be compared only with those of a GAP key. It
has no header; a line "ID, A-coref, B-coref" at its beginning is passed over. Documents that it lacks are the measure
`gap`'s to judge.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from corefeval.formats.draft import Draft
from corefeval.formats.shared import lines

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefeval.corpus.corpus import Corpus
    from corefeval.formats.base import Capacity, File
    from corefeval.formats.draft import DocumentDraft

TITLE = "GAP: ambiguous pronouns with two names, and submissions for it"
EXAMPLE = """ID	Text	Pronoun	Pronoun-offset	A	A-offset	A-coref	B	B-offset	B-coref	URL
test-1	Kim met Lee when she left.	she	17	Kim	0	TRUE	Lee	8	FALSE	http://...
test-2	Dan saw Ed after his exam.	his	17	Dan	0	TRUE	Ed	8	FALSE	http://..."""
SUFFIXES = (".tsv",)
COMPANIONS = ()
CAPACITY: Capacity | None = None

ATTRIBUTE = "gap"
ROLES = ("pronoun", "A", "B")
_GENDERS = {
    **dict.fromkeys(("she", "her", "hers"), "feminine"),
    **dict.fromkeys(("he", "his", "him"), "masculine"),
}
_KEY = ("ID", "Text", "Pronoun", "Pronoun-offset", "A", "A-offset", "A-coref", "B", "B-offset", "B-coref", "URL")
_SUBMISSION = ("ID", "A-coref", "B-coref")
_KEY_START = "\t".join(_KEY[:-1])
_SUBMISSION_LINE = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:ID\tA-coref\tB-coref\r?\n)?[^\t\r\n]+\t(?:true|false)\t(?:true|false)[ ]*\r?(?:\n|$)",
    re.IGNORECASE,
)
_OFFSET = re.compile(r"[0-9]{1,15}")
_LABELS = {"true": True, "false": False}


def recognise(beginning: bytes) -> str:
    """Recognise the format by the key's header, or by a first line of an ID and two of TRUE and FALSE."""
    if beginning.removeprefix(b"\xef\xbb\xbf").startswith(_KEY_START.encode()):
        return "GAP's columns found"
    return "an ID, TRUE or FALSE twice" if _SUBMISSION_LINE.match(beginning) else ""


def read(file: File) -> Corpus:
    """Read a key or a submission."""
    draft = Draft(file.name)
    text = lines.decode_strictly(file.data, draft)
    take, names = (_read_example, _KEY) if text.startswith(_KEY_START) else (_read_answer, _SUBMISSION)
    for number, line in enumerate(text.split("\n"), 1):
        cells = line.split("\t")
        header = number == 1 and cells[: len(_SUBMISSION)] in (list(_KEY[: len(_SUBMISSION)]), list(_SUBMISSION))
        if header or not line.strip():
            continue
        if len(cells) != len(names):
            draft.add_fault(number, f"{len(cells)} columns", f"{len(names)}: {', '.join(names)}")
        else:
            take(dict(zip(names, cells, strict=True)), number, draft)
    if not draft.documents and not draft.faults:
        draft.add_fault(1, "no example", f"lines of {', '.join(names)}")
    return draft.build_corpus()


def _read_example(cells: dict[str, str], line: int, draft: Draft) -> None:
    """Add the document of a line of the key."""
    corefers = _read_labels(cells, line, draft)
    text = cells["Text"]
    spans = {}
    for role, column in zip(ROLES, ("Pronoun", "A", "B"), strict=True):
        offset = cells[f"{column}-offset"]
        if not _OFFSET.fullmatch(offset):
            draft.add_fault(line, f"{column}-offset is {offset[:40]!r}", "a number of characters")
        elif not cells[column]:
            draft.add_fault(line, f"{column} is empty", "the words of a mention")
        else:
            spans[role] = int(offset), int(offset) + len(cells[column]) - 1
            there = text[spans[role][0] : spans[role][1] + 1]
            if there and there != cells[column]:
                message = f"{column} says {cells[column][:60]!r}, but the text has {there[:60]!r} in its place"
                draft.add_notice("text-differs", line, message)
    if corefers is None or len(spans) < len(ROLES):
        return
    gender = _GENDERS.get(cells["Pronoun"].lower(), "")
    if not gender:
        draft.add_notice("no-gender", line, f"{cells['Pronoun'][:40]!r} has no gender in GAP; it counts only overall")
    document = draft.add_document(cells["ID"], text=text, line=line)
    _add_mentions(document, spans, corefers, line, gender)


def _read_answer(cells: dict[str, str], line: int, draft: Draft) -> None:
    """Add the document of a line of a submission."""
    corefers = _read_labels(cells, line, draft)
    if corefers is not None:
        document = draft.add_document(cells["ID"], line=line)
        _add_mentions(document, {role: role for role in ROLES}, corefers, line, "")


def _read_labels(cells: dict[str, str], line: int, draft: Draft) -> dict[str, bool] | None:
    """Return whether A and B corefer with the pronoun; None with a fault."""
    found = {}
    for role in ROLES[1:]:
        written = cells[f"{role}-coref"]
        label = _LABELS.get(written.strip().lower())
        if label is None:
            draft.add_fault(line, f"{role}-coref is {written[:40]!r}", "TRUE or FALSE")
        else:
            found[role] = label
    return found if len(found) == 2 else None


def _add_mentions(
    document: DocumentDraft, mentions: Mapping[str, object], corefers: Mapping[str, bool], line: int, gender: str
) -> None:
    """Add the mentions of a document by role: those that corefer to the pronoun's entity, others to their own."""
    for role, mention in mentions.items():
        entity = "pronoun" if corefers.get(role, True) else role
        attributes = {ATTRIBUTE: role, "level": "PRO" if role == "pronoun" else "NAM"} | (
            {"gender": gender} if gender and role == "pronoun" else {}
        )
        document.add_mention(entity, mention, line=line, attributes=attributes)
