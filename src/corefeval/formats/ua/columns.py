"""What the columns of CoNLL-UA are called, and the keys in those of anaphora."""

from __future__ import annotations

STANDARD_COLUMNS = (
    "ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC",
    "IDENTITY", "BRIDGING", "DISCOURSE_DEIXIS", "REFERENCE", "NOM_SEM",
)  # fmt: skip
ANAPHORA_COLUMNS = ("IDENTITY", "BRIDGING", "DISCOURSE_DEIXIS", "NOM_SEM")
NOT_ATTRIBUTES = ("ID", "FORM", "HEAD", "DEPS", *ANAPHORA_COLUMNS)
"""Columns that are no attributes of words: they are something else, or refer to words by number."""

_ENTITY_KEYS = ("EntityID", "MarkableID", "Min", "ElementOf")
_KEYS = {
    "IDENTITY": _ENTITY_KEYS,
    "BRIDGING": ("MarkableID", "Rel", "MentionAnchor", "EntityAnchor"),
    "DISCOURSE_DEIXIS": _ENTITY_KEYS,
    "NOM_SEM": ("MarkableID",),
}
KEYS = {column: {key.lower(): key for key in keys} for column, keys in _KEYS.items()}
"""The keys that mean something in a column, by their small letters: both EntityID and EntityId are in use."""

NON_REFERRING = "-Pseudo"
"""How the names of non-referring entities end."""
