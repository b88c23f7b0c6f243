// For the players and the hall: clocks, last move, crowning, result. Nothing that assists.
import { h, $, show } from "/static/js/dom.js";
import { follow } from "/static/js/api.js";
import { makeBoard } from "/static/js/board.js";
import { header, makeClocks } from "/static/js/frame.js";
import { STATES, nameOf, resultText, sideName } from "/static/js/words.js";

const full = h("button", { class: "plain small", type: "button", onclick: () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()) }, "Full screen");
const { who, linked } = await header("players", [full]);
const event = h("div", { class: "event" });
const clocksHost = h("div", { class: "clocks" });
const strips = h("div", { class: "stack strips", "aria-live": "polite" });
const boardHost = h("div");
$("#main").append(h("div", { class: "hall" }, event, h("div", { class: "stack" }, clocksHost, strips), h("div", { class: "panel" }, h("div", { class: "body" }, boardHost))));
const updateClocks = makeClocks(clocksHost);
const board = makeBoard(boardHost);
if (!who.players) event.append(h("p", { class: "quiet" }, "This page shows the board without delay: ", h("a", { href: "/login?to=/players" }, "sign in"), " to see it, or look at the ", h("a", { href: "/public" }, "public page"), "."));
const state = who.players ? follow("players", draw, linked) : {};

function draw() {
  const { card, board: position, clock } = state;
  show(event, card, () => [h("h1", null, `${nameOf(card, "red")} – ${nameOf(card, "white")}`), h("p", { class: "quiet" }, [card.event, card.round && `Round ${card.round}`].filter(Boolean).join(" · "))]);
  clocksHost.classList.toggle("no-clock", !clock.main);
  updateClocks(state);
  board.update({ pieces: position.pieces, last: position.last, turn: position.turn });
  show(strips, [card.state, card.result, position.last, position.crown_due, position.turn], () => [
    card.result ? h("div", { class: "panel strip result" }, h("span", { class: "label" }, "Result"), h("span", { class: "big" }, resultText(card))) : null,
    position.crown_due.length ? h("div", { class: "panel strip crown" }, h("span", { class: "label" }, "♛ Crown due"), h("span", { class: "big" }, `Crown the piece on ${position.crown_due.join(" and ")}`)) : null,
    position.last ? h("div", { class: "panel strip" }, h("span", { class: "label" }, "Last move"), h("span", { class: "big num" }, h("span", { class: `side ${position.last.side}` }, position.last.text))) : null,
    card.result ? null : h("div", { class: "panel strip" }, h("span", { class: "label" }, "Now"), h("span", { class: "big" }, card.state === "playing" ? `${sideName(position.turn)} to move` : STATES[card.state])),
  ]);
}
