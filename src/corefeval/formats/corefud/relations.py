"""Bridging and split antecedents in the MISC column of CorefUD.

    Bridge=e1<e2:subset             the mention of e2 that opens here bridges to e1
    SplitAnte=e1<e3,e2<e3           e3 is e1 and e2 together; the key used to be Split

A bridge is of the last mention of its entity that opens on the same word. Split antecedents are of the entity, and what
several of its mentions say is put together.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from corefeval._arrays import Ints
from corefeval.corpus.beyond_identity import Relation
from corefeval.corpus.mentions import to_mention
from corefeval.formats.corefud.fields import Declarations, unescape
from corefeval.formats.shared.diagnostics import Diagnostics

if TYPE_CHECKING:
    from corefeval.formats.corefud.conllu import ConlluTable, RelationItem
    from corefeval.formats.corefud.mentions import CorefudMentions, EntityCells

_PAIR = re.compile(r"([^<>:]+)<([^<>:]+)(?::(.*))?")


def read_relations(
    items: Sequence[RelationItem],
    table: ConlluTable,
    declarations: Declarations,
    names: Sequence[str],
    bounds: Ints,
    cells: EntityCells,
    mentions: CorefudMentions,
    diagnostics: Diagnostics,
) -> tuple[Relation, ...]:
    """Return the items' relations, bridges first; names, bounds: of documents, first words; add faults and notices."""
    rows: dict[tuple[int, str], list[int]] = defaultdict(list)
    documents = cells.document[mentions.cell].tolist()
    for row, (document, entity) in enumerate(zip(documents, mentions.entity.tolist(), strict=True)):
        rows[document, mentions.names[entity]].append(row)
    words = cells.word[mentions.cell].tolist()
    bridges: list[Relation] = []
    splits: dict[tuple[int, str], dict[str, int]] = {}
    for item in items:
        item_row = table.row[[item.word]]
        line = int(item_row[0]) + 1
        document = int(np.searchsorted(bounds, item.word, side="right")) - 1
        fields = declarations.fields[int(declarations.find_numbers(item_row)[0])]
        for text in item.value.split(","):
            match = _PAIR.fullmatch(text)
            target, source = (fields.find_id(match[1]), fields.find_id(match[2])) if match else ("", "")
            missing = [name for name in (source, target) if (document, name) not in rows]
            if not match or not target or not source:
                diagnostics.add_fault(line, f"{text[:60]!r} is not a pair in {item.key}", "a pair such as e1<e2")
            elif target == source:
                diagnostics.add_notice("self-link", line, f"{item.key} of {source!r} to itself is left out")
            elif missing:
                for name in missing:
                    message = f"{item.key} names {name!r}, which has no mention in the document; it is left out"
                    diagnostics.add_notice("dangling-reference", line, message)
            elif item.key == "SplitAnte":
                splits.setdefault((document, source), {}).setdefault(target, line)
            else:
                # The last mention of the source that opens on the pair's word or before it, else its first one.
                own = rows[document, source]
                row = own[max(0, bisect_right(own, item.word, key=words.__getitem__) - 1)]
                if words[row] != item.word:
                    given = f"the bridge to {target!r} is given to the one of line {cells.line[mentions.cell[row]]}"
                    message = f"no mention of {source!r} begins here; {given}"
                    diagnostics.add_notice("misplaced-bridge", line, message)
                mention = to_mention(mentions.spans.runs(row))
                bridges.append(Relation("bridge", names[document], mention, (target,), unescape(match[3] or "")))
    for (_, plural), parts in splits.items():
        if len(parts) == 1:
            message = f"{plural!r} has a split antecedent of one part"
            diagnostics.add_notice("split-antecedent", next(iter(parts.values())), message)
    plurals = (Relation("split", names[document], plural, tuple(parts)) for (document, plural), parts in splits.items())
    return (*bridges, *plurals)
