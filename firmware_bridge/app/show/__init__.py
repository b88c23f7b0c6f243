"""Games that play themselves on the simulated board of a running daemon."""
