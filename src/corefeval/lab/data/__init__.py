"""Studies of the user's own files, a module each."""
