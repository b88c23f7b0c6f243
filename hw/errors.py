"""What goes wrong with things. Every message is one sentence that says where, and how to fix it."""


class HardwareError(Exception):
    """Base of all errors of this package."""


class Unavailable(HardwareError):
    """The thing will not open: refuse to start and show the message, which says what to fix."""


class Fault(HardwareError):
    """The thing broke while it was running: the game goes on without it until it is back."""
