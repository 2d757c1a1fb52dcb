"""The shape of the package, computed from its sources: which module imports which, and what things are called."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import NamedTuple

import corefeval

SOURCES = Path(corefeval.__file__).parent
PROJECT = Path(__file__).parent.parent

ROOT_MODULES = ("__init__", "__main__", "errors", "notices", "options", "plugins", "_arrays", "_lazy")
FOLDERS = (
    "tables", "corpus", "formats", "adapters", "overlap", "matching", "measures", "profiles", "scoring", "engines",
    "linkage", "baselines", "comparison", "sampling", "agreement", "analysis", "inspection", "lab", "show",
    "workbench", "cli",
)  # fmt: skip
"""In the order of imports: a module imports from its own folder, from folders before it, and from root modules."""

CORE = ("corpus", "overlap", "matching", "measures", "scoring")
SCORERS = re.compile(
    r"(?<![a-z0-9])(ua|coval|scorch|allennlp|e2e|perl|corefud[-_]1[._]2|conll[-_]8|corefud\s+scorers?|reference\s+scorers?"
    r"|universal\s+anaphora)(?![a-z0-9])",
    re.IGNORECASE,
)
NO_SCORERS = re.compile("CoNLL-UA|Yu et al. 2022, The Universal Anaphora scorer")
"""A format and a paper that are named like scorers."""

MOST_DEFERRED = 30
DEFERRED = {
    "__main__ -> cli.main": "Click, and everything: an interrupt while it is loaded leaves no traceback",
    "cli.commands.compare -> agreement.adjudication": "NumPy",
    "cli.commands.sampling -> sampling.weights": "NumPy",
    "cli.commands.score -> analysis.audit": "NumPy",
    "cli.commands.score -> baselines.relative": "NumPy",
    "cli.commands.score -> cli.large_files": "NumPy",
    "cli.commands.score -> cli.task_table": "NumPy",
    "cli.commands.score -> matching.levels": "NumPy",
    "cli.commands.score -> scoring.layout": "NumPy",
    "cli.commands.score -> show.reference_output": "NumPy",
    "cli.large_files -> scoring.streaming": "multiprocessing, and all that reads files in parts",
    "scoring.score -> scoring.streaming": "multiprocessing, and all that reads files in parts",
    "cli.record_tables -> engines.spark": "NumPy",
    "cli.record_tables -> engines.table": "NumPy",
    "cli.record_tables -> formats.registry": "NumPy",
    "cli.record_tables -> formats.table.columns": "NumPy",
    "cli.commands.lab -> show.laboratory": "NumPy; Matplotlib is an extra",
    "cli.commands.lab -> show.plots": "NumPy; Matplotlib is an extra",
    "cli.commands.linkage -> linkage.inputs": "NumPy",
    "cli.commands.linkage -> show.plots": "NumPy; Matplotlib is an extra",
    "cli.commands.inspection -> show.plots": "NumPy; Matplotlib is an extra",
    "cli.commands.serve -> workbench.running": "Starlette and uvicorn, which are extras",
    "profiles.ucdcr -> matching.levels": "NumPy",
}
"""Imports of own modules within functions, "importer -> imported", each with the heavy library that it keeps away."""


class Import(NamedTuple):
    """That one module of the package imports another one."""

    importer: str
    imported: str
    deferred: bool

    def __str__(self) -> str:
        return f"{self.importer} -> {self.imported}"


@cache
def list_modules() -> dict[str, ast.Module]:
    """The syntax tree of every module, by its name within the package: {"corpus.tokens": tree}."""
    found = {}
    for path in sorted(SOURCES.rglob("*.py")):
        if path.stem == "evaluate_metric":  # a user's script for another library
            continue
        parts = path.relative_to(SOURCES).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)
        found[name] = ast.parse(path.read_text(encoding="utf-8"))
    return found


@cache
def list_imports() -> tuple[Import, ...]:
    """All imports of own modules, wherever they stand: in functions and under TYPE_CHECKING, too."""
    modules = list_modules()
    return tuple(dict.fromkeys(found for name, tree in modules.items() for found in find_imports(name, tree)))


def find_imports(importer: str, tree: ast.AST, *, deferred: bool = False) -> list[Import]:
    """The imports of own modules in a syntax tree."""
    found = []
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            found += [Import(importer, imported, deferred) for imported in find_own_modules(node)]
        in_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        found += find_imports(importer, node, deferred=deferred or in_function)
    return found


def find_own_modules(statement: ast.Import | ast.ImportFrom) -> list[str]:
    """The modules of the package that a statement imports; `from corefeval import formats` imports "formats".

    The version number is everybody's.
    """
    if isinstance(statement, ast.Import):
        names = [alias.name for alias in statement.names]
    else:
        assert statement.module is not None, "relative imports do not say what they import"
        full = [f"{statement.module}.{alias.name}" for alias in statement.names]
        names = [name if name.removeprefix("corefeval.") in list_modules() else statement.module for name in full]
        names = [name for name, whole in zip(names, full, strict=True) if whole != "corefeval.__version__"]
    own = [name for name in names if name.split(".")[0] == "corefeval"]
    return [name.removeprefix("corefeval").removeprefix(".") or "__init__" for name in own]


def find_level(module: str) -> int:
    """The place of a module's folder in the order of imports: root modules first; the command line uses the package."""
    if module == "__main__":
        return len(FOLDERS) + 2
    if module == "__init__":
        return len(FOLDERS)
    if module.partition(".")[0] == "cli":
        return len(FOLDERS) + 1
    folder = module.partition(".")[0]
    return FOLDERS.index(folder) + 1 if folder in FOLDERS else 0


def find_upward_imports() -> set[str]:
    """Imports from a folder that comes later."""
    return {str(each) for each in list_imports() if find_level(each.importer) < find_level(each.imported)}


def find_deferred_imports() -> set[str]:
    return {str(each) for each in list_imports() if each.deferred}


def find_repeated_classes() -> set[str]:
    classes = (
        node.name for tree in list_modules().values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)
    )
    return {name for name, count in Counter(classes).items() if count > 1}


def find_scorers_in_core() -> set[str]:
    """Modules of the core whose name or text names a scorer: "measures.blanc: scorch"."""
    found = set()
    for path in (path for folder in CORE for path in (SOURCES / folder).rglob("*.py")):
        name = ".".join(path.relative_to(SOURCES).with_suffix("").parts)
        text = NO_SCORERS.sub("", path.read_text(encoding="utf-8"))
        found |= {f"{name}: {match.group().lower()}" for match in SCORERS.finditer(f"{name}\n{text}")}
    return found


def test_imports_go_one_way() -> None:
    assert find_upward_imports() == set()


def test_deferred_imports_have_a_reason() -> None:
    assert find_deferred_imports() == DEFERRED.keys()
    assert len(DEFERRED) <= MOST_DEFERRED


def test_class_names_occur_once() -> None:
    assert find_repeated_classes() == set()


def test_named_tuples_are_those_that_start_quickly() -> None:
    sources = {str(path.relative_to(SOURCES)): path.read_text("utf-8") for path in SOURCES.rglob("*.py")}
    assert [name for name, text in sources.items() if re.search(r"from typing import .*\bNamedTuple\b", text)] == [
        "_lazy.py"
    ]


def test_the_core_names_no_scorer() -> None:
    assert find_scorers_in_core() == set()


def test_the_root_holds_few_modules() -> None:
    assert {path.stem for path in SOURCES.glob("*.py")} <= set(ROOT_MODULES)
    assert {path.parent.name for path in SOURCES.glob("*/*.py")} <= set(FOLDERS)


def test_the_map_in_contributing_is_the_listing() -> None:
    section = (PROJECT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Where things are")[2]
    listed = re.findall(r"^  (\w+)(/|\.py)  +\S", section.split("```")[1], re.MULTILINE)
    folders = [name for name, ending in listed if ending == "/"]
    modules = [name for name, ending in listed if ending == ".py"]
    assert folders == list(FOLDERS)
    assert sorted(modules) == sorted(path.stem for path in SOURCES.glob("*.py"))
