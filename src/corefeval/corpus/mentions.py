"""What identifies a mention: a column of spans, of labels, or of any Python objects.

A corpus keeps its mentions as one such column. Two columns are brought together by giving equal mentions equal numbers.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from corefeval._arrays import Booleans, Ints, np, number_values
from corefeval.errors import Fault, InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray


Pieces: TypeAlias = "tuple[tuple[int, int], ...]"
"""The runs of a mention that has gaps: first and last of each, in order, with something left out between them."""

_FARTHEST = 1 << 40


class Spans:
    """First and last word (or character) of every mention, counted from 0 over its document.

    `pieces` has the runs of the mentions with gaps, by row.
    """

    __slots__ = ("end", "pieces", "start")

    def __init__(self, start: Ints, end: Ints, pieces: Mapping[int, Pieces] = MappingProxyType({})) -> None:
        self.start, self.end, self.pieces = start, end, pieces

    @classmethod
    def from_runs(cls, runs: Sequence[Pieces]) -> Spans:
        """Return a column of spans, given for every mention its runs: pairs (first, last) in the order of the text."""
        return cls(
            np.array([run[0][0] for run in runs], dtype=np.int64),
            np.array([run[-1][1] for run in runs], dtype=np.int64),
            {row: run for row, run in enumerate(runs) if len(run) > 1},
        )

    def __len__(self) -> int:
        return len(self.start)

    def runs(self, row: int) -> Pieces:
        """Return the runs (pairs of first and last) of the mention in a row; only one, where it has no gaps."""
        return self.pieces.get(row) or ((int(self.start[row]), int(self.end[row])),)

    def lengths(self, step: int = 1) -> Ints:
        """Return how many words (or characters) each mention has, gaps left out; places of words differ by `step`."""
        length = (self.end - self.start) // step + 1
        for row, runs in self.pieces.items():
            length[row] = sum((last - first) // step + 1 for first, last in runs)
        return length

    def text_order(self, document: Ints, *ties: Ints, step: int = 1) -> Ints:
        """Return the rows sorted by document, then first word, last word, length, gaps, and the columns `ties`.

        `ties` decide between mentions that are all the same. Places of neighbouring words differ by `step`.
        """
        by_gaps = np.zeros(len(self), dtype=np.int64)
        rank = {runs: number for number, runs in enumerate(sorted(set(self.pieces.values())), 1)}
        for row, runs in self.pieces.items():
            by_gaps[row] = rank[runs]
        return np.lexsort((*ties, by_gaps, self.lengths(step), self.end, self.start, document))

    def sort_outer_first(self, group: Ints) -> Ints:
        """Return the rows sorted by group, first word, and longest first: a mention comes before those within it."""
        return np.lexsort((-self.end, self.start, group))

    @property
    def own(self) -> Spans:
        """The column itself, since these spans count the words of their own corpus."""
        return self

    def take(self, index: Ints) -> Spans:
        """Return a column of the mentions in these rows, in this order."""
        pieces = {}
        if self.pieces:
            pieces = {place: self.pieces[row] for place, row in enumerate(index.tolist()) if row in self.pieces}
        return Spans(self.start[index], self.end[index], pieces)

    def find_discontinuous(self) -> Booleans:
        """Return for each mention whether it has gaps."""
        found = np.zeros(len(self), dtype=np.bool_)
        found[list(self.pieces)] = True
        return found

    def find_entangled(self, entity: Ints) -> Booleans:
        """Return for each mention whether it has gaps and interlocks with an earlier such mention of its entity.

        A mention that lies within one gap of another, or beside it, is not entangled with it.
        """
        found = np.zeros(len(self), dtype=np.bool_)
        earlier: dict[int, list[Pieces]] = {}
        for runs, row in sorted((runs, row) for row, runs in self.pieces.items()):
            number = int(entity[row])
            others = earlier[number] = [other for other in earlier.get(number, []) if other[-1][1] >= runs[0][0]]
            if all(_lie_apart(runs, other) for other in others):
                others.append(runs)
            else:
                found[row] = True
        return found

    def find_crossing(self, group: Ints) -> Booleans:
        """Return for each mention whether it crosses an earlier one of its group (overlap, neither in the other)."""
        found = np.zeros(len(self), dtype=np.bool_)
        order = self.sort_outer_first(group)
        columns = group[order], self.start[order], self.end[order], order
        here = -1
        around: list[int] = []
        for number, start, end, row in zip(*(column.tolist() for column in columns), strict=True):
            if number != here:
                here, around = number, []
            while around and around[-1] < start:
                around.pop()
            if around and around[-1] < end:
                found[row] = True  # from here on it is passed over, as if it were not there
            else:
                around.append(end)
        return found

    def measure_depth(self, group: Ints) -> Ints:
        """Return, for every mention, how many others of its group contain it and are larger, by first and last."""
        depth = np.zeros(len(self), dtype=np.int64)
        order = self.sort_outer_first(group)
        # What contains a mention comes before it in this order, and ends later, or ends with it and begins earlier.
        reach = np.lexsort((-self.start[order], self.end[order], group[order]))
        depth[order] = _count_greater_before(reach)
        return depth

    def objects(self) -> list[Hashable]:
        """Return a list with a pair (start, end) for each mention; a tuple of such pairs for a mention with gaps."""
        objects: list[Hashable] = list(zip(self.start.tolist(), self.end.tolist(), strict=True))
        for row, pieces in self.pieces.items():
            objects[row] = pieces
        return objects


class Carried(Spans):
    """Spans counted in another corpus's words; `own` are those in the words of the corpus that they stand in."""

    __slots__ = ("own",)
    own: Spans

    def __init__(self, there: Spans, own: Spans) -> None:
        super().__init__(there.start, there.end, there.pieces)
        self.own = own

    def take(self, index: Ints) -> Carried:
        """Return a column of the mentions in these rows, in this order, with their own spans."""
        return type(self)(super().take(index), self.own.take(index))


class _Values:
    """Mentions that are no spans."""

    __slots__ = ("values",)

    def __init__(self, values: Any) -> None:
        self.values = values

    def __len__(self) -> int:
        return len(self.values)

    @property
    def own(self) -> Self:
        """The column itself: only spans can be counted in another corpus's words."""
        return self


class Labels(_Values):
    """An array of integers or strings."""

    __slots__ = ()
    values: NDArray[Any]

    def take(self, index: Ints) -> Labels:
        """Return a column of the mentions in these rows, in this order."""
        return Labels(self.values[index])

    def objects(self) -> list[Hashable]:
        """Return a list of the labels, as Python integers or strings."""
        objects: list[Hashable] = self.values.tolist()
        return objects


class Objects(_Values):
    """Any hashable objects."""

    __slots__ = ()
    values: Sequence[Hashable]

    def take(self, index: Ints) -> Objects:
        """Return a column of the mentions in these rows, in this order."""
        return Objects([self.values[i] for i in index.tolist()])

    def objects(self) -> list[Hashable]:
        """Return the mentions' objects as a new list."""
        return list(self.values)


class Texts(Objects):
    """Texts in an Arrow array of large strings, without null; they become Python's where they are looked at."""

    __slots__ = ("_listed", "array")

    def __init__(self, array: Any) -> None:
        self.array = array
        self._listed: list[Hashable] | None = None

    def __len__(self) -> int:
        return len(self.array)

    @property
    def values(self) -> list[Hashable]:  # type: ignore[override]
        """The texts in a list."""
        if self._listed is None:
            self._listed = self.array.to_pylist()
        return self._listed

    def take(self, index: Ints) -> Texts:
        """Return a column of the mentions in these rows, in this order."""
        return Texts(self.array.take(index))

    def __reduce__(self) -> tuple[object, ...]:
        return Texts, (self.array,)


MentionColumn: TypeAlias = Spans | Labels | Objects
"""One entry per mention."""


def _count_greater_before(order: Ints) -> Ints:
    """Return for each place of a column how many earlier places have greater values; `order` has places by value."""
    count = np.zeros(len(order), dtype=np.int64)
    for bit in reversed(range(len(order).bit_length())):
        # The places lie in blocks of 2 << bit, sorted by value in each. In the right half of a block, those of its left
        # half that come later are greater; a left half that has a right one beside it is full.
        is_right = (order >> bit) & 1 == 1
        lefts = np.cumsum(~is_right)[is_right]
        right = order[is_right]
        count[right] += (((right >> bit + 1) + 1) << bit) - lefts
        order = order[np.argsort(order >> bit, kind="stable")]
    return count


def _lie_apart(runs: Pieces, earlier: Pieces) -> bool:
    """Return whether a mention lies wholly behind an earlier one, or wholly within one of its gaps."""
    first, last = runs[0][0], runs[-1][1]
    gaps = [(a[1], b[0]) for a, b in itertools.pairwise(earlier)]
    return first > earlier[-1][1] or any(left < first and last < right for left, right in gaps)


def as_spans(column: MentionColumn) -> Spans | None:
    """Return the column as Spans; None unless every entry is a pair (first, last) or a tuple of such pairs."""
    if isinstance(column, Spans):
        return column
    if isinstance(column, Texts) and len(column):
        return None
    runs: list[Pieces] = []
    for entry in column.objects():
        parsed = parse_runs(entry)
        if parsed is None:
            return None
        runs.append(parsed)
    return Spans.from_runs(runs)


def parse_runs(entry: Hashable) -> Pieces | None:
    """Return a mention's runs as a tuple of pairs; None unless it is a pair (first, last) or a tuple of such pairs.

    Numbers that no text reaches, with which places could not be counted over all documents, make it a label.
    """
    if not isinstance(entry, tuple) or not entry:
        return None
    runs = entry if isinstance(entry[0], tuple) else (entry,)
    places = [place for run in runs if isinstance(run, tuple) and len(run) == 2 for place in run]
    whole = len(places) == 2 * len(runs) and all(type(place) is int for place in places)
    if not whole or places[0] < 0 or places[-1] >= _FARTHEST or any(a > b for a, b in itertools.pairwise(places)):
        return None
    return runs


def _is_apart(last: int, first: int) -> bool:
    """Return whether at least one place lies between the end of a run and the beginning of the next."""
    return first > last + 1


def join_runs(runs: Iterable[tuple[int, int]], is_gap: Callable[[int, int], bool] = _is_apart) -> Pieces:
    """Return runs, given in the order of their beginnings, with those joined that overlap or have nothing between them.

    is_gap: whether there is something between the last of one run and the first of the next.

    >>> join_runs([(0, 1), (2, 3), (5, 5)])
    ((0, 3), (5, 5))
    """
    joined: list[tuple[int, int]] = []
    for first, last in runs:
        if joined and not is_gap(joined[-1][1], first):
            joined[-1] = joined[-1][0], max(last, joined[-1][1])
        else:
            joined.append((first, last))
    return tuple(joined)


def to_mention(runs: Pieces) -> Pieces | tuple[int, int]:
    """Return runs in the form that identifies a mention: the pair (first, last) if there is one run, else the runs."""
    return runs if len(runs) > 1 else runs[0]


def get_runs(mention: Hashable) -> Pieces:
    """Return the runs of a mention that is a pair (first, last) or a tuple of pairs; the inverse of `to_mention`."""
    assert isinstance(mention, tuple)  # noqa: S101 - see `parse_runs` for mentions that may be something else
    return mention if isinstance(mention[0], tuple) else (mention,)


def join_columns(columns: Sequence[MentionColumn]) -> MentionColumn:
    """Return one column of the entries of several, one after another: of their kind if it is one, else Objects."""
    if len(columns) == 1:
        return columns[0]
    if all(isinstance(column, Spans) for column in columns):
        return join_spans([column for column in columns if isinstance(column, Spans)])
    arrays = [column.values for column in columns if isinstance(column, Labels)]
    if len(arrays) == len(columns) and len({array.dtype.kind for array in arrays}) == 1:
        return Labels(np.concatenate(arrays))
    return Objects([entry for column in columns for entry in column.objects()])


def join_spans(columns: Sequence[Spans]) -> Spans:
    """Return one column of the spans of several, one after another."""
    before = np.cumsum([0, *(len(column) for column in columns)]).tolist()
    return Spans(
        np.concatenate([column.start for column in columns]),
        np.concatenate([column.end for column in columns]),
        {row + b: runs for column, b in zip(columns, before, strict=False) for row, runs in column.pieces.items()},
    )


def join_optional_spans(columns: Sequence[Spans | None], lengths: Sequence[int]) -> Spans | None:
    """Return one column of several Spans, with -1 in all rows (`lengths`) of those that are None; None if all are."""
    if all(column is None for column in columns):
        return None
    none = [np.full(length, -1, dtype=np.int64) for length in lengths]
    return join_spans([column or Spans(n, n) for column, n in zip(columns, none, strict=True)])


def find_previous_mentions(entity: Ints, order: Ints) -> Ints:
    """Return for every mention the row of the one before it in its entity; -1 for the first. `order`: rows, sorted."""
    by_entity = order[np.argsort(entity[order], kind="stable")]
    same = entity[by_entity][1:] == entity[by_entity][:-1]
    previous = np.full(len(order), -1, dtype=np.int64)
    previous[by_entity[1:][same]] = by_entity[:-1][same]
    return previous


def number_mentions(
    key: MentionColumn, response: MentionColumn, key_document: Ints, response_document: Ints
) -> tuple[Ints, Ints]:
    """Return a number for each mention, for key and response; equal exactly for equal mentions of the same document."""
    if isinstance(key, Spans) and isinstance(response, Spans):
        numbers = _number_spans(key, response)
    elif isinstance(key, Labels) and isinstance(response, Labels):
        numbers = _number_labels(key.values, response.values)
    elif isinstance(key, Texts) and isinstance(response, Texts):
        numbers = _number_texts(key, response)
    else:
        numbers = _number_objects(key.objects(), response.objects())
    if key_document.max(initial=0) == 0 and response_document.max(initial=0) == 0:
        return numbers
    return combine_numbers(numbers, (key_document, response_document))


def combine_numbers(major: tuple[Ints, Ints], minor: tuple[Ints, Ints]) -> tuple[Ints, Ints]:
    """Return for key and response one number for each row's pair (major, minor), equal exactly for equal pairs."""
    width = 1 + max((int(column.max()) for column in minor if len(column)), default=0)
    height = 1 + max((int(column.max()) for column in major if len(column)), default=0)
    if width * height >= 2**62:
        major = renumber_densely(*major)
    return major[0] * width + minor[0], major[1] * width + minor[1]


def _number_spans(key: Spans, response: Spans) -> tuple[Ints, Ints]:
    """Return two columns of numbers, key and response, equal for spans with the same runs."""
    numbers = combine_numbers((key.start, response.start), (key.end - key.start, response.end - response.start))
    if not key.pieces and not response.pieces:
        return numbers
    # Mentions with gaps are few: they get numbers of their own, above all others.
    unused = 1 + max(int(column.max(initial=-1)) for column in numbers)
    seen: dict[Pieces, int] = {}
    for column, side in zip(numbers, (key, response), strict=True):
        for row, runs in side.pieces.items():
            column[row] = unused + seen.setdefault(runs, len(seen))
    return numbers


def _number_labels(key: NDArray[Any], response: NDArray[Any]) -> tuple[Ints, Ints]:
    """Return two columns of numbers, key and response, equal for equal labels: the integers themselves if possible."""
    if key.dtype.kind == response.dtype.kind == "i":
        present = [column for column in (key, response) if len(column)]
        low = min((int(column.min()) for column in present), default=0)
        high = max((int(column.max()) for column in present), default=0)
        if low >= 0 and high < 2**62:
            return key.astype(np.int64, copy=False), response.astype(np.int64, copy=False)
        if high - low < 2**62 and high < 2**63:
            return key.astype(np.int64) - low, response.astype(np.int64) - low
    elif key.dtype.kind != response.dtype.kind:
        # NumPy would turn integers of different kinds into floating-point numbers, and numbers into strings.
        return _number_objects(key.tolist(), response.tolist())
    return renumber_densely(key, response)


def _number_texts(key: Texts, response: Texts) -> tuple[Ints, Ints]:
    """Return two columns of numbers, key and response, equal for equal texts."""
    import pyarrow as pa  # noqa: PLC0415 - takes long to load, and where there are texts in Arrow it is

    number = pa.concat_arrays([key.array, response.array]).dictionary_encode().indices.to_numpy().astype(np.int64)
    return number[: len(key)], number[len(key) :]


def renumber_densely(key: NDArray[Any], response: NDArray[Any]) -> tuple[Ints, Ints]:
    """Return the labels of key and response as numbers 0, 1, ... in sorted order, equal exactly for equal labels."""
    number = np.unique(np.concatenate([key, response]), return_inverse=True)[1].reshape(-1)
    return number[: len(key)], number[len(key) :]


def _number_objects(key: Sequence[Hashable], response: Sequence[Hashable]) -> tuple[Ints, Ints]:
    """Return two columns of numbers, key and response, equal for equal objects; InputError for unhashable ones."""
    try:
        _, number = number_values([*key, *response])
    except TypeError as error:
        what = f"a mention cannot be hashed ({error})"
        raise InputError(Fault("input", what, "numbers, strings, tuples or lists of numbers")) from None
    return number[: len(key)], number[len(key) :]
