// What all views share: the data, ways to make elements, and documents that are parsed when they are wanted.

const data = JSON.parse(document.getElementById("data").textContent);
const held = new Set(data.held);
const kindOf = new Map(data.kinds.map((kind) => [kind.name, kind]));

const one = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];

function make(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

function draw(tag, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== undefined && child !== null));
  return element;
}

function options(select, names, chosen = 0) {
  select.replaceChildren(...names.map(([value, name]) => make("option", { value }, name)));
  select.value = String(chosen);
}

const documentName = (number) => data.documents[number][0] || "the document";
const systemNames = () => data.systems.map((name, number) => [number, name]);
const colourOf = (system) => `var(--s${system % 6})`;
const plural = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const mainMeasure = Math.max(0, data.measures.findIndex((measure) => measure.name === "conll"));

const parsed = new Map();
const waiting = new Map();

// A folder's documents are scripts that call this: a page opened from a disk may not read other files.
window.corefevalDocument = (number, record) => {
  parsed.set(number, record);
  for (const done of waiting.get(number) || []) done(record);
  waiting.delete(number);
};

const isThere = (number) => held.has(number) || data.folder !== "";

function loaded(number) {
  if (parsed.has(number)) return Promise.resolve(parsed.get(number));
  if (held.has(number)) {
    const source = document.getElementById(`d${number}`);
    parsed.set(number, JSON.parse(source.textContent));
    source.remove();
    return Promise.resolve(parsed.get(number));
  }
  if (data.folder === "") return Promise.resolve(null);
  return new Promise((done) => {
    const first = !waiting.has(number);
    waiting.set(number, [...(waiting.get(number) || []), done]);
    if (!first) return;
    const script = make("script", { src: `${data.folder}${number}.js` });
    script.addEventListener("error", () => { waiting.delete(number); done(null); });
    document.head.append(script);
  });
}

// Call `more` when the element comes into sight, so that long lists are made piece by piece.
function whenSeen(element, more) {
  const watcher = new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting)) more();
  }, { rootMargin: "600px" });
  watcher.observe(element);
  return watcher;
}
