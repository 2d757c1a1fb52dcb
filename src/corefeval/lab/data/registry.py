"""Which studies take the user's files: each a module of this folder, loaded when it is run.

Beside TITLE, SOURCE and PROCEDURE, as studies of papers have them, it has RESPONSES, the least and the most responses
that it takes (None: any number), and `run(key, responses, measures, seed)`, which returns DataFindings.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import ModuleType

from corefeval import measures as known
from corefeval.corpus.corpus import Corpus
from corefeval.errors import OptionError, suggest_names
from corefeval.lab.data.results import DataStudyResult
from corefeval.notices import announce_notices, count_things
from corefeval.scoring.score import Measures, Source, read

DATA_STUDIES = (
    "identification-effect",
    "operating-curve",
    "sensitivity",
    "boundaries",
    "sizes",
    "ranks",
)
"""The names of all studies of the user's files."""


def load_data_study(name: str) -> ModuleType:
    """Return the module of a study; an OptionError, with the names most like it, if there is none."""
    if name not in DATA_STUDIES:
        raise OptionError(f"no study of files is called {name!r}; {suggest_names(name, DATA_STUDIES)}")
    return import_module(f"corefeval.lab.data.{name.replace('-', '_')}")


def list_data_studies() -> tuple[tuple[str, str, str], ...]:
    """Return the name, title and source of all studies of files."""
    return tuple((name, load_data_study(name).TITLE, load_data_study(name).SOURCE) for name in DATA_STUDIES)


@announce_notices
def study_data(
    name: str,
    key: Source,
    responses: Mapping[str, Source] | None = None,
    *,
    measures: Measures | None = None,
    seed: int = 0,
) -> DataStudyResult:
    """Run a study, such as "sensitivity", on a key and responses by name, and return its data: figures, sentences.

    measures: as in `score`. seed: the start of random numbers; the same seed gives the same result.
    """
    module, given = load_data_study(name), responses or {}
    least, most = module.RESPONSES
    if not least <= len(given) <= (len(given) if most is None else most):
        takes = f"{least} or more responses" if most is None else count_things(most, "response")
        raise OptionError(f"{name} takes a key and {takes}; here it has {count_things(len(given), 'response')}")
    if seed < 0:
        raise OptionError(f"seed={seed} is not possible; it takes 0 or more")
    corpus = read_key(key)
    sides = {own: read(source, side="response") for own, source in given.items()}
    findings = module.run(corpus, sides, known.select_measures(measures), seed)
    return DataStudyResult(name, module.TITLE, module.SOURCE, module.PROCEDURE, findings)


def read_key(key: Source) -> Corpus:
    """Return the key as a corpus; an OptionError if it has no mentions."""
    corpus = read(key, side="key")
    if not len(corpus):
        raise OptionError(f"{corpus.source or 'the key'} has no mentions: there is nothing to study")
    return corpus
