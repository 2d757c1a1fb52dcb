"""Write a page for each measure, from what it says of itself and measures.toml: python docs/make_measures.py"""

from __future__ import annotations

import contextlib
import inspect
import shlex
import tomllib
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from click.testing import CliRunner
from falls import DRAWN, draw_falls
from file_examples import draw_document, list_boundaries, read_sides
from scorers import write_scorers

import corefeval
from corefeval.cli.main import cli
from corefeval.lab.criteria import CriteriaResult, judge_measures
from corefeval.lab.criteria.definitions import CRITERIA
from corefeval.measures.registry import CLASSES, GROUPS, parse

if TYPE_CHECKING:
    from corefeval.measures import Measure
    from corefeval.measures.parameters import Parameter

DOCS = Path(__file__).parent
TYPED = ("a b c | d e f g", "a b | c d | f g h i")
"""The example of Pradhan et al. 2014, section 4."""

KEY = [["a", "b", "c"], ["d", "e"]]
BOUNDARIES: dict[str, tuple[list[list[str]], list[list[str]]]] = {
    "the key itself": (KEY, KEY),
    "nothing": (KEY, []),
    "other mentions only": (KEY, [["v", "w", "x"], ["y", "z"]]),
    "all mentions in one entity": (KEY, [["a", "b", "c", "d", "e"]]),
    "each mention by itself": (KEY, [["a"], ["b"], ["c"], ["d"], ["e"]]),
    "the key itself, of one entity": (KEY[:1], KEY[:1]),
    "the key itself, of singletons": ([["a"], ["b"]], [["a"], ["b"]]),
    "nothing, as the key": ([], []),
}
"""What the response is, with a key and such a response."""

FALLS = """## How it falls

![{title}: a key with errors of one kind, by the rate of errors]({name}.svg)

The responses are a key of {mentions} mentions in {entities} entities with errors of one kind, at rates up to half of
the mentions, or of the entities where the error is one of entities. The figure has the mean of {seeds} draws;
`corefeval lab sensitivity KEY` draws it for a key of yours.
"""

CRITERIA_HEAD = """
## Properties

✓ holds in all cases that were searched, = never fails, but ties where it should prefer one, ✗ fails, – no case; in
brackets: where key and response have the same mentions, if that differs. [Criteria](../criteria.md) says what was
searched; `corefeval criteria {name} rag-bag` and the like show the smallest counter-example.

| | | from |
|---|---|---|
"""


NOT_SEARCHED = """
## Properties

Not searched: the [criteria](../criteria.md) are judged on small keys and responses whose mentions are bare names, and
this measure asks where mentions stand or what they are. What follows from its formula is said above, and in the
drawbacks below.
"""

WITHOUT_KEY = "\nIts key cannot be empty: the format has mentions in every document.\n"


def made() -> dict[str, str]:
    """The pages, by the names of the measures."""
    ideas = tomllib.loads((DOCS / "measures.toml").read_text(encoding="utf-8"))
    judged = judge_measures()
    return {name: _write_page(name, ideas[name], judged) for name in CLASSES}


def _write_page(name: str, by_hand: dict[str, Any], judged: CriteriaResult) -> str:
    parameters = by_hand.get("parameters")
    measure = parse(f"{name}:{parameters}" if parameters else name)
    command = ["explain", str(measure), *by_hand.get("files", TYPED)]
    if "document" in by_hand:
        command += ["--document", by_hand["document"]]
    example = shlex.join(command)
    parts = [
        f"# {measure.title}\n",
        "<!-- Made by make_measures.py from src/corefeval/measures, and measures.toml: change it there. -->\n",
        f"**{by_hand['idea']}**\n",
        _write_facts(name, measure),
        f"{inspect.cleandoc(measure.__doc__ or '')}\n",
        f"## An example\n\n{_draw_table(measure, by_hand)}```\n$ corefeval {example} -q\n{_run(example)}```\n",
        _write_parameters(measure),
        _write_boundaries(measure, by_hand),
        _write_documents(measure, by_hand),
    ]
    if name in draw_falls():
        parts.append(FALLS.format(name=name, title=measure.title, **DRAWN))
    page = "\n".join(part for part in parts if part)
    if str(measure) in {each.measure for each in judged.judged}:
        page += _write_criteria(str(measure), judged)
    else:
        page += NOT_SEARCHED
    page += write_scorers(name, measure, by_hand, _run)
    return page + _write_advantages(str(measure), by_hand, judged) + _write_citation(name, measure, by_hand)


def _write_facts(name: str, measure: Measure) -> str:
    groups = [group for group in GROUPS if name in {each.partition(":")[0] for each in GROUPS[group]}]
    facts = {
        "name": f"`{name}`" + (f", and in {', '.join(f'`{group}`' for group in groups)}" if groups else ""),
        "formula": f"`{' '.join(measure.formula.split())}`".replace("|", "\\|"),
        "from": measure.citation,
        "what counts": measure.unit,
        "several documents": measure.adds_up,
        "better is": "more" if measure.more_is_better else "less",
        "key and response swapped": "the same score" if measure.is_symmetric else "may give another score",
        "it needs": "mentions with their places or types" if measure.needs_mentions else "entities only",
    }
    rows = "".join(f"| {fact} | {text} |\n" for fact, text in facts.items() if text)
    return f"| | |\n|---|---|\n{rows}\nK, R, k, r, n and E are explained in [measures](../measures.md).\n"


def _run(command: str) -> str:
    """Return what a command prints that is run in the project's folder."""
    with contextlib.chdir(DOCS.parent), warnings.catch_warnings():
        done = CliRunner().invoke(cli, [*shlex.split(command), "-q"])
    if done.exit_code:
        raise ValueError(f"{command}: {done.output}")
    return done.stdout


def _write_parameters(measure: Measure) -> str:
    rows = "".join(
        f"| `{name}` | {_list_values(each)} | {_write_value(each.default)} | {each.doc} |\n"
        for name, each in measure.parameters.items()
    )
    return f"## Parameters\n\n| | values | default | |\n|---|---|---|---|\n{rows}"


def _list_values(each: Parameter) -> str:
    if each.choices:
        return ", ".join(f"`{choice}`" for choice in each.choices)
    return "a file" if each.reader else "a number"


def _write_value(value: object) -> str:
    return "–" if value is None else f"`{value:g}`" if isinstance(value, float) else f"`{value}`"


def _write_boundaries(measure: Measure, by_hand: dict[str, Any]) -> str:
    """A table of scores where formulas are in danger of 0/0."""
    key, cases = "{a, b, c}, {d, e}, where nothing else is said", BOUNDARIES
    if "files" in by_hand:
        key, cases = f"`{by_hand['files'][0]}`", list_boundaries(read_sides(by_hand))
    rows, text = [], ""
    for response, sides in cases.items():
        try:
            score = _score(sides, measure)[measure]
        except corefeval.OptionError:
            text = WITHOUT_KEY
            continue
        cells = ["–" if field in score.undefined else _round(getattr(score, field)) for field in measure.shown]
        rows.append(f"| {response} | {' | '.join(cells)} |\n")
    head = f"| response | {' | '.join(measure.shown)} |\n|---{'|---' * len(measure.shown)}|\n"
    return (
        f"## At the boundaries\n\nThe key is {key}. – is 0/0, which counts as {measure.undefined} (`undefined=`).\n\n"
        f"{head}{''.join(rows)}{text}"
    )


def _score(sides: tuple[Any, Any], measure: Measure, *, macro: bool = False) -> corefeval.Evaluation:
    """Return the evaluation of a key and a response, without notices."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", corefeval.CorefevalWarning)
        return corefeval.score(*sides, measures=measure, macro=macro)


def _round(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.4f}"


def _write_criteria(name: str, judged: CriteriaResult) -> str:
    rows = "".join(f"| {judged[name, each.name].mark} | {each.words} | {each.source} |\n" for each in CRITERIA)
    unlike = [
        f"- {claim.where} says {claim.mark} of {claim.criterion}; the search finds {mark}.\n"
        for claim, mark in judged.disagreements
        if claim.measure == name
    ]
    never = ", ".join(f"`{each}`" for each in judged.severer.get(name, ()))
    parts = [CRITERIA_HEAD.format(name=name), rows]
    parts += [f"\nOn no pair that was searched, with the same mentions on both sides, is it above {never}.\n"] * bool(
        never
    )
    parts += ["\n", *unlike] * bool(unlike)
    return "".join(parts)


def _draw_table(measure: Measure, by_hand: dict[str, Any]) -> str:
    """Return the table that a measure sees of the example: how many mentions two entities share, or its relations."""
    if "files" in by_hand:
        sides = read_sides(by_hand)
        (document,) = (name for name in sides[0].documents if by_hand["document"] in name)
        return draw_document(measure, sides, document)
    key, response = ([entity.split() for entity in side.split(" | ")] for side in TYPED)
    head = f"| | {' | '.join(f'R{n} = {_draw_set(entity)}' for n, entity in enumerate(response, 1))} | missing |\n"
    rows = []
    for number, entity in enumerate(key, 1):
        shared = [len(set(entity) & set(other)) for other in response]
        cells = [f"**{count}**" if count else "" for count in shared]
        rows.append(f"| K{number} = {_draw_set(entity)} | {' | '.join(cells)} | {len(entity) - sum(shared) or ''} |\n")
    spurious = [len(set(other) - set().union(*key)) or "" for other in response]
    rows.append(f"| spurious | {' | '.join(map(str, spurious))} | |\n")
    return (
        "The table of key and response, on which every measure is computed: how many mentions two entities share.\n\n"
        f"{head}|---{'|---' * (len(response) + 1)}|\n{''.join(rows)}\n"
    )


def _draw_set(entity: list[str]) -> str:
    return f"{{{', '.join(entity)}}}"


def _write_documents(measure: Measure, by_hand: dict[str, Any]) -> str:
    """A table of scores of two documents, of both together, and of their mean."""
    if "files" in by_hand:
        sides: tuple[Any, Any] = read_sides(by_hand)
        text = "The documents are those of the files above."
    else:
        key, response = ([entity.split() for entity in side.split(" | ")] for side in TYPED)
        sides = {"first": key, "second": KEY}, {"first": response, "second": [["a", "b"], ["c"], ["d", "e"]]}
        text = (
            "Here the first document is the example above, the second has the key {a, b, c}, {d, e} and the response "
            "{a, b}, {c}, {d, e}."
        )
    both, mean = (_score(sides, measure, macro=macro) for macro in (False, True))
    rows = {name if "files" in by_hand else f"the {name}": scores[measure] for name, scores in both.documents.items()}
    rows |= {"both": both[measure], "their mean (`--macro`)": mean[measure]}
    lines = [
        f"| {what} | {' | '.join(_round(getattr(score, field)) for field in measure.shown)} |\n"
        for what, score in rows.items()
    ]
    head = f"| document | {' | '.join(measure.shown)} |\n|---{'|---' * len(measure.shown)}|\n"
    return f"## Over documents\n\n{measure.adds_up[:1].upper()}{measure.adds_up[1:]}. {text}\n\n{head}{''.join(lines)}"


def _write_advantages(name: str, by_hand: dict[str, Any], judged: CriteriaResult) -> str:
    """What papers say for and against a measure, with places, and what the search of criteria finds."""
    parts = ["\n## Advantages and drawbacks\n"]
    for title, points in (("For it", by_hand["good"]), ("Against it", by_hand["bad"])):
        parts.append(f"\n{title}:\n\n" + "".join(f"- {text} ({source})\n" for text, source in points))
    if name in {each.measure for each in judged.judged}:
        marks = {criterion.name: judged[name, criterion.name].mark for criterion in CRITERIA}
        held, alike, failed = (
            ", ".join(f"`{each}`" for each, mark in marks.items() if mark.startswith(sign) and mark.endswith(end))
            for sign, end in (("✓", "✓"), ("✗", "(✓)"), ("✗", "✗"))
        )
        same = f"; with the same mentions on both sides {alike}, too" if alike else ""
        parts.append(
            f"\nOf the [properties](#properties) above, computed by search, it has {held or 'none'}{same}. It lacks "
            f"{failed or 'none'}. `corefeval criteria {name} NAME` shows the smallest counter-example of one.\n"
        )
    return "".join(parts)


def _write_citation(name: str, measure: Measure, by_hand: dict[str, Any]) -> str:
    text = (DOCS / "papers.bib").read_text(encoding="utf-8")
    entries = {entry.partition("{")[2].partition(",")[0]: entry for entry in text.strip().split("\n\n")}
    cited = "\n\n".join(entries[each] for each in by_hand["cite"])
    return (
        f"\n## How to cite\n\nThe paper: {measure.citation}. Beside the score stands its signature, which is the last "
        f"line of what `corefeval` prints and says all that was decided: `…|measures:{name}|…`.\n"
        f"\n```bibtex\n{cited}\n```\n"
    )


if __name__ == "__main__":
    folder = DOCS / "measures"
    folder.mkdir(exist_ok=True)
    for name, page in made().items():
        (folder / f"{name}.md").write_text(page, encoding="utf-8")
    for name, figure in draw_falls().items():
        (folder / f"{name}.svg").write_text(figure, encoding="utf-8")
