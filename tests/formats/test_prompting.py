"""Prompts from a key, and the responses to windows joined again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import corefeval
from corefeval import InputError, OptionError
from tests.cli.running import run
from tests.data import public_data

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "<!-- document: a -->\n[Mara](#x) went home .\n[She](#x) saw [her dog](#y) .\n[It](#y) barked .\n"


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "key.md"
    path.write_text(TEXT)
    return path


def test_an_example_and_a_prompt(key: Path) -> None:
    (example,) = corefeval.prompt(key).prompts
    text = "Mara went home .\nShe saw her dog .\nIt barked .\n"
    answer = "[Mara](#1) went home .\n[She](#1) saw [her dog](#2) .\n[It](#2) barked .\n"
    assert str(example) == f"{example.instruction}\n\nText:\n{text}\nAnswer:\n{answer}"
    (prompt,) = corefeval.prompt(key, plain=True, instruction=False).prompts
    assert str(prompt) == f"Text:\n{text}\nAnswer:\n"


@pytest.mark.parametrize("notation", ["markdown", "xml", "crac"])
def test_what_the_instruction_shows_is_the_notation(key: Path, notation: str) -> None:
    (example,) = corefeval.prompt(key, notation).prompts
    assert {"markdown": "(#1)", "xml": '<mention id="1">', "crac": "|[e1]"}[notation] in example.instruction
    path = key.with_name("answer")
    path.write_text(example.answer)
    assert corefeval.score(key, path)["conll"].f1 == 1


def test_windows_end_with_sentences_and_overlap(key: Path) -> None:
    found = corefeval.prompt(key, window=7, overlap=2).prompts
    assert [(each.window, each.first, each.words) for each in found] == [(0, 0, 4), (1, 2, 7), (2, 7, 5)]
    assert [each.answer for each in found][2] == "[dog .\n[It](#1) barked .\n".replace("[dog", "dog")


def test_options_that_cannot_be(key: Path) -> None:
    for options in ({"window": 4, "overlap": 2}, {"overlap": 1}, {"documents": ("b",)}, {"notation": "html"}):
        with pytest.raises(OptionError):
            corefeval.prompt(key, **options)


def test_a_key_without_words_has_no_prompt() -> None:
    with pytest.raises(InputError, match="the words are not known"):
        corefeval.prompt(corefeval.Corpus.from_entities({"a": [[(0, 1)]]}))


def write_windows(
    path: Path, *responses: str, first: tuple[int, ...] = (0, 2), words: tuple[int, ...] = (5, 5)
) -> Path:
    lines = [
        {"document": "a", "window": number, "first": place, "words": length, "response": response}
        for number, (place, length, response) in enumerate(zip(first, words, responses, strict=True))
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in reversed(lines)))
    return path


def test_windows_are_joined_by_what_both_have(tmp_path: Path) -> None:
    path = write_windows(tmp_path / "w.jsonl", "[a](#1) b [c](#1) [d](#2) e", "[c](#7) [d](#3) e [f](#7) [g](#4)")
    corpus = corefeval.join_windows(path)
    assert corpus.tokens is not None
    assert corpus.tokens.words(0) == list("abcdefg")
    assert corpus.entities() == {"a": [[(0, 0), (2, 2), (5, 5)], [(3, 3)], [(6, 6)]]}
    assert corpus.notices == ()


def test_conflicts_are_counted_and_named(tmp_path: Path) -> None:
    path = write_windows(tmp_path / "w.jsonl", "[a](#1) b [c](#1) [d](#2) e", "[c](#7) [d](#7) e [f](#7) g")
    corpus = corefeval.join_windows(path)
    (notice,) = corpus.notices
    assert notice.kind == "window-conflict"
    assert "entity '7' of window 1 of document 'a' shares 1 mention with '2' of the windows before" in notice.message
    assert corpus.entities() == {"a": [[(0, 0), (2, 2), (3, 3), (5, 5)], [(3, 3)]]}


def test_windows_that_share_nothing_are_put_behind_each_other(tmp_path: Path) -> None:
    corpus = corefeval.join_windows(write_windows(tmp_path / "w.jsonl", "[a](#1) b c d e", "[x](#1) y z"))
    assert [notice.kind for notice in corpus.notices] == ["no-overlap"]
    assert corpus.entities() == {"a": [[(0, 0)], [(5, 5)]]}


def test_lines_that_are_no_windows(tmp_path: Path) -> None:
    path = tmp_path / "w.jsonl"
    path.write_text('{"response": "a"}\n{"document": "a"}\n{"response": "a", "first": "x"}\n')
    with pytest.raises(InputError) as refused:
        corefeval.join_windows(path)
    assert [fault.line for fault in refused.value.faults] == [2, 3]


@pytest.mark.parametrize("notation", ["markdown", "xml", "crac"])
def test_perfect_responses_to_windows_have_all_words_and_no_conflict(tmp_path: Path, notation: str) -> None:
    key = corefeval.read(public_data("litbank") / "key.conllu.gz")
    key = key.select_documents(key.documents[:2])
    made = corefeval.prompt(key, notation, window=400, overlap=100)
    lines = [json.dumps({**each.to_dict(), "response": each.answer}) for each in made.prompts]
    (tmp_path / "w.jsonl").write_text("\n".join(lines))
    joined = corefeval.join_windows(tmp_path / "w.jsonl", notation)
    assert joined.notices == ()
    assert [document.words for document in joined] == [document.words for document in key]
    assert corefeval.score(key, joined)["mentions"].precision == 1


def test_the_commands(key: Path, tmp_path: Path) -> None:
    printed = run("prompt", str(key), "--window", "10", "--overlap", "4", "--json-lines").stdout
    lines = [json.loads(line) for line in printed.splitlines()]
    assert [line["first"] for line in lines] == [0, 5]
    answers = [{**line, "response": line["prompt"].partition("Answer:\n")[2]} for line in lines]
    (tmp_path / "w.jsonl").write_text("\n".join(map(json.dumps, answers)))
    done = run("join-windows", str(tmp_path / "w.jsonl"), str(tmp_path / "joined.md"))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "joined.md").read_text() == TEXT.replace("#x", "#1").replace("#y", "#2")
    plain = run("prompt", str(key), "--plain", "--no-instruction", "--documents", "a")
    assert plain.stdout.startswith("Text:\nMara went home .\n")
    assert run("prompt", str(key), "--documents", "b").returncode == 2
