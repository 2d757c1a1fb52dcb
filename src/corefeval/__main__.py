"""`python -m corefeval`."""

from corefeval.cli.main import main

main()
