"""Small files made to be hard: very long words, very many mentions on one word or on one head."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

_PATIENCE = 300
"""Seconds after which a command is given up."""

_LAYER = "de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceType|referenceRelation"
_MATCHES = tuple(f"score KEY RESPONSE --match {rule}" for rule in ("head", "partial", "overlap", "craft"))

Cells = list[tuple[str, str]]
"""Words, and what stands in the column of coreference."""


class Corner(NamedTuple):
    """The name of the files, how to make key and response (the same for 0 and 1: the key again), and the commands."""

    file: str
    make: Callable[[int], str]
    commands: tuple[str, ...]


def _conll(cells: Cells) -> str:
    lines = "".join(f"d\t0\t{place}\t{word}\t{cell}\n" for place, (word, cell) in enumerate(cells))
    return f"#begin document (d); part 000\n{lines}\n#end document\n"


def _conllu(cells: Cells) -> str:
    lines = "".join(
        f"{place}\t{word}\t_\tNOUN\t_\t_\t{place - 1}\t{'dep' if place > 1 else 'root'}\t_\t{entity or '_'}\n"
        for place, (word, entity) in enumerate(cells, 1)
    )
    return f"# newdoc id = d\n# global.Entity = eid-etype-head-other\n# sent_id = 1\n{lines}\n"


def _json_lines(words: list[str], clusters: list[list[tuple[int, int]]]) -> str:
    return json.dumps({"doc_key": "d", "sentences": [words], "clusters": clusters}) + "\n"


def _ua(cells: Cells) -> str:
    lines = "".join(f"{place}\t{word}\t{cell}\n" for place, (word, cell) in enumerate(cells, 1))
    return f"# global.columns = ID FORM IDENTITY\n# newdoc id = d\n# sent_id = s\n{lines}\n"


def _inception(words: list[str], cell: str) -> str:
    lines, place = "", 0
    for number, word in enumerate(words, 1):
        lines += f"1-{number}\t{place}-{place + len(word)}\t{word}\t{cell}\n"
        place += len(word) + 1
    return f"#FORMAT=WebAnno TSV 3.3\n#T_CH={_LAYER}\n\n\n#Text={' '.join(words)}\n{lines}"


def _draw_spans_around(middle: int, count: int, side: int) -> list[tuple[int, int]]:
    """Different spans of one sentence that all have the word in the middle; other ones for each side."""
    spans = [(begin, end) for begin in range(1, middle + 1) for end in range(middle, 2 * middle)]
    random.Random(0).shuffle(spans)
    return spans[side * count : (side + 1) * count]


def _conllu_of_one_head(count: int, side: int) -> str:
    """Mentions of one sentence, all with the same head and each an entity by itself."""
    middle = 1 + int((2 * count) ** 0.5)
    brackets: list[list[str]] = [[] for _ in range(2 * middle + 1)]
    spans = sorted(_draw_spans_around(middle, count, side), key=lambda span: (span[0], -span[1]))
    for number, (begin, end) in enumerate(spans):
        if begin < end:
            brackets[end].append(f"e{number})")  # before what opens, which would have it as its last field
    for number, (begin, end) in enumerate(spans):
        brackets[begin].append(f"(e{number}-x-{middle - begin + 1}-{')' if begin == end else ''}")
    return _conllu([("w", f"Entity={''.join(each)}" if each else "") for each in brackets[1:]])


def list_corners(*, quick: bool) -> dict[str, Corner]:
    """The cases by name; of a tenth of the size if quick."""
    letters, mentions, heads = (10**6, 10**5, 1000) if quick else (10**7, 10**6, 3000)
    word = "w" * letters
    score = ("score KEY RESPONSE",)
    entity, both = "Entity=(e1-x-1-)", [[(0, 0), (1, 1)]]
    markable = "(EntityID=1|MarkableID=m{})".format
    return {
        "a long word, CoNLL": Corner("c.conll", lambda _: _conll([(word, "(1)"), ("b", "(1)")]), score),
        "a long word, JSON lines": Corner(
            "c.jsonlines", lambda _: _json_lines([word, "b"], both), (*score, "errors KEY RESPONSE", "validate KEY")
        ),
        "a long word, CoNLL-U": Corner("c.conllu", lambda _: _conllu([(word, entity), ("b", entity)]), score),
        "a long word, UA": Corner("c.ua", lambda _: _ua([(word, markable(1)), ("b", markable(2))]), score),
        "a long word, INCEpTION": Corner("c.tsv", lambda _: _inception([word, "b"], "x\tcoref->1-1"), score),
        "a long name, CoNLL": Corner("c.conll", lambda _: _conll([("a", f"({word})"), ("b", f"({word})")]), score),
        "brackets, CoNLL": Corner("c.conll", lambda _: _conll([("a", "(" * letters)]), ("validate KEY",)),
        "many on a word, CoNLL": Corner(
            "c.conll", lambda _: _conll([("a", "|".join(f"({each})" for each in range(mentions)))]), score
        ),
        "many on a word, JSON lines": Corner(
            "c.jsonlines",
            lambda _: _json_lines(["a"], [[(0, 0)]] * mentions),
            (
                *score,
                *(f"score KEY RESPONSE {way}" for way in ("--duplicates keep", "--profile coval")),
                "validate KEY",
            ),
        ),
        "many on a word in one entity, JSON lines": Corner(
            "c.jsonlines", lambda _: _json_lines(["a"], [[(0, 0)] * mentions]), (*score, "stats KEY", "validate KEY")
        ),
        "many on a word, CoNLL-U": Corner(
            "c.conllu",
            lambda _: _conllu([("a", f"Entity={''.join(f'(e{each}-x-1-)' for each in range(mentions))}")]),
            score,
        ),
        "many on a word, table": Corner(
            "c.csv",
            lambda _: "doc_id,start,end,entity_id\n" + "".join(f"d,0,0,{each}\n" for each in range(mentions)),
            score,
        ),
        "many on a word, UA": Corner("c.ua", lambda _: _ua([("a", "".join(map(markable, range(mentions))))]), score),
        "many in two entities, JSON lines": Corner(
            "c.jsonlines",
            lambda _: _json_lines(["a"] * heads, [[(n, n) for n in range(heads)], *([(n, n)] for n in range(heads))]),
            score,
        ),
        "many on a head, CoNLL-U": Corner("c.conllu", lambda side: _conllu_of_one_head(heads, side), _MATCHES),
    }


def corners(*, quick: bool) -> None:
    """Run the commands on every case, each in a process of its own, and print how long they take."""
    print("\nFiles made to be hard: the whole command")
    for name, corner in list_corners(quick=quick).items():
        with tempfile.TemporaryDirectory() as folder:
            paths = {}
            for side, role in enumerate(("KEY", "RESPONSE")):
                paths[role] = Path(folder) / role.lower() / corner.file
                paths[role].parent.mkdir()
                paths[role].write_text(corner.make(side), encoding="utf-8")
            print(f"  {name}: {paths['KEY'].stat().st_size:,} bytes a side")
            for command in corner.commands:
                start = time.perf_counter()
                end = _run([str(paths.get(each, each)) for each in command.split()])
                print(f"    {command:<40} {time.perf_counter() - start:9.2f} s   {end}", flush=True)


def _run(arguments: list[str]) -> str:
    """Run a command; say how it ended."""
    whole = [sys.executable, "-m", "corefeval", *arguments]
    try:
        done = subprocess.run(whole, capture_output=True, check=False, timeout=_PATIENCE)
    except subprocess.TimeoutExpired:
        return "given up"
    return f"exit code {done.returncode}"
