"""The clock unit at the end of its line: a real one, the compiled firmware, a simulated one, a person."""
