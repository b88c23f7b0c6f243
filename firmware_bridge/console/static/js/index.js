import { h, $ } from "/static/js/dom.js";
import { me } from "/static/js/api.js";
import { header } from "/static/js/frame.js";

const DOORS = [
  ["referee", "Referee", "Facts, findings and rulings; every command.", true],
  ["operator", "Operator", "New games, ballot, equipment, records.", true],
  ["bench", "Bench", "The simulated board: pieces, paddles, plugs.", true],
  ["players", "Players and hall", "Big clocks, last move, result.", false],
  ["public", "Public", "For spectators, with the broadcast delay.", false],
];

const { who, linked } = await header("");
linked(true);
$("#main").append(
  h("div", { class: "stack" },
    h("h1", null, "Crownhead tournament board"),
    h("p", { class: "quiet" }, "What would you like to do?"),
    h("div", { class: "doors" }, DOORS.filter(([name, , , signed]) => (name === "bench" ? who.bench : true) && (!signed || who.user)).map(([name, title, text]) =>
      h("a", { class: "panel", href: `/${name}` }, h("strong", null, title), h("span", null, text)))),
    who.user ? null : h("p", null, h("a", { class: "button", href: "/login" }, "Sign in as referee or operator")),
  ),
);
