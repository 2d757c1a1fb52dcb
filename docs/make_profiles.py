"""Write profiles.md, and a page for each profile, from the profiles: python docs/make_profiles.py"""

from __future__ import annotations

import contextlib
import json
import shlex
import textwrap
import warnings
from pathlib import Path

from click.testing import CliRunner

from corefeval.cli.main import cli
from corefeval.options import DECISIONS
from corefeval.profiles import Profile
from corefeval.profiles.registry import DEFAULT, PROFILES

DOCS = Path(__file__).parent
GOLDEN = DOCS.parent / "tests" / "golden"
KEY, RESPONSE = "examples/key.conll", "examples/response-b.conll"
TYPED = ("a b c | b d | e", "a b | b c | d f")
"""A key and a response with a repeated mention, a singleton and mentions without a twin."""

HEAD = """# Profiles

<!-- Made by make_profiles.py from src/corefeval/profiles and options.py: change it there. -->

The papers that define the measures leave decisions open, and every scorer takes them in its own way. A profile is what
one scorer decides, as data: `--profile coval` (`profile="coval"` in Python) takes all its decisions, and single ones
beside it overrule it: `--profile corefud-1.2 --singletons keep`. The signature names the decisions, not the profile:
the first five always, the others where they are not those of the default profile.

`corefeval profiles` shows the table of all decisions, `corefeval profiles NAME` explains one, `--json` is for programs.

| profile | scorer | decisions beside the default's |
|---|---|---|
"""

TABLE = """
## All decisions of all profiles

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

The pages of the [measures](measures.md) show the smallest keys and responses on which two of these scorers differ.
"""

CHECKED = """
## Beside the scorers themselves

`tests/golden/profile_cases.json` has own cases for every decision, `tests/golden/profiles.json` what each scorer gives
for them. `benchmarks/differential.py` makes up corpora (repeated mentions, singletons, twinless mentions, zeros in each
other's places, missing and superfluous documents) and compares every profile with its scorer, which it takes from where
`COREFEVAL_PERL`, `COREFEVAL_COVAL`, `COREFEVAL_UA`, `COREFEVAL_COREFUD`, `COREFEVAL_ALLENNLP` and `COREFEVAL_E2E` say.
On 2,000 pairs a scorer no number differed by more than 1e-9. Crashes of scorers and errors of their readers are not
copied; the pages of the profiles name them.
"""


def made() -> str:
    """The index of profiles."""
    rows = [
        f"| [`{each.name}`](profiles/{each.name}.md) | {each.title} | {_list_changes(each)} |\n"
        for each in PROFILES.values()
    ]
    head = "| | " + " | ".join(f"`{name}`" for name in PROFILES) + " |\n|---" + "|---" * len(PROFILES) + "|\n"
    table = [
        f"| `{decision}` | " + " | ".join(getattr(each.options, decision) for each in PROFILES.values()) + " |\n"
        for decision in DECISIONS
    ]
    parts = [HEAD, *rows, WHY, TABLE, head, *table, CHECKED, "\n## The decisions\n"]
    for name, decision in DECISIONS.items():
        listed = "\n".join(f"- `{value.word}`: {value.meaning}" for value in decision.values.values())
        parts.append(f"\n**{name}**: {decision.description}\n\n{listed}\n")
    return "".join(parts)


def _list_changes(profile: Profile) -> str:
    """Return the decisions in which a profile is not the default one."""
    default = PROFILES[DEFAULT].options
    changed = [each for each in DECISIONS if getattr(profile.options, each) != getattr(default, each)]
    return ", ".join(f"`{each}={getattr(profile.options, each)}`" for each in changed) or "the default"


def make_pages() -> dict[str, str]:
    """The pages, by the names of the profiles."""
    return {name: _write_page(profile) for name, profile in PROFILES.items()}


def _write_page(profile: Profile) -> str:
    measures = ", ".join(f"[`{each}`](../measures/{each}.md)" for each in profile.measures)
    default = " It is the default." if profile.name == DEFAULT else ""
    files = f"{KEY} {RESPONSE}" if profile.options.match == "exact" else "key.conllu response.conllu"
    notes = "\n".join(textwrap.fill(note, 118, initial_indent="- ", subsequent_indent="  ") for note in profile.notes)
    return "\n".join(
        [
            f"# {profile.name}\n",
            "<!-- Made by make_profiles.py from src/corefeval/profiles and options.py: change it there. -->\n",
            f"The decisions of {profile.title}.{default} It has {measures}.\n",
            f"```sh\ncorefeval score {files} --profile {profile.name} -m {','.join(profile.measures)}\n```\n",
            _write_decisions(profile),
            _write_checked(profile),
            f"## What is copied, and what is not\n\n{notes}\n",
            _write_why(profile),
        ]
    )


def _write_decisions(profile: Profile) -> str:
    default = PROFILES[DEFAULT].options
    rows = []
    for decision in DECISIONS.values():
        word, usual = getattr(profile.options, decision.name), getattr(default, decision.name)
        own = f"**`{word}`**" if word != usual else f"`{word}`"
        beside = f"; the default: `{usual}`" if word != usual else ""
        rows.append(f"| `{decision.name}` | {own} | {decision.values[word].meaning}{beside} |\n")
    marked = f" Bold is what [`{DEFAULT}`]({DEFAULT}.md), the default, decides otherwise." * (profile.name != DEFAULT)
    variants = "".join(
        f"- `--{decision.replace('_', '-')} {value}` beside this profile is "
        f"{', '.join(f'`{name}={new}`' for name, new in taken.items())}, which is that scorer's way of it.\n"
        for (decision, value), taken in profile.variants.items()
    )
    return (
        f"## Its decisions\n\nAll values of each are in [profiles](../profiles.md#the-decisions).{marked}\n\n"
        f"| decision | | |\n|---|---|---|\n{''.join(rows)}" + (f"\n{variants}" if variants else "")
    )


def _write_checked(profile: Profile) -> str:
    """Return how many numbers of the scorer itself a test compares with the profile's."""
    across, own = (
        json.loads((GOLDEN / f"{file}.json").read_text(encoding="utf-8")) for file in ("cross_document", "profiles")
    )
    file, cases = "cross_document", [case["scores"] for case in across.get(profile.name.partition("-")[0], ())]
    if not cases:
        others = [each for each in PROFILES if each.startswith(f"{profile.name}-")]
        file, cases = (
            "profiles",
            [
                [
                    numbers
                    for name, numbers in found.items()
                    if f"{name}-".startswith(f"{profile.name}-") and name not in others
                ]
                for found in own.values()
            ],
        )
    numbers = sum(map(_count_numbers, cases))
    text = "## How it was checked\n\n"
    if not numbers:
        return f"{text}There are no numbers of the scorer itself: the notes say what the profile follows.\n"
    return (
        f"{text}`tests/golden/{file}.json` has {numbers:,} numbers that the scorer itself gave on {len(cases)} cases, "
        "some with options of its own. Tests compare them. "
        "Generated corpora: [profiles](../profiles.md#beside-the-scorers-themselves).\n"
    )


def _count_numbers(found: object) -> int:
    """Return how many numbers are in a value of JSON."""
    if isinstance(found, dict | list):
        return sum(_count_numbers(each) for each in (found.values() if isinstance(found, dict) else found))
    return isinstance(found, float | int) and not isinstance(found, bool)


def _write_why(profile: Profile) -> str:
    """Return what `why` says of a small example, or of files where the profile needs more than words."""
    if profile.name == DEFAULT:
        return (
            "## Beside another scorer\n\nThe other profiles are explained from this one, on their pages; "
            "`corefeval why` does it for your files.\n"
        )
    sides = TYPED if profile.options.match == "exact" else (KEY, RESPONSE)
    command = shlex.join(["why", *sides, "--to", profile.name])
    with contextlib.chdir(DOCS.parent), warnings.catch_warnings():
        done = CliRunner().invoke(cli, [*shlex.split(command), "-q"])
    if done.exit_code:
        raise ValueError(f"{command}: {done.output}")
    return f"## Beside the default\n\n```\n$ corefeval {command} -q\n{done.stdout}```\n"


if __name__ == "__main__":
    (DOCS / "profiles.md").write_text(made(), encoding="utf-8")
    (DOCS / "profiles").mkdir(exist_ok=True)
    for name, page in make_pages().items():
        (DOCS / "profiles" / f"{name}.md").write_text(page, encoding="utf-8")
