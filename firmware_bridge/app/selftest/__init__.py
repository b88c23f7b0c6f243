"""The self-test of a board: one man along a lit path, then layouts of 24 men, and what to fix.

What is asked of the person and what is made of the contacts are generators that take samples and give asks:
no clock, no file, no hardware. `session` joins them to a board, `person` stands in for the person.
"""
