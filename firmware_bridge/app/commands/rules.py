"""`crownhead rules`: every rule of a code, and what the board makes of it."""

from __future__ import annotations

import argparse
from textwrap import wrap

from firmware_bridge.rules.codes import CODES, Code
from firmware_bridge.rules.coverage import COVERAGE
from firmware_bridge.rules.covered import Covered, told

WIDTH = 100
"""Columns of the listing."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("--code", required=True, choices=tuple(CODES), help="the rules")
    parser.add_argument("--json", action="store_true", help="one JSON object a rule")


def run(args: argparse.Namespace) -> int:
    """Print the rules in order; returns the exit status."""
    code = CODES[args.code]
    for covered in COVERAGE[code.name]:
        print(_json(code, covered) if args.json else _text(code, covered))
    return 0


def _text(code: Code, covered: Covered) -> str:
    lines = [f"{covered.cited(code)}  {covered.topic}"]
    for name, text in (
        ("board decides", told(covered.decides)),
        ("senses in part", told(covered.senses)),
        ("offers referee", told(covered.offers)),
        ("shown by", ", ".join(covered.stories)),
    ):
        lead = f"    {name:<16}"
        lines += wrap(text, WIDTH, initial_indent=lead, subsequent_indent=" " * len(lead))
    return "\n".join(lines)


def _json(code: Code, covered: Covered) -> str:
    # Only this form needs it, and the command is to start fast.
    import json

    return json.dumps(
        {
            "rule": covered.cited(code),
            "topic": covered.topic,
            "decides": told(covered.decides),
            "senses": told(covered.senses),
            "offers": told(covered.offers),
            "scenarios": list(covered.stories),
        }
    )
