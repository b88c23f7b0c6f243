// The operator's page: make a game and a match, draw the ballot, inspect, watch the equipment, browse records.
import { h, $, show } from "/static/js/dom.js";
import { follow, get, post } from "/static/js/api.js";
import { header } from "/static/js/frame.js";
import { makeRecords } from "/static/js/records.js";
import { CODES, STATES, nameOf, resultText } from "/static/js/words.js";

const { who, linked } = await header("operator");
const choices = await get("/api/choices");
let ballot = [];

const field = (name, label, more = {}) => h("label", null, label, h("input", { name, autocomplete: "off", maxlength: 400, ...more }));
const pick = (name, label, options) => h("label", null, label, h("select", { name }, options.map(([word, title]) => h("option", { value: word }, title))));
const said = h("p", { class: "said", role: "status" });
const tell = (answer, done) => { said.textContent = answer.ok ? done : answer.error; said.classList.toggle("error", !answer.ok); };

const now = h("div", { class: "stack", "aria-live": "polite" });
const drawn = h("p", { class: "ballot", "aria-live": "polite" }, "–");
const form = h("form", { class: "body stack", onsubmit: make },
  h("div", { class: "fields" },
    field("red", "Red", { placeholder: "name" }), field("white", "White", { placeholder: "name" }),
    field("event", "Event or match"), field("round", "Round or game"),
    pick("code", "Rules", choices.codes.map((code) => [code, CODES[code] ?? code])),
    pick("control", "Clock", [["none", "no clock"], ...choices.controls.map((name) => [name, name]), ["other", "two durations …"]]),
    h("label", { class: "durations", hidden: true }, "Red and white", h("input", { name: "durations", placeholder: "20min 20min" })),
    pick("red_far", "Red sits at", [["true", "far end (1-4)"], ["false", "near end"]]),
    h("label", { class: "wide" }, "Position, if not the start", h("input", { name: "fen", placeholder: "W:W21-32:B1-12", class: "mono" }))),
  h("div", { class: "row" }, h("button", { class: "primary", type: "submit" }, "Make the game"), h("button", { type: "button", onclick: start }, "Start it"), h("button", { type: "button", onclick: next }, "Next of the match")),
  said);
form.elements.control.addEventListener("change", () => { $(".durations", form).hidden = form.elements.control.value !== "other"; });

async function make(event) {
  event.preventDefault();
  const value = (name) => form.elements[name].value.trim();
  const asked = { do: "new_game", code: value("code"), red: value("red"), white: value("white"), event: value("event"), round: value("round"), red_far: value("red_far") === "true", ballot };
  const control = value("control") === "other" ? value("durations") : value("control");
  if (control !== "none") asked.control = control;
  if (value("fen")) asked.fen = value("fen");
  tell(await post("/api/command", asked), "The game is made: set up the board; it is ready when all pieces have stood still for 3 s.");
  showMatch();
}
async function start() {
  tell(await post("/api/command", { do: "start" }), "The game has begun.");
}
function next() {
  const { card } = state;
  const set = (name, text) => { form.elements[name].value = text; };
  set("red", card.white); set("white", card.red); set("event", card.event); set("code", card.code);
  set("round", /^\d+$/.test(card.round) ? String(Number(card.round) + 1) : card.round);
  said.textContent = "Colours are changed over; look it through and make the game.";
}
async function draw() {
  const answer = await post("/api/ballot", {});
  if (!answer.ok) return tell(answer, "");
  ballot = answer.moves;
  drawn.textContent = `${answer.number}.  ${answer.moves.join("  ")}`;
}

const CHECKS = ["Board 16 to 20 in, squares 2 in and more, green and buff", "Green double corner at each player's right", "12 red and 12 white men, 1 1/4 to 1 1/2 in", "Clock set, both sides run and stop", "All contacts and lights tested"];
const inspector = h("form", { class: "body stack", onsubmit: async (event) => {
  event.preventDefault();
  const done = CHECKS.filter((_, index) => inspector.elements[`check${index}`].checked);
  const left = CHECKS.length - done.length;
  const text = `inspection: ${done.length} of ${CHECKS.length} in order${left ? `; not: ${CHECKS.filter((one) => !done.includes(one)).join("; ")}` : ""}. ${inspector.elements.remark.value}`.trim().slice(0, 400);
  const answer = await post("/api/command", { do: "referee", verb: "note", rule: state.card.code === "pool" ? "APCA 1" : "ACF 1", reason: text });
  inspected.textContent = answer.ok ? "Recorded with the game." : answer.error;
} }, CHECKS.map((text, index) => h("label", { class: "check" }, h("input", { type: "checkbox", name: `check${index}` }), text)), h("label", null, "Remark", h("input", { name: "remark", maxlength: 150 })), h("div", { class: "row" }, h("button", { type: "submit" }, "Record the inspection")));
const inspected = h("p", { class: "said", role: "status" });
inspector.append(inspected);

const match = h("div", { class: "body stack" });
async function showMatch() {
  const { card } = state;
  if (!card?.made || (!card.red && !card.white)) return show(match, null, () => h("p", { class: "empty" }, "Name both players to see their match."));
  const told = await get(`/api/match?red=${encodeURIComponent(card.red)}&white=${encodeURIComponent(card.white)}&event=${encodeURIComponent(card.event)}`).catch((error) => ({ error: error.message }));
  show(match, told, () => told.error ? h("p", { class: "error" }, told.error) : [
    h("div", { class: "score" }, told.score.map((one) => h("span", null, `${one.name || "–"} ${one.points}`))),
    told.games.length ? h("ol", null, told.games.map((game, index) => h("li", null, `${index + 1}. ${game.red} – ${game.white}: ${game.result === "draw" ? "draw" : `${game.result} wins`} (${game.reason})`))) : h("p", { class: "empty" }, "No finished game yet."),
  ]);
}

const health = h("dl", { class: "health" });
async function look() {
  const told = await get("/api/health").catch(() => null);
  if (told) show(health, told, () => healthLines(told).flatMap(([name, text, good]) => [h("dt", null, name), h("dd", { data: { sign: good ? "✓" : "✗", state: good ? "good" : "bad" } }, text)]));
}
function healthLines(told) {
  const { scan, clock, lights } = told;
  return [
    ["Contacts", scan.lost || `${scan.backend}, ${scan.hz} scans/s, at most ${scan.late_ms} ms late`, !scan.lost],
    ["Clock", clock ? clock.words || `${clock.backend}, ${clock.up ? "line up" : "line lost"}${clock.ppm === null ? "" : `, ${clock.ppm} ppm`}${clock.supply_mv === null ? "" : `, ${(clock.supply_mv / 1000).toFixed(2)} V`}${clock.garbled ? `, ${clock.garbled} garbled frames` : ""}` : "none", !clock || (clock.up && !clock.words)],
    ["Lights", lights.lost || `${lights.backend}, ${lights.frames} frames, ${lights.current_ma} mA`, !lights.lost],
    ...told.media.map((one) => [one.medium === "record" ? "Record" : "Mirror", one.words || `keeping up${one.medium === "record" && told.disk_free_mb !== null ? `, ${told.disk_free_mb} MB free` : ""}`, one.storage === "ok"]),
    ["Journal", told.journal || "none", true],
    ["Faults", told.faults.map((one) => `${one.code.replaceAll("_", " ")} ${one.square}`).join(", ") || "none standing", !told.faults.length],
    ...(told.feed ? [["Feed", told.feed, false]] : []),
    ["Pages", Object.entries(told.pages).map(([name, number]) => `${name} ${number}`).join(", "), true],
    ["Refused", `${told.refused} requests since the start`, true],
    ["Daemon", `version ${told.version}, up ${Math.floor(told.uptime_s / 60)} min, ${told.rss_mb} MB`, true],
  ];
}

const users = h("form", { class: "body stack", onsubmit: async (event) => {
  event.preventDefault();
  const roles = ["referee", "operator"].filter((role) => users.elements[role].checked);
  const answer = await post("/api/users", { name: users.elements.name.value.trim(), pin: users.elements.pin.value, roles });
  added.textContent = answer.ok ? "Added. Sign in by that name from now on." : answer.error;
  if (answer.ok) users.reset();
} }, h("div", { class: "fields" }, field("name", "Name", { required: true, autocomplete: "username" }), h("label", null, "PIN, 6 characters or more", h("input", { name: "pin", type: "password", required: true, minlength: 6, autocomplete: "new-password" }))),
h("div", { class: "row" }, ["referee", "operator"].map((role) => h("label", { class: "check" }, h("input", { type: "checkbox", name: role, checked: role === "referee" }), role))), h("button", { type: "submit" }, "Add"));
const added = h("p", { class: "said", role: "status" });
users.append(added);

const panel = (title, body, broad = false) => h("section", { class: `panel${broad ? " broad" : ""}`, "aria-label": title }, h("header", null, h("h2", null, title)), body);
const recordsHost = h("div", { class: "body stack" });
$("#main").append(h("h1", { class: "visually-hidden" }, "Operator"), h("div", { class: "operator" },
  h("div", { class: "stack" }, h("div", { class: "panel" }, h("div", { class: "body" }, now)), panel("Make a game", form)),
  h("div", { class: "stack" }, panel("Three-move ballot", h("div", { class: "body stack" }, drawn, h("p", { class: "quiet" }, h("small", null, "The draw is recorded with its seed; the game made next carries it.")), h("div", { class: "row" }, h("button", { type: "button", onclick: draw }, "Draw"), h("button", { type: "button", onclick: () => { ballot = []; drawn.textContent = "–"; } }, "Without")))), panel("Match card", match), panel("Inspection", inspector)),
  h("div", { class: "stack" }, panel("Equipment", h("div", { class: "body" }, health)), who.roles.includes("operator") ? panel("Who may command", users) : null),
  panel("Records", recordsHost, true)));
makeRecords(recordsHost);
let result = null;
const state = follow("referee", () => {
  const { card } = state;
  show(now, [card, state.moves.length], () => [
    h("div", { class: "spread" }, h("strong", null, STATES[card.state]), h("span", { class: "quiet" }, `${state.moves.length} entries`)),
    h("p", null, card.made ? `${nameOf(card, "red")} – ${nameOf(card, "white")}, ${CODES[card.code]}, clock ${card.control}` : "No game has been made."),
    card.ballot.length ? h("p", { class: "num" }, `Ballot ${card.ballot.join(" ")}`) : null,
    card.result ? h("p", null, h("span", { class: "chip good" }, resultText(card))) : null,
  ]);
  const word = JSON.stringify([card.result, card.red, card.white, card.event]);
  if (word !== result) { result = word; showMatch(); }
}, linked);
look();
setInterval(look, 2000);
