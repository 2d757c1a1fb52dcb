"""Data frames, of whichever library is installed. None of them is required."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from corefeval.errors import OptionError, check_choice
from corefeval.show import records

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefeval.scoring.results import Evaluation

_MAKERS = {"pandas": "DataFrame", "polars": "DataFrame", "pyarrow": "table"}


def build(evaluations: Sequence[Evaluation], *, backend: str, per_document: bool = False) -> object:
    """A frame with a row for each measure."""
    check_choice("backend", backend, tuple(_MAKERS))
    try:
        library = importlib.import_module(backend)
    except ImportError:
        raise OptionError(f"to_frame(backend={backend!r}) needs {backend}: pip install {backend}") from None
    make = getattr(library, _MAKERS[backend])
    frame: object = make(records.columns(evaluations, per_document=per_document))
    return frame
