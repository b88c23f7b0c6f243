"""What tests of the application share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.app.far_unit import Far


@pytest.fixture
def far() -> Iterator[Far]:
    """A clock unit on a line of its own."""
    far = Far()
    far.start()
    yield far
    far.close()
