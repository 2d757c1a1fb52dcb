"""NumPy for modules that describe themselves without it.

`corefeval measures` reads names, formulas and citations from the measures' modules, `corefeval profiles` decisions and
notes from the profiles', and those must not load NumPy for that. `np` here is NumPy itself from its first use on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

__all__ = ["Array", "Booleans", "ByDocument", "Columns", "Floats", "Ints", "Number", "Totals", "np"]

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints: TypeAlias = NDArray[np.int64]
    Floats: TypeAlias = NDArray[np.float64]
    Booleans: TypeAlias = NDArray[np.bool_]
    Array: TypeAlias = NDArray[Any]  # of integers or of floating-point numbers
else:
    import importlib
    from types import ModuleType

    class _UnloadedModule(ModuleType):
        """A module that is loaded at its first use, and from then on as fast as one that was imported."""

        def __getattr__(self, name):
            loaded = importlib.import_module(self.__name__)
            self.__dict__.update(loaded.__dict__)
            self.__class__ = ModuleType
            return getattr(loaded, name)

    np = _UnloadedModule("numpy")
    Ints = Floats = Booleans = Array = object

Number: TypeAlias = int | float
ByDocument: TypeAlias = Any
"""An array with a number for each document; where there is one document only, the plain number."""

Columns: TypeAlias = dict[str, ByDocument]
Totals: TypeAlias = dict[str, Number]
