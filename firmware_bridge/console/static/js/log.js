// The audit log: filter, search, scroll back.
import { h, show } from "/static/js/dom.js";
import { get } from "/static/js/api.js";
import { KINDS } from "/static/js/words.js";

export function makeLog(host) {
  const kinds = new Set(Object.keys(KINDS).filter((kind) => kind !== "state" && kind !== "access"));
  const older = [];
  let lines = [];
  const list = h("ol", { class: "log", tabindex: 0, "aria-label": "Audit log, newest first" });
  const more = h("button", { class: "plain small", type: "button", onclick: fetchOlder }, "Older lines");
  const search = h("input", { type: "search", placeholder: "Search the log", "aria-label": "Search the log", oninput: draw });
  const filters = h("div", { class: "filters", role: "group", "aria-label": "Kinds of lines" }, Object.entries(KINDS).map(([kind, title]) =>
    h("button", { class: "small", type: "button", "aria-pressed": String(kinds.has(kind)), onclick: (event) => {
      if (!kinds.delete(kind)) kinds.add(kind);
      event.currentTarget.setAttribute("aria-pressed", String(kinds.has(kind)));
      draw();
    } }, title)));
  host.append(h("div", { class: "log-tools" }, search, filters), list, more);

  async function fetchOlder() {
    const first = (older[0] ?? lines[0])?.number ?? 1;
    const found = first > 1 ? await get(`/api/log?before=${first}`) : [];
    older.unshift(...found);
    if (!found.length) more.disabled = true;
    draw();
  }
  function draw() {
    const word = search.value.trim().toLowerCase();
    const wanted = [...older, ...lines].filter((line) => kinds.has(line.kind) && (!word || `${line.text} ${line.square} ${line.side} ${line.code} ${line.kind}`.toLowerCase().includes(word)));
    show(list, [wanted.length, wanted.at(-1)?.number, wanted[0]?.number], () => wanted.length
      ? wanted.slice(-500).reverse().map((line) => h("li", { data: { kind: line.kind, number: line.number } },
        h("span", { class: "when" }, h("time", { datetime: line.wall }, new Date(line.wall).toLocaleTimeString("en-GB"))),
        h("span", { class: "kind" }, KINDS[line.kind]?.replace(/s$/, "") ?? line.kind),
        h("span", { class: "text" }, line.square ? h("span", { class: "square" }, `${line.square} `) : null, line.text)))
      : [h("li", { class: "quiet" }, "Nothing of the kind.")]);
  }
  return { search, update: (all) => { lines = all; draw(); } };
}
