// The board as a drawing: squares once, pieces and marks whenever the state changes.
import { h, s } from "/static/js/dom.js";
import { SCENES, sideName } from "/static/js/words.js";

const CROWN = "M-24 20V-12l13 11L0 -20l11 19 13-11v32z";

/** `11` or `L4` -> row and column as white sees them. */
export function placeOf(name) {
  const light = name.startsWith("L");
  const number = Number(light ? name.slice(1) : name) - 1;
  const row = Math.floor(number / 4);
  const first = (row % 2 === 0) === light ? 0 : 1;
  return { row, column: 2 * (number % 4) + first, light };
}

export function nameAt(row, column) {
  const light = (row + column) % 2 === 0;
  return `${light ? "L" : ""}${row * 4 + Math.floor(column / 2) + 1}`;
}

export function pieceAt(kind, x, y, extra = "") {
  const parts = [
    s("circle", { class: "disc", r: 36 }),
    s("circle", { class: "ring", r: 27 }),
    s("circle", { class: "inner", r: 18 }),
  ];
  if (kind[1] === "k") parts.push(s("path", { class: "crown", d: CROWN }));
  return s("g", { class: `piece ${kind[0]} ${kind[1] === "k" ? "king" : "man"} ${extra}`, transform: `translate(${x} ${y})` }, parts);
}

export function makeBoard(host, { label = "Board", hands = false, lightNames = false } = {}) {
  const layers = Object.fromEntries(["marks", "names", "pieces", "above", "lamps", "cursor"].map((name) => [name, s("g")]));
  const squares = s("g");
  const hits = s("g");
  const svg = s(
    "svg",
    { viewBox: "-14 -14 828 828", class: `board${hands ? " hands" : ""}`, role: "img", "aria-label": label },
    s("defs", null, s("pattern", { id: "hatch", width: 16, height: 16, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, s("rect", { width: 7, height: 16, fill: "#e35be3", opacity: 0.75 }))),
    s("rect", { class: "frame", x: -14, y: -14, width: 828, height: 828, rx: 10 }),
    squares, layers.marks, layers.names, layers.pieces, layers.above, layers.lamps, layers.cursor, hits,
  );
  const text = h("p", { class: "visually-hidden" });
  host.append(svg, text);
  let flipped = null;

  const at = (name) => {
    const { row, column } = placeOf(name);
    return flipped ? { x: 750 - column * 100, y: 750 - row * 100 } : { x: column * 100 + 50, y: row * 100 + 50 };
  };

  function draw() {
    squares.replaceChildren();
    layers.names.replaceChildren();
    hits.replaceChildren();
    for (let row = 0; row < 8; row += 1) {
      for (let column = 0; column < 8; column += 1) {
        const name = nameAt(row, column);
        const { x, y } = at(name);
        const light = name.startsWith("L");
        squares.append(s("rect", { class: light ? "light" : "dark", x: x - 50, y: y - 50, width: 100, height: 100 }));
        if (!light) layers.names.append(s("text", { class: "number", x: x - 47, y: y - 33 }, name));
        else if (lightNames) layers.names.append(s("text", { class: "light-name", x: x - 47, y: y - 34 }, name));
        if (hands) hits.append(s("rect", { class: "hit", x: x - 50, y: y - 50, width: 100, height: 100, "data-square": name }));
      }
    }
  }

  /** `view`: pieces, last, missing, extra, lights, colors, faults, must, doubt, flipped, cursor. */
  function update(view) {
    if (Boolean(view.flipped) !== flipped) {
      flipped = Boolean(view.flipped);
      draw();
    }
    const missing = new Set(view.missing ?? []);
    const marks = [];
    for (const fault of view.faults ?? []) {
      if (!fault.square) continue;
      const { x, y } = at(fault.square);
      marks.push(s("rect", { class: "hatch", x: x - 50, y: y - 50, width: 100, height: 100, fill: "url(#hatch)" }));
    }
    if (view.last) {
      const route = view.last.route;
      const box = (name, kind) => {
        const { x, y } = at(name);
        return s("rect", { class: `mark ${kind}`, x: x - 46, y: y - 46, width: 92, height: 92, rx: 8 });
      };
      marks.push(box(route[0], "from"), box(route[route.length - 1], "to"));
      for (const name of view.last.captured) {
        const { x, y } = at(name);
        marks.push(s("path", { class: "mark taken", d: `M${x - 14} ${y - 14}l28 28m0 -28l-28 28` }));
      }
    }
    layers.marks.replaceChildren(...marks);
    layers.pieces.replaceChildren(
      ...Object.entries(view.pieces ?? {}).map(([name, kind]) => {
        const { x, y } = at(name);
        return pieceAt(kind, x, y, missing.has(name) ? "away" : "");
      }),
    );
    const above = [];
    for (const name of missing) {
      const { x, y } = at(name);
      above.push(s("circle", { class: "mark lifted", cx: x, cy: y, r: 40 }), s("text", { class: "mark-text", x, y }, "↑"));
    }
    for (const name of view.extra ?? []) {
      const { x, y } = at(name);
      above.push(s("circle", { class: "mark extra", cx: x, cy: y, r: 36 }), s("text", { class: "mark-text", x, y }, "?"));
    }
    for (const name of view.must ?? []) {
      const { x, y } = at(name);
      above.push(s("circle", { class: "must", cx: x, cy: y, r: 45 }));
    }
    layers.above.replaceChildren(...above);
    const lamps = [];
    for (const [name, scene] of Object.entries(view.lights ?? {})) {
      const { x, y } = at(name);
      const [color, sign] = SCENES[scene] ?? ["#ffffff", "?"];
      lamps.push(s("circle", { class: "lamp", cx: x + 34, cy: y + 34, r: 14, fill: color }), s("text", { class: "lamp-text", x: x + 34, y: y + 35 }, sign));
    }
    for (const [name, color] of Object.entries(view.colors ?? {})) {
      const { x, y } = at(name);
      lamps.push(s("circle", { class: "lamp glow", cx: x + 38, cy: y + 38, r: 11, fill: color }));
    }
    layers.lamps.replaceChildren(...lamps);
    const cursor = view.cursor ? at(view.cursor) : null;
    layers.cursor.replaceChildren(...(cursor ? [s("rect", { class: "cursor", x: cursor.x - 46, y: cursor.y - 46, width: 92, height: 92, rx: 6 })] : []));
    text.textContent = spoken(view);
  }

  return { svg, update, at, hits, toSquare: (event) => squareUnder(svg, event, flipped) };
}

function squareUnder(svg, event, flipped) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  const [x, y] = [Math.floor(point.x / 100), Math.floor(point.y / 100)];
  const inside = x >= 0 && x < 8 && y >= 0 && y < 8;
  const name = inside ? (flipped ? nameAt(7 - y, 7 - x) : nameAt(y, x)) : null;
  return { name, x: point.x, y: point.y };
}

function spoken(view) {
  const list = (wanted) => Object.entries(view.pieces ?? {}).filter(([, kind]) => kind === wanted).map(([name]) => name).sort((a, b) => a - b).join(", ") || "none";
  const words = [`Red men: ${list("rm")}. Red kings: ${list("rk")}. White men: ${list("wm")}. White kings: ${list("wk")}.`];
  if (view.turn) words.push(`${sideName(view.turn)} to move.`);
  if (view.missing?.length) words.push(`Contacts open where pieces should stand: ${view.missing.join(", ")}.`);
  if (view.extra?.length) words.push(`Contacts closed on empty squares: ${view.extra.join(", ")}.`);
  for (const [name, scene] of Object.entries(view.lights ?? {})) words.push(`Light on ${name}: ${SCENES[scene]?.[2] ?? scene}.`);
  return words.join(" ");
}
