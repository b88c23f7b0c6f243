// The Bench: the whole product without hardware.
import { h, $, show } from "/static/js/dom.js";
import { follow, post } from "/static/js/api.js";
import { ask } from "/static/js/ask.js";
import { makeBoard } from "/static/js/board.js";
import { header } from "/static/js/frame.js";
import { makeHands } from "/static/js/hands.js";
import { STATES, nameOf, resultText, sideName } from "/static/js/words.js";

const { linked } = await header("bench");
let turned = localStorage.getItem("turned") === "true";
let slides = false;
const said = h("p", { class: "said error", role: "alert" });
const status = h("div", { class: "state-line", "aria-live": "polite" });
const boardHost = h("div", { tabindex: 0, role: "group", "aria-label": "The board: arrows move, Enter lifts and puts down" });
const air = h("div", { class: "air" });
const slideButton = h("button", { class: "small", type: "button", "aria-pressed": "false", onclick: () => { slides = !slides; slideButton.setAttribute("aria-pressed", String(slides)); } }, "Slide");
const unit = h("div", { class: "faces" });
const plugs = h("div", { class: "plugs" });

// Orders keep their order: a landing never overtakes its lift.
let queue = Promise.resolve();
let given = 0;
function act(order) {
  const mine = given;
  queue = queue.then(async () => {
    // What waited behind an order without an answer is given up with it.
    if (mine !== given) return;
    const answer = await post("/api/bench", order);
    if (answer.unanswered) given += 1;
    said.textContent = answer.ok ? "" : answer.error;
  });
  return queue;
}

const line = h("input", { name: "act", placeholder: "lift 11 · place 15 · slide 11 16 · nudge 11 80ms · press red", autocomplete: "off", spellcheck: false });
const acts = h("form", { onsubmit: (event) => { event.preventDefault(); if (line.value.trim()) typed(line.value.trim().split(/\s+/)); line.value = ""; } },
  h("label", null, "Type a command", h("div", { class: "row" }, line)));

function typed([verb, ...words]) {
  const durations = words.filter((word) => /^\d+(\.\d+)?(ms|s)$/.test(word));
  const rest = words.filter((word) => !durations.includes(word) && word !== "step" && word !== "period");
  if (verb === "press") act({ do: "press", sides: rest });
  else if (verb === "button") act({ do: "button", side: rest[0], button: rest[1] });
  else if (verb === "link") act({ do: "link", up: rest[0] === "up" });
  else if (verb === "power") act({ do: "power", on: rest[0] === "on" });
  else if (verb === "stuck") act({ do: "stick", squares: [rest[0]], how: rest[1] });
  else if (verb === "slide") act({ do: "slide", squares: rest, step: durations[0] ?? "120ms" });
  else if (verb === "nudge" || verb === "chatter") act({ do: verb, squares: rest, for: durations[0] ?? (verb === "nudge" ? "80ms" : "2s"), ...(verb === "chatter" ? { period: durations[1] ?? "80ms" } : {}) });
  else act({ do: verb, squares: rest });
}

const onSquare = (title, action, more) => () => ask({
  title, fields: [{ name: "square", label: "Square", required: true, hint: "1-32 or L1-L32", value: hands.hand.cursor ?? "" }, ...(more.fields ?? [])], action,
  run: async (values) => post("/api/bench", more.order(values)),
});

$("#main").append(
  h("h1", { class: "visually-hidden" }, "Bench"),
  h("div", { class: "bench" },
    h("div", { class: "stack" },
      h("div", { class: "panel" }, h("div", { class: "body" }, boardHost,
        h("div", { class: "table-foot" }, air, h("div", { class: "row" }, slideButton, h("button", { class: "small", type: "button", onclick: () => { turned = !turned; localStorage.setItem("turned", String(turned)); draw(); } }, "Flip board"))),
        said))),
    h("div", { class: "stack" },
      h("div", { class: "panel" }, h("div", { class: "body" }, status)),
      h("section", { class: "panel unit", "aria-label": "Clock unit" }, h("header", null, h("h2", null, "Clock unit")), h("div", { class: "body stack" }, unit,
        h("div", { class: "keys-row" }, h("button", { type: "button", onclick: () => act({ do: "press", sides: ["red", "white"] }) }, "Press both"), h("button", { type: "button", onclick: () => act({ do: "hold_both" }) }, "Hold both (sign)"), h("button", { type: "button", onclick: () => act({ do: "restart_clock" }) }, "Restart")))),
      h("section", { class: "panel", "aria-label": "What can go wrong" }, h("header", null, h("h2", null, "Plugs and faults")), h("div", { class: "body stack" }, plugs,
        h("div", { class: "row" },
          h("button", { class: "small", type: "button", onclick: onSquare("Nudge a piece", "Nudge", { fields: [{ name: "time", label: "For", value: "80ms" }], order: ({ square, time }) => ({ do: "nudge", squares: [square], for: time }) }) }, "Nudge"),
          h("button", { class: "small", type: "button", onclick: onSquare("Bouncing contact", "Start", { fields: [{ name: "time", label: "For", value: "3s" }, { name: "period", label: "Each", value: "80ms" }], order: ({ square, time, period }) => ({ do: "chatter", squares: [square], for: time, period }) }) }, "Bouncing contact"),
          h("button", { class: "small", type: "button", onclick: onSquare("Let a contact stick", "Stick", { fields: [{ name: "how", label: "How", kind: "choice", choices: [["closed", "closed"], ["open", "open"], ["free", "free again"]] }], order: ({ square, how }) => ({ do: "stick", squares: [square], how }) }) }, "Stick"),
          h("button", { class: "small", type: "button", onclick: () => act({ do: "set_up" }) }, "Set up pieces")))),
      h("section", { class: "panel", "aria-label": "Commands" }, h("div", { class: "body" }, acts)),
      h("p", { class: "quiet" }, h("small", null, "Drag pieces, or tap one and then a square. A piece dropped beside the board stays in the air. Hold Shift to slide.")))));

const board = makeBoard(boardHost, { label: "The simulated board", hands: true, lightNames: true });
const hands = makeHands(board, boardHost, { table: () => state.table ?? { pieces: {}, air: [] }, act, redraw: () => draw(), sliding: () => slides, turned: () => turned });
const faces = Object.fromEntries(["red", "white"].map((side) => [side, face(side)]));
unit.append(faces.red.box, faces.white.box);
const state = follow("bench", draw, linked);

function face(side) {
  const lamp = h("span", { class: "lamp" });
  const digits = h("div", { class: "digits", role: "img" });
  const button = (kind, title) => h("button", { type: "button", onclick: () => act({ do: "button", side, button: kind }) }, title);
  const box = h("div", { class: "face", role: "group", "aria-label": `${sideName(side)}'s side of the clock` },
    h("div", { class: "name" }, h("span", { class: `side ${side}` }, sideName(side)), lamp), digits,
    h("button", { class: "paddle", type: "button", onclick: () => act({ do: "press", sides: [side] }) }, "Clock"),
    h("div", { class: "keys-row" }, button("adjust", "Adjust"), button("crown", "Crown"), button("referee", "Referee"), button("resign", "Resign"), button("draw", "Draw"), button("claim", "Claim")));
  return { box, lamp, digits };
}

function draw() {
  const { table, card, board: position, truth } = state;
  if (!table || !card) return;
  document.body.classList.toggle("off", !table.powered);
  board.update({ pieces: table.pieces, colors: brightened(table.lights), flipped: turned, cursor: document.activeElement === boardHost ? hands.hand.cursor : null, turn: position.turn });
  show(air, [table.air, hands.hand.kind], () => table.air.length ? hands.air(table.air) : [h("span", { class: "quiet" }, "No piece in hand")]);
  for (const [index, side] of ["red", "white"].entries()) {
    const shown = card.control === "none" && !state.clock.main ? "----" : table.shows[index];
    faces[side].digits.textContent = shown;
    faces[side].digits.setAttribute("aria-label", `${sideName(side)} display: ${shown}`);
    faces[side].lamp.dataset.on = String(table.lamps[index]);
    faces[side].lamp.title = table.lamps[index] ? "lamp on" : "lamp off";
  }
  show(status, [card.state, card.result, position.turn, position.last, truth.pending, truth.correcting, table.powered], () => [
    h("span", { class: "state" }, table.powered ? STATES[card.state] : "The board has no power"),
    card.result ? h("span", { class: "chip good" }, resultText(card)) : ["playing", "correcting"].includes(card.state) ? h("span", { class: `side ${position.turn}` }, `${nameOf(card, position.turn)} to move`) : null,
    position.last ? h("span", { class: "chip num" }, `last ${position.last.text}`) : null,
    truth.pending ? h("span", { class: "chip" }, `${truth.pending} on the board`) : null,
    truth.correcting ? h("span", { class: "chip warn" }, "correct the lit squares, or see the Referee page") : null,
    ["setup", "ready"].includes(card.state) ? h("button", { class: "primary small", type: "button", onclick: start }, "Start the game") : null,
    card.state === "idle" ? h("a", { class: "button small", href: "/operator" }, "New game") : null,
  ]);
  show(plugs, [table.link_up, table.powered], () => [
    h("button", { type: "button", data: { on: String(table.link_up) }, onclick: () => act({ do: "link", up: !table.link_up }) }, table.link_up ? "Clock cable: in" : "Clock cable: out"),
    h("button", { type: "button", data: { on: String(table.powered) }, onclick: () => act({ do: "power", on: !table.powered }) }, table.powered ? "Board plug: in" : "Board plug: out"),
  ]);
}

async function start() {
  const answer = await post("/api/command", { do: "start" });
  said.textContent = answer.ok ? "" : answer.error;
}

/** The strip is dimmed for a dark hall; a screen shows its colors at full. */
function brightened(lights) {
  return Object.fromEntries(Object.entries(lights).map(([name, color]) => {
    const parts = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
    const scale = Math.min(255 / Math.max(...parts, 1), 2.5);
    return [name, `rgb(${parts.map((part) => Math.round(part * scale)).join(" ")})`];
  }));
}
boardHost.addEventListener("focus", draw);
boardHost.addEventListener("blur", draw);
