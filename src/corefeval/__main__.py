"""`python -m corefeval`."""

from corefeval.cli import main

main()
