"""Which column of a table is the document, the mention and the entity, by what a user says and by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from corefeval.errors import suggest_names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NAMES = {
    "document": ("document", "doc", "doc_id", "document_id"),
    "mention": ("mention", "mention_id", "record", "record_id", "id"),
    "start": ("start", "begin"),
    "end": ("end",),
    "entity": ("entity", "entity_id", "cluster", "cluster_id", "label"),
}
_SAY = "say which: --format table:"


class ColumnChoice(NamedTuple):
    """The number of the column for each part, those kept as attributes, and faults: what, expected, hint."""

    parts: dict[str, int]
    attributes: list[int]
    wrong: list[tuple[str, str, str]]


class WantedColumns(NamedTuple):
    """What a user says about columns: the names of those for a part, and of those to keep as attributes ("a+b")."""

    asked: Mapping[str, str]
    attributes: str

    def choose(self, names: Sequence[str]) -> ColumnChoice:
        """Choose the columns asked for, and of the others those with a usual name; positions go before labels."""
        parts: dict[str, int] = {}
        wrong: list[tuple[str, str, str]] = []
        for part, name in self.asked.items():
            column = _find_column(name, names)
            if column in parts.values():
                wrong.append((f"column {name!r} cannot be two things at once", "", ""))
            elif column is not None:
                parts[part] = column
            elif name or part != "document":
                wrong.append(_describe_unknown(name, names))
        usual = {part: _find_usual(part, names, set(parts.values())) for part in NAMES}
        positions = "mention" not in self.asked and (
            bool({"start", "end"} & set(self.asked)) or bool(usual["start"] and usual["end"])
        )
        for part in ("document", "entity", *(("start", "end") if positions else ("mention",))):
            columns = usual[part]
            if part in self.asked:
                continue
            if len(columns) > 1:
                both = " and ".join(repr(names[column]) for column in columns)
                wrong.append((f"{both} may both be the {part}", "one", f"{_SAY}{part}={names[columns[0]]}"))
            elif columns:
                parts[part] = columns[0]
            elif part != "document":
                either = ", or start and end" if part == "mention" else ""
                expected = f"{', '.join(NAMES[part])}{either}"
                free = [name for i, name in enumerate(names) if name and i not in parts.values()] or names
                wrong.append((f"no column for the {part}", expected, f"{suggest_names(part, free)}; {_SAY}{part}=NAME"))
        return ColumnChoice(parts, *self._choose_attributes(names, set(parts.values()), wrong))

    def _choose_attributes(
        self, names: Sequence[str], others: set[int], wrong: list[tuple[str, str, str]]
    ) -> tuple[list[int], list[tuple[str, str, str]]]:
        if self.attributes == "*":
            return [column for column, name in enumerate(names) if name and column not in others], wrong
        columns = {name: _find_column(name, names) for name in self.attributes.split("+") if name}
        unknown = [_describe_unknown(name, names) for name, column in columns.items() if column is None]
        return list(dict.fromkeys(column for column in columns.values() if column is not None)), [*wrong, *unknown]


def _describe_unknown(name: str, names: Sequence[str]) -> tuple[str, str, str]:
    return f"no column is called {name!r}", "", suggest_names(name, names)


def _find_column(name: str, names: Sequence[str]) -> int | None:
    """Return the column of a name as it is written, or else the only one that differs in case."""
    if not name:
        return None
    if name in names:
        return names.index(name)
    alike = [column for column, other in enumerate(names) if other.lower() == name.lower()]
    return alike[0] if len(alike) == 1 else None


def _find_usual(part: str, names: Sequence[str], taken: set[int]) -> list[int]:
    """Return the columns that may be a part by their names; the part's own name goes before others."""
    alike = [column for column, name in enumerate(names) if name.lower() in NAMES[part] and column not in taken]
    return [column for column in alike if names[column].lower() == part] or alike
