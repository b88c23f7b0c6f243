"""What the console is configured with."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ConsoleSettings:
    """The keys `console.*`. Empty paths mean: without it."""

    host: str = "127.0.0.1"
    port: int = 8730
    names: tuple[str, ...] = ()
    """Further host names by which browsers may call the board, besides its own and any IP address."""
    tls_certificate: str = ""
    tls_key: str = ""
    users: str = ""
    """The file of those who may command."""
    public_delay_ns: int = 0
    feed_dir: str = ""
    """A folder into which the feed is written, for tools that poll files."""

    @property
    def secure(self) -> bool:
        """Whether the console speaks TLS."""
        return bool(self.tls_certificate)
