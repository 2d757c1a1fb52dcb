"""Record linkage: pairs of records with scores, and how good their closure is at every threshold."""
