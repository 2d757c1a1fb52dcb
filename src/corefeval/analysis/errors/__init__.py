"""Types of errors, and what correcting them is worth."""
