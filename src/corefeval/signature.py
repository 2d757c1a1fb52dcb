"""How a number was made, in one line that can be read back."""

from __future__ import annotations

from typing import NamedTuple

from corefeval.errors import OptionError
from corefeval.options import IDENTITY, SPLIT_ANTECEDENTS

_SELDOM = ("split_antecedents", "layer")


class Signature(NamedTuple):
    """Everything that decides a score, beside the data.

    `str(signature)` writes it, `Signature.parse(text)` reads it, and `corefeval.score(key, response,
    **signature.options())` evaluates in the same way again.
    """

    version: str
    measures: tuple[str, ...]
    match: str
    singletons: str
    duplicates: str
    average: str
    documents: int
    split_antecedents: str = SPLIT_ANTECEDENTS[0]
    layer: str = IDENTITY

    def __str__(self) -> str:
        return "|".join((
            f"corefeval:{self.version}",
            f"measures:{'+'.join(self.measures)}",
            f"match:{self.match}",
            f"singletons:{self.singletons}",
            f"duplicates:{self.duplicates}",
            f"average:{self.average}",
            f"documents:{self.documents}",
            *(f"{name}:{value}" for name, value in self._more().items()),
        ))  # fmt: skip

    def _more(self) -> dict[str, object]:
        """Options that are written only where they are not the default."""
        return {name: getattr(self, name) for name in _SELDOM if getattr(self, name) != self._field_defaults[name]}

    @classmethod
    def parse(cls, text: str) -> Signature:
        """Read a signature back."""
        fields = dict(item.partition(":")[::2] for item in text.strip().split("|"))
        try:
            return cls(
                version=fields["corefeval"],
                measures=tuple(fields["measures"].split("+")),
                match=fields["match"],
                singletons=fields["singletons"],
                duplicates=fields["duplicates"],
                average=fields["average"],
                documents=int(fields["documents"]),
                **{name: fields[name] for name in _SELDOM if name in fields},
            )
        except (KeyError, ValueError) as error:
            raise OptionError(f"{text!r} is not a corefeval signature ({error})") from None

    def options(self) -> dict[str, object]:
        """The keywords of `corefeval.score` that this signature stands for."""
        return {
            "measures": list(self.measures),
            "singletons": self.singletons,
            "duplicates": self.duplicates,
            "macro": self.average == "macro",
            **self._more(),
        }
