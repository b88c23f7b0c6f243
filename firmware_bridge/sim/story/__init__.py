"""Stories of the board: the language, the stage that runs them, and what it runs them on."""
