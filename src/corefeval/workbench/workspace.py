"""What a server works in: a folder with projects, those that are open, and their scores."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any

from corefeval.errors import MissingFileError
from corefeval.scoring.results import Evaluation
from corefeval.workbench.annotations import Annotation
from corefeval.workbench.edits import Change, EditError, apply_change
from corefeval.workbench.opening import Opened, create_project
from corefeval.workbench.project import SUFFIX, Project, choose_path
from corefeval.workbench.scores import ScoreCache, ScoringRules, SidePair, describe_scores


class OpenProject:
    """A project, and the scores of its sides."""

    def __init__(self, project: Project, rules: ScoringRules) -> None:
        self.project = project
        self.rules = rules
        self._cache = ScoreCache(rules)
        self._lock = threading.Lock()

    def pair_sides(self, key: str, response: str, document: int | None) -> SidePair:
        """Return two sides of a document, or of all (None), as they are now."""
        return self._pair([key, response], document, self.project.get_annotation)

    def _pair(self, sides: Sequence[str], document: int | None, get: Any) -> SidePair:
        """Return what `get` returns for two sides of a document, or of all."""
        numbers = range(len(self.project.contents)) if document is None else [document]
        key, response = ([get(side, number) for number in numbers] for side in sides)
        return SidePair([self.project.contents[number] for number in numbers], key, response)

    def score(self, key: str, response: str, document: int | None) -> dict[str, Any]:
        """Return the scores of two sides, with the changes since the last edit and since the start."""
        now = self.pair_sides(key, response, document)
        project = self.project
        before = [project.get_annotation_before([key, response], number) for number in self._list_numbers(document)]
        last = now._replace(key=[pair[0] for pair in before], response=[pair[1] for pair in before])
        if document is None:
            last = self._find_last_of_all(now, key, response)
        start = self._pair([key, response], document, lambda side, number: project.sides[side].annotations[number])
        return describe_scores(*(self._evaluate(pair) for pair in (now, last, start)))

    def _list_numbers(self, document: int | None) -> Sequence[int]:
        """Return the numbers of the document, or of all."""
        return range(len(self.project.contents)) if document is None else [document]

    def _find_last_of_all(self, now: SidePair, key: str, response: str) -> SidePair:
        """Return two sides of all documents as they were before the last edit of any."""
        edited = [entry for entry in self.project.entries[-1:] if entry.side in (key, response)]
        if not edited:
            return now
        place = edited[0].document
        ours, theirs = self.project.get_annotation_before([key, response], place)
        return now._replace(key=_put(now.key, place, ours), response=_put(now.response, place, theirs))

    def preview(self, key: str, response: str, document: int, side: str, change: Change) -> dict[str, Any]:
        """Return the scores that two sides of a document would have after a change, with the changes from now."""
        if side not in (key, response):
            raise EditError("a preview is of an edit of one of the two sides that are scored")
        now = self.pair_sides(key, response, document)
        after = {
            name: apply_change(annotations[0], change) if name == side else annotations[0]
            for name, annotations in ((key, now.key), (response, now.response))
        }
        then = now._replace(key=[after[key]], response=[after[response]])
        return describe_scores(self._evaluate(then), self._evaluate(now))

    def _evaluate(self, pair: SidePair) -> Evaluation:
        """Return the evaluation of a pair, computed once for what is looked at again."""
        with self._lock:
            return self._cache.evaluate(pair)


def _put(annotations: Sequence[Annotation], place: int, annotation: Annotation) -> list[Annotation]:
    """Return annotations with another one in a place."""
    return [annotation if number == place else each for number, each in enumerate(annotations)]


class Workspace:
    """A folder of projects. Its methods may be called from several threads."""

    def __init__(self, folder: str, rules: ScoringRules) -> None:
        self.folder = folder
        self.rules = rules
        self._open: dict[str, OpenProject] = {}
        self._lock = threading.Lock()
        self._authors: dict[str, str] = {}

    def name_author(self, browser: str, known: str | None = None) -> str:
        """Return the name under which a browser edits: the one that it knows, unless another one has it, or a new one.

        New ones are "browser 1" and so on, anew with each start, so that who comes back alone, even in a browser that
        has forgotten all, can take back the edits of the last time.
        """
        with self._lock:
            if known and self._authors.setdefault(known, browser) == browser:
                return known
            name = next(name for name in map("browser {}".format, count(1)) if name not in self._authors)
            self._authors[name] = browser
            return name

    def list_projects(self) -> list[str]:
        """Return the names of all projects of the folder."""
        return sorted(path.name.removesuffix(SUFFIX) for path in Path(self.folder).glob(f"*{SUFFIX}") if path.is_file())

    def open(self, name: str) -> OpenProject:
        """Return a project by its name, with all that other processes have written; MissingFileError if none is."""
        path = choose_path(self.folder, name)
        with self._lock:
            if path not in self._open:
                if not Path(path).is_file():
                    raise MissingFileError(f"there is no project {name!r}")
                self._open[path] = OpenProject(Project(path), self.rules)
            found = self._open[path]
        found.project.refresh()
        return found

    def create(self, name: str, opened: Opened) -> str:
        """Make a project and return its name, with a number behind it if there is one of that name."""
        with self._lock:
            free, number = name, 2
            while Path(choose_path(self.folder, free)).exists():
                free, number = f"{name}-{number}", number + 1
            create_project(choose_path(self.folder, free), name, opened).close()
        return free

    def close(self) -> None:
        """Close all projects."""
        with self._lock:
            for each in self._open.values():
                each.project.close()
            self._open.clear()
