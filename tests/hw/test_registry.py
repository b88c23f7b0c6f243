"""Backends are found by name or not at all."""

from collections.abc import Callable

import pytest

from hw.errors import Unavailable
from hw.registry import LINES, PIXELS, SCANNERS, line_backend, pixels_backend, scanner_backend


@pytest.mark.parametrize(
    ("lookup", "names"),
    [(scanner_backend, SCANNERS), (pixels_backend, PIXELS), (line_backend, LINES)],
)
def test_a_name_that_is_not_known_lists_those_that_are(
    lookup: Callable[[str], object], names: dict[str, object]
) -> None:
    with pytest.raises(Unavailable) as refused:
        lookup("Simulated")
    assert "'Simulated'" in str(refused.value)
    assert all(name in str(refused.value) for name in names)
    assert [lookup(name) for name in names] == list(names.values())
