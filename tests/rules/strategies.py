"""Hypothesis strategies for positions and games."""

from __future__ import annotations

from hypothesis import strategies as st

from firmware_bridge.rules import ACF, POOL, Code, Position
from firmware_bridge.side import Side

codes = st.sampled_from([ACF, POOL])


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Any position of up to twelve pieces a side, kings anywhere, no man on his king row."""
    order = draw(st.permutations(range(1, 33)))
    reds = draw(st.integers(0, 12))
    whites = draw(st.integers(0, 12))
    kings = draw(st.sets(st.integers(1, 32)))
    red, white = order[:reds], order[reds : reds + whites]
    return Position.of(
        draw(st.sampled_from(Side)),
        red_men=[square for square in red if square not in kings and square <= 28],
        red_kings=[square for square in red if square in kings or square > 28],
        white_men=[square for square in white if square not in kings and square >= 5],
        white_kings=[square for square in white if square in kings or square < 5],
    )


@st.composite
def codes_and_positions(draw: st.DrawFn) -> tuple[Code, Position]:
    """A code and a position."""
    return draw(codes), draw(positions())
