"""Confidence and significance, from the additive counts of documents and nothing else.

A resample is a row of weights, one for each document; ten thousand of them are one matrix product with the counts, and
`score` of a measure turns the products into ten thousand scores.
"""
