"""Write profiles.md from the profiles: python docs/make_profiles.py"""

from __future__ import annotations

import textwrap
from pathlib import Path

from corefeval.options import DECISIONS
from corefeval.profiles.registry import DEFAULT, PROFILES

HEAD = """# Profiles

<!-- Made by make_profiles.py from src/corefeval/profiles and options.py: change it there. -->

The papers that define the measures leave decisions open, and every scorer takes them in its own way. A profile is what
one scorer decides, as data: `--profile coval` (`profile="coval"` in Python) takes all its decisions, and single ones
beside it overrule it: `--profile corefud-1.2 --singletons keep`. The signature names the decisions, not the profile:
the first five always, the others where they are not those of the default profile.

`corefeval profiles` shows this table, `corefeval profiles NAME` explains one, `--json` is for programs.

"""

WHY = """
## corefeval why

```sh
corefeval why key.conll response.conll --from conll-8.01 --to coval
```

begins with one scorer's numbers, changes one decision after another to the other's, and ends at the other's numbers,
printed as that one prints them. Each row says how much a decision moves each measure, in points; below it stand the
mentions, entities, links or documents that are responsible, with file and line: the first five, with `-v` all of them.
Only decisions that differ are listed, and only what moved something is explained. They change in one order (documents,
levels, singletons, matching, zeros, repeated mentions, twinless mentions, boundaries, averaging); in another order each
may move more or less, as the decisions depend on one another. Where a scorer would refuse the files, the output says so
and goes on without that refusal. `--json` has recall, precision and f1 of every step, and all causes. In Python:

```python
import corefeval

found = corefeval.why("key.conll", "response.conll", from_="conll-8.01", to="coval")
print(found)
found.steps[0].decision, found.changes(0, found.measures[0]), found.steps[0].causes
found.end["bcub"].f1
```
"""

CHECKED = """
## Beside the scorers themselves

`tests/golden/profile_cases.json` has own cases for every decision, `tests/golden/profiles.json` what each scorer gives
for them. `benchmarks/differential.py` makes up corpora (repeated mentions, singletons, twinless mentions, zeros in each
other's places, missing and superfluous documents) and compares every profile with its scorer, which it takes from where
`COREFEVAL_PERL`, `COREFEVAL_COVAL`, `COREFEVAL_UA`, `COREFEVAL_COREFUD`, `COREFEVAL_ALLENNLP` and `COREFEVAL_E2E` say.
On 2,000 pairs a scorer no number differed by more than 1e-9. Crashes of scorers and errors of their readers are not
copied; the notes below name them.
"""


def made() -> str:
    """The page."""
    head = "| | " + " | ".join(f"`{name}`" for name in PROFILES) + " |\n|---" + "|---" * len(PROFILES) + "|\n"
    rows = [
        f"| `{decision}` | " + " | ".join(getattr(each.options, decision) for each in PROFILES.values()) + " |"
        for decision in DECISIONS
    ]
    parts = [HEAD + head + "\n".join(rows) + "\n", WHY, CHECKED, "\n## The decisions\n"]
    for name, decision in DECISIONS.items():
        listed = "\n".join(f"- `{value.word}`: {value.meaning}" for value in decision.values.values())
        parts.append(f"\n**{name}**: {decision.description}\n\n{listed}\n")
    parts.append("\n## The scorers\n")
    for profile in PROFILES.values():
        default = " The default." if profile.name == DEFAULT else ""
        title = f"The decisions of {profile.title}. It has {', '.join(f'`{each}`' for each in profile.measures)}."
        notes = "\n".join(
            textwrap.fill(note, 118, initial_indent="- ", subsequent_indent="  ") for note in profile.notes
        )
        text = textwrap.fill(title + default, 120, break_on_hyphens=False)
        parts.append(f"\n### {profile.name}\n\n{text}\n\n{notes}\n")
    return "".join(parts)


if __name__ == "__main__":
    Path(__file__).with_name("profiles.md").write_text(made(), encoding="utf-8")
