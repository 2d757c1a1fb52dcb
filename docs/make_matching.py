"""Write the table of matching.md, and a page for each rule of matching: python docs/make_matching.py"""

from __future__ import annotations

import tomllib
import warnings
from pathlib import Path

import corefeval
from corefeval.corpus.corpus import Corpus
from corefeval.formats.draft import Draft
from corefeval.measures import select_measures
from corefeval.options import DECISIONS, Options
from corefeval.profiles.registry import PROFILES
from corefeval.scoring.score import score_corpora

DOCS = Path(__file__).parent
WORDS = {
    "the": ("DT", "(TOP(S(NP(NP*"),
    "old": ("JJ", "*"),
    "dog": ("NN", "*)"),
    "of": ("IN", "(PP*"),
    "my": ("PRP$", "(NP*"),
    "neighbour": ("NN", "*)))"),
    "barked": ("VBD", "(VP*)))"),
}
"""The words of the example, with their parts of speech and their parts of the parse tree."""

KEY, HEAD, MINIMUM = (0, 5), (2, 2), (1, 2)
RESPONSES = {(0, 5): 2, (0, 2): 2, (1, 2): 2, (2, 2): 2, (4, 5): 5, (0, 1): 1, (0, 6): 2, (6, 6): 6}
"""Response mentions, each compared alone with the key mention, and the numbers of their heads."""

BEGIN, END = "<!-- Made by make_matching.py from options.py and matching.toml: -->", "<!-- Made until here. -->"
RULES = DECISIONS["match"].values


def made() -> str:
    """matching.md, with the table of rules between its marks made anew."""
    page = (DOCS / "matching.md").read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}\n\n{_write_table()}\n{END}{rest.partition(END)[2]}"


def make_pages() -> dict[str, str]:
    """The pages, by the names of the rules."""
    by_hand = tomllib.loads((DOCS / "matching.toml").read_text(encoding="utf-8"))
    return {name: _write_page(name, by_hand[name]) for name in RULES}


def _write_table() -> str:
    """Return the table of all rules, and of what each makes of the example."""
    by_hand = tomllib.loads((DOCS / "matching.toml").read_text(encoding="utf-8"))
    rows = [
        f"| [`{name}`](matching/{name}.md) | {rule.meaning} | {by_hand[name]['needs']} |\n"
        for name, rule in RULES.items()
    ]
    head = "| | " + " | ".join(f"`{name}`" for name in RULES) + " |\n|---" + "|---" * len(RULES) + "|\n"
    marks = [
        f"| {_quote(span)} | {' | '.join('✓' * bool(_find_credit(name, span)) for name in RULES)} |\n"
        for span in RESPONSES
    ]
    return (
        f"| rule | matched are mentions with | needs |\n|---|---|---|\n{''.join(rows)}\n"
        f"What each rule makes of the key mention {_quote(KEY)}, with the head {_quote(HEAD)} and the minimum span "
        f"{_quote(MINIMUM)}, and a response that has one mention:\n\n{head}{''.join(marks)}"
    )


def _write_page(name: str, by_hand: dict[str, str]) -> str:
    users = [f"[`{each.name}`](../profiles/{each.name}.md)" for each in PROFILES.values() if each.options.match == name]
    about = f'It is `--match {name}`, in Python `match="{name}"`.'
    text = [
        f"# {name}\n",
        "<!-- Made by make_matching.py from options.py and matching.toml: change it there. -->\n",
        f"A rule of [matching](../matching.md): twins are mentions with {RULES[name].meaning}. {about}\n",
        f"{by_hand['text'].strip()}\n",
        f"It needs {by_hand['needs']}.\n" if by_hand["needs"] else "It needs nothing but mentions with places.\n",
        f"Profiles that match so: {', '.join(users)}.\n" if users else "No profile matches so by itself.\n",
        _write_example(name),
        _write_command(name, by_hand.get("command", "")),
    ]
    return "\n".join(text)


def _write_example(name: str) -> str:
    rows = [f"| {_quote(span)} | {_write_credit(_find_credit(name, span))} |\n" for span in RESPONSES]
    return (
        f"## An example\n\nThe key mention is {_quote(KEY)}, with the head {_quote(HEAD)} and the minimum span "
        f"{_quote(MINIMUM)}. Each of these is a response by itself:\n\n| response mention | twin of the key mention |\n"
        f"|---|---|\n{''.join(rows)}"
    )


def _write_credit(credit: float) -> str:
    return f"yes, with a credit of {credit:.4f}" if 0 < credit < 1 else "yes" if credit else "no"


def _find_credit(name: str, span: tuple[int, int]) -> float:
    """Return what CEAFm gives for a response of one mention: 0 if it is not matched, 1, or a credit between."""
    key, response = _build_corpus(KEY, HEAD, MINIMUM), _build_corpus(span, (RESPONSES[span],) * 2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", corefeval.CorefevalWarning)
        measures = select_measures(("ceafm",))
        return score_corpora(key, response, measures, Options()._replace(match=name))["ceafm"].recall


def _build_corpus(span: tuple[int, int], head: tuple[int, int], minimum: tuple[int, int] | None = None) -> Corpus:
    draft = Draft("example")
    tags, parse = zip(*WORDS.values(), strict=True)
    document = draft.add_document("d", words=list(WORDS), word_attributes={"pos": tags, "parse": parse})
    document.add_mention("e", span, head=head, minimum=minimum)
    return draft.build_corpus()


def _quote(span: tuple[int, int]) -> str:
    return f"*{' '.join(list(WORDS)[span[0] : span[1] + 1])}*"


def _write_command(name: str, command: str) -> str:
    marker = "" if command else "<!-- not run: the project has no file with parse trees -->\n"
    shown = command or f"corefeval score key.conll response.conll --match {name}"
    return f"## On the command line\n\n{marker}```sh\n{shown}\n```\n"


if __name__ == "__main__":
    (DOCS / "matching.md").write_text(made(), encoding="utf-8")
    (DOCS / "matching").mkdir(exist_ok=True)
    for name, page in make_pages().items():
        (DOCS / "matching" / f"{name}.md").write_text(page, encoding="utf-8")
