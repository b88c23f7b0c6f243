import { h, $ } from "/static/js/dom.js";
import { me, post } from "/static/js/api.js";
import { header } from "/static/js/frame.js";

const { who, linked } = await header("login");
linked(true);
const wanted = new URLSearchParams(location.search).get("to") ?? "";
const target = /^\/[a-z]*$/.test(wanted) ? wanted : "/";
const said = h("p", { class: "said error", role: "alert" });

async function enter(body) {
  said.textContent = "";
  const answer = await post("/api/login", body, 20000);
  if (answer.ok) location.assign(target === "/" && who.bench && body.code ? "/bench" : target);
  else said.textContent = `${answer.error[0].toUpperCase()}${answer.error.slice(1)}.`;
}

const code = h("input", { name: "code", autocomplete: "one-time-code", spellcheck: false, placeholder: "XXXX-XXXX-XXXX", value: decodeURIComponent(location.hash.slice(1)) });
const name = h("input", { name: "name", autocomplete: "username", required: true });
const pin = h("input", { name: "pin", type: "password", autocomplete: "current-password", required: true });
const byCode = h("form", { class: "panel", onsubmit: (event) => { event.preventDefault(); enter({ code: code.value }); } },
  h("header", null, h("h2", null, "First-time setup")),
  h("div", { class: "body stack" },
    h("p", { class: "quiet" }, "No users yet. Enter the one-time code shown in the terminal."),
    h("label", null, "One-time code", code), h("button", { class: "primary", type: "submit" }, "Continue")));
const byPin = h("form", { class: "panel", onsubmit: (event) => { event.preventDefault(); enter({ name: name.value.trim(), pin: pin.value }); } },
  h("header", null, h("h2", null, "Name and PIN")),
  h("div", { class: "body stack" }, h("div", { class: "fields" }, h("label", null, "Name", name), h("label", null, "PIN", pin)),
    h("button", { class: "primary", type: "submit" }, "Sign in"),
    who.secure ? null : h("p", { class: "quiet" }, h("small", null, "Not encrypted: use a network you trust."))));
$("#main").append(h("div", { class: "stack" }, h("h1", null, "Sign in"), said, who.code ? byCode : null, byPin));
if (who.code && code.value) {
  history.replaceState(null, "", location.pathname + location.search);
  enter({ code: code.value });
} else (who.code ? code : name).focus();
