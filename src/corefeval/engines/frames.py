"""Data frames of any library as Arrow data, which engines read in place."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from corefeval.errors import Fault, InputError, OptionError


def get_arrow_data(given: Any, columns: Sequence[str] = ()) -> Any:
    """Return a frame of pandas, polars or another library that narwhals knows as an Arrow table; Arrow data as it is.

    columns: those that are needed; if the frame has all of them, others may be left out.
    An OptionError for what is none, or where a package is missing; an InputError for a column of several types.
    """
    if _find_library(given) == "pyarrow":
        return given
    if hasattr(given, "to_arrow_table"):  # a relation of DuckDB: a table or a query of the user's connection
        return given.to_arrow_table()
    pyarrow = load_package("pyarrow")
    try:
        return _convert_frame(pyarrow, given, columns)
    except pyarrow.ArrowException as error:
        what = f"a column has values of several types: {error.args[0]}"
        raise InputError(Fault(f"a {type(given).__name__}", what, "values of one type")) from None


def _convert_frame(pyarrow: Any, given: Any, columns: Sequence[str]) -> Any:
    """Return a frame as an Arrow table, with these columns at least; an OptionError if it is no frame."""
    names = list(getattr(given, "columns", ())) if _find_library(given) == "pandas" else []
    if columns and all(names.count(name) == 1 for name in columns):
        return pyarrow.table({name: pyarrow.Array.from_pandas(given[name]) for name in columns})  # the shortest way
    narwhals = load_package("narwhals")
    try:
        frame = narwhals.from_native(given)
    except TypeError:
        raise OptionError(
            f"a {type(given).__name__} is no table: a path, a query, a data frame or Arrow data is"
        ) from None
    if isinstance(frame, narwhals.LazyFrame):
        frame = frame.collect()
    return (frame.select(columns) if columns and set(columns) <= set(frame.columns) else frame).to_arrow()


def _find_library(given: Any) -> str:
    """Return the name of the package that an object's type is from."""
    return type(given).__module__.partition(".")[0]


def load_package(name: str) -> Any:
    """Return a module that tables of other libraries need; an OptionError that says how to install it."""
    try:
        return import_module(name)
    except ImportError:
        raise OptionError(f'data frames and Arrow files need {name}: pip install "corefeval[tables]"') from None
