"""What formats have in common: bytes, lines, markup, JSON, findings, and fitting a corpus into a format."""
