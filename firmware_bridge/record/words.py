"""What was said at the board, in one line for people: log, dossier and PDN have the same words."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from firmware_bridge.arbiter.effects import Note
from firmware_bridge.arbiter.findings import NOTES
from firmware_bridge.arbiter.inputs import NewGame, Referee, Verb
from firmware_bridge.rules import cell_name
from firmware_bridge.side import Side

_SECOND_NS: Final = 1_000_000_000
_SOMEBODY: Final = "A player"
"""How notes begin that speak of whoever it was."""


FAULT_TEXTS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "sensor_suspect": ("sensor out of use", "sensor trusted again"),
        "row_fault": ("row of sensors lost", "row of sensors back"),
        "column_fault": ("column of sensors lost", "column of sensors back"),
        "ghost_suspect": ("diode missing", "diode no longer suspect"),
        "sense_lost": ("sensors cannot be read", "sensors can be read again"),
        "clock_lost": ("clock disconnected", "clock connected again"),
        "clock_restarted": ("clock unit restarted", "clock unit in order again"),
        "clock_drift": ("clock unit runs at a wrong rate", "clock unit's rate in order again"),
        "clock_battery": ("clock battery low", "clock battery in order again"),
        "leds_lost": ("lights lost", "lights back"),
        "storage_slow": ("record disk slow", "record disk normal again"),
        "storage_lost": ("record disk lost", "record disk back"),
        "judgment_repeats": (
            "error of the program: a finding repeats itself",
            "error of the program is over",
        ),
    }
)
"""What a fault of the equipment is called when it begins and when it has ended."""


def fault_text(code: str, *, standing: bool) -> str:
    """`clock disconnected`, `clock connected again`."""
    plain = code.replace("_", " ")
    begins, ends = FAULT_TEXTS.get(code, (plain, f"{plain} has ended"))
    return begins if standing else ends


def command_text(said: Referee) -> str:
    """`Rita: red's clock set to 5:00: late start`: who said it, what and how much, and why."""
    deed = _deed(said)
    if deed is None:
        words = (
            said.verb.value,
            said.side.value if said.side else "",
            "" if said.cell is None else cell_name(said.cell),
            "" if said.number is None else f"#{said.number}",
            said.rule,
            said.text,
        )
        return f"{said.by}: {' '.join(word for word in words if word)}"
    reason = "" if said.verb is Verb.RESULT else said.text
    return f"{said.by}: {deed}{': ' if reason else ''}{reason}"


def _deed(said: Referee) -> str | None:
    """What is changed by how much, for commands that change a figure; None for the others."""
    match said.verb:
        case Verb.FAULT if said.cell is not None:
            return f"the sensor of square {cell_name(said.cell)} is declared faulty"
        case Verb.SOUND if said.cell is not None:
            return f"the sensor of square {cell_name(said.cell)} is declared sound"
        case Verb.UNDO:
            return "1 move taken back" if said.number in (None, 1) else f"{said.number} moves taken back"
        case Verb.RESULT:
            outcome = f"{said.side} wins" if said.side else "draw"
            return f"result changed to {outcome} ({(said.text or 'forfeit').replace('_', ' ')})"
        case Verb.SWAP:
            return "red's and white's clock times swapped"
        case Verb.UNIT:
            return "the clock unit's times taken"
        case _:
            return None if said.side is None else _deed_for(said.side, said)


def _deed_for(side: Side, said: Referee) -> str | None:
    """What is changed on one side's clock."""
    amount_ns = said.amount_ns
    match said.verb:
        case Verb.TIME if amount_ns is not None:
            return f"{side}'s clock set to {clock_text(amount_ns)}"
        case Verb.ADD if amount_ns is not None:
            return f"{span_text(abs(amount_ns))} {'given to' if amount_ns >= 0 else 'taken from'} {side}"
        case Verb.MOVES if said.number is not None:
            return f"{side} has made {said.number} moves on the clock"
        case _:
            return None


def note_text(note: Note, made: NewGame | None) -> str:
    """`Red (Ann) calls the referee: claims a draw`: the note in a sentence, with its side."""
    says = NOTES.get(note.code, note.code.replace("_", " "))
    if note.side is not None:
        who = side_text(note.side, made)
        if says.startswith(_SOMEBODY):
            says = who[0].upper() + who[1:] + says.removeprefix(_SOMEBODY)
        else:
            says = f"{who[0].upper()}{who[1:]}: {says[0].lower()}{says[1:]}"
    return f"{says.removesuffix('.')}: {note.text}" if note.text else says


def side_text(side: Side, made: NewGame | None) -> str:
    """`red (Ann)`, or `red` where nobody is named."""
    name = "" if made is None else made.red if side is Side.RED else made.white
    return f"{side} ({name})" if name else str(side)


def clock_text(span_ns: int) -> str:
    """`5:00` or `1:02:03`, as a clock shows it, with decimals only where they are not nought."""
    seconds, rest_ns = divmod(max(span_ns, 0), _SECOND_NS)
    decimals = f".{rest_ns:09}".rstrip("0") if rest_ns else ""
    hours, minutes = seconds // 3600, seconds // 60 % 60
    front = f"{hours}:{minutes:02}" if hours else f"{minutes}"
    return f"{front}:{seconds % 60:02}{decimals}"


def span_text(span_ns: int) -> str:
    """`30 s`, or from a minute on as a clock shows it."""
    if span_ns >= 60 * _SECOND_NS:
        return clock_text(span_ns)
    return f"{span_ns / _SECOND_NS:.9f}".rstrip("0").rstrip(".") + " s"
