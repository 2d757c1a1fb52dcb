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

from corefeval.corpus.corpus import Corpus
from corefeval.formats.base import Capacity, File
from corefeval.formats.draft import Draft
from corefeval.formats.shared import lines
from corefeval.notices import count_things

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


def recognise(beginning: bytes) -> str:
    """Return why a file with this beginning is GAP's, by a key's header or a first line of a submission; "" if not."""
    if beginning.removeprefix(b"\xef\xbb\xbf").startswith(_KEY_START.encode()):
        return "GAP's columns found"
    return "an ID, TRUE or FALSE twice" if _SUBMISSION_LINE.match(beginning) else ""


def read(file: File) -> Corpus:
    """Return the corpus of a key or a submission that is in memory; raises InputError with all faults in it."""
    draft = Draft(file.name)
    text = lines.decode_strictly(file.data, draft)
    is_key = text.startswith(_KEY_START)
    names = _KEY if is_key else _SUBMISSION
    for number, line in enumerate(text.split("\n"), 1):
        cells = line.split("\t")
        header = number == 1 and cells[: len(_SUBMISSION)] in (list(_KEY[: len(_SUBMISSION)]), list(_SUBMISSION))
        if header or not line.strip():
            continue
        if len(cells) != len(names):
            draft.add_fault(number, count_things(len(cells), "column"), f"{len(names)}: {', '.join(names)}")
        else:
            _read_example(dict(zip(names, cells, strict=True)), number, draft, is_key=is_key)
    if not draft.documents and not draft.faults:
        draft.add_fault(1, "no example", f"lines of {', '.join(names)}")
    return draft.build_corpus()


def _read_example(cells: dict[str, str], line: int, draft: Draft, *, is_key: bool) -> None:
    """Add the document of a line of a key or submission, with the roles as mentions; also add faults and notices."""
    corefers = {"pronoun": True}
    for role in ROLES[1:]:
        written = cells[f"{role}-coref"]
        label = written.strip().lower()
        corefers[role] = label == "true"
        if label not in {"true", "false"}:
            draft.add_fault(line, f"{role}-coref is {written[:40]!r}", "TRUE or FALSE")
    mentions = _find_spans(cells, line, draft) if is_key else {role: role for role in ROLES}
    gender = _GENDERS.get(cells["Pronoun"].lower(), "") if is_key else ""
    if is_key and not gender:
        draft.add_notice("no-gender", line, f"{cells['Pronoun'][:40]!r} has no gender in GAP; it counts only overall")
    document = draft.add_document(cells["ID"], text=cells.get("Text"), line=line)
    for role, mention in mentions.items():
        attributes = {ATTRIBUTE: role, "level": "PRO" if role == "pronoun" else "NAM"}
        if gender and role == "pronoun":
            attributes["gender"] = gender
        document.add_mention("pronoun" if corefers[role] else role, mention, line=line, attributes=attributes)


def _find_spans(cells: dict[str, str], line: int, draft: Draft) -> dict[str, object]:
    """Return (first, last) character of each mention by role, without malformed ones, which are faults; add notices."""
    spans: dict[str, object] = {}
    for role, column in zip(ROLES, ("Pronoun", "A", "B"), strict=True):
        offset = cells[f"{column}-offset"]
        if not _OFFSET.fullmatch(offset):
            draft.add_fault(line, f"{column}-offset is {offset[:40]!r}", "a number of characters")
        elif not cells[column]:
            draft.add_fault(line, f"{column} is empty", "the words of a mention")
        else:
            first, end = int(offset), int(offset) + len(cells[column])
            spans[role] = first, end - 1
            there = cells["Text"][first:end]
            if there and there != cells[column]:
                message = f"{column} says {cells[column][:60]!r}, but the text has {there[:60]!r} in its place"
                draft.add_notice("text-differs", line, message)
    return spans
