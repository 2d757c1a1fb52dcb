"""Pages, figures, and what the reference scorer would print. They take results and compute no scores."""
