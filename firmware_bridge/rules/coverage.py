"""What becomes of every rule of a code: decided by the board, sensed in part, or offered to the referee.

Sources: ACF rules 1-16, APCA rules 1-34. Every claim cites a story of tests/scenarios and what that expects.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from firmware_bridge.rules.codes import ACF, POOL
from firmware_bridge.rules.coverage_acf import ACF_COVERAGE
from firmware_bridge.rules.coverage_apca import APCA_COVERAGE
from firmware_bridge.rules.coverage_apca_conduct import APCA_CONDUCT
from firmware_bridge.rules.coverage_apca_moves import APCA_MOVES
from firmware_bridge.rules.covered import Covered

COVERAGE: Final[Mapping[str, tuple[Covered, ...]]] = MappingProxyType(
    {ACF.name: ACF_COVERAGE, POOL.name: APCA_COVERAGE + APCA_MOVES + APCA_CONDUCT}
)
"""By code, every rule in order."""
