"""uCDCR (Zhukova et al. 2026): the mean over subtopics, or topics, with two mentions or more, without singletons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval._arrays import ByDocument, np
from corefeval.corpus.mentions import number_mentions
from corefeval.matching.singletons import SingletonRule, count_mentions
from corefeval.options import Options
from corefeval.profiles import Profile

if TYPE_CHECKING:
    from corefeval.matching.documents import PairedDocuments
    from corefeval.overlap.overlap import Overlap

PROFILES = (
    Profile(
        "ucdcr",
        "create_summary.py of uCDCR (Zhukova et al. 2026)",
        Options(level="subtopic", singletons="ucdcr", average="ucdcr"),
        ("muc", "bcub", "ceafe", "conll"),
        """
        By subtopic; by topic with level=topic. All mentions together; events and entities alone with where=kind=event
        and where=kind=entity.

        An entity is dropped before documents are grouped, if it has two mentions in no topic; at level=subtopic
        an entity of one mention in its subtopic may stay. Groups with fewer than two key mentions are no part of
        the mean.

        It scores the mentions of the key only, each by its id, with the reference scorer, and averages what that
        prints: numbers cut off after two digits. Here they are averaged in full. A span that is annotated twice is
        two mentions there; in files without ids of mentions it is one.
        """,
    ),
)


def drop_chains(paired: PairedDocuments, options: Options) -> PairedDocuments:
    """Return paired documents without key entities of one mention in every topic, and their mentions on both sides."""
    from corefeval.matching.levels import TOPIC, group_documents  # noqa: PLC0415 - loads NumPy

    key, response = paired.key, paired.response
    topics = group_documents(key, TOPIC, options.topics)
    number, size = count_mentions(key, topics.number, options)
    whole, _ = count_mentions(key, np.zeros(len(key.documents), dtype=np.int64), options)
    stays = np.zeros(len(whole), dtype=np.bool_)
    np.logical_or.at(stays, whole, size[number] > 1)
    kept = stays[whole][key.entity]
    columns = key.mentions, response.mentions, key.document, response.document
    ours, theirs = number_mentions(*columns)
    dropped = np.isin(theirs, ours[~kept]) & ~np.isin(theirs, ours[kept])
    return paired._replace(key=key.keep(kept), response=response.keep(~dropped))


def skip_small_groups(table: Overlap) -> dict[str, ByDocument]:
    """Return the weights of documents: 1 if the key has two mentions or more in it, else 0."""
    return {"f1": np.atleast_1d(np.asarray(table.key.mentions) > 1).astype(np.int64)}


SINGLETONS = SingletonRule(drop=drop_chains)
