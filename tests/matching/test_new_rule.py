"""A new matching rule is one object and one line in the registry: nothing else has to know it (CONTRIBUTING)."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import corefeval
from corefeval.cli.main import main
from corefeval.options import DECISIONS, DecisionValue, Options
from corefeval.profiles import Profile, registry

ROOT = Path(__file__).parents[2]
KEY = [[(0, 2), (5, 5)], [(8, 9)]]
RESPONSE = [[(1, 2), (5, 5)], [(7, 8)]]


def register() -> None:
    """Load CONTRIBUTING's file as the module that its line names, and add what the line says."""
    section = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## A new matching rule\n")[2]
    file, line = re.findall(r"```python\n(.*?)```", section.partition("\n## ")[0], re.DOTALL)
    (value,) = eval(line, {"DecisionValue": DecisionValue})
    name = value.behaviour.partition(":")[0]
    sys.modules[name] = ModuleType(name)
    exec(file, sys.modules[name].__dict__)
    DECISIONS["match"].values["last"] = value


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DECISIONS["match"], "values", dict(DECISIONS["match"].values))
    register()


def test_score_knows_it() -> None:
    assert corefeval.score(KEY, RESPONSE, match="exact")["mentions"].recall == pytest.approx(1 / 3)
    evaluation = corefeval.score(KEY, RESPONSE, match="last")
    assert evaluation["mentions"].recall == pytest.approx(2 / 3)
    assert evaluation["muc"].recall == 1
    assert "match:last" in evaluation.signature
    with pytest.raises(corefeval.OptionError, match=r"All: exact, .*, overlap, last"):
        corefeval.score(KEY, RESPONSE, match="lost")


def test_profiles_can_have_it(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    mine = Profile("mine", "a scorer of mine", Options(match="last"), ("muc",))
    monkeypatch.setattr(registry, "PROFILES", {**registry.PROFILES, "mine": mine})
    with pytest.raises(SystemExit):
        main(["profiles", "mine"])
    assert re.search(r"match=last +the same last word", capsys.readouterr().out)
    assert corefeval.score(KEY, RESPONSE, profile="mine")["mentions"].recall == pytest.approx(2 / 3)


def test_the_command_line_knows_it(tmp_path: Path) -> None:
    # Options are made when the commands are loaded, so this takes a process in which the rule is registered before.
    lines = [f"import {__name__} as rule", "rule.register()", "from corefeval.cli.main import main", "import sys"]
    command = [sys.executable, "-c", "\n".join([*lines, "main(sys.argv[1:])"])]
    shown = subprocess.run([*command, "score", "--help"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "overlap|last]" in "".join(shown.stdout.split())
    for name, entities in (("key.jsonlines", KEY), ("response.jsonlines", RESPONSE)):
        (tmp_path / name).write_text(write_jsonlines(entities), encoding="utf-8")
    files = [str(tmp_path / "key.jsonlines"), str(tmp_path / "response.jsonlines")]
    scored = subprocess.run(
        [*command, "score", *files, "--match", "last", "-m", "muc"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "match:last" in scored.stdout


def write_jsonlines(entities: list[list[tuple[int, int]]]) -> str:
    """Entities as a jsonlines file of ten words."""
    words = [str(number) for number in range(10)]
    clusters = [[list(mention) for mention in entity] for entity in entities]
    return f'{{"doc_key": "d", "sentences": [{words}], "clusters": {clusters}}}'.replace("'", '"')
