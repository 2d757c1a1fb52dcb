"""Ways to show evaluations, one file each. They take results and compute nothing.

Every module but `frame` has `write(evaluations, per_document=False) -> str`.
"""
