"""What the board is told before it starts: the table of keys, files read and checked, values in force."""
