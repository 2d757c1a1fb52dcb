"""Scores of a whole response, estimated from a key of sampled entities: estimate()."""
