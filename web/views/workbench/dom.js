// Elements made and found.

// make("button", {class: "x", onclick, "aria-label": "…", hue: 40}, child, "text")
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) setProperty(element, name, value);
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

function setProperty(element, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name === "hue") element.style.setProperty("--hue", value);
  else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
  else if (name === "data") Object.assign(element.dataset, value);
  else element.setAttribute(name, value === true ? "" : value);
}

export function find(id) {
  return document.getElementById(id);
}

// Fill an element anew; what had the focus, by its data-key, has it again, and what was typed stays.
export function fill(element, ...children) {
  const active = document.activeElement;
  const key = element.contains(active) ? active.dataset.key : undefined;
  const typed = [...element.querySelectorAll("input[name]:not([type])")].filter((input) => input.value !== input.defaultValue);
  element.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  for (const { name, value } of typed) {
    const input = element.querySelector(`input[name="${CSS.escape(name)}"]`);
    if (input) input.value = value;
  }
  if (key) element.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
}

export function makeOptions(values, chosen) {
  return values.map(([value, text]) => make("option", { value, selected: value === chosen }, text));
}

// A button whose text is its name.
export function makeButton(text, onclick, more = {}) {
  return make("button", { type: "button", onclick, data: { key: text }, ...more }, text);
}
