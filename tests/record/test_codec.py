"""Inputs and effects as JSON and back."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.arbiter.inputs import Input
from firmware_bridge.record.chain import Json
from firmware_bridge.record.codec import DataclassValue, Misfit, ObjectReader, to_json


class Color(StrEnum):
    RED = "red"
    GREEN = "green"


class Level(Enum):
    LOW = 1


@dataclass(frozen=True, slots=True)
class Point:
    x: int
    y: int = 0


@dataclass(frozen=True, slots=True)
class Shape:
    points: tuple[Point, ...]
    color: Color
    name: str | None = None
    tags: frozenset[str] = frozenset()
    size: tuple[int, str] = (1, "m")
    level: Level = Level.LOW
    solid: bool = False
    weight: float = 0.5


READER = ObjectReader((Point, Shape))
_INPUTS = st.one_of([st.from_type(cls) for cls in get_args(Input)])


@given(_INPUTS)
def test_every_input_of_the_arbiter_survives_the_file(value: DataclassValue) -> None:
    assert ObjectReader(get_args(Input)).read(json.loads(json.dumps(to_json(value)))) == value


@given(st.builds(Shape, weight=st.floats(allow_nan=False, allow_infinity=False)))
def test_nested_values_survive_the_file(shape: Shape) -> None:
    assert READER.read(json.loads(json.dumps(to_json(shape)))) == shape


def test_fields_with_defaults_may_be_missing_in_an_old_journal() -> None:
    assert READER.read({"type": "Point", "x": 1}) == Point(1)


@pytest.mark.parametrize(
    ("found", "words"),
    [
        ({}, "type: None is not known"),
        ({"type": "Circle"}, "type: 'Circle' is not known"),
        ({"type": "Point"}, "Point: lacks x"),
        ({"type": "Point", "x": True}, "Point.x: True is no int"),
        ({"type": "Point", "x": 1, "z": 2}, "Point: does not have z"),
        ({"type": "Shape", "points": [{"type": "Shape"}], "color": "red"}, "Point: does not have this type"),
        ({"type": "Shape", "points": 3, "color": "red"}, "Shape.points: 3 is no"),
        ({"type": "Shape", "points": [], "color": "blue"}, "Shape.color: 'blue' is no Color"),
        (
            {"type": "Shape", "points": [], "color": "red", "name": 3},
            "Shape.name: 3 is none of str, NoneType",
        ),
        ({"type": "Shape", "points": [], "color": "red", "size": [1]}, "has 1 items where 2 are due"),
    ],
)
def test_what_does_not_fit_is_refused_in_words(found: dict[str, Json], words: str) -> None:
    with pytest.raises(Misfit, match=re.escape(words)):
        READER.read(found)


def test_what_has_no_form_in_json_is_a_mistake_in_the_program() -> None:
    @dataclass
    class Odd:
        content: object

    with pytest.raises(TypeError, match="object has no form in JSON"):
        to_json(Odd(object()))
    assert to_json(Odd({1: (2, None)})) == {"type": "Odd", "content": {"1": [2, None]}}
