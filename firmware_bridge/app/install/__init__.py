"""A machine made ready to be a board: examined, installed, updated."""
