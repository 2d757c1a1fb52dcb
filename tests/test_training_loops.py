"""What the guide on training loops cannot run where PyTorch is not installed: several processes, and a Trainer."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.data import DOCS
from tests.documentation import list_blocks, run_python

GUIDE = DOCS / "guides" / "training-loops.md"
DISTRIBUTED, TRAINER = "torch.distributed.all_gather_object", "Trainer(model, arguments"

WORKER = """
import sys
from pathlib import Path
import torch.distributed
from tests.test_training_loops import DISTRIBUTED, run_guide

rank, place = int(sys.argv[1]), Path(sys.argv[2])
torch.distributed.init_process_group("gloo", init_method=place.as_uri(), rank=rank, world_size=2)
names = run_guide(DISTRIBUTED, prepare=lambda names: names.update(
    torch=torch, my_documents=list(names["dev"])[rank::2]
))
assert names["merged"].compute()["conll"].f1 == names["scores"]["conll"].f1
torch.distributed.destroy_process_group()
"""


def run_guide(last: str, prepare: Any = None) -> dict[str, Any]:
    """Run the Python of the guide up to the block with a text, before which `prepare` adds names; return all names."""
    names: dict[str, Any] = {}
    for block in list_blocks(GUIDE):
        if block.kind != "python" or (block.reason is not None and last not in block.text):
            continue
        if last in block.text:
            prepare(names)
        run_python(block, names)
        if last in block.text:
            return names
    raise AssertionError(f"the guide has no block with {last}")


def test_the_guide_says_of_both_why_it_does_not_run_them() -> None:
    marked = [block.text for block in list_blocks(GUIDE) if block.reason]
    assert [any(text in each for text in (DISTRIBUTED, TRAINER)) for each in marked] == [True, True]


def test_workers_of_torch_merge_their_scorers(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="PyTorch is not installed: workers are not tried")
    command = [sys.executable, "-c", WORKER]
    workers = [subprocess.Popen([*command, str(rank), str(tmp_path / "place")]) for rank in range(2)]
    assert [worker.wait(120) for worker in workers] == [0, 0]


@pytest.mark.filterwarnings("ignore:'pin_memory' argument is set")  # where there is no GPU
def test_the_trainer_evaluates_by_our_scores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed: the Trainer is not tried")
    transformers = pytest.importorskip("transformers", reason="transformers is not installed: the Trainer is not tried")
    monkeypatch.chdir(tmp_path)

    class Perfect(torch.nn.Module):  # type: ignore[misc, name-defined]
        """Knows the key: a row of spans and antecedents for each document, padded."""

        def __init__(self, dev: dict[str, list[list[tuple[int, int]]]]) -> None:
            super().__init__()
            self.weight = torch.nn.Parameter(torch.ones(1))
            self.spans, self.antecedents = torch.full((len(dev), 40, 2), -100), torch.full((len(dev), 40), -100)
            for row, entities in enumerate(dev.values()):
                place = 0
                for entity in entities:
                    for number, span in enumerate(entity):
                        self.spans[row, place] = torch.tensor(span)
                        self.antecedents[row, place] = place - 1 if number else -1
                        place += 1

        def forward(self, document: Any) -> Any:
            rows = document.ravel()
            return (self.weight**2).sum(), self.spans[rows], self.antecedents[rows]

    def prepare(names: dict[str, Any]) -> None:
        documents = [{"document": [number]} for number in range(len(names["dev"]))]
        names |= {
            "TrainingArguments": transformers.TrainingArguments,
            "Trainer": transformers.Trainer,
            "model": Perfect(names["dev"]),
            "train": documents,
            "dev_set": documents[::-1],  # in another order than the key's
        }

    names = run_guide(TRAINER, prepare)
    found = names["trainer"].evaluate()
    assert (found["eval_conll"], found["eval_lea"]) == (1, 1)
