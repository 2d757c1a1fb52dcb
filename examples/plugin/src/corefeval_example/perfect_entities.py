"""A measure of one's own: how many entities are found with all their mentions and no other."""

from corefeval.measures import RecallPrecision


class PerfectEntities(RecallPrecision):
    """Entities that are in both key and response with the same mentions."""

    name = "perfect_entities"
    title = "entities without a fault"
    formula = "R = #(n = k = r) / #k"
    citation = "an example"
    adds_up = "entities are summed over documents"

    def count(self, views):
        """Count entities that share all their mentions."""
        table = views.table
        right = table.sum((table.n == table.k) & (table.n == table.r))
        return {
            "recall_numerator": right,
            "recall_denominator": table.key.entities,
            "precision_numerator": right,
            "precision_denominator": table.response.entities,
        }
