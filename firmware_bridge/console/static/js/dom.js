// Elements, without a library.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "data") for (const [key, word] of Object.entries(value)) element.dataset[key] = word;
    else if (name === "class") element.setAttribute("class", value);
    else if (name in element && !(element instanceof SVGElement) && typeof value !== "string") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(3)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

export const h = (tag, props, ...children) => fill(document.createElement(tag), props, children);
export const s = (tag, props, ...children) => fill(document.createElementNS(SVG, tag), props, children);
export const $ = (selector, within = document) => within.querySelector(selector);

/** Replace what an element holds, but only if `key` is another one than the last time. */
export function show(element, key, make) {
  const word = JSON.stringify(key);
  if (element.dataset.shown === word) return;
  element.dataset.shown = word;
  element.replaceChildren(...[make()].flat(3).filter((child) => child !== null && child !== undefined && child !== false));
}
