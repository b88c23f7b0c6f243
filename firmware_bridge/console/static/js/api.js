// The line to the daemon: who I am, commands up, state down.
import { SILENCE_MS, openLine } from "/static/js/line.js";

let mine = null;

export async function me() {
  mine ??= await (await fetch("/api/me", { cache: "no-store" })).json();
  return mine;
}

export async function get(path) {
  const answer = await fetch(path, { cache: "no-store" });
  if (answer.status === 401) toLogin();
  const found = await answer.json();
  if (!answer.ok) throw new Error(found.error ?? `refused (${answer.status})`);
  return found;
}

/** Send a command. Resolves to `{ok}`, or `{error}` in words, `{confirm: true}` if it must be said twice. */
export async function post(path, body) {
  const { csrf } = await me();
  let answer;
  try {
    answer = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json", "x-crownhead-csrf": csrf },
      body: JSON.stringify(body),
    });
  } catch {
    return { error: "The board cannot be reached: nothing was done." };
  }
  if (answer.status === 401 && path !== "/api/login") toLogin();
  const told = await answer.json().catch(() => ({}));
  return answer.ok ? { ok: true, ...told } : { error: told.error ?? `refused (${answer.status})`, confirm: told.confirm === true, status: answer.status };
}

export function toLogin() {
  location.assign(`/login?to=${encodeURIComponent(location.pathname)}`);
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
    state.measured = heard;
  };
  const hear = {
    told: ({ told }) => {
      measure(told.now, told.whole);
      linked(true);
      if (told.whole) state.log = [];
      if (told.log.length) state.log = state.log.concat(told.log).slice(-4000);
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
  const open = () => { close = openLine(audience, (said) => hear[said.is](said)); };
  open();
  setInterval(() => { if (performance.now() - heard > SILENCE_MS) linked(false); }, 1000);
  // A page that is left keeps no line: browsers allow only six to one board.
  addEventListener("pagehide", () => close());
  addEventListener("pageshow", (event) => { if (event.persisted) open(); });
  return state;
}

/** The daemon's time in milliseconds, by the last messages. */
export const nowOf = (state) => performance.now() + state.offset;
