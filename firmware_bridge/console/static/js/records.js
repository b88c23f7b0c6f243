// Records: a list to search, and one game to replay move by move with its findings.
import { h, $, show } from "/static/js/dom.js";
import { get } from "/static/js/api.js";
import { makeBoard } from "/static/js/board.js";
import { sideName } from "/static/js/words.js";

export function makeRecords(host) {
  const search = h("input", { type: "search", placeholder: "Player or event", "aria-label": "Search the records", oninput: () => { clearTimeout(timer); timer = setTimeout(list, 250); } });
  const found = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Records" });
  const one = h("div");
  let timer = 0;
  host.append(h("div", { class: "row" }, search, h("button", { type: "button", onclick: list }, "Look again")), found, one);

  async function list() {
    const games = await get(`/api/records?text=${encodeURIComponent(search.value)}`).catch((error) => error);
    if (games instanceof Error) return found.replaceChildren(h("p", { class: "error" }, games.message));
    show(found, games, () => games.length ? h("table", null,
      h("thead", null, h("tr", null, ["Begun", "Red", "White", "Event", "Result", "Moves", "Findings", "Record"].map((title) => h("th", { scope: "col" }, title)))),
      h("tbody", null, games.map((game) => h("tr", null,
        h("td", null, game.wall.slice(0, 16).replace("T", " ")), h("td", null, game.red || "–"), h("td", null, game.white || "–"), h("td", null, [game.event, game.round].filter(Boolean).join(", ") || "–"),
        h("td", null, game.result ? `${game.result} (${game.reason})` : game.state), h("td", null, game.moves), h("td", null, game.incidents),
        h("td", null, game.damage ? h("span", { class: "chip danger" }, "damaged") : null, " ", h("button", { class: "small", type: "button", onclick: () => open(game.file) }, "Replay")))))) : h("p", { class: "empty" }, "No records yet."));
  }

  async function open(file) {
    const told = await get(`/api/records/${encodeURIComponent(file)}/replay`).catch((error) => error);
    if (told instanceof Error) return one.replaceChildren(h("p", { class: "error" }, told.message));
    let at = 0;
    const boardHost = h("div");
    const steps = h("div", { class: "steps" });
    const remarks = h("ul", { class: "said-list", "aria-live": "polite" });
    const base = `/api/records/${encodeURIComponent(file)}`;
    one.replaceChildren(h("section", { class: "replay", "aria-label": "Replay" }, boardHost, h("div", { class: "stack" },
      h("h3", null, told.card ? `${told.card.red || "Red"} – ${told.card.white || "White"}` : "No game", told.result ? `, ${told.result.winner === "draw" ? "draw" : `${told.result.winner} wins`}: ${told.result.reason}` : ""),
      h("div", { class: "row" }, h("button", { type: "button", onclick: () => go(at - 1), "aria-label": "Step back" }, "◀"), h("button", { type: "button", onclick: () => go(at + 1), "aria-label": "Step forward" }, "▶"),
        h("a", { class: "button", href: `${base}/game.pdn` }, "PDN"), h("a", { class: "button", href: `${base}/dossier.txt` }, "Dossier"), h("a", { class: "button", href: `${base}/dossier.json` }, "Dossier as JSON")),
      steps, remarks, h("p", { class: "quiet mono" }, h("small", null, `${told.chain.lines} lines, ${told.chain.whole ? "whole" : "NOT WHOLE"}, head ${told.chain.head.slice(0, 16)}…`)))));
    const board = makeBoard(boardHost);
    function go(step) {
      at = Math.max(0, Math.min(told.steps.length - 1, step));
      const now = told.steps[at];
      board.update({ pieces: now.pieces });
      steps.replaceChildren(...told.steps.map((one, index) => h("button", { type: "button", class: one.said.length ? "has-said" : "", "aria-pressed": String(index === at), onclick: () => go(index) }, index ? one.text : "start")));
      remarks.replaceChildren(...(now.said.length ? now.said.map((one) => h("li", { class: one.finding ? "is-finding" : "" }, one.text)) : [h("li", { class: "quiet" }, now.side ? `${sideName(now.side)} played ${now.text}: no notes.` : "Nothing was remarked.")]));
      $("[aria-pressed=true]", steps)?.scrollIntoView({ block: "nearest" });
    }
    go(0);
    one.scrollIntoView({ block: "nearest" });
  }
  list();
}
