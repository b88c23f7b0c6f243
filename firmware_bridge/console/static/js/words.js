// The words for what the daemon tells by code.

export const STATES = {
  idle: "No game", setup: "Setting up", ready: "Ready to begin", playing: "In play",
  correcting: "Put the board right", paused: "Paused", recovering: "Power was lost – checking the board", finished: "Finished",
};
export const REASONS = {
  captured_all: "all pieces captured", blocked: "blocked", time: "on time", resigned: "by resignation",
  agreed: "by agreement", forfeit: "by forfeit", claim: "by claim", acf40: "40 moves (ACF 12)",
  pool38: "38 moves (APCA 27)", pool13: "13 moves (APCA 28)",
};
export const CODES = { acf: "ACF, straight checkers", pool: "APCA, pool checkers" };
export const RULINGS = {
  restore: "Take it back", stand: "Let it stand", dismiss: "No violation", caution: "Caution", forfeit: "Forfeit",
  draw: "Declare a draw", withdrawn: "Withdrawn", position: "Position set",
};
export const SCENES = {
  fault: ["#e35be3", "×", "sensor out of use"], illegal: ["#ff4a3d", "▲", "must not stand here"],
  return: ["#5b9bff", "◆", "belongs here"], crown: ["#ffcc33", "♛", "crown this piece"],
  remove: ["#ffa21f", "–", "captured, take it off"], must: ["#ffffff", "!", "play this piece"],
  setup: ["#5b9bff", "+", "man missing"], assist: ["#69d28b", "·", "legal landing"],
};
export const KINDS = {
  move: "Moves", finding: "Findings", ruling: "Rulings", command: "Commands", note: "Notes",
  fault: "Faults", state: "State", access: "Access",
};

export const sideName = (side) => (side === "red" ? "Red" : side === "white" ? "White" : "Player unknown");
export const nameOf = (card, side) => card?.[side] || sideName(side);

export const other = (side) => (side === "red" ? "white" : "red");
/** `Red (Ann)`: the color says which side, the name whom it concerns. */
export const whom = (card, side) => `${sideName(side)}${card?.[side] ? ` (${card[side]})` : ""}`;

export function resultText(card) {
  if (!card?.result) return "";
  const { winner, reason } = card.result;
  const why = REASONS[reason] ?? reason.replaceAll("_", " ");
  return winner === "draw" ? `Draw, ${why}` : `${nameOf(card, winner)} wins, ${why}`;
}

export const ms = (value) => `${value.toLocaleString("en-US")} ms`;

export function duration(total) {
  if (total < 20000) return `0:${(Math.floor(total / 100) / 10).toFixed(1).padStart(4, "0")}`;
  const seconds = Math.floor(total / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const tail = `${String(minutes).padStart(hours ? 2 : 1, "0")}:${String(seconds % 60).padStart(2, "0")}`;
  return hours ? `${hours}:${tail}` : tail;
}

/** `15 minutes`, or `90 seconds` where they make no whole minutes. */
export function span(seconds) {
  const [number, unit] = seconds % 60 ? [seconds, "second"] : [seconds / 60, "minute"];
  return `${number} ${unit}${number === 1 ? "" : "s"}`;
}

/** Minutes and whole seconds. */
export const whole = (total) => `${Math.floor(total / 60000)}:${String(Math.floor(total / 1000) % 60).padStart(2, "0")}`;

/** What `side` has left now. */
export function left(main, side, now) {
  const kept = main[`${side}_ms`];
  if (main.running !== side) return kept;
  return Math.max(0, kept - Math.max(0, now - main.as_of_ms - main.free_ms));
}
