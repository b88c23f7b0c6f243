"""The person at the terminal, for commands that tell somebody what to do at a board."""

from __future__ import annotations

from firmware_bridge.app.errors import UserError


class Terminal:
    """`Prompter`. With a simulated person nobody is asked: he sees nothing wrong."""

    def __init__(self, *, is_simulated: bool = False) -> None:
        self._is_simulated = is_simulated

    def say(self, words: str) -> None:
        """See `Prompter`."""
        print(words, flush=True)

    def ask(self, words: str) -> str:
        """See `Prompter`."""
        if self._is_simulated:
            print(words)
            return ""
        try:
            return input(words)
        except EOFError:
            raise UserError(f"no answer to {words.strip()!r}: run it in a terminal") from None
