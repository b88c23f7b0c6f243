// The audit log: filter, search, scroll back.
import { h, show } from "/static/js/dom.js";
import { get } from "/static/js/api.js";
import { KINDS } from "/static/js/words.js";

const PAGE = 500;

export function makeLog(host) {
  const kinds = new Set(Object.keys(KINDS).filter((kind) => kind !== "state" && kind !== "access"));
  let older = [];
  let lines = [];
  let most = PAGE;
  let isAll = false;
  const list = h("ol", { class: "log", tabindex: 0, "aria-label": "Audit log, newest first" });
  const more = h("button", { class: "plain small", type: "button", onclick: fetchOlder }, "Older lines");
  const rest = h("p", { class: "quiet", hidden: true }, h("small", null, "Earlier lines are in the record."));
  const search = h("input", { type: "search", placeholder: "Search the log", "aria-label": "Search the log", oninput: draw });
  const filters = h("div", { class: "filters", role: "group", "aria-label": "Kinds of lines" }, Object.entries(KINDS).map(([kind, title]) =>
    h("button", { class: "small", type: "button", "aria-pressed": String(kinds.has(kind)), onclick: (event) => {
      if (!kinds.delete(kind)) kinds.add(kind);
      event.currentTarget.setAttribute("aria-pressed", String(kinds.has(kind)));
      draw();
    } }, title)));
  host.append(h("div", { class: "log-tools" }, search, filters), list, more, rest);

  /** One page more of what is wanted: of what is here, or fetched until there is enough or no more. */
  async function fetchOlder() {
    most += PAGE;
    more.disabled = true;
    while (!isAll && wanted().length < most) {
      const first = (older[0] ?? lines[0])?.number ?? 1;
      const found = first > 1 ? await get(`/api/log?before=${first}`).catch(() => null) : [];
      // The log may have begun anew meanwhile: what no longer fits is left.
      if (!found || (found.length && found.at(-1).number !== first - 1)) break;
      isAll = !found.length;
      older = found.concat(older);
    }
    more.disabled = false;
    draw();
  }
  function wanted() {
    const word = search.value.trim().toLowerCase();
    return [...older, ...lines].filter((line) => kinds.has(line.kind) && (!word || `${line.text} ${line.square} ${line.side} ${line.code} ${line.kind}`.toLowerCase().includes(word)));
  }
  function draw() {
    const found = wanted();
    const first = (older[0] ?? lines[0])?.number ?? 1;
    more.hidden = (isAll || first === 1) && found.length <= most;
    rest.hidden = !isAll || first === 1;
    show(list, [found.length, found.at(-1), found[0], most], () => found.length
      ? found.slice(-most).reverse().map((line) => h("li", { data: { kind: line.kind, number: line.number } },
        h("span", { class: "when" }, h("time", { datetime: line.wall }, new Date(line.wall).toLocaleTimeString("en-GB"))),
        h("span", { class: "kind" }, KINDS[line.kind]?.replace(/s$/, "") ?? line.kind),
        h("span", { class: "text" }, line.square ? h("span", { class: "square" }, `${line.square} `) : null, line.text)))
      : [h("li", { class: "quiet" }, "Nothing found.")]);
  }
  /** `all` is the newest lines; older ones that were fetched are kept as long as no line between is missing. */
  function update(all, isWhole) {
    if (isWhole || (older.length && older.at(-1).number + 1 !== all[0]?.number)) {
      older = [];
      isAll = false;
    }
    lines = all;
    draw();
  }
  return { search, update };
}
