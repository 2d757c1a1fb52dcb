"""The metric for Hugging Face `evaluate`, which loads it by its path: see `corefeval.adapters.evaluate_path`."""
