"""Where the parts and the hardware meet: the board opened, its threads, its lights, and drawings of it."""
