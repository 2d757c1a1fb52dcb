"""A new measure is one file and one line in the registry: everything else knows it from there.

The file and the line are those of CONTRIBUTING. They are put into a copy of the package, as a developer would, and what
is tested runs in processes that use the copy.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import corefeval

CONTRIBUTING = Path(__file__).parents[2] / "CONTRIBUTING.md"
KEY = {"one": [[0, 2, 4], [6, 8]], "two": [[0, 1], [2, 3]]}
RESPONSE = {"one": [[0, 2, 9], [4, 6, 8]], "two": [[0, 1, 2, 3]]}
OTHER = {"one": [[0, 2, 4], [6, 8, 9]], "two": [[0, 1], [2, 3]]}
# By hand: in "one", key entities have fragments of 2 and 1, and of 2; response entities of 2, and of 1 and 2. In "two",
# both key entities are whole, and the response entity has two halves. So recall is (2 + 2 + 2 + 2) / 9, and precision
# is (2 + 2 + 2) / 10.
RECALL, PRECISION, F1 = 8 / 9, 6 / 10, 2 * 6 * 8 / (10 * 8 + 9 * 6)


def list_code_blocks() -> list[str]:
    """The blocks of code of CONTRIBUTING's section on new measures."""
    section = CONTRIBUTING.read_text(encoding="utf-8").partition("## A new measure\n")[2].partition("\n## ")[0]
    return re.findall(r"```python\n(.*?)```", section, re.DOTALL)


@dataclass(frozen=True, slots=True)
class ChangedPackage:
    """A copy of the package with one more measure, and files to score."""

    folder: Path

    def start(self, *arguments: object) -> subprocess.CompletedProcess[str]:
        """Run Python with the copy in place of the package."""
        return subprocess.run(
            [sys.executable, *map(str, arguments)],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(self.folder)},
            capture_output=True,
            text=True,
            check=False,
        )

    def run(self, *arguments: object) -> str:
        """Run a command that must succeed, and return what it prints."""
        finished = self.start("-m", "corefeval", *arguments)
        assert finished.returncode == 0, finished.stderr
        return finished.stdout

    def evaluate(self, *expressions: str) -> list[Any]:
        """Return the values of expressions of the Python API."""
        lines = ["import corefeval, json", f"key, response, other = {KEY}, {RESPONSE}, {OTHER}"]
        finished = self.start("-c", "\n".join([*lines, f"print(json.dumps([{', '.join(expressions)}]))"]))
        assert finished.returncode == 0, finished.stderr
        values: list[Any] = json.loads(finished.stdout)
        return values


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> ChangedPackage:
    """Add a file to the folder of measures, and a line to the registry, of a copy of the package."""
    folder = tmp_path_factory.mktemp("changed")
    package = folder / "corefeval"
    shutil.copytree(Path(corefeval.__file__).parent, package)
    module, line = list_code_blocks()
    (package / "measures" / "largest_share.py").write_text(module, encoding="utf-8")
    registry = package / "measures" / "registry.py"
    text = registry.read_text(encoding="utf-8")
    assert text.count('    "muc": ("muc.Muc", "default"),\n') == 1
    registry.write_text(
        text.replace('    "muc": ("muc.Muc", "default"),\n', f'    "muc": ("muc.Muc", "default"),\n{line}'),
        encoding="utf-8",
    )
    for name, entities in (("key", KEY), ("response", RESPONSE), ("other", OTHER)):
        lines = [
            json.dumps(
                {
                    "doc_key": document,
                    "sentences": [[f"word{place}" for place in range(10)]],
                    "clusters": [[[place, place] for place in entity] for entity in found],
                }
            )
            for document, found in entities.items()
        ]
        (folder / f"{name}.jsonlines").write_text("\n".join(lines), encoding="utf-8")
    return ChangedPackage(folder)


FILES = ("key.jsonlines", "response.jsonlines")


def test_score_and_compare_know_it(changed: ChangedPackage) -> None:
    evaluation = "corefeval.score(key, response, measures='largest_share')"
    scored, again, everything, document, compared, parsed = changed.evaluate(
        f"{evaluation}['largest_share'].to_dict()",
        f"corefeval.score(key, response, **corefeval.Signature.parse({evaluation}.signature).options())"
        "['largest_share'].f1",
        "corefeval.score(key, response, measures='all')['largest_share'].f1",
        "corefeval.score(key, response).documents['two']['largest_share'].precision",
        "corefeval.compare(key, {'a': response, 'b': other}, measures='largest_share', resamples=100).to_dict()",
        "str(corefeval.measures.parse('largest_share:beta=2'))",
    )
    assert (scored["recall"], scored["precision"], scored["f1"]) == pytest.approx((RECALL, PRECISION, F1))
    assert again == everything == pytest.approx(F1)
    assert document == 0.5
    assert parsed == "largest_share:beta=2"
    (difference,) = compared["comparisons"]
    assert (difference["measure"], difference["difference"]) == ("largest_share", pytest.approx(2 * 9 / 19 - F1))


def test_analysis_and_agreement_know_it(changed: ChangedPackage) -> None:
    explained, costs, agreed = changed.evaluate(
        "corefeval.explain('largest_share', key, response).text",
        "corefeval.analyse(key, response, measures='largest_share').costs('largest_share').key_mentions.tolist()",
        "corefeval.agree({'ann': key, 'bob': response}, measures='largest_share').to_dict()",
    )
    assert "R = Σ max_j n / K" in explained
    assert "Recall = 8 / 9 = 0.8889\nPrecision = 6 / 10 = 0.6000\n" in explained
    # Without word 4 on both sides, recall is 8 / 8 and precision 6 / 9.
    assert costs[2] == pytest.approx(2 * 6 / 15 - F1)
    assert agreed["pairs"][0]["measures"]["largest_share"] == pytest.approx(F1)


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        (("score", *FILES), r"largest_share +88\.89 +60\.00 +71\.64"),
        (("score", *FILES, "--csv"), r"largest_share,0\.8888888888888888,0\.6,0\.716"),
        (("score", *FILES, "--markdown"), r"\| largest_share \| +88\.89 \| +60\.00 \| +71\.64 \|"),
        (("score", *FILES, "--latex"), r"\\multicolumn\{3\}\{c\}\{Largest share\}"),
        (("score", *FILES, "--json"), r'"largest_share": \{\s*"recall": 0\.888'),
        (("score", *FILES, "--per-document"), r"document +largest_share\n[─\s]+one +72\.73\ntwo +66\.67"),
        (("compare", *FILES, "other.jsonlines", "--resamples", "100"), r"largest_share +other +94\.74"),
        (("compare", *FILES, "other.jsonlines", "--resamples", "100", "--latex"), r"system & Largest share"),
        (("errors", *FILES, "--worst", "2"), r'"word4" +both +one +1 +8\.358'),
        (("agree", *FILES), r"largest_share +71\.64[^$]*What is counted[^$]*largest_share +mentions"),
    ],
)
def test_commands_and_all_outputs_know_it(changed: ChangedPackage, command: tuple[str, ...], shown: str) -> None:
    assert re.search(shown, changed.run(*command, "-m", "largest_share"))


def test_help_and_messages_know_it(changed: ChangedPackage) -> None:
    assert re.search(r"  largest_share +R = Σ max_j n / K\n +Zhao & Karypis 2001", changed.run("measures"))
    described = changed.run("measures", "largest_share")
    assert "largest_share: largest share\n\nEvery entity counts the mentions" in described
    assert "beta=NUMBER" in described
    misspelt = changed.start("-m", "corefeval", "score", *FILES, "-m", "largest_shar")
    assert (misspelt.returncode, "did you mean largest_share?" in misspelt.stderr) == (2, True)
    assert "Recall = 8 / 9 = 0.8889" in changed.run("explain", "largest_share", *FILES)


def test_the_page_knows_it(changed: ChangedPackage) -> None:
    changed.run("report", *FILES, "-m", "largest_share", "-o", "page.html")
    page = (changed.folder / "page.html").read_text(encoding="utf-8")
    assert '"measures":[{"name":"largest_share","title":"largest share","main":"f1","better":"higher"' in page
    assert '"scores":[[[72.73,66.67' in page
