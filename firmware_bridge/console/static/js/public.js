// For spectators: the game with the delay that was set, and no findings.
import { h, $, show } from "/static/js/dom.js";
import { follow, me } from "/static/js/api.js";
import { makeBoard } from "/static/js/board.js";
import { header, makeClocks, showMoves } from "/static/js/frame.js";
import { CODES, STATES, nameOf, resultText, sideName, span } from "/static/js/words.js";

const { linked } = await header("public");
const { delay_s: delay } = await me();
const event = h("div", { class: "event" }, h("p", { class: "quiet" }, delay ? `Broadcast is delayed ${span(delay)}.` : "Nothing to show yet."));
const clocksHost = h("div", { class: "clocks" });
const boardHost = h("div");
const moves = h("ol", { class: "moves num", tabindex: 0, "aria-label": "Moves" });
const result = h("div", { "aria-live": "polite" });
$("#main").append(h("div", { class: "public" }, event,
  h("div", { class: "panel" }, h("div", { class: "body" }, boardHost)),
  h("div", { class: "stack" }, clocksHost, result,
    h("section", { class: "panel", "aria-label": "Moves" }, h("header", null, h("h2", null, "Moves")), h("div", { class: "body" }, moves)),
    h("p", { class: "quiet" }, h("small", null, delay ? `Broadcast is delayed ${span(delay)}. ` : "", h("a", { href: "/live/game.pdn" }, "Game as PDN"), " · ", h("a", { href: "/live/games.json" }, "JSON"))))));
const updateClocks = makeClocks(clocksHost);
const board = makeBoard(boardHost);
const state = follow("public", draw, linked);

function draw() {
  const { card, board: position } = state;
  if (!card) return;
  show(event, [card, position.turn], () => [
    h("h1", null, `${nameOf(card, "red")} – ${nameOf(card, "white")}`),
    h("p", { class: "quiet" }, [card.event, card.round && `Round ${card.round}`, CODES[card.code], card.result ? null : card.state === "playing" ? `${sideName(position.turn)} to move` : STATES[card.state]].filter(Boolean).join(" · ")),
  ]);
  show(result, card.result, () => (card.result ? h("p", { class: "panel strip result" }, h("span", { class: "label" }, "Result"), h("span", { class: "big" }, resultText(card))) : []));
  updateClocks(state);
  board.update({ pieces: position.pieces, last: position.last, turn: position.turn });
  showMoves(moves, state.moves);
}
