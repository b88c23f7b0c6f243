"""The one short spin that is allowed: the wait for a column to rise."""

import time


def spin(settle_ns: int) -> None:
    """Wait without giving up the processor: a column needs 25-50 us to rise and a sleep would take longer."""
    until_ns = time.monotonic_ns() + settle_ns
    while time.monotonic_ns() < until_ns:
        pass
