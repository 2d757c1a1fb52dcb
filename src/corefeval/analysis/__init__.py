"""Why a score is what it is: types of errors, links, costs of mentions and entities, breakdowns, explanations."""
