"""Why a score is what it is: types of errors, links, costs of mentions and entities, breakdowns, explanations.

All of it looks at an `Evaluation` and at the mentions behind its table. `whole.analyse` is the way in.
"""
