"""The library pyarrow, which is an extra."""

from __future__ import annotations

from typing import Any

from corefeval.errors import Fault, InputError


def load_arrow(source: str) -> Any:
    """Return the library pyarrow; an InputError that says how to get it if it is not installed."""
    try:
        import pyarrow as pa  # noqa: PLC0415 - takes longer to load than most files to read
        import pyarrow.compute  # noqa: PLC0415
    except ImportError:
        what, hint = "Parquet and Arrow need pyarrow, which is not installed", 'pip install "corefeval[tables]"'
        raise InputError(Fault(source, what, hint=hint, kind="missing-package")) from None
    return pa
