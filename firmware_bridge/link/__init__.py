"""The serial line to the clock unit: frames, messages and the session at both ends. Pure."""
