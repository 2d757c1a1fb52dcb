"""Cattan et al. 2021 (ariecattan/coref): all documents of a topic become one, and the key has no singletons."""

from __future__ import annotations

from corefeval.options import Options
from corefeval.profiles import Profile
from corefeval.profiles.coval import PROFILES as COVAL

PROFILES = (
    Profile(
        "cattan-2021",
        "run_scorer.py of Cattan et al. 2021 (ariecattan/coref), which calls coval on files by topic",
        Options(duplicates="coval", missing="error", level="topic", singletons="drop_key"),
        ("mentions", "muc", "bcub", "ceafe", "lea"),
        """
        Its files have the documents of a topic, or of the whole corpus (level=corpus), between one #begin document
        and one #end document, and counts are summed over them. Here files may be cut into documents or not.

        get_ecb_data.py writes the key without entities of one mention in all documents together; an entity that has
        two mentions in two topics is a singleton in each. What predict.py writes for a response is its user's
        choice (keep_singletons), so the response's singletons count; singletons=keep is for keys that have theirs.

        The option remove_singletons of run_scorer.py is singletons=drop.
        """,
        COVAL[0].variants,
    ),
)
