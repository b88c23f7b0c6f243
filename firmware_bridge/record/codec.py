"""Frozen dataclasses as JSON objects and back, so that inputs and effects are kept as they were.

An object carries the class's name as `type` and its fields by name, enums by value, nested dataclasses as
objects of the same form. Reading needs the classes that may occur, and refuses what does not fit them, in
words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, ClassVar, Protocol, Union, get_args, get_origin, get_type_hints

from firmware_bridge.record.chain import Json


class DataclassValue(Protocol):
    """An instance of any dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


class Misfit(ValueError):
    """A JSON object that fits none of the classes; the message says where and why."""


def to_json(value: DataclassValue) -> dict[str, Json]:
    """The JSON object of a dataclass. Raises TypeError for a field that is none of the forms kept."""
    return {
        "type": type(value).__name__,
        **{field.name: _field_to_json(getattr(value, field.name)) for field in fields(value)},
    }


class ObjectReader:
    """Reads JSON objects as instances of the given dataclasses, looked up by name."""

    def __init__(self, classes: Iterable[type[DataclassValue]]) -> None:
        self._classes = {cls.__name__: cls for cls in classes}

    def read(self, found: Mapping[str, Json]) -> DataclassValue:
        """The dataclass that an object stands for. Raises Misfit."""
        name = found.get("type")
        cls = self._classes.get(name) if isinstance(name, str) else None
        if cls is None:
            raise Misfit(f"type: {name!r} is not known")
        return _read_dataclass(cls, found)


def _field_to_json(value: object) -> Json:
    match value:
        case Enum():
            return _field_to_json(value.value)
        case None | bool() | int() | float() | str():
            return value
        case tuple() | list() | frozenset():
            items = [_field_to_json(item) for item in value]
            return sorted(items, key=repr) if isinstance(value, frozenset) else items
        case dict():
            return {str(key): _field_to_json(item) for key, item in value.items()}
        case _ if is_dataclass(value) and not isinstance(value, type):
            return to_json(value)
        case _:
            raise TypeError(f"{type(value).__name__} has no form in JSON")


@cache
def _hints(cls: type) -> Mapping[str, Any]:
    return get_type_hints(cls)


def _read_dataclass(cls: type[DataclassValue], found: Mapping[str, Json]) -> DataclassValue:
    hints = _hints(cls)
    unknown = found.keys() - hints.keys() - {"type"}
    if unknown or found.get("type") != cls.__name__:
        raise Misfit(f"{cls.__name__}: does not have {', '.join(sorted(unknown)) or 'this type'}")
    given = {
        name: _read(hints[name], found[name], f"{cls.__name__}.{name}") for name in hints if name in found
    }
    try:
        return cls(**given)
    except TypeError:
        raise Misfit(f"{cls.__name__}: lacks {', '.join(sorted(hints.keys() - given.keys()))}") from None


def _read(wanted: Any, found: Json, place: str) -> object:
    """`found` as the type `wanted`, an annotation of a dataclass's field. Raises Misfit."""
    origin = get_origin(wanted)
    if origin in (Union, UnionType):
        return _read_union(get_args(wanted), found, place)
    if origin in (tuple, frozenset) and isinstance(found, list):
        return origin(_read_items(get_args(wanted), found, place))
    if isinstance(wanted, type):
        if issubclass(wanted, Enum):
            return _read_enum(wanted, found, place)
        if is_dataclass(wanted) and isinstance(found, dict):
            return _read_dataclass(wanted, found)
        if wanted in (int, str, bool, float, NoneType) and type(found) is wanted:
            return found
    raise Misfit(f"{place}: {found!r} is no {getattr(wanted, '__name__', wanted)}")


def _read_union(choices: tuple[Any, ...], found: Json, place: str) -> object:
    for choice in choices:
        try:
            return _read(choice, found, place)
        except Misfit:
            continue
    raise Misfit(
        f"{place}: {found!r} is none of {', '.join(getattr(c, '__name__', str(c)) for c in choices)}"
    )


def _read_items(wanted: tuple[Any, ...], found: list[Json], place: str) -> list[object]:
    kinds = [wanted[0]] * len(found) if len(wanted) == 1 or wanted[-1] is Ellipsis else list(wanted)
    if len(kinds) != len(found):
        raise Misfit(f"{place}: has {len(found)} items where {len(kinds)} are due")
    return [
        _read(kind, item, f"{place}[{n}]") for n, (kind, item) in enumerate(zip(kinds, found, strict=True))
    ]


def _read_enum(wanted: type[Enum], found: Json, place: str) -> Enum:
    try:
        return wanted(found)
    except ValueError:
        raise Misfit(f"{place}: {found!r} is no {wanted.__name__}") from None
