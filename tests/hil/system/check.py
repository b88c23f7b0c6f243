"""Runs in the guest, as root, under the guest's own Python: installs the product and tries it.

Each check prints one line: `HIL {"check": name, "ok": ..., "found": ...}`. What the world outside is to do
(plug the clock in, press a paddle) is asked for by `HIL {"do": ...}`.
"""

from __future__ import annotations

import json
import os
import pwd
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, "/hil")

from tests.hil.system.probes import PLAY, PROBES, probe_unit

CROWNHEAD = "/opt/crownhead/bin/crownhead"
UNIT = Path("/etc/systemd/system/crownhead.service")
BOARD = Path("/sys/devices/platform/reedboard")
GAMES = Path("/var/lib/crownhead/games")
CLOCK_RULE = 'SUBSYSTEM=="tty", KERNEL=="ttyS0", SYMLINK+="checkers_clock", GROUP="dialout", MODE="0660"\n'
START = 0
for row, bits in enumerate((0xAA, 0x55, 0xAA, 0, 0, 0x55, 0xAA, 0x55)):
    START |= bits << 8 * row
_DEADLINE_S = 40
_IS_UP = "console at"
"""Said when all of the daemon runs."""


def tell(**facts: object) -> None:
    """One line for the test outside."""
    print("HIL " + json.dumps(facts), flush=True)


def run(*words: str) -> tuple[int, str]:
    """A command: its status, and what it said."""
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    return ran.returncode, (ran.stdout + ran.stderr).strip()


def show(name: str) -> str:
    """A property of the unit."""
    return run("systemctl", "show", "--value", f"--property={name}", "crownhead.service")[1]


def said() -> str:
    """What the daemon has said."""
    return run("journalctl", "--no-pager", "--output=cat", "--unit=crownhead.service")[1]


def record() -> str:
    """The newest journal."""
    journals = sorted(GAMES.glob("*.jsonl"))
    return journals[-1].read_text(encoding="utf-8") if journals else ""


def until(is_so: Callable[[], bool], within_s: float = _DEADLINE_S) -> bool:
    """Wait for something."""
    end = time.monotonic() + within_s
    while time.monotonic() < end:
        if is_so():
            return True
        time.sleep(0.2)
    return is_so()


def put(mask: int) -> None:
    """Close these contacts."""
    (BOARD / "closed").write_text(f"{mask:#x}", encoding="ascii")


def check(name: str, ok: bool, found: object = "") -> None:
    """Tell how a check went."""
    tell(check=name, ok=bool(ok), found=str(found)[-1500:])


def installation() -> None:
    """`crownhead install` on a system that had nothing but the files of the wheel."""
    mine = Path("/etc/crownhead/board.toml").read_text(encoding="utf-8")
    status, words = run(CROWNHEAD, "install")
    check("install", status == 0, words)
    until(lambda: show("ActiveState") == "active")
    check("starts before its clock", show("ActiveState") == "active", said())
    check("says that the clock is missing", "clock_lost begins" in said(), said())
    check("notifies", show("StatusText") != "" and show("Type") == "notify", show("StatusText"))
    check("keeps the configuration", Path("/etc/crownhead/board.toml").read_text(encoding="utf-8") == mine)
    status, again = run(CROWNHEAD, "install")
    check("installs twice", status == 0 and "write " not in again and "replace" not in again, again)
    until(lambda: show("ActiveState") == "active")
    user = Path(f"/proc/{show('MainPID')}").stat().st_uid
    check("unprivileged user", pwd.getpwuid(user).pw_name == "crownhead", user)
    for path, group in (("/dev/gpiochip0", "gpio"), ("/dev/spidev0.0", "spi")):
        found = run("stat", "--format=%G %a", path)[1]
        check(f"udev {path}", found == f"{group} 660", found)


def clock() -> None:
    """The clock unit is plugged in: udev names it, the daemon finds it."""
    Path("/etc/udev/rules.d/71-hil-clock.rules").write_text(CLOCK_RULE, encoding="ascii")
    run("udevadm", "control", "--reload")
    run("udevadm", "trigger", "--settle", "/dev/ttyS0")
    check("udev names the clock", os.path.realpath("/dev/checkers_clock") == "/dev/ttyS0")
    check("finds its clock", until(lambda: "clock_lost is over" in said()), said())


def sandbox() -> None:
    """One probe for each allowance, as shipped and widened."""
    shipped = UNIT.read_text(encoding="utf-8")
    _prepare()
    run("systemctl", "stop", "crownhead.service")
    for probe in PROBES:
        _probe(f"kept out: {probe.name}", probe_unit(shipped, probe.code, probe.both), False)
        opened = (*probe.both, *probe.widened)
        _probe(f"would be seen: {probe.name}", probe_unit(shipped, probe.code, opened), True)
    for name, code, line in PLAY:
        _probe(f"may use: {name}", probe_unit(shipped, code), True)
        check(f"has its line: {name}", line in shipped.splitlines(), line)
        _probe(f"needs its line: {name}", probe_unit(shipped, code, without=line), False)
    run("systemctl", "start", "crownhead.service")


def _prepare() -> None:
    """Things that anybody could use, were it not for the sandbox."""
    for path, mode in (("/srv/open", 0o777), ("/home/guest", 0o755), ("/usr/lib/modules", 0o755)):
        Path(path).mkdir(parents=True, exist_ok=True)
        Path(path).chmod(mode)
    for path in ("/tmp/of-others", "/usr/lib/modules/there"):
        Path(path).write_text("", encoding="ascii")
    Path("/dev/tty9").chmod(0o666)
    _public_address()
    server = socket.create_server(("0.0.0.0", 7))
    threading.Thread(target=_serve, args=(server,), daemon=True).start()


def _public_address() -> None:
    """Give the loopback an address of the documentation's network, which stands for the wide world."""
    import fcntl
    import struct

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        name = b"lo:1".ljust(16, b"\0")
        for request, address in ((0x8916, "203.0.113.1"), (0x891C, "255.255.255.255")):
            sockaddr = struct.pack("HH4s8x", socket.AF_INET, 0, socket.inet_aton(address))
            fcntl.ioctl(control, request, name + sockaddr)


def _serve(server: socket.socket) -> None:
    while True:
        server.accept()[0].close()


def _probe(name: str, unit: str, succeeds: bool) -> None:
    """Run a probe; tell whether it came out as it should, and what it said if not."""
    path = Path("/run/systemd/system/probe.service")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(unit, encoding="utf-8")
    run("systemctl", "daemon-reload")
    status, words = run("systemctl", "start", "probe.service")
    ok = (status == 0) is succeeds
    if not ok:
        log = run("journalctl", "--no-pager", "--output=cat", "--lines=12", "--unit=probe.service")[1]
        words = f"{words} {log}"
    if status:
        run("systemctl", "reset-failed", "probe.service")
    check(name, ok, words)


def game() -> None:
    """A game begins by the men alone, and its first move is recorded."""
    put(START)
    check("a game is set up", until(lambda: '"state":"ready"' in record(), 60), said())
    tell(do="press", side="white")
    check("a game begins by the paddle", until(lambda: '"state":"playing"' in record()), said())
    put(START & ~(1 << 23))
    time.sleep(0.6)
    put(START & ~(1 << 23) | 1 << 30)
    time.sleep(0.6)
    tell(do="press", side="red")
    check("a move is recorded", until(lambda: '"type":"Completed"' in record()), record()[-600:])


def watchdog() -> None:
    """The daemon hangs in mid-game: it is killed, started again, and knows the game."""
    before, process = int(show("NRestarts")), int(show("MainPID"))
    os.kill(process, signal.SIGSTOP)
    restarted = until(lambda: int(show("NRestarts")) > before and show("ActiveState") == "active", 60)
    check("a daemon that hangs is killed and started again", restarted, said())
    check("by its watchdog", "watchdog" in run("journalctl", "--no-pager", "--lines=200")[1].lower())
    check("it recovers the game", until(lambda: '"state":"recovering"' in record()), show("StatusText"))
    check("the move is still there", record().count('"type":"Completed"') >= 1, record()[-400:])


def resume() -> None:
    """Both paddles held resume a game without a referee."""
    until(lambda: said().count("clock_lost is over") > 0, 30)
    time.sleep(5)
    tell(do="hold both")
    resumed = until(
        lambda: record().rstrip().rpartition('"type":"StateIs"')[2].startswith(',"state":"playing"'), 30
    )
    check("the game is resumed by both paddles", resumed, record()[-1200:])


def unplugged() -> None:
    """The clock's cable is pulled and put back."""
    before = said().count("clock_lost begins"), said().count("clock_lost is over")
    tell(do="unplug")
    check(
        "a clock that is unplugged is a fault",
        until(lambda: said().count("clock_lost begins") > before[0]),
        said(),
    )
    check("the daemon goes on without its clock", show("ActiveState") == "active")
    tell(do="plug")
    check(
        "a clock that is back is found",
        until(lambda: said().count("clock_lost is over") > before[1], 60),
        said(),
    )


def full_disk() -> None:
    """The medium of the record fills up, and is given room again."""
    filler = GAMES / "filler"
    try:
        with filler.open("wb", 0) as file:
            while True:
                file.write(bytes(65_536))
    except OSError:
        pass
    for lap in range(12):
        put(START if lap % 2 else 0)
        time.sleep(0.4)
    lost = until(lambda: "storage" in said())
    check("a full disk is a fault", lost, said())
    check("the daemon goes on with a full disk", show("ActiveState") == "active", said())
    filler.unlink()
    put(START)
    check(
        "it writes again when there is room",
        until(lambda: "is in order" in said() or "is over" in said()),
        said(),
    )


def small_disk() -> None:
    """The games lie on a medium of their own of two megabytes."""
    GAMES.mkdir(parents=True, exist_ok=True)
    run("mount", "-t", "tmpfs", "-o", "size=2m,mode=0777", "games", str(GAMES))


def removal() -> None:
    """`crownhead uninstall`: the unit is gone, the operator's things stay."""
    status, words = run(CROWNHEAD, "uninstall")
    check("uninstall", status == 0 and not UNIT.exists(), words)
    check("configuration stays", Path("/etc/crownhead/board.toml").exists())
    check("games stay", bool(list(GAMES.glob("*.jsonl"))))


def power_button() -> None:
    """Held for three seconds, or for eight in a game, the button of an installed board switches it off."""
    starts = said().count(_IS_UP)
    run(CROWNHEAD, "install")
    until(lambda: said().count(_IS_UP) > starts)
    # One that is down when the daemon first looks is the one that woke the board.
    time.sleep(3)
    (BOARD / "levels").write_text(f"{(1 << 54) - 1 - (1 << 3):#x}", encoding="ascii")
    # Whoever waits to say more may be switched off before: only a board that stays on has something to tell.
    time.sleep(60)
    tell(still_on=True, said=said())


def main() -> None:
    """Everything, in an order in which each finds what it needs."""
    put(0)
    for part in (
        small_disk,
        installation,
        sandbox,
        clock,
        game,
        watchdog,
        resume,
        unplugged,
        full_disk,
        removal,
    ):
        began = time.monotonic()
        try:
            part()
        except (OSError, ValueError, KeyError) as error:
            check(f"{part.__name__} ran to its end", False, repr(error))
        tell(part=part.__name__, seconds=round(time.monotonic() - began, 1))
    tell(done=True)
    power_button()


if __name__ == "__main__":
    assert stat.S_ISCHR(Path("/dev/gpiochip0").stat().st_mode)
    main()
