"""What each mention and entity costs."""
