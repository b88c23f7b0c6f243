// Findings as cards: the facts first, then the rule, then what is proposed.
import { h, s } from "/static/js/dom.js";
import { RULINGS, ms, sideName } from "/static/js/words.js";

const WHAT = {
  lift: "lifted", place: "put down", press: "clock pressed by", clock: "clock starts for", jump_time: "jump time begins for", time_called: "time called for",
};

/** What a ruling is called on a finding's button and question. */
export function rulingName(one, verb) {
  if (verb === "forfeit" && one.side) return `${sideName(one.side)} forfeits`;
  if (verb === "caution" && one.side) return `${RULINGS[verb]} ${sideName(one.side)}`;
  return verb === "restore" && one.proposal === "must_play" && one.square ? `${RULINGS[verb]} – must play ${one.square}` : RULINGS[verb];
}

export function card(one, rule, { chosen = false, opened = false } = {}) {
  const names = [
    h("span", { class: "chip num" }, `#${one.number}`),
    h("h3", null, one.title),
    one.square ? h("span", { class: "chip" }, `square ${one.square}`) : null,
    one.side ? h("span", { class: `side ${one.side}` }, sideName(one.side)) : h("span", { class: "chip" }, "player unknown"),
    h("span", { class: "chip" }, one.rule),
  ];
  if (!one.open) {
    const end = `${RULINGS[one.ruling] ?? one.ruling}${one.reason ? `: ${one.reason}` : ""}`;
    return h("details", { class: "panel finding", data: { open: "false", number: one.number }, open: opened },
      h("summary", null, names, h("span", { class: "chip good" }, end)),
      h("div", { class: "body" }, evidence(one), ruleText(one)));
  }
  return h("article", { class: `panel finding${chosen ? " chosen" : ""}`, data: { open: "true", number: one.number }, tabindex: -1, "aria-label": `Finding ${one.number}, ${one.title}` },
    h("div", { class: "head" }, names),
    h("div", { class: "body" },
      evidence(one), ruleText(one),
      h("p", { class: "proposal" }, h("strong", null, one.proposal ? "Suggested. " : ""), one.why),
      h("div", { class: "buttons" }, one.rulings.map((verb, index) =>
        h("button", { type: "button", class: `${index === 0 && one.proposal ? "primary" : ""}${verb === "forfeit" || verb === "draw" ? " danger" : ""}`, data: { verb }, onclick: () => rule(one, verb) },
          rulingName(one, verb))))));
}

function ruleText(one) {
  return h("p", { class: "rule" }, h("b", null, one.rule), ` – ${one.says}`);
}

function evidence(one) {
  const health = one.suspect.length
    ? h("p", null, h("span", { class: "chip warn" }, `Suspect sensors: ${one.suspect.join(", ")}`))
    : h("p", { class: "quiet" }, h("small", null, `Sensors OK.${one.released_by === "dwell" ? " No press: the player may still have been holding the piece." : ""}`));
  return [
    one.facts.length ? timeline(one) : null,
    one.facts.length ? h("ol", { class: "facts", "aria-label": "Facts in order" }, one.facts.map(fact), found(one)) : h("p", { class: "quiet" }, "No contact belongs to this finding."),
    health,
  ];
}

function found(one) {
  const by = one.released_by ? ` (released by ${one.released_by})` : "";
  return h("li", null, h("span", { class: "at" }, `+${ms(one.seen_ms)}`), h("span", null, h("span", { class: "what" }, "found"), ` ${one.title.toLowerCase()}${by}`));
}

function fact(one) {
  const where = one.square ? ` ${one.square}` : one.side ? ` ${sideName(one.side)}` : "";
  const held = one.held_ms === null ? "" : one.what === "place" ? `empty for ${ms(one.held_ms)}` : one.what === "lift" ? `had stood ${ms(one.held_ms)}` : "";
  return h("li", null, h("span", { class: "at" }, `+${ms(one.ms)}`), h("span", null, h("span", { class: "what" }, `${WHAT[one.what] ?? one.what}${where}`), held ? h("span", { class: "quiet" }, `, ${held}`) : null));
}

/** One lane a square: a thick line while a piece stands there; presses and the finding as upright lines. */
function timeline(one) {
  const lanes = [...new Set(one.facts.filter((fact) => fact.square).map((fact) => fact.square))].slice(0, 8);
  const end = Math.max(one.seen_ms, ...one.facts.map((fact) => fact.ms), 1);
  const [from, to, top, step] = [34, 392, 12, 22];
  const x = (at) => from + ((to - from) * at) / end;
  const bottom = top + Math.max(1, lanes.length) * step;
  const parts = lanes.flatMap((square, index) => {
    const y = top + index * step + step / 2;
    const facts = one.facts.filter((fact) => fact.square === square);
    const drawn = [s("text", { class: "lane", x: from - 8, y: y + 4, "text-anchor": "end" }, square), s("line", { class: "base", x1: from, x2: to, y1: y, y2: y })];
    let since = facts[0].what === "lift" ? 0 : null;
    for (const fact of facts) {
      if (fact.what === "lift" && since !== null) {
        drawn.push(s("line", { class: "stands", x1: x(since) - (since === 0 ? 6 : 0), x2: x(fact.ms), y1: y, y2: y }));
        since = null;
      } else if (fact.what === "place") since = fact.ms;
    }
    if (since !== null) drawn.push(s("line", { class: "stands", x1: x(since), x2: to, y1: y, y2: y }));
    return drawn;
  });
  for (const fact of one.facts.filter((fact) => fact.what === "press")) parts.push(s("line", { class: "press", x1: x(fact.ms), x2: x(fact.ms), y1: top - 4, y2: bottom + 4 }));
  parts.push(
    s("line", { class: "found", x1: x(one.seen_ms), x2: x(one.seen_ms), y1: top - 8, y2: bottom + 4 }),
    s("text", { x: from, y: bottom + 18 }, "0 ms"),
    s("text", { x: to, y: bottom + 18, "text-anchor": "end" }, ms(end)),
  );
  return s("svg", { class: "timeline", viewBox: `0 0 400 ${bottom + 22}`, role: "img", "aria-label": `Time line of ${one.facts.length} facts over ${ms(end)}` }, parts);
}
