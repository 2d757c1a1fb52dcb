"""Confidence and significance, from the additive counts of documents and nothing else."""
