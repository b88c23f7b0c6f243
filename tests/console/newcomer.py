"""A newcomer's path, timed: a clean clone, what the README says, a first move in the browser.

Does only what the README's start says: `make run`, open the address that it prints, drag a man from 11 to 15,
press red's paddle. Prints the seconds. Run it as `python tests/console/newcomer.py`; it ends with status 1 if
there is no move.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))
MOST_S = 600


@contextmanager
def make_run(clone: Path) -> Iterator[str]:
    """`make run` in the clone, from nothing; the address that it prints."""
    quiet = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    # A process group of its own, so that Ctrl-C ends make and daemon alike, as at a terminal.
    with subprocess.Popen(
        ["make", "run"], cwd=clone, env=quiet, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as running:
        assert running.stderr is not None
        try:
            for line in running.stderr:
                found = re.search(r"open (http\S+)", line)
                if found is not None:
                    yield found[1]
                    return
            raise SystemExit("make run printed no address to open")
        finally:
            os.killpg(running.pid, signal.SIGINT)
            running.communicate(timeout=30)


def first_move(address: str, profile: Path) -> str:
    """Make the first move in a browser; what the Bench says of it."""
    from tests.console.browser import button, drag, find, open_browser, text_of, wait

    with open_browser(profile) as browser:
        browser.get(address)
        find(browser, '.hit[data-square="11"]')
        wait(browser, lambda now: "In play" in text_of(now, ".state-line"), 30)
        drag(browser, "11", "15")
        button(browser, "Clock", ".face:nth-child(1)").click()
        wait(browser, lambda now: "last 11-15" in text_of(now, ".state-line"))
        return text_of(browser, ".state-line")


def main() -> int:
    for program in ("git", "make", "chromium", "chromedriver"):
        if shutil.which(program) is None:
            print(f"newcomer: left out, there is no {program} here")
            return 0
    if not (ROOT / ".git").exists():
        print("newcomer: left out, this is no clone that could be cloned again")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        clone = Path(folder, "crownhead")
        subprocess.run(["git", "clone", "--quiet", f"file://{ROOT}", str(clone)], check=True)
        with make_run(clone) as address:
            served_s = time.monotonic() - began
            said = first_move(address, Path(folder, "profile"))
        took_s = time.monotonic() - began
    print(
        f"newcomer: address after {served_s:.0f} s, first move after {took_s:.0f} s: {' '.join(said.split())}"
    )
    return 0 if took_s < MOST_S else 1


if __name__ == "__main__":
    sys.exit(main())
