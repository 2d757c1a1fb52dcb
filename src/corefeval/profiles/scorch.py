"""scorch: spurious mentions join the key, BLANC's values at the boundaries, averages weighted by mentions."""

from __future__ import annotations

from collections.abc import Mapping

from corefeval._arrays import ByDocument, Columns, np
from corefeval.measures.base import Value
from corefeval.measures.blanc import Boundary
from corefeval.notices import Notice, count_things
from corefeval.options import Options
from corefeval.overlap import twinless
from corefeval.overlap.overlap import Overlap
from corefeval.overlap.views import Tables, Views
from corefeval.profiles import Profile

PROFILES = (
    Profile(
        "scorch",
        "scorch 0.2.0, its functions (add_sys_mentions=False)",
        Options(duplicates="first", boundary="scorch", average="scorch", missing="skip", extra="error"),
        ("muc", "bcub", "ceafm", "ceafe", "blanc"),
        """
        Its CoNLL reader keeps a repeated mention where it comes first, and fails where that leaves an
        entity empty; its functions take overlapping sets as they are. Of entities that begin at one word, the
        first is there the one that is written first; here one-word mentions come first.

        CEAF of sides that share nothing, and directories without any mention on one side, end in an error
        there; here the score is 0.
        """,
    ),
    Profile(
        "scorch-cli",
        "scorch 0.2.0, its command",
        Options(
            duplicates="first",
            twinless="scorch-cli",
            boundary="scorch",
            average="scorch",
            missing="skip",
            extra="error",
        ),
        ("muc", "bcub", "ceafm", "ceafe", "blanc"),
        """
        The command adds every response mention that the key lacks to the key, as a singleton; no option
        turns that off.

        It takes directories with a file for each document, and passes over those that the response lacks.
        """,
    ),
)


def add_spurious_to_key(tables: Tables) -> tuple[Tables, tuple[Notice, ...]]:
    """Return tables with each spurious mention as a key entity of its own, and a tuple: a notice of how many, or ()."""
    table = tables.views.table
    added = int(table.response.size.sum() - table.n.sum())
    if not added and not tables.views.has_repeats:
        return tables, ()
    # Twins are all that counts then, in documents to which nothing is added, too.
    padded = Tables(Views(twinless.add_spurious(table), tables.mentions), before=tables.views)
    count = count_things(added, "spurious mention", "counts as a singleton", "count as singletons")
    message = f"{count} of the key (twinless=scorch-cli)"
    return padded, (Notice("added-to-key", message, {"count": added}),) if added else ()


def weigh_by_mentions(table: Overlap) -> dict[str, ByDocument]:
    """Return documents' weights for recall (key mentions), precision (response mentions), f1 (both); 1 if only one."""
    if table.documents == 1:
        return dict.fromkeys(("recall", "precision", "f1"), np.ones(1, dtype=np.int64))
    key, response = table.key.mentions, table.response.mentions
    return {"recall": key, "precision": response, "f1": key + response}


class ScorchBoundary(Boundary):
    """Where the key has no links at all, 1 if the response keeps nothing apart, else 0.

    But 0 if both have one mention, and not the same.
    """

    def count(self, table: Overlap) -> Columns:
        """Return a column `strangers`: by document, 1 if each side has one mention, and not the same one, else 0."""
        different = (table.key.mentions == 1) & (table.response.mentions == 1) & (table.shared == 0)
        return {"strangers": different * 1}

    def decide_scores(
        self,
        counts: Mapping[str, Value],
        undefined: Mapping[str, Value],
        default: float,  # noqa: ARG002
    ) -> tuple[Mapping[str, Value], Value, Mapping[str, Value]]:
        """Return where scores are decided (recall is 0/0), their value there (1 or 0), and undefined ones: nowhere."""
        no_key = undefined["recall"]
        value = 1.0 * ((counts["response_noncoreference"] == 0) & (counts.get("strangers", 0) == 0))
        return dict.fromkeys(undefined, no_key), value, dict.fromkeys(undefined, no_key & False)


BOUNDARY = ScorchBoundary()
