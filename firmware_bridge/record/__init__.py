"""What is kept: the journal of each game, and what is made of it."""
