"""The daemon in a process of its own, on a simulated board with its Bench."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def daemon_process(folder: Path, port: int = 0) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Run it in `folder`; gives the address that lets the first one in, and the process. It must end well."""
    config = folder / "board.toml"
    config.write_text(
        '[matrix]\nbackend = "simulated"\n[leds]\nbackend = "simulated"\n[clock]\nbackend = "reference"\n'
        f'[record]\ndir = "{folder}/games"\n'
        f'[console]\nport = {port}\nusers = "{folder}/users.json"\npublic_delay = "0s"\n'
    )
    command = [sys.executable, "-m", "firmware_bridge.app.cli", "run", "--config", str(config), "--bench"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as daemon:
        assert daemon.stderr is not None
        found = None
        while found is None:
            line = daemon.stderr.readline()
            assert line, "the daemon ended before it said where it is"
            found = re.search(r"open (http\S+)", line)
        try:
            yield found[1], daemon
        finally:
            daemon.send_signal(signal.SIGCONT)
            daemon.send_signal(signal.SIGTERM)
            _, errors = daemon.communicate(timeout=30)
    assert daemon.returncode == 0, errors
    assert "Traceback" not in errors
