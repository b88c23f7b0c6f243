"""Thousands of games by simulated hands: recorded ones and random ones."""
