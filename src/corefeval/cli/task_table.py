"""Scoring all teams of a shared task on all its data sets, from directories: `corefeval score --table`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import corefeval
from corefeval.cli.files import name_files, parse_named_files
from corefeval.cli.shared import SharedOptions
from corefeval.errors import Fault, InputError, MissingFileError
from corefeval.formats import registry
from corefeval.measures import Measure
from corefeval.notices import Notice, check_strict, count_things, join_notices, report_progress
from corefeval.scoring.naming import strip_ending
from corefeval.scoring.signature import Signature
from corefeval.scoring.task_table import UNREADABLE, TaskTable, TeamScores

if TYPE_CHECKING:
    from corefeval.options import Options
    from corefeval.scoring.results import Evaluation


def score_task(
    keys: str,
    responses: Sequence[str],
    measure: Measure,
    ways: Mapping[str, dict[str, Any]],
    shared: SharedOptions,
    *,
    strict: bool,
) -> TaskTable:
    """Return the TaskTable of scores: KEYS/dataset.conllu and, for each team, RESPONSES/team/dataset.conllu.

    responses: the directory of all teams, or those of single teams. ways: keywords of `score`, by the name of a column.
    A response that is missing, or cannot be read or scored, counts as 0, which a notice says; `strict`: an error at the
    end, with all notices.
    """
    datasets, teams = _list_files(keys), _list_teams(responses)
    if not datasets:
        raise InputError(Fault(keys, "a directory with no data sets", "a file for each"))
    files = {team: _list_files(folder) for team, folder in teams.items()}
    notices = list(_compare_files(keys, datasets, teams, files))
    scores: dict[str, dict[str, dict[str, float]]] = {team: {} for team in teams}
    documents = 0
    options: dict[str, Options] = {}
    for number, (dataset, path) in enumerate(datasets.items()):
        there = [team for team in teams if dataset in files[team]]
        key, _ = shared.read_sides(path, ())
        documents += len(key.documents)
        for team in there:
            try:
                response = shared.read_response(files[team][dataset])
                scored = {way: corefeval.score(key, response, measures=measure, **given) for way, given in ways.items()}
            except InputError as error:
                notices.append(_describe_unreadable(error, files[team][dataset], team, dataset))
                continue
            options |= {way: each.options for way, each in scored.items()}
            scores[team][dataset] = {way: each[measure].main for way, each in scored.items()}
            notices += join_notices([*(each.notices for each in scored.values()), _find_undefined(scored, measure)])
        report_progress("data sets", number + 1, len(datasets))
    check_strict(notices, strict=strict)
    signatures = [Signature(corefeval.__version__, (str(measure),), each, documents) for each in options.values()]
    return TaskTable(
        measure,
        tuple(ways),
        tuple(datasets),
        tuple(TeamScores(team, own) for team, own in scores.items()),
        tuple(map(str, signatures)),
        join_notices([notices]),
    )


def _list_entries(folder: str) -> list[Path]:
    """Return a sorted list of paths in a directory, hidden ones aside; MissingFileError or InputError if it is none."""
    path = Path(folder)
    if not path.exists():
        raise MissingFileError(f"{folder}: no such directory")
    if not path.is_dir():
        hint = "--table takes KEYS/dataset.conllu and RESPONSES/team/dataset.conllu"
        raise InputError(Fault(folder, "a file", "a directory", hint))
    return sorted(each for each in path.iterdir() if not each.name.startswith("."))


def _list_files(folder: str) -> dict[str, str]:
    """Return {data set: path of its file or directory} of a directory; InputError if two have one name but for endings.

    A file whose name ends as no format's does, such as README, is none.
    """
    found: dict[str, str] = {}
    for path in map(str, filter(_may_be_data, _list_entries(folder))):
        name = strip_ending(path)
        if name in found:
            raise InputError(Fault(path, f"there is {Path(found[name]).name}, too", "one file for a data set"))
        found[name] = path
    return found


def _may_be_data(path: Path) -> bool:
    """Return whether a path is a directory, or a file whose name ends as one of a format does."""
    formats = filter(registry.tells_by_name, map(registry.load_format, registry.list_names()))
    return path.is_dir() or any(registry.find_suffix(path.name, each.SUFFIXES) for each in formats)


def _list_teams(responses: Sequence[str]) -> dict[str, str]:
    """Return {team: its directory}: of those in the single directory given, or of all that are given."""
    named = parse_named_files(responses, "team")
    folders = [each for each in _list_entries(named[0].path) if each.is_dir()] if len(named) == 1 else []
    if folders and not named[0].name:
        return {folder.name: str(folder) for folder in folders}
    return dict(zip(name_files(responses, "team"), (each.path for each in named), strict=True))


def _compare_files(
    keys: str, datasets: Mapping[str, str], teams: Mapping[str, str], files: Mapping[str, Mapping[str, str]]
) -> list[Notice]:
    """Return a list of notices of data sets to which a team has no response, then of files that are for none."""
    notices = []
    for team, own in files.items():
        for name in datasets.keys() - own.keys():
            what = f"has no response to data set {name!r}; it counts as 0"
            notices.append(Notice.at("missing-response", teams[team], None, what, {"team": team, "dataset": name}))
        for name in own.keys() - datasets.keys():
            what = f"is for no data set of {keys}; it is ignored"
            notices.append(Notice.at("extra-response", own[name], None, what, {"team": team, "dataset": name}))
    return sorted(notices, key=lambda each: (each.kind != "missing-response", each.message))


def _describe_unreadable(error: InputError, path: str, team: str, dataset: str) -> Notice:
    """Return a notice of a response that has faults: the first, how many more there are, and that it counts as 0."""
    first, more = error.faults[0], len(error.faults) + error.more - 1
    others = f"; {count_things(more, 'more fault')}" if more else ""
    what = f"{first._replace(source='', line=None)}{others}; the response to data set {dataset!r} counts as 0"
    details = {"team": team, "dataset": dataset, "faults": more + 1}
    return Notice.at(UNREADABLE, first.source or path, first.line, what, details)


def _find_undefined(scored: Mapping[str, Evaluation], measure: Measure) -> list[Notice]:
    """Return a list: a notice for each way in which a response's score is 0/0, saying what it counts as in averages."""
    return [
        Notice.at(
            "undefined-in-average",
            each.response,
            None,
            f"{measure} ({way}) is undefined (0/0) and counts as {measure.undefined} in the average",
            {"column": way},
        )
        for way, each in scored.items()
        if measure.main in each[measure].undefined
    ]
