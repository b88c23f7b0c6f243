"""`crownhead clock`: who the unit is, how well it is heard, whether it shows and presses, new firmware."""

from __future__ import annotations

import argparse
import json
import select
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import hw
from firmware_bridge.app.clock.session import ClockSession
from firmware_bridge.app.config.loader import load
from firmware_bridge.app.config.values import DEFAULTS
from firmware_bridge.app.errors import UserError
from firmware_bridge.link.host import LinkState
from firmware_bridge.link.messages import Button, ButtonUsed, Configure, LightTest, Press
from firmware_bridge.link.reports import Happened, Report, Unfit
from firmware_bridge.link.unit_time import DRIFT_PPM
from firmware_bridge.side import Side
from hw.errors import Unavailable
from hw.ports import ByteLine, LineSettings
from hw.registry import line_backend

UNSOUND = 1
"""Exit status when the unit answers but is not fit for a tournament."""
ANSWER_S = 8.0
"""How long a unit may take to answer: 2.5 s of booting after its port was opened, and some greetings."""
FIRMWARE = Path(hw.__file__).parent / "firmware" / "clock" / "build" / "clock.hex"
_NS_PER_S = 1_000_000_000
_LIGHTS_S = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One subcommand for each thing to do with a unit."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    status = actions.add_parser("status", help="identity, firmware, battery, crystal and line")
    status.add_argument("--json", action="store_true", help="one JSON object")
    status.add_argument(
        "--seconds",
        type=float,
        default=3.0,
        metavar="N",
        help="how long to listen (default 3); from 45 s on the crystal's error is measured",
    )
    test = actions.add_parser("test", help="light everything, then report each press")
    test.add_argument(
        "--seconds", type=float, default=20.0, metavar="N", help="how long to report presses (default 20)"
    )
    flash = actions.add_parser("flash", help="load firmware into a unit (needs avrdude)")
    flash.add_argument("--hex", type=Path, default=FIRMWARE, metavar="FILE", help="the firmware to load")
    flash.add_argument(
        "--baud",
        type=int,
        default=115_200,
        metavar="N",
        help="of the boot loader: 115200, older boards 57600",
    )
    for action in (status, test, flash):
        where = action.add_mutually_exclusive_group()
        where.add_argument("--port", metavar="PORT", help="the unit's serial port (default: clock.port)")
        where.add_argument(
            "--config", type=Path, metavar="FILE", help="take the port from this configuration"
        )


def run(args: argparse.Namespace) -> int:
    """Do one of them."""
    port = _port(args)
    if args.action == "flash":
        return flash(port, args.hex, args.baud)
    with _heard(port) as session:
        if args.action == "test":
            return _test(session, args.seconds)
        return _status(session, args.seconds, as_json=args.json)


def _port(args: argparse.Namespace) -> str:
    if args.port is not None:
        return str(args.port)
    config = DEFAULTS if args.config is None else load(args.config)
    backend = config.text("clock.backend")
    if backend != "serial":
        raise UserError(
            f'clock.backend = "{backend}": this board has no clock unit on a serial line: name the port of '
            "one with --port"
        )
    return config.text("clock.port")


@contextmanager
def _heard(port: str) -> Iterator[ClockSession]:
    """A session with the unit behind `port`, up. Raises UserError where there is none to be had."""
    line = _open(port)
    session = ClockSession(lambda: line, time.monotonic_ns)
    try:
        _wait_until_up(session, port)
        yield session
    finally:
        session.close()


def _open(port: str) -> ByteLine:
    try:
        return line_backend("serial").open(LineSettings(port))
    except Unavailable as error:
        raise UserError(str(error)) from None


def _wait_until_up(session: ClockSession, port: str) -> None:
    for reports in _listen(session, ANSWER_S):
        unfit = next((each for each in reports if isinstance(each, Unfit)), None)
        if unfit is not None:
            raise UserError(f"{port}: {unfit.sentence}")
        if session.host.state is LinkState.UP:
            return
    if session.host.garbled:
        raise UserError(f"{port}: a device answers there, but it is not a clock unit: is it the right port?")
    raise UserError(f"{port}: no clock unit answers: check its supply and its cable, or name another port")


def _listen(session: ClockSession, seconds: float) -> Iterator[list[Report]]:
    """What the session reports within so long, as it comes."""
    until_ns = time.monotonic_ns() + round(seconds * _NS_PER_S)
    while time.monotonic_ns() < until_ns:
        reports = session.pump()
        if session.words:
            raise UserError(session.words)
        yield reports
        wait_ns = min(session.next_ns(), until_ns) - time.monotonic_ns()
        waits_for = [session.fileno] if session.fileno is not None else []
        select.select(waits_for, [], [], max(0, wait_ns) / _NS_PER_S)


# Status ----------------------------------------------------------------------------------------------


def _status(session: ClockSession, seconds: float, *, as_json: bool) -> int:
    for _ in _listen(session, seconds):
        pass
    told = _told(session)
    if as_json:
        print(json.dumps(told))
    else:
        for name, value in told.items():
            print(f"{name.replace('_', ' '):>18}  {'-' if value is None else value}")
    ppm = session.host.time.ppm
    if ppm is not None and abs(ppm) > DRIFT_PPM:
        print(f"the crystal is {ppm:+.0f} ppm off: not fit for a tournament (at most {DRIFT_PPM:.0f})")
        return UNSOUND
    return 0


def _told(session: ClockSession) -> dict[str, str | int | float | None]:
    host = session.host
    hello, snapshot = host.hello, host.snapshot
    if hello is None or snapshot is None:
        raise UserError("the clock unit stopped answering: check its supply and its cable")
    firmware = hello.firmware
    trip_ns = host.time.round_trip_ns
    ppm = host.time.ppm
    return {
        "unit": hello.unit_id,
        "firmware": f"{firmware // 10_000}.{firmware // 100 % 100}.{firmware % 100}",
        "protocol": f"{hello.major}.{hello.minor}",
        "last_start": hello.cause.name.lower().replace("_", "-"),
        "running": "nobody" if snapshot.running is None else str(snapshot.running),
        "red_s": snapshot.red_us / 1e6,
        "white_s": snapshot.white_us / 1e6,
        "red_moves": snapshot.red_moves,
        "white_moves": snapshot.white_moves,
        "supply_v": snapshot.supply_mv / 1000,
        "crystal_ppm": None if ppm is None else round(ppm, 1),
        "round_trip_ms": None if trip_ns is None else round(trip_ns / 1e6, 2),
        "garbled_frames": host.garbled,
    }


# Test ------------------------------------------------------------------------------------------------


def _test(session: ClockSession, seconds: float) -> int:
    session.send(Configure(left=Side.RED))
    session.send(LightTest(_LIGHTS_S))
    print(f"All segments and both lamps are lit for {_LIGHTS_S} s. Look for dark ones.")
    print(f"Then press paddles and buttons (red sits left); {seconds:.0f} s.")
    for reports in _listen(session, seconds):
        for report in reports:
            match report:
                case Happened(what=Press(side=side)):
                    print(f"{side}: paddle")
                case Happened(what=ButtonUsed(side=side, button=button)):
                    print(f"{side}: {_GESTURES[button]}")
                case _:
                    pass
    return 0


_GESTURES = {
    Button.ADJUST: "first button, short (adjust)",
    Button.CROWN: "first button, held (crowned)",
    Button.REFEREE: "second button, short (referee)",
    Button.RESIGN: "menu, resign",
    Button.DRAW: "menu, draw",
    Button.CLAIM: "menu, claim",
}


# Flash -----------------------------------------------------------------------------------------------


def flash(port: str, firmware: Path, baud: int) -> int:
    """Loads `firmware` through the board's boot loader; avrdude's own exit status."""
    avrdude = shutil.which("avrdude")
    if avrdude is None:
        raise UserError("avrdude is not installed: sudo apt install avrdude")
    if not firmware.is_file():
        raise UserError(f"there is no {firmware}: build it with `make firmware`, or name another with --hex")
    _open(port).close()  # says who has the port, or who may not open it, better than avrdude does
    command = [avrdude, "-q", "-p", "atmega328p", "-c", "arduino", "-P", port, "-b", str(baud), "-D"]
    return subprocess.run([*command, "-U", f"flash:w:{firmware}:i"], check=False).returncode
