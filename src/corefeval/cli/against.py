"""`--relative-to`: what a command shows, with scores relative to a baseline added."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval.cli import warnings
from corefeval.cli.progress import shown as progress_shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefeval.scoring.results import Evaluation


def added(
    shown: str,
    evaluations: Sequence[Evaluation],
    baseline: str,
    format_: str | None,
    output: str | None,
    *,
    quiet: bool,
) -> str:
    """The report of some evaluations with their relative scores."""
    from corefeval.baselines.relative import relatives  # noqa: PLC0415 - --help loads no NumPy
    from corefeval.show import relative, table, terminal  # noqa: PLC0415

    with progress_shown(quiet=quiet) as progress:
        found = relatives(evaluations, baseline, format=format_, progress=progress)
    if not quiet:
        warnings.show(found[0].base.notices, everything=False)
    return relative.added(shown, found, table.labels(evaluations), output, style=terminal.style())
