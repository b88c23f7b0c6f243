"""What the console is told of the configuration."""

from __future__ import annotations

from pathlib import Path

from firmware_bridge.app.config.values import Config
from firmware_bridge.app.errors import UserError
from firmware_bridge.console.settings import ConsoleSettings


def console_settings(config: Config) -> ConsoleSettings:
    """The keys `console.*`. Raises UserError for a certificate and key that no TLS can be spoken with."""
    certificate, key = config.text("console.tls_certificate"), config.text("console.tls_key")
    for name, path in (("console.tls_certificate", certificate), ("console.tls_key", key)):
        if path and not Path(path).is_file():
            raise UserError(f"{name}: {path} does not exist: name the PEM file, or leave both keys empty")
    if certificate:
        _try_chain(certificate, key)
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


def _try_chain(certificate: str, key: str) -> None:
    """Load the chain as the console will. Raises UserError."""
    # Loaded where a certificate is configured: most boards have none.
    import ssl

    try:
        # A key with a passphrase would have it asked for at a terminal that a service has not.
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, password=lambda: "")
    except (OSError, ValueError) as error:
        if isinstance(error, ssl.SSLError):
            why = (error.reason or "not both PEM").replace("_", " ")
        else:
            why = getattr(error, "strerror", None) or str(error)
        raise UserError(
            f"console.tls_certificate {certificate}, console.tls_key {key}: cannot be used ({why}): name the"
            " certificate and its own key as readable PEM files, the key without a passphrase"
        ) from None
