"""Lights: 64 pixels, one a square."""
