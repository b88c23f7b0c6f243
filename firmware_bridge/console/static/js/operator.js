// The operator's page: make a game and a match, draw the ballot, inspect, watch the equipment, browse records.
import { h, $, show } from "/static/js/dom.js";
import { follow, get, post } from "/static/js/api.js";
import { header } from "/static/js/frame.js";
import { makeRecords } from "/static/js/records.js";
import { CODES, STATES, nameOf, resultText } from "/static/js/words.js";

const { who, linked } = await header("operator");
const choices = await get("/api/choices");
// Disks are read, or a PIN is made safe.
const SLOW_MS = 20000;
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
    pick("red_far", "Red's side", [["true", "far (1-4)"], ["false", "near"]]),
    h("label", { class: "wide" }, "Position, if not the start", h("input", { name: "fen", placeholder: "W:W21-32:B1-12", class: "mono" }))),
  h("div", { class: "row" }, h("button", { class: "primary", type: "submit" }, "Create game"), h("button", { type: "button", onclick: start }, "Start"), h("button", { type: "button", onclick: next }, "Rematch, colors swapped")),
  said);
form.elements.control.addEventListener("change", () => { $(".durations", form).hidden = form.elements.control.value !== "other"; });

async function make(event) {
  event.preventDefault();
  const value = (name) => form.elements[name].value.trim();
  const asked = { do: "new_game", code: value("code"), red: value("red"), white: value("white"), event: value("event"), round: value("round"), red_far: value("red_far") === "true", ballot };
  const control = value("control") === "other" ? value("durations") : value("control");
  if (control !== "none") asked.control = control;
  if (value("fen")) asked.fen = value("fen");
  tell(await post("/api/command", asked), "Game created. Set up the board: it is ready when all pieces have stood still for 3 s.");
}
async function start() {
  tell(await post("/api/command", { do: "start" }), "The game has started.");
}
function next() {
  const { card } = state;
  fill({ red: card.white, white: card.red, event: card.event, code: card.code, round: /^\d+$/.test(card.round) ? String(Number(card.round) + 1) : card.round });
}
async function draw() {
  const answer = await post("/api/ballot", {});
  if (!answer.ok) return tell(answer, "");
  ballot = answer.moves;
  drawn.textContent = `${answer.number}.  ${answer.moves.join("  ")}`;
}

const checksOf = (code) => [...choices.checks[code], "Clock set, both sides run and stop", "All contacts and lights tested"];
const checks = h("div", { class: "stack" });
const showChecks = (code) => show(checks, code, () => checksOf(code).map((text, index) => h("label", { class: "check" }, h("input", { type: "checkbox", name: `check${index}` }), text)));
const inspector = h("form", { class: "body stack", onsubmit: async (event) => {
  event.preventDefault();
  const asked = checksOf(state.card.code);
  const done = asked.filter((_, index) => inspector.elements[`check${index}`].checked);
  const left = asked.length - done.length;
  const text = `inspection: ${done.length} of ${asked.length} in order${left ? `; not: ${asked.filter((one) => !done.includes(one)).join("; ")}` : ""}. ${inspector.elements.remark.value}`.trim().slice(0, 400);
  const answer = await post("/api/command", { do: "referee", verb: "note", rule: state.card.code === "pool" ? "APCA 1" : "ACF 1", reason: text });
  inspected.textContent = answer.ok ? "Recorded with the game." : answer.error;
} }, checks, h("label", null, "Remark", h("input", { name: "remark", maxlength: 150 })), h("div", { class: "row" }, h("button", { type: "submit" }, "Record the inspection")));
const inspected = h("p", { class: "said", role: "status" });
inspector.append(inspected);

const match = h("div", { class: "stack" });
const players = h("form", { class: "stack", onsubmit: async (event) => {
  event.preventDefault();
  const value = (name) => players.elements[name].value.trim();
  const asked = { do: "new", name: value("name"), code: value("code"), first: value("first"), second: value("second"), event: value("event"), games: Number(value("games")), games_an_opening: Number(value("games_an_opening")), tie_games: Number(value("tie_games")), toss: value(value("toss")), chose: value("chose") };
  const answer = await post("/api/matches/keep", asked, SLOW_MS);
  matchSaid.textContent = answer.ok ? answer.said : answer.error;
  showMatch();
} }, h("div", { class: "fields" }, field("name", "Short name", { required: true, placeholder: "club-7" }), field("event", "Event"), field("first", "Player", { required: true }), field("second", "Player", { required: true }),
  pick("code", "Rules", choices.codes.map((code) => [code, CODES[code] ?? code])), h("label", null, "Games", h("input", { name: "games", value: "4", inputmode: "numeric" })),
  pick("games_an_opening", "Games per opening", [["1", "one"], ["2", "two, colors reversed"]]), pick("tie_games", "If tied", [["0", "tie stands"], ["2", "2 more games"], ["4", "up to 4 more"], ["8", "up to 8 more"]]),
  pick("toss", "Won the toss", [["first", "the first player"], ["second", "the second"]]), pick("chose", "Chose", [["red", "red"], ["white", "white"]])),
h("button", { type: "submit" }, "Start the match"));
const matchSaid = h("p", { class: "said", role: "status" });
const matchPanel = h("div", { class: "body stack" }, match, matchSaid, h("details", null, h("summary", null, "New match"), players));
async function showMatch() {
  const told = await get("/api/matches").catch((error) => ({ error: error.message }));
  const running = told.error ? [] : told.filter((card) => !card.over).concat(told.filter((card) => card.over).slice(-2));
  show(match, [told, state.card?.result], () => told.error ? h("p", { class: "error" }, told.error) : running.length ? running.map(matchCard) : h("p", { class: "empty" }, "No match yet."));
}
function matchCard(card) {
  if (card.damage) return h("p", { class: "error" }, card.damage);
  const due = card.next;
  return h("section", { class: "match", "aria-label": `Match ${card.name}` },
    h("h3", null, `${card.name}, ${card.played.length} of ${card.due} games`),
    h("ul", null, card.players.map((player, index) => h("li", null, h("strong", null, player), ` ${card.tallies[index]}`))),
    due ? h("p", null, `Game ${due.number}: ${due.red} has red, ${due.white} white (${card.authority}).`) : h("p", null, h("span", { class: "chip good" }, card.leader ? `${card.leader} wins the match` : "A tie")),
    due ? h("div", { class: "row" },
      h("button", { type: "button", class: "small", onclick: () => fill({ red: due.red, white: due.white, event: card.event || card.name, round: String(due.number), code: card.code }) }, "Fill in the next game"),
      h("button", { type: "button", class: "small", disabled: !state.card?.result, onclick: async () => { const answer = await post("/api/matches/keep", { do: "result", name: card.name }, SLOW_MS); matchSaid.textContent = answer.ok ? answer.said : answer.error; showMatch(); } }, "Add this game's result")) : null);
}
function fill(values) {
  for (const [name, text] of Object.entries(values)) form.elements[name].value = text;
  said.textContent = "Check the fields and create the game.";
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
    ["Clock", clock ? clock.words || `${clock.backend}, ${clock.up ? "connected" : "disconnected"}${clock.ppm === null ? "" : `, ${clock.ppm.toFixed(1)} ppm`}${clock.supply_mv === null ? "" : `, ${(clock.supply_mv / 1000).toFixed(2)} V`}${clock.garbled ? `, ${clock.garbled} garbled frames` : ""}` : "none", !clock || (clock.up && !clock.words)],
    ["Lights", lights.lost || `${lights.backend}, ${lights.frames} frames, ${lights.current_ma} mA`, !lights.lost],
    ...told.media.map((one) => [one.medium === "record" ? "Record" : "Mirror", one.words || `OK${one.medium === "record" && told.disk_free_mb !== null ? `, ${(told.disk_free_mb / 1024).toFixed(told.disk_free_mb < 10240 ? 1 : 0)} GB free` : ""}`, one.storage === "ok"]),
    ["Journal", told.journal || "none", true],
    ["Faults", told.faults.map((one) => `${one.code.replaceAll("_", " ")} ${one.square}`).join(", ") || "none", !told.faults.length],
    ...(told.feed ? [["Feed", told.feed, false]] : []),
    ["Pages", Object.entries(told.pages).map(([name, number]) => `${name} ${number}`).join(", "), true],
    ["Rejected", `${told.refused} requests since startup`, true],
    ["Daemon", `version ${told.version}, up ${Math.floor(told.uptime_s / 60)} min, ${told.rss_mb} MB`, true],
  ];
}

const users = h("form", { class: "body stack", onsubmit: async (event) => {
  event.preventDefault();
  const roles = ["referee", "operator"].filter((role) => users.elements[role].checked);
  const answer = await post("/api/users", { name: users.elements.name.value.trim(), pin: users.elements.pin.value, roles }, SLOW_MS);
  added.textContent = answer.ok ? "Added. Sign in with that name from now on." : answer.error;
  if (answer.ok) users.reset();
} }, h("div", { class: "fields" }, field("name", "Name", { required: true, autocomplete: "username" }), h("label", null, "PIN, at least 6 characters", h("input", { name: "pin", type: "password", required: true, minlength: 6, autocomplete: "new-password" }))),
h("div", { class: "row" }, ["referee", "operator"].map((role) => h("label", { class: "check" }, h("input", { type: "checkbox", name: role, checked: role === "referee" }), role))), h("button", { type: "submit" }, "Add"));
const added = h("p", { class: "said", role: "status" });
users.append(added);

const panel = (title, body, broad = false) => h("section", { class: `panel${broad ? " broad" : ""}`, "aria-label": title }, h("header", null, h("h2", null, title)), body);
const recordsHost = h("div", { class: "body stack" });
$("#main").append(h("h1", { class: "visually-hidden" }, "Operator"), h("div", { class: "operator" },
  h("div", { class: "stack" }, h("div", { class: "panel" }, h("div", { class: "body" }, now)), panel("New game", form)),
  h("div", { class: "stack" }, panel("Three-move ballot", h("div", { class: "body stack" }, drawn, h("p", { class: "quiet" }, h("small", null, "Recorded with its seed; used for the next game.")), h("div", { class: "row" }, h("button", { type: "button", onclick: draw }, "Draw opening"), h("button", { type: "button", onclick: () => { ballot = []; drawn.textContent = "–"; } }, "Clear")))), panel("Match card", matchPanel), panel("Inspection", inspector)),
  h("div", { class: "stack" }, panel("Equipment", h("div", { class: "body" }, health)), who.roles.includes("operator") ? panel("Users", users) : null),
  panel("Records", recordsHost, true)));
makeRecords(recordsHost);
let result = "";
const state = follow("referee", () => {
  const { card } = state;
  showChecks(card.code);
  show(now, [card, state.moves.length], () => [
    h("div", { class: "spread" }, h("strong", null, STATES[card.state]), h("span", { class: "quiet" }, `${state.moves.length} ${state.moves.length === 1 ? "move" : "moves"}`)),
    h("p", null, card.made ? `${nameOf(card, "red")} – ${nameOf(card, "white")}, ${CODES[card.code]}, clock ${card.control}` : "No game yet."),
    card.ballot.length ? h("p", { class: "num" }, `Ballot ${card.ballot.join(" ")}`) : null,
    card.result ? h("p", null, h("span", { class: "chip good" }, resultText(card))) : null,
  ]);
  const word = JSON.stringify(card.result);
  if (word !== result) { result = word; showMatch(); }
}, linked);
look();
setInterval(look, 2000);
