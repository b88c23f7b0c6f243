"""The clock unit in Python: its conduct to the ms, its displays, and the line that it is heard on."""
