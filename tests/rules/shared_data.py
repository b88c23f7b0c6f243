"""Files that lie beside the checkout on some machines. Tests that want them skip where they do not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

_SHARED = Path(__file__).parents[3] / "shared" / "data"


def shared_text(name: str) -> str:
    """The text of a shared file; skips the test, saying so, where there is none."""
    path = _SHARED / name
    if not path.is_file():
        pytest.skip(f"no ../shared/data/{name} beside this checkout")
    return path.read_text(encoding="utf-8")


def shared_json(name: str) -> object:
    """The content of a shared JSON file; skips the test where there is none."""
    return json.loads(shared_text(name))
