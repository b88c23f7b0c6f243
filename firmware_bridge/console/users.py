"""Who may command: names with roles, and the hashes of their PINs or tokens, in one file.

A PIN is short, so its hash is slow (scrypt) and guessing is limited by `access`. A token has 256 random bits,
so that a plain digest of it tells nobody anything.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from firmware_bridge.console.access import FIRST_START
from firmware_bridge.console.commands import Role

_COST: Final = {"n": 1 << 13, "r": 8, "p": 1}
PIN_LEAST: Final = 6
_NAME_MOST: Final = 40
_RESERVED: Final = frozenset({FIRST_START, "crownhead", "demo", "nobody"})
"""Names by which the record calls others than users."""


class UsersDamaged(ValueError):
    """The file of users cannot be read; the message says where and how to fix it."""


class BadUser(ValueError):
    """A user who cannot be kept so; the message says why."""


@dataclass(frozen=True, slots=True)
class User:
    """Somebody who may command. `pin` is `salt:hash` in hexadecimal or empty, `tokens` digests."""

    name: str
    roles: tuple[Role, ...]
    pin: str = ""
    tokens: tuple[str, ...] = ()


def pin_hash(pin: str, salt: bytes | None = None) -> str:
    """`salt:hash`. Takes some 30 ms and 8 MB on purpose."""
    salt = secrets.token_bytes(16) if salt is None else salt
    return f"{salt.hex()}:{hashlib.scrypt(pin.encode(), salt=salt, **_COST).hex()}"


def pin_fits(pin: str, kept: str) -> bool:
    """Whether `pin` is the one that `kept` was made of; takes as long for a user who has none."""
    salt, _, _ = kept.partition(":")
    given = pin_hash(pin, bytes.fromhex(salt) if salt else b"nobody")
    return bool(kept) and hmac.compare_digest(given, kept)


def new_token() -> str:
    """A token to be shown once."""
    return secrets.token_urlsafe(32)


def token_digest(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def checked_user(name: str, roles: Iterable[str], pin: str) -> User:
    """A new user with a PIN, or with none if it is empty. Raises BadUser."""
    _check_name(name)
    try:
        found = tuple(sorted({Role(role) for role in roles}))
    except ValueError:
        raise BadUser(f"roles are {' and '.join(Role)}") from None
    if not found:
        raise BadUser(f"name a role: {' or '.join(Role)}")
    if not pin:
        return User(name, found)
    if len(pin) < PIN_LEAST or len(set(pin)) < 3 or len(pin) > 64:
        raise BadUser(f"a PIN has at least {PIN_LEAST} characters, not all the same")
    return User(name, found, pin_hash(pin))


def _check_name(name: str) -> None:
    if not name or len(name) > _NAME_MOST or not name.isprintable() or name != name.strip():
        raise BadUser(f"a name is 1 to {_NAME_MOST} printable characters")
    if name.casefold() in _RESERVED:
        raise BadUser(f"{name} is reserved: choose another name")


class Users:
    """The users of a file; read again when the file has changed."""

    def __init__(self, path: str) -> None:
        """`path` empty: nobody, kept nowhere."""
        self._path = path
        self._stamp: tuple[int, int] | None = None
        self._users: dict[str, User] = {}

    def all(self) -> tuple[User, ...]:
        """Everybody, by name. Raises UsersDamaged."""
        self._look()
        return tuple(self._users[name] for name in sorted(self._users))

    def named(self, name: str) -> User | None:
        """The user of that name. Raises UsersDamaged."""
        self._look()
        return self._users.get(name)

    def with_token(self, token: str) -> User | None:
        """The user who has that token. Raises UsersDamaged."""
        self._look()
        digest = token_digest(token)
        return next(
            (
                user
                for user in self._users.values()
                if any(hmac.compare_digest(digest, t) for t in user.tokens)
            ),
            None,
        )

    def put(self, user: User) -> None:
        """Keep a user, new or changed, for good. Raises UsersDamaged, OSError."""
        self._look()
        self._users[user.name] = user
        self._save()

    def remove(self, name: str) -> bool:
        """Forget a user; False if there is none of that name. Raises UsersDamaged, OSError."""
        self._look()
        if self._users.pop(name, None) is None:
            return False
        self._save()
        return True

    def _look(self) -> None:
        if not self._path:
            return
        try:
            found = os.stat(self._path)
        except FileNotFoundError:
            self._stamp, self._users = None, {}
            return
        except OSError as error:
            raise _unreadable(self._path, error) from None
        stamp = (found.st_mtime_ns, found.st_size)
        if stamp != self._stamp:
            self._users = {user.name: user for user in _read(Path(self._path))}
            self._stamp = stamp

    def _save(self) -> None:
        if not self._path:
            return
        path = Path(self._path)
        path.parent.mkdir(parents=True, exist_ok=True)
        body = json.dumps([asdict(self._users[name]) for name in sorted(self._users)], indent=1)
        fresh = path.with_name(path.name + ".new")
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(body + "\n")
            file.flush()
            os.fsync(file.fileno())
            if os.geteuid() == 0:
                # Root adds users for a daemon that is not root: the file belongs to whom its folder does.
                folder = path.parent.stat()
                os.fchown(file.fileno(), folder.st_uid, folder.st_gid)
        os.replace(fresh, path)
        self._stamp = None


def _unreadable(path: str, error: OSError) -> UsersDamaged:
    return UsersDamaged(
        f"{path}: cannot be read ({error.strerror}): fix its permissions, or name another file in "
        "console.users"
    )


def _read(path: Path) -> list[User]:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise _unreadable(str(path), error) from None
    try:
        # From bytes: a mark that an editor has put before it is read over.
        found = json.loads(content)
        if not isinstance(found, list):
            raise TypeError
        return [
            User(
                str(one["name"]),
                tuple(Role(role) for role in one["roles"]),
                str(one["pin"]),
                tuple(str(token) for token in one["tokens"]),
            )
            for one in found
        ]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise UsersDamaged(
            f"{path}: not a file of users (JSON, a list of objects with name, roles, pin and tokens): if it "
            "was one, move it away and add the users again with crownhead users add; if not, name the right "
            "file in console.users"
        ) from None
