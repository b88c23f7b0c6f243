// Every command of the referee, as a button with its question.
import { h } from "/static/js/dom.js";
import { post } from "/static/js/api.js";
import { ask } from "/static/js/ask.js";
import { rulingName } from "/static/js/findings.js";
import { REASONS, RULINGS, duration, left, other, resultText, sideName, whom } from "/static/js/words.js";
import { nowOf } from "/static/js/api.js";

const NOBODY_YET = ["", "choose …"];
const reason = (list = []) => ({ name: "reason", label: "Reason", hint: "for the record", list });
const rule = (value = "") => ({ name: "rule", label: "Rule", value, required: true, hint: "ACF 14", list: ["ACF 13", "ACF 14", "ACF 15", "ACF 16", "APCA 29", "APCA 30", "APCA 31"] });
const square = { name: "square", label: "Square", required: true, hint: "1-32" };

const suspect = (state) => state.truth?.faults.find((one) => one.code === "sensor_suspect")?.square ?? "";

const send = (verb, more = {}) => (values) => post("/api/command", { do: "referee", verb, ...more, ...clean(values) });
const clean = (values) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));

/** Ask for a ruling on a finding. */
export function ruleOn(state, one, verb) {
  const code = state.card.code === "pool" ? "APCA" : "ACF";
  const about = `#${one.number} ${one.title}${one.square ? ` on ${one.square}` : ""} (${one.rule})`;
  const more = { number: one.number, ...(one.side && (verb === "caution" || verb === "forfeit") ? { side: one.side } : {}) };
  const ends = { forfeit: () => loses(state.card, one.side), draw: () => drawn(state.card) }[verb] ?? null;
  ask({
    title: rulingName(one, verb),
    text: about, fields: [reason([`As suggested, ${one.rule}`, "“I adjust” was heard", "No violation was seen", `${code} official's discretion`])],
    action: RULINGS[verb], danger: ends !== null, ends, run: send(verb, more),
  });
}

const loses = (card, side) => `This ends the game: ${whom(card, side)} loses; ${whom(card, other(side))} wins.`;
const drawn = (card) => `This ends the game: a draw between ${whom(card, "red")} and ${whom(card, "white")}.`;

function changed(card, { winner, result }) {
  const what = winner === "draw" ? `a draw between ${whom(card, "red")} and ${whom(card, "white")}` : `${whom(card, winner)} wins; ${whom(card, other(winner))} loses`;
  return `This changes the result of the game: ${what}, ${REASONS[result]}.`;
}

/** The commands by group: `[title, [[key, label, act, isDanger]]]`. */
export function commands(state) {
  const sides = ["red", "white"].map((one) => [one, whom(state.card, one)]);
  const side = (label = "Side") => ({ name: "side", label, kind: "choice", choices: [NOBODY_YET, ...sides], value: "", required: true });
  const plies = () => state.moves?.length ?? 0;
  const paused = () => ["paused", "recovering"].includes(state.card?.state);
  const shown = () => {
    const main = state.clock?.main;
    return main ? ["red", "white"].map((one) => `${sideName(one)} ${duration(left(main, one, nowOf(state)))}`).join(", ") : "There is no clock.";
  };
  const open = (title, text, fields, action, verb, more = {}, ends = null) => () =>
    ask({ title, text: typeof text === "function" ? text() : text, fields: typeof fields === "function" ? fields() : fields, action, danger: ends !== null, ends, run: (values) => send(verb, typeof more === "function" ? more() : more)(values) });
  return [
    ["Play", [
      ["p", paused() ? "Resume" : "Pause", paused()
        ? open("Resume play", "Play and clocks continue.", [reason()], "Resume", "resume")
        : open("Pause play", "Both clocks stop.", [reason(["Disturbance in the hall", "Equipment", "Dispute"])], "Pause", "pause")],
      ["u", "Undo", open("Take moves back", () => `The game has ${plies()} ${plies() === 1 ? "move" : "moves"}. Then put the pieces back.`, [{ name: "number", label: "How many", kind: "number", value: 1, required: true }, reason()], "Take back", "undo", () => ({ ply: plies() }))],
      ["", "Set position", open("Set the position", "This becomes the position. The lights lead the players to it.", () => [{ name: "fen", label: "Position (FEN)", value: state.board?.fen ?? "", required: true }, reason()], "Set", "position", () => ({ ply: plies() }))],
      ["o", "Pieces verified", open("Pieces verified", "I checked: every piece is the right color and on its square. A sensor that still disagrees is not used.", [reason()], "Verified", "ok")],
    ]],
    ["Board", [
      ["", "Confirm crowning", open("Confirm crowning", "The man on this square has been crowned.", () => [{ ...square, value: state.truth?.crown_due?.[0] ?? "" }, reason()], "Confirm", "crowned")],
      ["", "Sensor is faulty", open("The sensor is faulty", "It does not show what stands on this square. It is not used: whatever the game needs fits it.", [square, reason(["Its reed is dead", "It sticks"])], "Faulty", "fault")],
      ["", "Sensor is sound", open("The sensor is sound", "It is used again.", () => [{ ...square, value: suspect(state) }, reason()], "Sound", "sound")],
      ["a", "“I adjust” was said", open("“I adjust” was said", "The touch is excused.", [side("Who said it"), { ...square, required: false, label: "Square, if known" }, reason()], "Excuse the touch", "adjust")],
    ]],
    ["Clock", [
      ["", "Set time", open("Set a clock", shown, [side(), { name: "time", label: "Time left", required: true, hint: "5min, 90s, 1h" }, reason()], "Set", "time")],
      ["", "Add or take time", open("Add or take time", shown, [side(), { name: "time", label: "How much", required: true, hint: "2min or -30s" }, reason()], "Change", "add")],
      ["", "Swap clock times", open("Swap clock times", shown, [reason()], "Swap", "swap")],
      ["", "Set move count", open("Set a move count", "How many moves a side has made on the clock. The times stay.", [side(), { name: "number", label: "Moves made", kind: "number", required: true }, reason()], "Set", "moves")],
      ["", "Use the clock unit's times", open("Use the clock unit's times", "After a power cut, before play is resumed: the times that the clock unit counted to while the board was off.", [reason()], "Use", "unit")],
      ["", "Put the game on clocks", open("Put the game on clocks", () => (state.card?.code === "pool" ? "20 minutes each to the end (APCA 9)." : "30 moves in an hour (ACF 4)."), [reason()], "Start clocks", "clocks")],
    ]],
    ["Conduct", [
      ["c", "Caution", open("Caution a side", "This closes the oldest open incident against that side, if there is one.", [side(), reason()], "Caution", "caution")],
      ["w", "Warn", open("Warn under a rule", "", [side(), rule(), reason()], "Warn", "warn")],
      ["n", "Note", open("Note for the record", "", [rule(), { name: "side", label: "Concerns", kind: "choice", choices: [["", "nobody"], ...sides], value: "" }, reason()], "Note", "note")],
      ["", "Left the board", open("A player left the board", "The clock of the player to move keeps running (ACF 13, APCA 30).", [side(), reason()], "Left the board", "leave")],
      ["", "Returned", open("A player returned", "", [side(), reason()], "Returned", "back")],
    ]],
    ["Counts and result", [
      ["", "Start draw count", open("Start the draw count", "", [{ name: "side", kind: "choice", label: "Weaker side", choices: [["", "by the pieces"], ...sides], value: "" }, reason()], "Start", "count")],
      ["x", "Draw", open("Declare a draw", "", [reason(["Agreed by both players"])], "Draw", "draw", {}, () => drawn(state.card)), true],
      ["f", "Forfeit", open("Forfeit", "That side loses the game.", [side("Who forfeits"), reason()], "Forfeit", "forfeit", {}, (values) => loses(state.card, values.side)), true],
      ["", "Change result", open("Change the result", "Possible after the game has ended, until the next one is created.", [
        { name: "winner", label: "Result", kind: "choice", choices: [NOBODY_YET, ...sides.map(([word, title]) => [word, `${title} wins`]), ["draw", "Draw"]], value: "", required: true },
        { name: "result", label: "Because of", kind: "choice", choices: Object.entries(REASONS), value: "forfeit" },
      ], "Change", "result", {}, (values) => changed(state.card, values)), true],
      ["", "Sign", open("Sign and close the game", "The board then waits for the next game.", [reason()], "Sign", "sign", {}, () => `This closes the game for good: ${resultText(state.card)}.`), true],
    ]],
  ];
}

/** The buttons of all commands. */
export function buttons(state) {
  return commands(state).map(([title, list]) =>
    h("div", { class: "group" }, h("h3", null, title), h("div", null, list.map(([key, label, act, danger]) =>
      h("button", { type: "button", class: `small${danger ? " danger" : ""}`, "aria-keyshortcuts": key || null, onclick: act }, label, key ? h("kbd", null, key) : null)))));
}
