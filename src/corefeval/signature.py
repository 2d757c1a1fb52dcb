"""How a number was made, in one line that can be read back."""

from __future__ import annotations

from typing import NamedTuple

from corefeval.errors import OptionError
from corefeval.options import Options


class Signature(NamedTuple):
    """Everything that decides a score, beside the data.

    `str(signature)` writes it, `Signature.parse(text)` reads it, and `corefeval.score(key, response,
    **signature.options())` evaluates in the same way again.
    """

    version: str
    measures: tuple[str, ...]
    decisions: Options
    documents: int

    def __str__(self) -> str:
        decisions = zip(self.decisions._fields, self.decisions, strict=True)
        return "|".join((
            f"corefeval:{self.version}",
            f"measures:{'+'.join(self.measures)}",
            *(f"{name}:{value}" for name, value in decisions),
            f"documents:{self.documents}",
        ))  # fmt: skip

    @classmethod
    def parse(cls, text: str) -> Signature:
        """Read a signature back."""
        fields = dict(item.partition(":")[::2] for item in text.strip().split("|"))
        try:
            return cls(
                version=fields["corefeval"],
                measures=tuple(fields["measures"].split("+")),
                decisions=Options(**{name: fields[name] for name in Options._fields}),
                documents=int(fields["documents"]),
            )
        except (KeyError, ValueError) as error:
            raise OptionError(f"{text!r} is not a corefeval signature ({error})") from None

    def options(self) -> dict[str, object]:
        """The keywords of `corefeval.score` that this signature stands for."""
        decisions = self.decisions._asdict()
        return {"measures": list(self.measures), "macro": decisions.pop("average") == "macro", **decisions}
