"""What the lights show. Nothing lights while a move is being made well; where two meet the upper wins."""

from __future__ import annotations

from firmware_bridge.arbiter import crowning
from firmware_bridge.arbiter.effects import Scene
from firmware_bridge.arbiter.lines import cells_in, mask_in
from firmware_bridge.arbiter.phases import Correcting, Correction, Idle, Playing, Recovering, Setup
from firmware_bridge.arbiter.state import Game
from firmware_bridge.arbiter.turn import Turn

REMOVE_AFTER_NS = 2_000_000_000
_LOWEST_FIRST = tuple(reversed(Scene))


def scenes(game: Game) -> dict[int, Scene]:
    """The scene of every lit cell."""
    layers = _layers(game)
    if not any(layers.values()):
        return {}
    shown: dict[int, Scene] = {}
    for scene in _LOWEST_FIRST:
        for cell in cells_in(layers.get(scene, 0)):
            shown[cell] = scene
    return shown


def _layers(game: Game) -> dict[Scene, int]:
    """The cells of each scene, as masks."""
    layers: dict[Scene, int] = {}
    turn = game.turn
    match game.phase:
        case Playing() if turn is not None:
            _play(game, turn, layers)
        case Correcting(fix) if turn is not None:
            _correction(game, fix, turn, layers)
        case Setup():
            layers[Scene.SETUP] = game.unlike(game.board)
        case Recovering(fix=fix):
            doubt = fix.doubt if fix is not None else 0
            layers[Scene.ILLEGAL] = game.closed & (game.wrong() | doubt)
            layers[Scene.RETURN] = game.wrong() & ~game.closed
    if isinstance(game.phase, Playing | Correcting) and (due := crowning.due(game)):
        layers[Scene.CROWN] = mask_in(due)
    if game.faults and not isinstance(game.phase, Idle):
        layers[Scene.FAULT] = game.sensed.faulty & ~game.sensed.masked
    return layers


def _correction(game: Game, correction: Correction, turn: Turn, layers: dict[Scene, int]) -> None:
    closed = game.shown & ~game.blind
    target = correction.aim
    layers[Scene.ILLEGAL] = closed & ~target & ~correction.removes | correction.doubt & closed
    layers[Scene.RETURN] = target & ~game.closed & ~game.blind & ~correction.removes
    layers[Scene.REMOVE] = closed & correction.removes & ~target | game.left_on & game.bleed
    layers[Scene.MUST] = _must(game, turn)


def _play(game: Game, turn: Turn, layers: dict[Scene, int]) -> None:
    if turn.must and turn.touches:
        layers[Scene.MUST] = _must(game, turn)
    if game.left_on:
        layers[Scene.REMOVE] = game.left_on & game.bleed
    if turn.astray:
        layers[Scene.RETURN], layers[Scene.ILLEGAL] = mask_in(turn.astray), mask_in(turn.astray.values())
    released = turn.released
    if released is not None and game.lasted(released.at_ns, REMOVE_AFTER_NS):
        layers[Scene.REMOVE] = layers.get(Scene.REMOVE, 0) | _captured(game, turn)
    if game.settings.lights_assist and turn.released is None:
        layers[Scene.ASSIST] = _assist(turn)


def _captured(game: Game, turn: Turn) -> int:
    """Men that the released move has captured and that still stand; where routes are left that capture
    different ones, those that all of them capture."""
    reading = game.read(turn)
    pending = turn.pending(reading, certain=False)
    lines = [
        (one, one.line)
        for one in reading.best
        if one.line is not None and (pending is None or one.line in pending.lines)
    ]
    standing, by_all = 0, ~0
    for one, line in lines:
        standing |= line.victims & game.closed & ~one.reply_stand
        by_all &= line.victims
    return standing & by_all


def _must(game: Game, turn: Turn) -> int:
    """The bound piece, while another own piece is in hand or standing on another square."""
    if not turn.must or any(turn.off(cell) for cell in turn.must):
        return 0
    if not any(turn.ground.own >> cell & 1 for cell in turn.touches):
        return 0
    return mask_in(turn.must)


def _assist(turn: Turn) -> int:
    """Training only: where the piece in hand may land."""
    mask = 0
    for cell in turn.touches:
        if turn.ground.own >> cell & 1:
            for line in turn.ground.lines(cell):
                mask |= line.end
    return mask
