"""Everything that touches a thing: contacts, lights, serial lines, and what stands in for them.

This package knows cells (0..63 = row * 8 + column), pixels and bytes. It knows no rules of any game and
imports nothing from `firmware_bridge`.
"""
