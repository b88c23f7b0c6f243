"""Sweeps: thousands of small tries of one kind of trouble, judged by what must never follow from it."""
