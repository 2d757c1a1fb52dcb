"""Shares and rankings of a claim as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from corefeval.lab.findings import write_numbers


def write_percents(values: Mapping[str, float]) -> str:
    """Return named shares in per cent.

    >>> write_percents({"A": 0.97612, "B": 0.5})
    'A 97.61, B 50.00'
    """
    return write_numbers({name: 100 * value for name, value in values.items()})


def write_orders(orders: Mapping[str, Iterable[str]]) -> str:
    """Return rankings by name.

    >>> write_orders({"MUC": "ED", "B³": "DE"})
    'MUC: E > D; B³: D > E'
    """
    return "; ".join(f"{name}: {' > '.join(order)}" for name, order in orders.items())
