"""Run the cells of tutorial.ipynb in order, and write what they show into it: python docs/make_tutorial.py"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import tempfile
import warnings
from pathlib import Path
from typing import Any

NOTEBOOK = Path(__file__).parent / "tutorial.ipynb"


def made() -> str:
    """Return the notebook with the outputs that its cells give; a cell that fails, or warns, is an error."""
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    names: dict[str, Any] = {}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), warnings.catch_warnings():
        warnings.simplefilter("error")
        for number, cell in enumerate(cells, 1):
            cell |= {"execution_count": number, "outputs": run_cell("".join(cell["source"]), names, number)}
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


def run_cell(source: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """Run a cell, and return its outputs as Jupyter stores them: what it prints, and its last expression's value."""
    body = ast.parse(source).body
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), f"cell {number}", "exec", dont_inherit=True), names)  # noqa: S102
        value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names) if last else None  # noqa: S307
    outputs: list[dict[str, Any]] = []
    if text := printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": text.splitlines(keepends=True)})
    if value is not None:
        data = {"text/html": value._repr_html_()} if hasattr(value, "_repr_html_") else {"text/plain": repr(value)}
        shown = {kind: text.splitlines(keepends=True) for kind, text in data.items()}
        outputs.append({"data": shown, "execution_count": number, "metadata": {}, "output_type": "execute_result"})
    return outputs


if __name__ == "__main__":
    NOTEBOOK.write_text(made(), encoding="utf-8")
