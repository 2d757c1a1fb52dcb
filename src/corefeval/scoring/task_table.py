"""The table of a shared task: teams by data sets, scored in several ways, averaged over data sets, and ranked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from corefeval.measures import Measure
from corefeval.notices import Notice, count_things
from corefeval.tables.result import Result
from corefeval.tables.table import UNDEFINED, Cell, Digits, Row, Table, make_score_formatter
from corefeval.tables.writers import collect_columns

UNREADABLE = "unreadable-response"
"""The kind of notices about responses that count as 0 since they cannot be read or scored."""

_ALIKE = 9  # decimals of an average to which teams share a place, so that sums in another order change nothing


@dataclass(frozen=True, slots=True)
class TeamScores:
    """A team's scores: for each data set its score in each way; those that have no readable response are left out."""

    name: str
    datasets: Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class TaskTable(Result):
    """Teams on data sets by one measure, in several ways of scoring, of which the first decides on the rank.

    A data set to which a team has no response that can be read counts as 0. More is better by the measure.
    """

    measure: Measure
    ways: tuple[str, ...]
    datasets: tuple[str, ...]
    teams: tuple[TeamScores, ...]
    signatures: tuple[str, ...]
    notices: tuple[Notice, ...] = ()

    def score_dataset(self, team: TeamScores, dataset: str, way: str) -> float:
        """Return a team's score on a data set in one way of scoring; 0 if it has no response."""
        found = team.datasets.get(dataset)
        return 0.0 if found is None else found[way]

    def average(self, team: TeamScores, way: str) -> float:
        """Return the mean of a team's scores on all data sets in one way of scoring; 0 where it has no response."""
        return sum(self.score_dataset(team, dataset, way) for dataset in self.datasets) / len(self.datasets)

    def rank(self) -> list[tuple[int, TeamScores]]:
        """Return a list of (place, team), the best first; teams with the same average share a place, and leave gaps."""
        scores = {each.name: round(self.average(each, self.ways[0]), _ALIKE) for each in self.teams}
        places = {name: 1 + sum(other > own for other in scores.values()) for name, own in scores.items()}
        return sorted(((places[each.name], each) for each in self.teams), key=lambda pair: (pair[0], pair[1].name))

    def tables(self, *, digits: Digits = "round") -> Iterator[Table]:
        """Yield two tables: teams ranked, with an average in each way; their scores by data set, in the first way."""
        write, ranked, first = make_score_formatter(digits), self.rank(), self.ways[0]
        columns = [self._mark_best([self.average(team, way) for _, team in ranked], write) for way in self.ways]
        body: list[Row] = [
            [str(place), team.name, *cells]
            for (place, team), cells in zip(ranked, zip(*columns, strict=True), strict=True)
        ]
        many = len(self.datasets)
        note = f"{self.measure}, averaged over {count_things(many, 'data set')}; the rank is by {first}"
        yield Table("Teams", ["rank", "team", *self.ways], body, 2, (note,))
        by_dataset = [
            self._mark_best([self.score_dataset(team, each, first) for _, team in ranked], write)
            for each in self.datasets
        ]
        body = []
        for number, (_, team) in enumerate(ranked):
            cells = [
                column[number] if each in team.datasets else UNDEFINED
                for each, column in zip(self.datasets, by_dataset, strict=True)
            ]
            body.append([team.name, *cells, columns[0][number]])
        lacking = any(len(each.datasets) < many for each in self.teams)
        unreadable = any(notice.kind == UNREADABLE for notice in self.notices)
        notes = (f"{UNDEFINED} missing{' or unreadable' if unreadable else ''}, counted as 0",) if lacking else ()
        yield Table(f"By data set ({first})", ["team", *self.datasets, "average"], body, 1, notes)

    @staticmethod
    def _mark_best(values: Sequence[float], write: Callable[[float], str]) -> list[str | Cell]:
        """Return a list of the values as text, the best in cells marked as best; none is where all are alike."""
        best, alike = max(values), len(set(values)) == 1
        return [Cell(write(each), best=True) if each == best and not alike else write(each) for each in values]

    def build_columns(self) -> dict[str, list[object]]:
        """Return columns: by rank, a row of each team's averages (data set None), then one for each data set."""
        rows: list[tuple[object, ...]] = []
        for place, team in self.rank():
            rows.append((place, team.name, None, None, *(self.average(team, way) for way in self.ways)))
            for each in self.datasets:
                scores = (self.score_dataset(team, each, way) for way in self.ways)
                rows.append((place, team.name, each, int(each not in team.datasets), *scores))
        return collect_columns(("rank", "team", "dataset", "missing", *self.ways), rows)

    def build_content(self) -> dict[str, object]:
        """Return a dict of plain objects: measure, teams by rank with averages and scores by data set, notices."""
        teams = [
            {
                "team": team.name,
                "rank": place,
                "average": {way: self.average(team, way) for way in self.ways},
                "datasets": {
                    each: {way: self.score_dataset(team, each, way) for way in self.ways} for each in self.datasets
                },
                "missing": [each for each in self.datasets if each not in team.datasets],
            }
            for place, team in self.rank()
        ]
        return {
            "measure": str(self.measure),
            "columns": list(self.ways),
            "datasets": list(self.datasets),
            "teams": teams,
            "signatures": list(self.signatures),
            "notices": [notice.to_dict() for notice in self.notices],
        }
