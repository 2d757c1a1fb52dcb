"""Whatever is opened scores as the files do, at the start and after it was saved and opened again."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import corefeval
from corefeval.errors import CorefevalError
from corefeval.workbench.opening import create_project, join_sides
from corefeval.workbench.project import Project
from corefeval.workbench.running import choose_rules
from corefeval.workbench.workspace import OpenProject
from tests.browser.made import KEY, RESPONSE, hard
from tests.properties.test_edges import _SIDES, _WRITERS, Side


def score_in_project(path: Path, key: corefeval.Corpus, response: corefeval.Corpus) -> dict[str, dict[str, object]]:
    for old in path.parent.glob(f"{path.name}*"):
        old.unlink()
    create_project(str(path), "p", join_sides({"key": key, "response": response})).close()
    opened = OpenProject(Project(str(path)), choose_rules(None, {}))
    found = opened.score("key", "response", None)
    opened.project.close()
    return {measure["name"]: measure["values"] for measure in found["measures"]}


def score_files(key: corefeval.Corpus, response: corefeval.Corpus) -> dict[str, dict[str, object]]:
    evaluation = corefeval.score(key, response, measures="all")
    return {str(m): {field: evaluation[m].values[field] for field in m.shown} for m in evaluation.measures}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(sides=st.tuples(_SIDES, _SIDES), writer=st.sampled_from(sorted(_WRITERS)))
def test_scores_of_a_project_are_those_of_the_files(tmp_path: Path, sides: tuple[Side, Side], writer: str) -> None:
    paths = [tmp_path / f"{name}.{writer}" for name in ("key", "response")]
    for path, side in zip(paths, sides, strict=True):
        path.write_text(_WRITERS[writer](side), encoding="utf-8")
    try:
        key, response = (corefeval.read(path) for path in paths)
        expected = score_files(key, response)
    except CorefevalError:
        return
    if not key.documents:
        with pytest.raises(CorefevalError):
            score_in_project(tmp_path / "p.corefeval", key, response)
        return
    assert score_in_project(tmp_path / "p.corefeval", key, response) == expected


def test_zeros_gaps_nesting_and_right_to_left_text_are_kept(tmp_path: Path) -> None:
    key, response = hard(KEY, "key.conllu"), hard(RESPONSE, "response.conllu")
    assert score_in_project(tmp_path / "p.corefeval", key, response) == score_files(key, response)
    project = Project(str(tmp_path / "p.corefeval"))
    corefeval.write(project.build_corpus("response"), tmp_path / "saved.conllu")
    project.close()
    corefeval.write(response, tmp_path / "direct.conllu")
    assert (tmp_path / "saved.conllu").read_text() == (tmp_path / "direct.conllu").read_text()
