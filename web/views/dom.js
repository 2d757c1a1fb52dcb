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

/** Fill a list to choose from with [value, name] pairs. */
export function setOptions(select, pairs, chosen) {
  select.replaceChildren(...pairs.map(([value, name]) => make("option", { value }, name)));
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

/** A list that grows as its end comes into sight: `produce(count)` gives the next elements, [] when there are no more. */
export function growList(box, produce, step) {
  const end = make(box.tagName === "OL" ? "li" : "p", { class: "end", "aria-hidden": "true" });
  box.replaceChildren(end);
  let busy = false;
  const more = async () => {
    if (busy || !end.isConnected) return;
    busy = true;
    const next = await produce(step);
    end.before(...next);
    busy = false;
    if (!next.length) watcher.disconnect();
    else {
      // What is still in sight is looked at again.
      watcher.unobserve(end);
      watcher.observe(end);
    }
  };
  const watcher = whenSeen(end, more);
  return more();
}
