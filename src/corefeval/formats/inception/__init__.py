"""WebAnno / INCEpTION TSV 3 with a coreference layer, as INCEpTION exports it and as GUM publishes it; read only.

    #FORMAT=WebAnno TSV 3.3
    #T_CH=de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceType|referenceRelation

    #Text=He shot himself
    1-1	0-2	He	pr[1]	coref->1-1
    1-2	3-7	shot	_	_
    1-3	8-15	himself	pr[1]	*->1-2

One document per file. Entities are found in one of two ways. In a chain layer (`#T_CH`) `coref->1-2` is the second
mention of entity 1. In a relation layer (`#T_RL`, GUM) mentions are the spans of the layer that relations connect, and
relations make entities of them: `ana` in the column of types, followed by `4-2[7_3]`, says that span 7, which is on
token 4-2, and span 3, which is on the token of this line, are coreferent. All types count except those of bridging,
which are kept as relations of kind "bridge", or "split" for the split antecedents of GUM's `bridge:aggr`. A span in no
relation is an entity by itself.

`layer=NAME` chooses among several layers, `identity=ana+coref` names the types that make entities.
"""

from __future__ import annotations

import re

import numpy as np

from corefeval.corpus.beyond_identity import Relation
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Spans
from corefeval.formats.base import File
from corefeval.formats.inception.layers import LayerContent, choose_layer, read_chains, read_relations
from corefeval.formats.inception.spans import make_attributes, make_entity_attributes
from corefeval.formats.inception.tokens import TokenTable, read_tokens
from corefeval.formats.shared import lines
from corefeval.formats.shared.diagnostics import Diagnostics

TITLE = "WebAnno / INCEpTION TSV 3 with a chain or relation layer of coreference, such as GUM's"
EXAMPLE = """#T_CH=de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceType|referenceRelation
1-1\t0-2\tHe\tpr[1]\tcoref->1-1
1-2\t3-7\tshot\t_\t_
1-3\t8-15\thimself\tpr[1]\t*->1-2"""
SUFFIXES = (".tsv", ".webanno")
COMPANIONS = ()
CAPACITY = None

_FORMAT = re.compile(rb"(?:\xef\xbb\xbf)?#FORMAT=WebAnno TSV 3")


def recognise(beginning: bytes) -> str:
    """Return why a file with this beginning is WebAnno TSV 3, by its first line; "" if it is not."""
    return "'#FORMAT=WebAnno TSV 3' found" if _FORMAT.match(beginning) else ""


def read(file: File, layer: str = "", identity: str = "") -> Corpus:
    """Return the corpus of the document of a file that is in memory; raises InputError with all faults in it."""
    diagnostics = Diagnostics(file.name)
    layers, tokens = read_tokens(lines.decode_text(file.data, diagnostics, "not-utf-8"), diagnostics)
    chosen = choose_layer(layers, layer, diagnostics)
    content = None
    if chosen is not None and chosen.kind == "chain":
        content = read_chains(chosen, tokens, diagnostics)
    elif chosen is not None:
        base = next((each for each in layers if each.kind == "span" and each.name == chosen.base), None)
        types = frozenset(identity.split("+")) if identity else None
        content = read_relations(chosen, base, types, tokens, diagnostics)
    corpus = _build_corpus(file, tokens, content, diagnostics)
    diagnostics.raise_faults()
    return corpus.replace(notices=diagnostics.limit_notices())


def _build_corpus(file: File, tokens: TokenTable, content: LayerContent | None, diagnostics: Diagnostics) -> Corpus:
    """Return the corpus of the tokens' words and the content of a layer, if there is any; add notices."""
    words = tokens.build_words()
    none = np.zeros(0, dtype=np.int64)
    if content is None:
        return Corpus((file.document,), none, [], none, Spans(none, none), words, source=file.name)
    spans, mention = content.spans, content.mention
    for row in mention[spans.has_part[mention] | spans.has_gap[mention]].tolist():
        line = tokens.get_line(spans.first[row])
        if spans.has_part[row]:
            message = "a mention begins or ends within a token; it gets the whole token"
            diagnostics.add_notice("sub-token", line, message)
        if spans.has_gap[row]:
            message = "a mention that leaves tokens out is read from its first to its last token"
            diagnostics.add_notice("gap", line, message)
    start, end = tokens.word[spans.first], tokens.word[spans.last]
    count = len(content.names)
    return Corpus(
        (file.document,),
        np.zeros(count, dtype=np.int64),
        content.names,
        content.entity,
        Spans(start[mention], end[mention]),
        words,
        source=file.name,
        attributes=make_attributes(content.features, mention, content.layer),
        entity_attributes=make_entity_attributes(content.features, mention, content.entity, count),
        relations=tuple(
            Relation(
                relation.kind,
                file.document,
                (int(start[relation.source]), int(end[relation.source]))
                if relation.entity < 0
                else content.names[relation.entity],
                tuple(content.names[target] for target in relation.targets),
                relation.label,
                {},
            )
            for relation in content.relations
        ),
    )
