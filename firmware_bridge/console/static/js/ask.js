// A question in a dialog: fields, a reason, and a second step for what ends a game.
import { h } from "/static/js/dom.js";

let open = null;

/**
 * Ask, then do. `fields` are `{name, label, kind, value, choices, required}`; `run(values)` resolves to `{ok}`
 * or `{error}`. With `ends` (what the values come to, as a sentence) the question is put once more before
 * anything is done.
 */
export function ask({ title, text, fields = [], action, danger = false, ends = null, run }) {
  if (open) return;
  const inputs = fields.map(field);
  const said = h("p", { class: "said error", role: "alert" });
  const second = h("p", { class: "alert danger", hidden: true });
  const go = h("button", { type: "submit", class: `primary${danger ? " danger" : ""}` }, ends ? `${action} …` : action);
  const back = h("button", { type: "button", onclick: () => (confirmed ? step(false) : dialog.close()) }, "Cancel");
  let confirmed = false;
  const body = h("div", { class: "fields" }, inputs.map((one) => one.label));
  function step(on) {
    confirmed = on;
    second.hidden = !on;
    body.hidden = on;
    go.textContent = on ? `Yes, ${action[0].toLowerCase()}${action.slice(1)}` : `${action} …`;
    back.textContent = on ? "Back" : "Cancel";
    (on ? back : inputs[0]?.input ?? go).focus();
  }
  const form = h("form", { method: "dialog", onsubmit: async (event) => {
    event.preventDefault();
    said.textContent = "";
    const values = Object.fromEntries(inputs.map((one) => [one.name, one.read()]));
    if (ends && !confirmed) { second.textContent = ends(values); step(true); return; }
    go.disabled = true;
    const answer = await run(ends ? { ...values, confirmed: true } : values);
    go.disabled = false;
    if (answer.ok) dialog.close();
    else { if (ends) step(false); said.textContent = answer.error; }
  } }, h("h2", null, title), text ? h("p", null, text) : null, body, second, said, h("div", { class: "actions" }, back, go));
  const dialog = h("dialog", { "aria-label": title, onclose: () => { dialog.remove(); open = null; } }, form);
  document.body.append(dialog);
  open = dialog;
  dialog.showModal();
  (inputs[0]?.input ?? go).focus();
}

export const asking = () => open !== null;

function field({ name, label, kind = "text", value = "", choices = [], required = false, hint = "", list = [] }) {
  let input;
  if (kind === "choice") {
    input = h("select", { name, required }, choices.map(([word, title]) => h("option", { value: word, selected: word === value }, title)));
  } else {
    input = h("input", { name, value: String(value), required, placeholder: hint, autocomplete: "off", maxlength: 400, inputmode: kind === "number" ? "numeric" : null, list: list.length ? `list-${name}` : null });
  }
  const wide = name === "reason" || name === "fen" ? "wide" : "";
  const options = list.length ? h("datalist", { id: `list-${name}` }, list.map((word) => h("option", { value: word }))) : null;
  return { name, input, label: h("label", { class: wide }, label, input, options), read: () => (kind === "number" ? Number(input.value) : input.value.trim()) };
}
