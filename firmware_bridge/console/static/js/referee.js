// The referee's page: what was seen, what a rule makes of it, and every ruling and command.
import { h, $, show } from "/static/js/dom.js";
import { follow, nowOf } from "/static/js/api.js";
import { ask, asking } from "/static/js/ask.js";
import { makeBoard } from "/static/js/board.js";
import { buttons, commands, ruleOn } from "/static/js/commands.js";
import { card } from "/static/js/findings.js";
import { header, makeClocks, showMoves } from "/static/js/frame.js";
import { makeLog } from "/static/js/log.js";
import { CODES, SCENES, STATES, nameOf, resultText, sideName, whole } from "/static/js/words.js";

let turned = localStorage.getItem("turned") === "true";
let sound = false;
let chosen = null;
let known = new Set();

const soundButton = h("button", { class: "plain small", type: "button", "aria-pressed": "false", onclick: () => {
  sound = !sound;
  soundButton.setAttribute("aria-pressed", String(sound));
  soundButton.textContent = sound ? "Sound is on" : "Sound is off";
  if (sound) beep();
} }, "Sound is off");
const keysButton = h("button", { class: "plain small wide-only", type: "button", onclick: showKeys }, "Keys ", h("kbd", null, "?"));
const { linked } = await header("referee", [soundButton, keysButton]);

const alerts = h("div", { class: "alerts", role: "alert" });
const status = h("div", { class: "status" });
const boardHost = h("div");
const legend = h("div", { class: "legend" });
const clocksHost = h("div", { class: "clocks" });
const counts = h("div", { class: "counts" });
const moves = h("ol", { class: "moves num", tabindex: 0, "aria-label": "Moves" });
const findings = h("div", { class: "stack", id: "findings", tabindex: -1 });
const closed = h("div", { class: "stack" });
const commandHost = h("div", { class: "commands" });
const gameCard = h("dl", { class: "keys" });
const logHost = h("div");

$("#main").append(
  h("h1", { class: "visually-hidden" }, "Referee"),
  h("div", { class: "referee" },
    alerts,
    h("div", { class: "stack first" },
      h("div", { class: "panel" }, h("div", { class: "body stack" }, status, clocksHost, counts)),
      h("section", { class: "panel", "aria-label": "Board" }, h("div", { class: "body" }, boardHost, h("div", { class: "spread" }, legend, h("button", { class: "plain small", type: "button", onclick: () => { turned = !turned; localStorage.setItem("turned", String(turned)); draw(); } }, "Flip board")))),
      h("section", { class: "panel moves-panel", "aria-label": "Moves" }, h("header", null, h("h2", null, "Moves")), h("div", { class: "body" }, moves))),
    h("div", { class: "stack second" },
      h("section", { class: "stack", "aria-label": "Incidents" }, h("h2", null, "Incidents"), findings, closed),
      h("section", { class: "panel log-panel", "aria-label": "Audit log" }, h("header", null, h("h2", null, "Notes and audit log")), h("div", { class: "body" }, logHost))),
    h("div", { class: "stack third" },
      h("section", { class: "panel", "aria-label": "Commands" }, h("header", null, h("h2", null, "Commands")), h("div", { class: "body" }, commandHost)),
      h("section", { class: "panel", "aria-label": "Game card" }, h("header", null, h("h2", null, "Game card")), h("div", { class: "body" }, gameCard)))));

const board = makeBoard(boardHost, { label: "The board, seen from white's chair" });
const updateClocks = makeClocks(clocksHost);
const log = makeLog(logHost);
const state = follow("referee", draw, linked);

function draw(_, fresh) {
  if (!state.card) return;
  const { card: game, truth } = state;
  const must = game.state === "finished" ? [] : truth.must;
  show(status, [game.state, game.result, truth.pending, truth.adjust, truth.must, truth.faults, truth.released, truth.crown_due, game.claim_due, game.draw_offer], () => [
    h("span", { class: "state" }, STATES[game.state]),
    game.result ? h("span", { class: "chip good" }, resultText(game)) : null,
    truth.pending ? h("span", { class: "chip" }, truth.released ? `${truth.pending} final` : `${truth.pending} on the board, not yet final`) : null,
    must.length ? h("span", { class: "chip warn" }, `must play ${must.join(" or ")}`) : null,
    truth.adjust ? h("span", { class: "chip warn" }, `${sideName(truth.adjust)} is adjusting`) : null,
    truth.crown_due.length ? h("span", { class: "chip warn" }, `crown due on ${truth.crown_due.join(", ")}`) : null,
    game.claim_due ? h("span", { class: "chip warn" }, game.claim_due === "claim" ? "draw can be claimed" : `count reached: ${game.claim_due}`) : null,
    game.draw_offer ? h("span", { class: "chip warn" }, `${sideName(game.draw_offer)} offers a draw`) : null,
    truth.faults.map((fault) => h("span", { class: "chip danger" }, `${fault.code.replaceAll("_", " ")}${fault.square ? ` ${fault.square}` : ""}`)),
  ]);
  updateClocks(state);
  show(counts, [state.clock.counts, state.clock.jump?.ways, state.clock.jump?.side], () => [
    state.clock.jump ? h("span", { class: "chip jump" }) : null,
    state.clock.counts.map((count) => h("span", { class: "chip" }, `${count.kind}: ${count.number} of ${count.limit} (${sideName(count.side)})`)),
  ]);
  drawJump();
  board.update({ ...state.board, ...truth, must, flipped: turned });
  show(legend, [truth.missing, truth.extra, truth.lights, truth.doubt], () => [
    truth.missing.length ? h("span", null, `↑ piece missing from ${truth.missing.join(", ")}`) : null,
    truth.extra.length ? h("span", null, `? unexpected piece on ${truth.extra.join(", ")}`) : null,
    truth.doubt.length ? h("span", null, `color in doubt: ${truth.doubt.join(", ")}`) : null,
    [...new Set(Object.values(truth.lights))].map((scene) => h("span", null, `${SCENES[scene][1]} ${SCENES[scene][2]}`)),
    truth.missing.length || truth.extra.length ? null : h("span", null, "Board matches the position."),
  ]);
  showMoves(moves, state.moves);
  drawFindings();
  show(commandHost, [game.state, game.red, game.white], () => buttons(state));
  show(gameCard, [game, state.board.fen], () => Object.entries({
    Red: nameOf(game, "red"), White: nameOf(game, "white"), Event: game.event || "–", Round: game.round || "–", Rules: CODES[game.code],
    Clock: game.control, Ballot: game.ballot.join(" ") || "–", Seats: game.red_far ? "Red at the far end" : "Red at the near end", Absent: game.absent.map(sideName).join(", ") || "nobody", Position: state.board.fen,
  }).flatMap(([name, text]) => [h("dt", { class: "quiet" }, name), h("dd", { class: name === "Position" ? "mono" : "" }, text)]));
  log.update(state.log, fresh?.first === true);
  drawAlerts(fresh);
}

/** How long the player to move has had a jump (ACF 6): it counts by itself. */
function drawJump() {
  const jump = state.clock?.jump;
  const chip = $(".chip.jump", counts);
  if (!jump || !chip) return;
  const used = jump.used_ms + (jump.since_ms === null ? 0 : Math.max(0, nowOf(state) - jump.since_ms));
  const words = `${sideName(jump.side)} has ${jump.ways === 1 ? "one way" : `${jump.ways} ways`} to jump, for ${whole(used)}`;
  if (chip.textContent !== words) chip.textContent = words;
}
setInterval(drawJump, 500);

/** How an element of a finding is found again when the findings are drawn anew. */
function whereIn(element) {
  const { number } = element.closest(".finding").dataset;
  return `[data-number="${number}"]${element.dataset.verb ? ` [data-verb="${element.dataset.verb}"]` : ""}`;
}

function drawFindings() {
  const waiting = state.incidents.filter((one) => one.open);
  if (!waiting.some((one) => one.number === chosen)) chosen = waiting[0]?.number ?? null;
  const focused = document.activeElement?.closest("#findings .finding") ? whereIn(document.activeElement) : null;
  show(findings, [waiting, chosen], () => waiting.length ? waiting.map((one) => card(one, (found, verb) => ruleOn(state, found, verb), { chosen: waiting.length > 1 && one.number === chosen })) : [h("p", { class: "panel empty body" }, "No ruling is waiting.")]);
  // Who is about to press a button keeps it, whatever comes; if it has gone, Enter falls on nothing.
  if (focused && !findings.contains(document.activeElement)) ($(focused, findings) ?? findings).focus({ preventScroll: true });
  const done = state.incidents.filter((one) => !one.open).reverse();
  show(closed, done, () => {
    const opened = new Set([...closed.querySelectorAll("details[open]")].map((one) => one.dataset.number));
    return done.length ? [h("h2", null, `Decided (${done.length})`), done.map((one) => card(one, null, { opened: opened.has(String(one.number)) }))] : [];
  });
}

/** `Red (Ann) calls`, or both sides with their names. */
function callers(calls) {
  const sides = [...new Set(calls.map((line) => line.side))];
  const names = sides.map((side) => `${sideName(side)}${state.card[side] ? ` (${state.card[side]})` : ""}`);
  return `${names.join(" and ")} ${names.length > 1 ? "call" : "calls"}`;
}

/** A call is known by its time: the numbers of lines begin anew when the daemon does. */
const nameOfCall = (line) => `${line.wall} ${line.side}`;

function drawAlerts(fresh) {
  const seen = new Set(JSON.parse(sessionStorage.getItem("calls") ?? "[]"));
  const all = state.log.filter((line) => line.code === "referee_called");
  const calls = all.filter((line) => !seen.has(nameOfCall(line)));
  const flag = state.clock.main?.flag;
  show(alerts, [calls.map(nameOfCall), flag, state.card.state === "finished"], () => [
    calls.length ? h("div", { class: "alert" }, h("span", null, `⚑ ${callers(calls)} the referee${calls.length > 1 ? ` (${calls.length} calls)` : ""}`),
      h("button", { type: "button", onclick: () => { sessionStorage.setItem("calls", JSON.stringify(all.map(nameOfCall))); draw(); } }, "On my way")) : null,
    flag ? h("div", { class: "alert danger" }, `Flag: ${nameOf(state.card, flag)} ran out of time first.`) : null,
  ]);
  const now = new Set([...state.incidents.filter((one) => one.open).map((one) => `#${one.number}`), ...calls.map(nameOfCall)]);
  if (sound && fresh && !fresh.first && [...now].some((one) => !known.has(one))) beep();
  known = now;
}

function beep() {
  const audio = new AudioContext();
  const tone = audio.createOscillator();
  const gain = audio.createGain();
  tone.frequency.value = 660;
  gain.gain.setValueAtTime(0.15, audio.currentTime);
  gain.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.35);
  tone.connect(gain).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.36);
}

function showKeys() {
  const list = commands(state).flatMap(([, all]) => all.filter(([key]) => key).map(([key, label]) => [key, label]));
  const lines = [["j / k", "next or previous incident"], ["Enter", "rule as suggested on the selected incident"], ["r s d", "take back, let stand, or no violation on the selected incident"], ["/", "search the log"], ...list];
  const dialog = h("dialog", { "aria-label": "Keys", onclose: () => dialog.remove() }, h("form", { method: "dialog" }, h("h2", null, "Keys"),
    h("dl", { class: "keys" }, lines.flatMap(([key, text]) => [h("dt", null, h("kbd", null, key)), h("dd", null, text)])),
    h("label", { class: "check" }, h("input", { type: "checkbox", checked: keysOn(), onchange: (event) => localStorage.setItem("keys", event.currentTarget.checked ? "on" : "off") }), "Single keys are on"),
    h("div", { class: "actions" }, h("button", { class: "primary" }, "Close"))));
  document.body.append(dialog);
  dialog.showModal();
}

const keysOn = () => localStorage.getItem("keys") !== "off";

document.addEventListener("keydown", (event) => {
  if (!state.card || asking() || $("dialog[open]") || !keysOn() || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.closest("input, select, textarea, summary")) return;
  if (event.key === "Enter" && (event.target === findings || event.target.closest("button, a"))) return;
  const waiting = state.incidents.filter((one) => one.open);
  const at = waiting.findIndex((one) => one.number === chosen);
  const one = waiting[at];
  const ruling = { r: "restore", s: "stand", d: "dismiss", Enter: one?.rulings[0] }[event.key];
  const command = commands(state).flatMap(([, all]) => all).find(([key]) => key && key === event.key);
  if (event.key === "?") showKeys();
  else if (event.key === "/") log.search.focus();
  else if (event.key === "j" || event.key === "k") {
    chosen = waiting[Math.max(0, Math.min(waiting.length - 1, at + (event.key === "j" ? 1 : -1)))]?.number ?? null;
    drawFindings();
    $(`.finding[data-number="${chosen}"]`)?.scrollIntoView({ block: "nearest" });
  } else if (one && ruling && one.rulings.includes(ruling)) ruleOn(state, one, ruling);
  else if (command) command[2]();
  else return;
  event.preventDefault();
});
