// The line to the daemon: who I am, commands up, state down.
import { MOST_LINES, SILENCE_MS, openLine } from "/static/js/line.js";

const COMMAND_MS = 5000;
const READ_MS = 20000;
let mine = null;
let daemonOffset = 0;

export async function me() {
  if (!mine) {
    mine = await (await fetch("/api/me", { cache: "no-store", signal: AbortSignal.timeout(COMMAND_MS) })).json();
    daemonOffset = mine.now_ms - performance.now();
  }
  return mine;
}

export async function get(path) {
  const answer = await fetch(path, { cache: "no-store", signal: AbortSignal.timeout(READ_MS) }).catch(() => null);
  if (!answer) throw new Error("The board does not answer: try again.");
  if (answer.status === 401) toLogin();
  const found = await answer.json();
  if (!answer.ok) throw new Error(found.error ?? `rejected (${answer.status})`);
  return found;
}

/**
 * Send a command. Resolves to `{ok}`, or `{error}` in words, `{confirm: true}` if it must be said twice, and
 * `{unanswered: true}` if nothing came back in `limit` milliseconds. What the page has given up is not carried out
 * any more: the daemon is told until when.
 */
export async function post(path, body, limit = COMMAND_MS) {
  const asked = performance.now();
  const signal = AbortSignal.timeout(limit);
  const isEntry = path === "/api/login" || path === "/api/logout";
  try {
    const { csrf } = await me();
    const headers = { "content-type": "application/json", "x-crownhead-csrf": csrf };
    if (!isEntry) headers["x-crownhead-deadline"] = String(Math.floor(asked + limit + daemonOffset));
    const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body), signal });
    if (answer.status === 401 && path !== "/api/login") toLogin();
    const told = await answer.json().catch((error) => { if (signal.aborted) throw error; return {}; });
    return answer.ok ? { ok: true, ...told } : { error: told.error ?? `rejected (${answer.status})`, confirm: told.confirm === true, status: answer.status };
  } catch {
    const what = performance.now() - asked >= limit ? `No answer in ${limit / 1000} s` : "The board cannot be reached";
    return { error: `${what}. The command was not carried out.`, unanswered: true };
  }
}

export function toLogin() {
  location.assign(`/login?to=${encodeURIComponent(location.pathname)}`);
}

const isShared = "SharedWorker" in globalThis;

/** `openLine` by the worker that all pages of this browser share. */
function joinLine(audience, tell) {
  const worker = new SharedWorker("/static/js/shared.js", { type: "module", name: "lines" });
  const { port } = worker;
  let close = () => { port.postMessage({ leave: true }); port.close(); };
  port.onmessage = ({ data }) => tell(data);
  port.postMessage({ join: audience });
  // A browser of some years ago knows no modules there.
  worker.onerror = () => { close = openLine(audience, tell); };
  return () => close();
}

/** Follow an audience's state. `changed(state, fresh)` after each message, `linked(isUp)` as the line comes and goes. */
export function follow(audience, changed, linked) {
  const state = { log: [], offset: 0, measured: -Infinity };
  let heard = performance.now();
  let close = null;
  const measure = (now, whole) => {
    heard = performance.now();
    const offset = now - heard;
    // The message that was fastest on its way tells the time best.
    if (!whole && offset <= state.offset && heard - state.measured <= 30000) return;
    state.offset = offset;
    // What the public sees is later by its delay.
    if (audience !== "public") daemonOffset = offset;
    state.measured = heard;
  };
  const hear = {
    told: ({ told }) => {
      measure(told.now, told.whole);
      linked(true);
      if (told.whole) state.log = [];
      if (told.log.length) state.log = state.log.concat(told.log).slice(-MOST_LINES);
      const { log, now, whole, ...sections } = told;
      Object.assign(state, sections);
      changed(state, { ...told, first: whole });
    },
    beat: ({ now }) => { measure(now, false); linked(true); },
    lost: async ({ refused }) => {
      linked(false, refused);
      if (!refused) return;
      mine = null;
      const who = await me().catch(() => null);
      if (who && !who.user && (audience === "referee" || audience === "bench")) toLogin();
    },
  };
  const open = () => { close = (isShared ? joinLine : openLine)(audience, (said) => hear[said.is](said)); };
  open();
  setInterval(() => { if (performance.now() - heard > SILENCE_MS) linked(false); }, 1000);
  // A page that is left keeps no line, and no page that nobody sees where each needs one of its own: browsers
  // allow only six to one board.
  addEventListener("pagehide", () => close());
  addEventListener("pageshow", (event) => { if (event.persisted) open(); });
  if (!isShared) document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  return state;
}

/** The daemon's time in milliseconds, by the last messages. */
export const nowOf = (state) => performance.now() + state.offset;
