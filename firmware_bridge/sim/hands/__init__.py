"""Simulated hands: moves as the book has them, as people make them, and breaches made on purpose."""
