"""Data frames of any library as Arrow data, which engines read in place."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from corefeval.errors import OptionError


def get_arrow_data(given: Any, columns: Sequence[str] = ()) -> Any:
    """Return a frame of pandas, polars or another library that narwhals knows as an Arrow table; Arrow data as it is.

    columns: those that are needed; if the frame has all of them, others may be left out.
    An OptionError for what is none, or where a package is missing.
    """
    if type(given).__module__.partition(".")[0] == "pyarrow":
        return given
    if hasattr(given, "to_arrow_table"):  # a relation of DuckDB: a table or a query of the user's connection
        return given.to_arrow_table()
    narwhals = _load("narwhals")
    pyarrow = _load("pyarrow")
    try:
        frame = narwhals.from_native(given)
    except TypeError:
        raise OptionError(
            f"a {type(given).__name__} is no table: a path, a query, a data frame or Arrow data is"
        ) from None
    if isinstance(frame, narwhals.LazyFrame):
        frame = frame.collect()
    if columns and set(columns) <= set(frame.columns):
        return pyarrow.table({name: frame.get_column(name).to_arrow() for name in columns})
    return frame.to_arrow()


def _load(name: str) -> Any:
    """Return a module that tables of other libraries need; an OptionError that says how to install it."""
    try:
        return import_module(name)
    except ImportError:
        raise OptionError(f'data frames need {name}: pip install "corefeval[tables]"') from None
