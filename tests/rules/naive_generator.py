"""A second, slow generator of legal results on a plain grid, as an oracle for the real one.

It shares nothing with the rules package but the numbering of squares: no bitboards, no tables, no codes as
data, and it finds jumps one capture at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

Place = tuple[int, int]
Result = tuple[int, int, frozenset[int]]

_DIAGONALS = ((-1, -1), (-1, 1), (1, -1), (1, 1))


@dataclass(frozen=True)
class Grid:
    """Pieces by (row, column), row 0 at the top: `r` and `R` red man and king, `w` and `W` white ones."""

    pieces: dict[Place, str]
    red_to_move: bool

    def results(self, flying: bool, men_capture_back: bool) -> set[Result]:
        """Origin, end and captured set of every legal move."""
        own = [place for place, piece in self.pieces.items() if (piece in "rR") == self.red_to_move]
        jumps = {jump for place in own for jump in self._jumps(place, flying, men_capture_back)}
        return jumps or {step for place in own for step in self._plain(place, flying)}

    def _ahead(self, piece: str) -> int:
        return 1 if piece in "rR" else -1

    def _plain(self, origin: Place, flying: bool) -> Iterator[Result]:
        piece = self.pieces[origin]
        for down, right in _DIAGONALS:
            if piece.islower() and down != self._ahead(piece):
                continue
            place = (origin[0] + down, origin[1] + right)
            while on_board(place) and place not in self.pieces:
                yield square(origin), square(place), frozenset()
                if piece.islower() or not flying:
                    break
                place = (place[0] + down, place[1] + right)

    def _jumps(self, origin: Place, flying: bool, men_capture_back: bool) -> Iterator[Result]:
        piece = self.pieces[origin]
        occupied = set(self.pieces) - {origin}
        far = flying and piece.isupper()

        def captures(place: Place, taken: frozenset[Place]) -> Iterator[tuple[Place, list[Place]]]:
            for down, right in _DIAGONALS:
                if piece.islower() and not men_capture_back and down != self._ahead(piece):
                    continue
                over = (place[0] + down, place[1] + right)
                while far and on_board(over) and over not in occupied:
                    over = (over[0] + down, over[1] + right)
                victim = self.pieces.get(over) if over in occupied else None
                if victim is None or over in taken or (victim in "rR") == self.red_to_move:
                    continue
                landings = []
                landing = (over[0] + down, over[1] + right)
                while on_board(landing) and landing not in occupied:
                    landings.append(landing)
                    if not far:
                        break
                    landing = (landing[0] + down, landing[1] + right)
                if landings:
                    yield over, landings

        def follow(place: Place, taken: frozenset[Place]) -> Iterator[Result]:
            for over, landings in captures(place, taken):
                now = taken | {over}
                going_on = [landing for landing in landings if any(captures(landing, now))]
                for landing in going_on:
                    yield from follow(landing, now)
                for landing in [] if going_on else landings:
                    yield square(origin), square(landing), frozenset(map(square, now))

        return follow(origin, frozenset())


def on_board(place: Place) -> bool:
    """Whether a place is one of the 64."""
    return place[0] in range(8) and place[1] in range(8)


def square(place: Place) -> int:
    """The number of a dark place."""
    return place[0] * 4 + place[1] // 2 + 1


def place_of(number: int) -> Place:
    """The place of a dark square 1..32."""
    row, index = divmod(number - 1, 4)
    return row, index * 2 + (row + 1) % 2
