"""Routes by which something is done: coming in, commands, the Bench, the operator's books."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from firmware_bridge.console.commands import STAFF, BadCommand, NotConfirmed, Role, order
from firmware_bridge.console.matches import finished
from firmware_bridge.console.middleware import address_of
from firmware_bridge.console.request import COOKIE, Denied, Requests, as_json
from firmware_bridge.console.users import BadUser, checked_user


class Doing(Requests):
    """Handlers of POST requests; each may raise Denied."""

    async def login(self, request: Request) -> Response:
        """Let somebody in by PIN or code."""
        asked = await self.body(request)
        address = address_of(request.scope)
        code, name, pin = (asked.get(key, "") for key in ("code", "name", "pin"))
        if not (isinstance(code, str) and isinstance(name, str) and isinstance(pin, str)):
            raise Denied(400, "write name and pin, or code, as texts")
        if len(code) + len(name) + len(pin) > 256:
            raise Denied(400, "name, PIN or code too long")
        if code:
            entry = self.service.enter_with_code(code, address)
        else:
            entry = await self.service.enter(name, pin, address)
        if entry.wait_ns:
            wait_s = entry.wait_ns // 1_000_000_000 + 1
            raise Denied(429, f"too many wrong guesses: wait {wait_s} s", wait_s)
        if not entry.cookie:
            raise Denied(401, "wrong code" if code else "wrong name or PIN")
        answer = as_json({"ok": True})
        answer.set_cookie(
            COOKIE,
            entry.cookie,
            httponly=True,
            samesite="strict",
            secure=self.service.settings.secure,
            path="/",
        )
        return answer

    async def logout(self, request: Request) -> Response:
        """Let somebody out."""
        self.must_be(request, *Role)
        self.service.sessions.end(request.cookies.get(COOKIE, ""))
        answer = as_json({"ok": True})
        answer.delete_cookie(COOKIE, path="/")
        return answer

    async def add_user(self, request: Request) -> Response:
        """Name somebody who may command."""
        session = self.must_be(request, Role.OPERATOR)
        asked = await self.body(request)
        name, pin, roles = asked.get("name"), asked.get("pin"), asked.get("roles")
        if not (isinstance(name, str) and isinstance(pin, str) and isinstance(roles, list)):
            raise Denied(400, "write name, pin and roles")
        if not pin:
            raise Denied(400, "a PIN is required here: create tokens with crownhead users")
        try:
            user = await run_in_threadpool(checked_user, name, [str(role) for role in roles], pin)
            self.service.add_user(user, session.user)
        except BadUser as error:
            raise Denied(400, str(error)) from None
        except OSError as error:
            raise Denied(500, f"the file of users cannot be written: {error.strerror}") from None
        return as_json({"ok": True})

    async def command(self, request: Request) -> Response:
        """A command of the referee or the operator."""
        session = self.must_be(request, *STAFF)
        asked = await self.body(request)
        try:
            wanted = order(asked, session.user, self.service.daemon.controls)
        except NotConfirmed as error:
            return as_json({"error": str(error), "confirm": True}, 428)
        except BadCommand as error:
            raise Denied(422, str(error)) from None
        if wanted.role not in session.roles:
            raise Denied(403, f"this needs the role of {wanted.role}")
        why = self.service.give(wanted)
        return as_json({"error": why}, 409) if why else as_json({"ok": True})

    async def bench(self, request: Request) -> Response:
        """Hands on the simulated board."""
        self.must_be(request, *STAFF)
        asked = await self.body(request)
        if self.service.table is None:
            raise Denied(404, "this is a real board: it has no Bench")
        try:
            self.service.table.act(asked, self.service.game)
        except BadCommand as error:
            raise Denied(422, str(error)) from None
        self.service.look()
        return as_json({"ok": True})

    async def ballot(self, request: Request) -> Response:
        """Draw an opening."""
        session = self.must_be(request, *STAFF)
        seed, opening = self.service.draw_ballot(session.user)
        return as_json({"seed": str(seed), "number": opening.number, "moves": list(opening.moves)})

    async def keep_match(self, request: Request) -> Response:
        """Begin a match, or carry it on."""
        session = self.must_be(request, Role.OPERATOR)
        asked = await self.body(request)
        matches, game = self.service.matches, self.service.game
        try:
            match asked.get("do"):
                case "new":
                    said = await self.read(matches.new, asked, session.user)
                case "result":
                    red, winner = finished(game)
                    name, record = str(asked.get("name", "")), self.service.daemon.health().journal
                    card = await self.read(matches.result, name, red, winner, record, session.user)
                    said = f"match {name}: {card.standing}"
                    if not card.is_over:
                        due = card.next_game()
                        self.service.daemon.seat(due.red, due.white)
                case _:
                    raise Denied(422, "do: write new or result")
        except BadCommand as error:
            raise Denied(422, str(error)) from None
        self.service.remark(said, "match", kind="command")
        return as_json({"ok": True, "said": said})
