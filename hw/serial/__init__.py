"""Byte lines: the cable to the clock unit."""
