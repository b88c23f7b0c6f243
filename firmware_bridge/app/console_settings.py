"""What the console is told of the configuration."""

from __future__ import annotations

from pathlib import Path

from firmware_bridge.app.config import Config
from firmware_bridge.app.errors import UserError
from firmware_bridge.console.settings import ConsoleSettings


def console_settings(config: Config) -> ConsoleSettings:
    """The keys `console.*`. Raises UserError for a certificate without key or file."""
    certificate, key = config.text("console.tls_certificate"), config.text("console.tls_key")
    if bool(certificate) is not bool(key):
        raise UserError("console.tls_certificate, console.tls_key: give both or neither")
    for name, path in (("console.tls_certificate", certificate), ("console.tls_key", key)):
        if path and not Path(path).is_file():
            raise UserError(f"{name}: {path} is not there: name the PEM file, or leave both keys empty")
    return ConsoleSettings(
        host=config.text("console.host"),
        port=config.integer("console.port"),
        names=tuple(config.text("console.names").split()),
        tls_certificate=certificate,
        tls_key=key,
        users=config.text("console.users"),
        public_delay_ns=config.duration_ns("console.public_delay"),
        feed_dir=config.text("console.feed_dir"),
    )
