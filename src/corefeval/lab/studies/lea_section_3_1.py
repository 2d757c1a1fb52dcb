"""All mentions of a test set in one entity: MUC prefers it to the best resolver."""

from itertools import chain

from corefeval.lab.findings import Claim, Findings, PrintedValue, write_numbers
from corefeval.lab.papers import LEA
from corefeval.lab.partitions import ComparedSides, Partitions, make_entities
from corefeval.scoring.score import score

TITLE = "All key mentions of CoNLL-2012 in a single entity"
SOURCE = f"{LEA}, section 3.1"
PROCEDURE = (
    "of the test set's 348 sections, 346 have mentions: the only number with which both printed values come out, cut "
    "off as the reference scorer does. MUC does not see how mentions are spread over entities: here, evenly."
)

MENTIONS, ENTITIES, SECTIONS = 19_764, 4_532, 346
PRINTED = {"recall": 100.0, "precision": 78.44, "f1": 87.91}
BASE = {"recall": 69.31, "precision": 76.23, "f1": 72.60}
"""MUC of Wiseman et al. 2015, in table 1."""


def list_partitions() -> Partitions:
    """Return the partitions that are compared."""
    entities = make_entities(MENTIONS // ENTITIES + (place < MENTIONS % ENTITIES) for place in range(ENTITIES))
    keys = {str(number): entities[number::SECTIONS] for number in range(SECTIONS)}
    return {name: ComparedSides(key, {"one entity": [[*chain(*key)]]}) for name, key in keys.items()}


def run() -> Findings:
    """Return MUC of the single entities, and whether it is above that of a state-of-the-art resolver."""
    sides = list_partitions()
    key = {name: each.key for name, each in sides.items()}
    muc = score(key, {name: each.responses["one entity"] for name, each in sides.items()}, measures="muc")["muc"]
    ours = {name: 100 * getattr(muc, name) for name in BASE}
    values = [PrintedValue("one entity", f"muc.{name}", ours[name], PRINTED[name], truncated=True) for name in BASE]
    higher = all(ours[name] > BASE[name] for name in BASE)
    numbers = f"{write_numbers(ours)}; the system: {write_numbers(BASE)}"
    return Findings(values, [Claim("all are higher than those of the state-of-the-art system", higher, numbers)])
