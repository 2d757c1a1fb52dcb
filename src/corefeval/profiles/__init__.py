"""What each official scorer decides."""
