"""Two corpora to the table: which response mention is which key mention."""
