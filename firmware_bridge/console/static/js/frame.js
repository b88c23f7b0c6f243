// What every page has: header, theme, the state of the line, clocks, moves.
import { $, h, show } from "/static/js/dom.js";
import { get, me, nowOf, post } from "/static/js/api.js";
import { duration, left, nameOf, sideName } from "/static/js/words.js";

const PAGES = [["referee", "Referee"], ["operator", "Operator"], ["bench", "Bench"], ["players", "Players"], ["public", "Public"]];

function theme() {
  const kept = localStorage.getItem("theme");
  if (kept) document.documentElement.dataset.theme = kept;
}
theme();

function turnTheme() {
  const dark = document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "light" : "dark";
  localStorage.setItem("theme", document.documentElement.dataset.theme);
}

/** Draw the header; returns who is here and what shows whether the line is up. */
export async function header(page, extras = []) {
  const who = await me();
  const allowed = PAGES.filter(([name]) => (name === "bench" ? who.bench && who.user : who.user || name === "players" || name === "public"));
  let since = "";
  let wasUp = false;
  const state = h("span", { class: "link-state", role: "status" }, "connecting");
  const end = h(
    "div", { class: "end" }, state, extras,
    h("button", { class: "plain small", type: "button", onclick: turnTheme, title: "Light or dark", "aria-label": "Light or dark" }, "◐"),
    who.user
      ? h("button", { class: "plain small", type: "button", onclick: async () => { await post("/api/logout", {}); location.assign("/"); } }, "Sign out", h("span", { class: "wide-only" }, who.user))
      : h("a", { class: "button small", href: `/login?to=/${page}` }, "Sign in"),
  );
  document.body.prepend(
    h(
      "header", { class: "top" },
      h("a", { class: "brand", href: "/", "aria-label": "Crownhead, all pages" }, h("img", { src: "/static/icon.svg", alt: "" }), h("span", null, "Crownhead")),
      h("nav", { "aria-label": "Pages" }, allowed.map(([name, title]) => h("a", { href: `/${name}`, "aria-current": name === page ? "page" : null }, title))),
      end,
    ),
  );
  const lost = h("p", { class: "alert danger line-lost", role: "alert", hidden: true });
  $("header.top").after(lost);
  const linked = (up, refused = false) => {
    const word = up ? "up" : refused ? "refused" : "lost";
    if (state.dataset.state === word) return;
    state.dataset.state = word;
    state.textContent = up ? "Live" : "Connection lost";
    document.body.classList.toggle("extrapolated", !up);
    if (up) { since = ""; wasUp = true; lost.hidden = true; return; }
    since ||= new Date().toLocaleTimeString("en-GB");
    lost.textContent = `${refused ? "The board accepts no more pages now" : "Connection lost"}, reconnecting since ${since}. ${wasUp ? "Last known position; clock times are estimates." : "Nothing received yet."}`;
    lost.hidden = false;
  };
  return { who, linked };
}

const plural = (number) => `${number} ${number === 1 ? "move" : "moves"}`;

/** Two clocks that run by themselves; returns what takes a new state. */
export function makeClocks(host, order = ["red", "white"]) {
  const parts = Object.fromEntries(
    order.map((side) => {
      const time = h("div", { class: "time", role: "timer", "aria-label": `${sideName(side)} clock` }, "–");
      const name = h("span", { class: `side ${side} name` });
      const count = h("span");
      const foot = h("span");
      const box = h("section", { class: "clock", "aria-label": sideName(side) }, h("div", { class: "who" }, name), time, h("div", { class: "foot" }, foot, count));
      return [side, { box, time, name, count, foot }];
    }),
  );
  host.append(...order.map((side) => parts[side].box));
  let state = null;
  function tick() {
    const main = state?.clock?.main;
    if (!main) return;
    const now = nowOf(state);
    for (const side of order) {
      const text = duration(left(main, side, now));
      if (parts[side].time.textContent !== text) parts[side].time.textContent = text;
    }
  }
  setInterval(tick, 100);
  return (fresh) => {
    state = fresh;
    const main = fresh.clock?.main;
    for (const side of order) {
      const { box, time, name, count, foot } = parts[side];
      name.textContent = nameOf(fresh.card, side);
      box.dataset.running = String(main?.running === side);
      box.dataset.flag = String(main?.flag === side);
      if (!main) time.textContent = "–";
      const turn = fresh.board?.turn === side && ["playing", "correcting"].includes(fresh.card?.state);
      show(count, [main?.[`${side}_moves`], turn], () => [main ? plural(main[`${side}_moves`]) : turn ? "to move" : ""]);
      const words = [];
      if (main?.flag === side) words.push("Time is up");
      else if (main?.hold === side) words.push(`Crown due on ${main.hold_square}`);
      else if (main?.running === side) words.push("running");
      foot.textContent = words.join(" ");
    }
    tick();
  };
}

/** The moves as pairs. */
export function showMoves(host, moves) {
  show(host, moves, () => {
    const items = [];
    let number = 0;
    let row = null;
    for (const [index, move] of moves.entries()) {
      const latest = index === moves.length - 1 ? "latest" : "";
      if (move.set_up) {
        row = null;
        items.push(h("li", null, h("span", { class: "n" }, "·"), h("span", { class: `set-up ${latest}` }, "position set")));
        continue;
      }
      const text = `${move.text}${move.crowns ? " ♛" : ""}`;
      if (row === null || move.side === "red") {
        number += 1;
        row = h("li", null, h("span", { class: "n" }, `${number}.`));
        if (move.side === "white") row.append(h("span", { class: "quiet" }, "…"));
        items.push(row);
      }
      row.append(h("span", { class: latest }, text));
      if (move.side === "white") row = null;
    }
    if (row) row.append(h("span"));
    return items;
  });
  if (host.dataset.count !== String(moves.length)) {
    host.dataset.count = String(moves.length);
    host.scrollTop = host.scrollHeight;
  }
}

export { get };
