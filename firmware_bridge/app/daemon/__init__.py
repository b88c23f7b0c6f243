"""The daemon: one loop that owns all state, and what it serves, records and reports."""
