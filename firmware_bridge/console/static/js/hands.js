// Hands over the drawn board: what mouse, finger and keyboard do becomes lifts, landings and slides.
import { h, s } from "/static/js/dom.js";
import { nameAt, pieceAt, placeOf } from "/static/js/board.js";

/**
 * `board` of makeBoard; `table()` is the latest view of the table; `act(order)` sends an order and keeps order.
 * Returns the hand: which piece of those in the air is held, and where the keyboard stands.
 */
export function makeHands(board, host, { table, act, redraw, sliding, turned }) {
  const hand = { kind: null, cursor: null };
  let drag = null;

  const floating = (kind, event) => {
    const shown = s("svg", { viewBox: "-50 -50 100 100", class: "floating" }, pieceAt(kind, 0, 0));
    document.body.append(shown);
    const move = ({ clientX, clientY }) => { shown.style.left = `${clientX}px`; shown.style.top = `${clientY}px`; };
    move(event);
    return { move, end: () => shown.remove() };
  };

  function begin(event, kind, from) {
    drag = { id: event.pointerId, kind, from, at: from, moved: false, x: event.clientX, y: event.clientY, shown: floating(kind, event), slides: from !== null && (sliding() || event.shiftKey) };
    host.setPointerCapture?.(event.pointerId);
  }

  function down(event) {
    if (event.button) return;
    const { name } = board.toSquare(event);
    if (!name) return;
    event.preventDefault();
    // One hand, one piece: a second finger waits until the first has let go.
    if (drag) return;
    const kind = table().pieces[name];
    if (hand.kind && !kind) return put(name);
    if (!kind) return;
    begin(event, kind, name);
    act({ do: "lift", squares: [name] });
    hand.kind = kind;
  }

  function move(event) {
    if (event.pointerId !== drag?.id) return;
    drag.shown.move(event);
    if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > 8) drag.moved = true;
    if (!drag.slides || !drag.moved) return;
    const { name } = board.toSquare(event);
    if (!name || name === drag.at || (table().pieces[name] && name !== drag.from)) return;
    if (drag.at !== drag.from) act({ do: "lift", squares: [drag.at] });
    drag.at = name;
    act({ do: "place", squares: [name], kind: drag.kind });
  }

  function up(event) {
    if (event.pointerId !== drag?.id) return;
    const { kind, from, at, moved, shown, slides } = drag;
    drag = null;
    shown.end();
    const { name } = board.toSquare(event);
    if (slides && at !== from) hand.kind = null;
    else if (moved && name && (name === from || !table().pieces[name])) put(name, kind);
    // A tap leaves the piece in the hand: the next tap puts it down. Beside the board it stays in the air.
    else if (moved) hand.kind = null;
    redraw();
  }

  function put(name, kind = hand.kind) {
    act({ do: "place", squares: [name], kind });
    hand.kind = null;
    redraw();
  }

  function key(event) {
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const step = steps[event.key];
    if (step) {
      const at = placeOf(hand.cursor ?? "18");
      const way = turned() ? -1 : 1;
      const bound = (value) => Math.max(0, Math.min(7, value));
      hand.cursor = nameAt(bound(at.row + way * step[0]), bound(at.column + way * step[1]));
    } else if (event.key === "Enter" || event.key === " ") {
      hand.cursor ??= "18";
      const kind = table().pieces[hand.cursor];
      if (hand.kind && !kind) put(hand.cursor);
      else if (kind) { act({ do: "lift", squares: [hand.cursor] }); hand.kind = kind; }
    } else if (event.key === "Escape") hand.kind = null;
    else return;
    event.preventDefault();
    redraw();
  }

  board.svg.addEventListener("pointerdown", down);
  window.addEventListener("pointermove", move);
  window.addEventListener("pointerup", up);
  window.addEventListener("pointercancel", up);
  host.addEventListener("lostpointercapture", up);
  host.addEventListener("keydown", key);

  /** The pieces in the air as buttons that can be dragged back. */
  function air(pieces) {
    return pieces.map((kind, index) => {
      const name = `${kind[0] === "r" ? "red" : "white"} ${kind[1] === "k" ? "king" : "man"}`;
      return h("button", { type: "button", class: "plain", title: name, "aria-label": `Take the ${name}`, "aria-pressed": String(hand.kind === kind && pieces.lastIndexOf(kind) === index),
        onpointerdown: (event) => { event.preventDefault(); if (drag) return; hand.kind = kind; begin(event, kind, null); },
        onclick: () => { hand.kind = kind; redraw(); } },
      s("svg", { viewBox: "-50 -50 100 100", class: "board-piece", "aria-hidden": "true" }, pieceAt(kind, 0, 0)));
    });
  }
  return { hand, air };
}
