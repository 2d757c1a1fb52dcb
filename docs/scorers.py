"""The section of a measure's page on scorers: who computes it, and where two of them differ, with smallest examples."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import differences
from differences import Difference, Differences, Numbers, get_value

from corefeval.measures import Measure
from corefeval.options import DECISIONS
from corefeval.profiles.registry import DEFAULT, PROFILES

DIFFER = "\n## Where two scorers differ\n\n"

INTRODUCTION = """
## Where two scorers differ

The smallest keys and responses on which a decision makes two of these scorers give different numbers, out of
{count:,} that were searched: all of up to {plain} mentions in one document, and of up to {other} words with a mention
that stands twice, two documents, a longer mention or zeros; some with split antecedents. Those that list one mention
twice in a row come last. Numbers are those of the profiles, which
[were compared with their scorers](../profiles.md#beside-the-scorers-themselves); 0/0 counts as 0. Entities stand in
brackets.{legend}

"""


def write_scorers(name: str, measure: Measure, by_hand: Mapping[str, Any], run: Callable[[str], str]) -> str:
    """Return the sections of a measure; `by_hand` is its part of measures.toml, `run` returns what a command prints."""
    own = [each for each in PROFILES.values() if name in each.measures]
    others = [each for each in differences.list_profiles(name) if each not in own]
    if not own:
        return _write_programs(by_hand) + _write_difference(measure, by_hand, run)
    rows = "".join(
        f"| [`{each.name}`](../profiles/{each.name}.md) | {each.title} | {_list_decisions(each.name, name)} |\n"
        for each in own
    )
    text = (
        "\n## Who computes it\n\nEach scorer with its decisions, where they are not those of the default, "
        f"[`{DEFAULT}`](../profiles/{DEFAULT}.md).\n\n| profile | scorer | how |\n|---|---|---|\n{rows}"
    )
    if others:
        listed = ", ".join(f"[`{each.name}`](../profiles/{each.name}.md)" for each in others)
        text += f"\nIt is the mean of what these print: {listed}.\n"
    return text + _write_differences(name, measure, differences.find_differences(name), run)


def _list_decisions(profile: str, measure: str) -> str:
    """Return how a scorer decides where that is about a measure and not as the default does."""
    values = {
        decision: get_value(profile, decision) for decision in DECISIONS if differences.concerns(decision, measure)
    }
    own = [f"`{decision}={value}`" for decision, value in values.items() if value != get_value(DEFAULT, decision)]
    return ", ".join(own) or "as the default"


def _write_programs(by_hand: Mapping[str, Any]) -> str:
    """Return the section on who computes a measure that is in no profile."""
    rows = [f"| {program} | {text} |\n" for program, text in by_hand.get("computed_by", ())]
    text = "\n## Who computes it\n\nNo [profile](../profiles.md) lists it among the measures of its scorer"
    if not rows:
        return f"{text}, and no other program is known that computes it.\n"
    return f"{text}. What computes it, or its counts:\n\n| program | |\n|---|---|\n{''.join(rows)}"


def _write_difference(measure: Measure, by_hand: Mapping[str, Any], run: Callable[[str], str]) -> str:
    """Return the section on where programs differ, of a measure that is in no profile, with commands that show it."""
    shown = "".join(f"$ corefeval {command}\n{run(command)}" for command in by_hand.get("show", ()))
    text = f"{DIFFER}{by_hand['differ']}\n" + (f"\n```\n{shown}```\n" if shown else "")
    return text + (f"\n{_write_ways(measure, **by_hand['ways'])}" if "ways" in by_hand else "")


def _write_ways(measure: Measure, profile: str, decision: str, values: Sequence[str]) -> str:
    """Return a table of the smallest example to which the values of one decision of a profile give other numbers."""
    example, numbers = differences.find_smallest(measure, profile, decision, values)
    key, response = (_draw_side(text) for text in example.sides)
    head = f"| key | response | {' | '.join(measure.shown)} | |\n|---|---{'|---' * len(measure.shown)}|---|\n"
    rows = [
        f"| {key} | {response} | {' | '.join(f'{number:.4f}' for number in own)} | `{decision}={value}` |\n"
        for value, own in zip(values, numbers, strict=True)
    ]
    return head + "".join(rows)


def _write_differences(name: str, measure: Measure, found: Differences, run: Callable[[str], str]) -> str:
    texts = "\n".join(f"{each.example.key}\n{each.example.response}" for each in found.found)
    legend = [meaning for sign, meaning in differences.LEGEND.items() if re.search(sign, texts)]
    signs = "".join(f"\n- {meaning}" for meaning in legend)
    signs = f" Beside letters, which are words:\n{signs}" if legend else ""
    counts = {"count": len(differences.list_examples()), "plain": differences.PLAIN, "other": differences.OTHER}
    parts = [INTRODUCTION.format(legend=signs, **counts)]
    for decision in dict.fromkeys(each.decision for each in found.found):
        head = f"| key | response | {' | '.join(measure.shown)} | |\n|---|---{'|---' * len(measure.shown)}|---|\n"
        rows = [_write_example(each) for each in found.found if each.decision == decision]
        what = f"[{decision}](../profiles.md#the-decisions): {DECISIONS[decision].description}"
        parts.append(f"### {decision}\n\n{what}\n\n{head}{''.join(rows)}\n")
    parts.append(_write_limits(found))
    parts.append(_write_command(name, found, run))
    return "".join(parts)


def _write_example(each: Difference) -> str:
    """Return rows of a table: the numbers, and the scorers that give them, by how they decide."""
    groups: dict[Numbers | None, dict[str, list[str]]] = {}
    for profile, numbers in each.numbers.items():
        rounded = numbers and tuple(round(number, 6) for number in numbers)
        groups.setdefault(rounded, {}).setdefault(get_value(profile, each.decision), []).append(profile)
    width = max(len(numbers) for numbers in groups if numbers)
    texts = [_draw_side(text) for text in each.example.sides]
    if each.example.shared:
        texts[0] += f" (documents of one {each.example.shared})"
    rows = []
    for numbers, by_value in groups.items():
        who = "; ".join(f"`{value}`: {', '.join(profiles)}" for value, profiles in by_value.items())
        cells = [f"{number:.4f}" for number in numbers] if numbers else ["refused"] + [""] * (width - 1)
        rows.append(f"| {texts[0]} | {texts[1]} | {' | '.join(cells)} | {who} |\n")
        texts = ["", ""]
    return "".join(rows)


def _draw_side(text: str) -> str:
    """Return a side with its entities in brackets: `[a b] [c] // [d]`."""
    documents = []
    for document in text.split(" // "):
        entities = [
            re.sub(r"^(?:(\w): )?(.*)$", r"\1[\2]", entity) for entity in document.split(" | ") if entity.strip()
        ]
        documents.append(document if document == "–" else " ".join(entities) or "(nothing)")
    return f"`{' // '.join(documents)}`"


def _write_limits(found: Differences) -> str:
    """Return what the search does not tell apart."""
    idle = [
        f"`{decision}` ({', '.join(f'`{one}` and `{other}`' for one, other in pairs)})"
        for decision, pairs in found.idle.items()
    ]
    text = ""
    if not found.found:
        text += "There is none.\n\n"
    if any(not each.alone for each in found.found):
        text += (
            "Where scorers that decide alike give different numbers, another of their decisions has a part in it.\n\n"
        )
    if idle:
        text += f"No example that was searched shows a difference by {', '.join(idle)}.\n\n"
    if found.alike:
        pairs = ", ".join(f"`{one}` and `{other}`" for one, other in found.alike)
        text += f"The same numbers throughout the search: {pairs}.\n\n"
    return text


def _write_command(name: str, found: Differences, run: Callable[[str], str]) -> str:
    """Return a `corefeval why` on the first example that can be typed, with what it prints; how to ask in any case."""
    for key, response, one, other in _list_typed(found.found):
        command = shlex.join(["why", key, response, "--from", one, "--to", other, "-m", name])
        return (
            "`corefeval why` finds the decision behind the numbers of any two of these, in your files as here:\n\n"
            f"```\n$ corefeval {command} -q\n{run(command)}```\n"
        )
    return (
        "What two profiles decide differently, [`corefeval why`](../profiles.md#corefeval-why) finds in your files.\n"
    )


def _list_typed(found: Iterable[Difference]) -> Iterator[tuple[str, str, str, str]]:
    """Yield examples that can be typed, with two profiles that give different numbers and compare words alone."""
    for each in found:
        typed = [text if "|" in text else f"{text} |" for text in each.example.sides]
        names = [name for name in each.numbers if get_value(name, "match") == "exact"]
        if any(re.search("[∅:=/]|[a-z]{2}", text) for text in each.example.sides) or not all(each.example.sides):
            continue
        one = DEFAULT if DEFAULT in names else names[0]
        for other in names:
            if get_value(one, each.decision) != get_value(other, each.decision) and differences.differ(
                each.numbers[one], each.numbers[other]
            ):
                yield typed[0], typed[1], one, other
