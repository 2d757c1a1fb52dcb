// Ways to make and find elements. Styles are set one by one: the page's policy allows no style attributes.

export const one = (selector, root = document) => root.querySelector(selector);
export const all = (selector, root = document) => [...root.querySelectorAll(selector)];

/** An HTML element; `style` is an object of properties, and an attribute such as `onclick` a listener. */
export const make = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);

/** An SVG element, likewise. */
export const draw = (tag, attributes = {}, ...children) => fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [property, each] of Object.entries(value)) element.style.setProperty(property, each);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== ""));
  return element;
}

/** Fill a list to choose from with [value, name], or [value, name, whether it cannot be chosen]. */
export function setOptions(select, options, chosen) {
  select.replaceChildren(...options.map(([value, name, disabled = false]) => make("option", { value, disabled }, name)));
  select.value = String(chosen);
}

/** Call `more` when the element comes into sight, so that long lists are made piece by piece. */
export function whenSeen(element, more) {
  const watcher = new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting)) more();
  }, { rootMargin: "600px" });
  watcher.observe(element);
  return watcher;
}
