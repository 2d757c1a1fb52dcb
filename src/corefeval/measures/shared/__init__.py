"""What several measures use."""
