"""Write disagreements.md from the profiles and the symptoms below: python docs/make_disagreements.py"""

from __future__ import annotations

from pathlib import Path

from corefeval.options import DECISIONS
from corefeval.profiles.registry import PROFILES

SYMPTOMS = {
    "match": "Mentions are found by one tool and missed by the other, although they have the same head.",
    "zeros": "Scores differ on pro-drop languages only; the numbers of mentions differ by the zeros.",
    "singletons": "B³, CEAF, LEA or BLANC differ, MUC does not; one tool counts fewer entities.",
    "duplicates": "All measures differ a little; some mention stands in two entities of one file.",
    "average": "Scores of single documents agree, that of the corpus does not.",
    "twinless": "B³ and CEAF differ, MUC does not; the response has spurious or missing mentions.",
    "boundary": "Only BLANC differs, and by much; some document has one entity, or none, or singletons only.",
    "missing": "One tool stops, or recall is higher there; the response lacks documents.",
    "extra": "One tool stops; the response has documents that the key lacks.",
    "split_antecedents": "Only files with split antecedents score differently.",
    "anaphors": "Only scores of zeros and other single anaphors differ.",
    "level": "Scores of whole corpora differ by much; entities reach across documents.",
}
"""How a decision shows where two scorers take it differently."""

HEAD = """# Why do two tools disagree?

<!-- Made by make_disagreements.py from the profiles: change it there. -->

Two tools that read the same files and print different numbers under one name nearly always differ in a decision that
the paper leaves open. If both are [profiles](profiles.md), one command names the decision, how much it costs in points,
and the mentions that are to blame:

```sh
corefeval why key.conll response.conll --from conll-8.01 --to coval
```

If one of them is not, find what you see in this table. The last column says which scorer decides how: take the value of
yours with the option, such as `--singletons drop`, and see whether the difference is gone.

| what you see | option | who decides how |
|---|---|---|
"""

TAIL = """
What each value means is in [profiles](profiles.md#the-decisions). Where no decision explains it:

| what you see | look at |
|---|---|
| The last digit differs. | Rounding: the reference scorer cuts digits off, as `--digits truncate` does. |
| Recall and precision are exchanged. | The order of the files: the key comes first here. |
| F1 is not the harmonic mean of the recall and precision beside it. | The average: `--macro` averages each by itself. |
| CEAF differs, all else agrees. | Which one it is: `ceafm` counts mentions (φ3), `ceafe` entities (φ4). |
| BLANC is much higher elsewhere. | Mentions of one side only: `blanc:mentions=shared` leaves them out. |
| A distance or an index has another scale. | Its form: `corefeval measures` has the formulas, and their parameters. |
| A score is 0 here and 1, or missing, elsewhere. | 0/0: a dash here, which counts as 0 or, with `undefined=1`, as 1. |
| The number of mentions differs. | How the file is read: `corefeval stats` and `corefeval validate` say it. |

Two profiles as a whole, decision by decision: `corefeval profiles` shows the table of all. The smallest keys and
responses on which two of them differ are on the pages of the [measures](measures.md), such as
[B³](measures/bcub.md#where-two-scorers-differ).
"""


def made() -> str:
    """The page."""
    return HEAD + "".join(_write_row(decision) for decision in SYMPTOMS) + TAIL


def list_disputed() -> list[str]:
    """Return the decisions that not all scorers take alike."""
    return [each for each in DECISIONS if len({getattr(profile.options, each) for profile in PROFILES.values()}) > 1]


def _write_row(decision: str) -> str:
    scorers: dict[str, list[str]] = {}
    for name, profile in PROFILES.items():
        scorers.setdefault(getattr(profile.options, decision), []).append(name)
    usual = max(scorers, key=lambda value: len(scorers[value]))
    others = "; ".join(f"`{value}`: {', '.join(names)}" for value, names in scorers.items() if value != usual)
    return f"| {SYMPTOMS[decision]} | `--{decision.replace('_', '-')}` | {others}; `{usual}`: all others |\n"


if __name__ == "__main__":
    Path(__file__).with_name("disagreements.md").write_text(made(), encoding="utf-8")
