"""The one error that a person is meant to read."""

from __future__ import annotations


class UserError(Exception):
    """Something that the person at the keyboard can fix.

    The message is one sentence that says where it is wrong and how to fix it; the command line prints it
    after `crownhead:` and ends with status 2. Several of them at once are joined by line breaks.
    """
