"""What each official scorer decides where the papers are silent, as data."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from corefeval.errors import OptionError, check_choice, near
from corefeval.options import CHOICES, Options

DEFAULT = "conll-8.01"


class Profile(NamedTuple):
    """One scorer: its name, what it is, its decisions, and what a profile cannot say or does not copy."""

    name: str
    title: str
    options: Options
    measures: tuple[str, ...]
    notes: tuple[str, ...] = ()


def _notes(text: str) -> tuple[str, ...]:
    """The paragraphs of a text, each on one line."""
    return tuple(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))


_CONLL = Options()
_LAST = _CONLL._replace(boundary="both", digits="round")

_ALL = (
    Profile(
        "conll-8.01",
        "the reference scorer of the CoNLL shared tasks, version 8.01",
        _CONLL,
        ("mentions", "muc", "bcub", "ceafm", "ceafe", "blanc"),
        _notes(
            """
            The scorer stops after ten repeated mentions, counted over all documents and measures of a run; this
            is not copied.

            It scores only the last of several documents of one name; here they are refused.

            B³ and CEAFe are sums of fractions, which it adds in no fixed order: where such a sum lies on the
            edge of two truncated values, its own runs differ in the last digit.
            """
        ),
    ),
    Profile(
        "conll-2012",
        "version 4 of that scorer, with the rewrite of Cai & Strube 2010, as used in the shared tasks of 2011 and 2012",
        _CONLL._replace(twinless="cai_strube"),
        ("mentions", "muc", "bcub", "ceafm", "ceafe"),
        _notes(
            """
            As far as the literature defines it: B³ and CEAF are rewritten as Cai & Strube 2010 describe;
            everything else is version 8.01. Version 4 itself has bugs that Pradhan et al. 2014 removed and that
            are not copied.

            BLANC of version 4 is defined for the key's mentions only, and is that of version 8.01 here.
            """
        ),
    ),
    Profile(
        "coval",
        "coval 0.0.1 (Moosavi)",
        _LAST._replace(duplicates="coval", boundary="key", missing="error"),
        ("mentions", "muc", "bcub", "ceafe", "lea"),
        _notes(
            """
            It reads '(0(1' without a bar as (1, leaves unclosed brackets out, and takes (1+2) for entity 12;
            files are read as the reference scorer reads them here.

            A mention is a sentence with places in it there, so other sentence breaks make other mentions; here
            words are counted over the document.

            Its CEAFm, which its command does not show, divides by numbers of entities; here it is CEAFm. It has
            no BLANC.

            Where a mention is the first of two entities, the last of them is there the one whose bracket is closed
            last; here the one that is opened last.

            Two documents of one name become one there; here they are refused.
            """
        ),
    ),
    Profile(
        "corefud-1.2",
        "the CorefUD scorer 1.2, the official one of the CRAC shared tasks on multilingual coreference",
        _LAST._replace(
            match="head", zeros="corefud-1.2", singletons="drop", duplicates="corefud-1.2", missing="error"
        ),
        ("muc", "bcub", "ceafm", "ceafe", "blanc", "lea"),
        _notes(
            """
            Zeros that stand in each other's places are looked up wrongly: see zeros=corefud-1.2, which says how
            many; zeros=dependency is right.

            Documents of the response that the key lacks are ignored at the end of the file and refused
            elsewhere; documents in another order are refused. Here order does not matter.

            It refuses files without '# newdoc', and stops at an empty node without dependencies on both sides.
            """
        ),
    ),
    Profile(
        "ua-1",
        "the Universal Anaphora scorer 1.0",
        _LAST._replace(duplicates="ua", missing="skip", split_antecedents="ua-1"),
        ("muc", "bcub", "ceafm", "ceafe", "blanc", "lea"),
        _notes(
            """
            Spans that cross are paired wrongly there: a closing bracket ends the mention that was opened last,
            of whatever entity.

            Its minimum spans are found by CEAF only; match=min is what was meant.

            BLANC and LEA with split antecedents depend on the order of Python's sets, which is copied: see
            split_antecedents=ua-1. Where two alignments of split antecedents are equally good, the last bit of a sum of
            fractions decides there; this is not copied.

            The last of several documents of one name counts there; here they are refused.
            """
        ),
    ),
    Profile(
        "ua-2",
        "the Universal Anaphora scorer 2.0",
        _LAST._replace(duplicates="ua", missing="error", extra="error", split_antecedents="ua-2"),
        ("muc", "bcub", "ceafm", "ceafe", "blanc", "lea"),
        _notes(
            """
            As the copy in the CorefUD scorer 1.2 computes it with singletons and split antecedents kept; the
            command there only prints a line.

            Spans that cross are paired wrongly unless --allow-boundary-crossing is given there.

            BLANC's links with split antecedents depend on the order of Python's sets, which is copied; where an
            entity has zeros, that order changes there from run to run.

            Where two alignments of split antecedents are equally good, the last bit of a sum of fractions decides
            there; this is not copied.
            """
        ),
    ),
    Profile(
        "allennlp",
        "ConllCorefScores of allennlp-models 2.10.1",
        _CONLL._replace(singletons="allennlp", duplicates="allennlp", digits="full"),
        ("muc", "bcub", "ceafe"),
        _notes(
            """
            It takes pairs of documents, so none can be missing. It reports the means of the three recalls and
            of the three precisions, too.
            """
        ),
    ),
    Profile(
        "e2e",
        "metrics.py of e2e-coref (Lee et al. 2017, 2018), which many systems copied",
        _CONLL._replace(singletons="allennlp", duplicates="allennlp", digits="round"),
        ("muc", "bcub", "ceafe", "lea"),
        _notes(
            """
            It takes pairs of documents, so none can be missing. It has a LEA, which skips singletons and is not
            shown.
            """
        ),
    ),
    Profile(
        "scorch",
        "scorch 0.2.0, its functions (add_sys_mentions=False)",
        _CONLL._replace(
            duplicates="first", boundary="scorch", average="scorch", missing="skip", extra="error", digits="full"
        ),
        ("muc", "bcub", "ceafm", "ceafe", "blanc"),
        _notes(
            """
            Its CoNLL reader keeps a repeated mention where it comes first, and fails where that leaves an
            entity empty; its functions take overlapping sets as they are. Of entities that begin at one word, the
            first is there the one that is written first; here one-word mentions come first.

            CEAF of sides that share nothing, and directories without any mention on one side, end in an error
            there; here the score is 0.
            """
        ),
    ),
    Profile(
        "scorch-cli",
        "scorch 0.2.0, its command",
        _CONLL._replace(
            duplicates="first", twinless="scorch-cli", boundary="scorch", average="scorch", missing="skip",
            extra="error", digits="full",
        ),
        ("muc", "bcub", "ceafm", "ceafe", "blanc"),
        _notes(
            """
            The command adds every response mention that the key lacks to the key, as a singleton; no option
            turns that off.

            It takes directories with a file for each document, and passes over those that the response lacks.
            """
        ),
    ),
)  # fmt: skip

_WITH_SPLITS = {
    "singletons": (("keep",), "antecedents are often singletons"),
    "twinless": (("keep", "cai_strube"), "scorch has none, and adds entities to the key in which they have no place"),
}
"""What goes together with scoring split antecedents, and why nothing else does."""

PROFILES: dict[str, Profile] = {profile.name: profile for profile in _ALL}


def find(name: str) -> Profile:
    """A profile by its name."""
    check_choice("profile", name, tuple(PROFILES))
    return PROFILES[name]


def resolved(profile: str | None = None, macro: bool = False, **given: str | None) -> Options:  # noqa: FBT001, FBT002
    """The decisions of a profile, but for those that are given."""
    try:
        return _resolved(profile, macro, **given)
    except TypeError:  # what cannot be hashed is no value of anything, and gets its message
        return _resolved.__wrapped__(profile, macro, **given)


@lru_cache(maxsize=256)
def _resolved(profile: str | None, macro: bool, **given: str | None) -> Options:  # noqa: FBT001
    name = DEFAULT if profile is None else profile
    if given.get("singletons") == "both":
        raise OptionError("singletons='both' makes two evaluations: call score once with 'keep' and once with 'drop'")
    chosen = {decision: value for decision, value in given.items() if value is not None}
    for decision, value in chosen.items():
        if decision == "layer":
            if not isinstance(value, str):
                raise OptionError(f"layer={value!r} is not possible; it takes the name of one layer")
            continue  # the files say which there are
        if decision not in CHOICES:
            raise OptionError(f"there is no option {decision!r}; {near(decision, tuple(CHOICES))}")
        check_choice(decision, value, CHOICES[decision])
    if macro:
        if chosen.get("average", "macro") != "macro":
            raise OptionError(f"macro is average='macro', but average={chosen['average']!r} is given, too")
        chosen["average"] = "macro"
    options = find(name).options._replace(**chosen)
    for decision, (values, why) in _WITH_SPLITS.items():
        if options.split_antecedents != "drop" and getattr(options, decision) not in values:
            needed = " or ".join(map(repr, values))
            what = f"split_antecedents={options.split_antecedents!r} needs {decision}={needed}"
            raise OptionError(f"{what}: {why}; split_antecedents='drop' leaves them out")
    return options
