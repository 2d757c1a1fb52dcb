// The page: which view is shown, the theme, the keyboard.

const VIEWS = all(".view").map((view) => view.id);
const showEntities = startEntities();
const starters = { entities: showEntities, compare: startCompare() };
const shownOnce = new Set();

function showView() {
  const [name, number, mention] = decodeURIComponent(location.hash.slice(1)).split("/");
  const view = VIEWS.includes(name) ? name : "overview";
  for (const section of all(".view")) section.hidden = section.id !== view;
  for (const link of all("nav a")) {
    if (link.hash === `#${view}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (starters[view] && !shownOnce.has(view)) {
    shownOnce.add(view);
    starters[view]();
  }
  if (view === "text") readAsked(number, mention);
  else if (view !== shownView) window.scrollTo(0, 0);
  shownView = view;
}

function showCosts() {
  if (reading.chosen) inspect(reading.chosen);
  if (shownOnce.has("entities")) showEntities();
}

let shownView = "overview";

// `#text/3/k.12`: the document, and a mention of the key; `#text/3/0.12`: one of the first system.
function readAsked(number, mention) {
  const asked = data.documents[number] ? Number(number) : reading.document ?? worst();
  const side = mention ? known(mention.split(".")[0]) : null;
  const isShown = asked === reading.document && reading.elements.has(mention);
  if (side === "k" && !isShown && reading.left !== "k" && reading.right !== "k") setSides("k", reading.right);
  else if (data.systems[side] !== undefined && reading.left !== side) setSides(reading.left, side);
  read(asked, mention);
}

// The document with most errors that is there: where a reader may want to begin.
function worst() {
  const many = (number) => (isThere(number) ? sum(data.systems.map((_, system) => errorCount(system, number, reading.kinds))) : -1);
  return data.documents.reduce((best, _, number) => (many(number) > many(best) ? number : best), 0);
}

function setSides(left, right) {
  if (reading.left === left && reading.right === right) return;
  reading.left = left;
  reading.right = right;
  one("#left").value = String(left);
  one("#right").value = String(right);
  if (reading.record) showText();
}

function copied(button, text) {
  const before = button.textContent;
  const done = () => { button.textContent = "Copied"; setTimeout(() => { button.textContent = before; }, 1200); };
  if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, () => window.prompt("Copy:", text));
  else window.prompt("Copy:", text);
}

function kept(name, value) {
  try {
    if (value !== undefined) localStorage.setItem(name, value);
    return localStorage.getItem(name);
  } catch {
    return null; // a page opened from a disk may have no storage
  }
}

const THEMES = ["auto", "light", "dark"];

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  one("#theme").textContent = `Theme: ${theme}`;
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-sides]");
  if (link) setSides(...link.dataset.sides.split(" ").map(known));
  if (link?.dataset.measure) costBy(Number(link.dataset.measure), showCosts);
  const only = event.target.closest("a[data-only]");
  if (only) {
    onlyKind(only.dataset.only);
    reading.document = null;
  }
  const about = event.target.closest("[data-about]");
  if (about) {
    const row = document.getElementById(about.getAttribute("aria-controls"));
    row.hidden = !row.hidden;
    about.setAttribute("aria-expanded", String(!row.hidden));
  }
  const copy = event.target.closest("[data-copy]");
  if (copy) copied(copy, one(copy.dataset.copy).textContent);
});

document.addEventListener("keydown", (event) => {
  if (one("#text").hidden || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input[type=search], select, textarea")) return;
  const keys = {
    n: () => toError(1), j: () => toError(1), p: () => toError(-1), k: () => toError(-1),
    ArrowRight: () => nextMention(1), ArrowLeft: () => nextMention(-1), Escape: letGo,
  };
  const act = keys[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

one("#theme").addEventListener("click", () => {
  const next = THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length];
  kept("corefeval-theme", next);
  setTheme(next);
});

setTheme(THEMES.includes(kept("corefeval-theme")) ? kept("corefeval-theme") : "auto");
startKinds();
startDocuments();
startReading();
startCosts(showCosts);
window.addEventListener("hashchange", showView);
showView();
