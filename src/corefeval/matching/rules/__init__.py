"""The matching rules, one module each."""
