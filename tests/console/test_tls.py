"""With a certificate the console speaks TLS, and its cookie never travels in clear."""

from __future__ import annotations

import http.client
import json
import shutil
import socket
import ssl
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from firmware_bridge.console import server
from tests.console.living_console import living


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[str, str]:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("no openssl here to make a certificate with")
    chain, key = tmp_path / "chain.pem", tmp_path / "key.pem"
    words = (
        "req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
    )
    command = [openssl, *words.split(), "-keyout", str(key), "-out", str(chain)]
    subprocess.run(command, check=True, capture_output=True)
    return str(chain), str(key)


def test_the_console_speaks_tls(certificate: tuple[str, str]) -> None:
    chain, key = certificate
    with living(tls_certificate=chain, tls_key=key) as board:
        assert board.door.address.startswith("https://")
        context = ssl.create_default_context(cafile=chain)
        line = http.client.HTTPSConnection("localhost", board.port, context=context, timeout=10)
        headers = {"Content-Type": "application/json", "Origin": f"https://localhost:{board.port}"}
        line.request("POST", "/api/login", json.dumps({"code": board.door.code}), headers)
        answer = line.getresponse()
        assert answer.status == 200
        assert "secure" in (answer.getheader("set-cookie") or "").lower()
        line.close()


def test_who_does_not_begin_to_speak_tls_is_not_kept(
    certificate: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "SILENT_S", 0.3)
    chain, key = certificate
    with (
        living(tls_certificate=chain, tls_key=key) as board,
        socket.create_connection(("127.0.0.1", board.port), timeout=5) as line,
        suppress(ConnectionResetError),
    ):
        assert line.recv(10) == b""
