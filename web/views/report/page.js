// The page: which view is shown, its title and focus, the theme, the keyboard.

import { canRead, nameDocument, FORMAT } from "../../model/report.js";
import { createStore } from "../../store/store.js";
import { applyChanges, findWorstDocument, readState, writeState } from "../../store/state.js";
import { all, make, one } from "../dom.js";
import { createLoader } from "./loading.js";
import { createCompare } from "./compare.js";
import { createDocuments } from "./documents.js";
import { createEntities } from "./entities.js";
import { createErrors } from "./errors.js";
import { createOverview } from "./overview.js";
import { createReading } from "./reading.js";

const CREATED = {
  overview: createOverview, errors: createErrors, text: createReading, entities: createEntities,
  documents: createDocuments, compare: createCompare,
};

export function start(data) {
  setTheme(THEMES.includes(keep("corefeval-theme")) ? keep("corefeval-theme") : "auto");
  one("#theme").addEventListener("click", changeTheme);
  if (!canRead(data)) {
    one("#overview").append(make("p", { class: "notice" }, `This page reads data of format ${FORMAT}, not ${data.format}.`));
    return;
  }
  const loader = createLoader(data);
  // A text is one of a document: the one that was read last, or else the one with most errors.
  const settle = (state, last = null) => (state.view === "text" && state.document === null ? { ...state, document: last ?? findWorstDocument(data, loader.isThere) } : state);
  const push = (address, place, replace) => history[replace ? "replaceState" : "pushState"]({ place }, "", address);
  // The place in the history that the browser was told of: a page that is loaded again is where it was.
  const findPlace = () => history.state?.place;
  const store = createStore(settle(readState(location.hash, data)), {
    write: (state) => writeState(state, data), place: findPlace(), push, travel: (step) => history.go(step), apply: applyChanges,
  });
  push(location.hash, findPlace() ?? 0, true);
  const app = { data, store, ...loader, copy };

  const views = {};
  const title = document.title;

  function show(state, before) {
    for (const section of all(".view")) section.hidden = section.id !== state.view;
    for (const link of all("nav a")) {
      if (link.hash === `#${state.view}`) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    const name = one(`nav a[href="#${state.view}"]`).textContent;
    one("#undo").setAttribute("aria-disabled", String(!store.canUndo));
    one("#redo").setAttribute("aria-disabled", String(!store.canRedo));
    document.title = state.view === "overview" ? title : `${state.view === "text" ? nameDocument(data, state.document) : name} – ${title}`;
    views[state.view] = views[state.view] || CREATED[state.view](app, one(`#${state.view}`));
    views[state.view].show(state, before);
    if (before && before.view !== state.view && !(state.view === "text" && state.mention)) {
      window.scrollTo(0, 0);
      one(`#${state.view} h1`).focus({ preventScroll: true });
    }
  }

  store.listen((state, before) => {
    const settled = settle(state, before.document);
    if (settled !== state) store.change(settled, { replace: true });
    else show(state, before);
  });
  // The browser has gone to a place of its history, or somebody to an address.
  const arrive = () => {
    const whole = settle(readState(location.hash, data), store.state.document);
    if (findPlace() === undefined) store.visit(whole);
    else store.arrive(findPlace(), whole);
  };
  for (const event of ["popstate", "hashchange"]) window.addEventListener(event, arrive);
  for (const link of all("nav a")) {
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
      event.preventDefault();
      store.change({ view: link.hash.slice(1) });
    });
  }
  for (const link of all(".to-notices")) link.addEventListener("click", (event) => { event.preventDefault(); one("#notices h2").scrollIntoView(); one("#notices h2").focus(); });
  one(".skip").addEventListener("click", (event) => { event.preventDefault(); one("main").focus(); });
  one("#undo").addEventListener("click", store.undo);
  one("#redo").addEventListener("click", store.redo);
  document.addEventListener("keydown", (event) => {
    const act = findTurn(store, event) || findAct(views[store.state.view]?.keys, event);
    if (!act) return;
    event.preventDefault();
    act();
  });
  // Paper has no buttons: what they would show is printed.
  window.addEventListener("beforeprint", () => { for (const fold of all(`#${store.state.view} .fold[aria-expanded=false]`)) fold.click(); });
  show(store.state, null);
}

// What Ctrl+Z, Ctrl+Shift+Z and Ctrl+Y do (Cmd, too), where they do not undo what is typed.
function findTurn(store, { target, ctrlKey, metaKey, shiftKey, altKey, key }) {
  if (!(ctrlKey || metaKey) || altKey || target.closest("input:not([type=checkbox]), textarea")) return null;
  return { z: shiftKey ? store.redo : store.undo, y: store.redo }[key.toLowerCase()];
}

function findAct(keys, { target, ctrlKey, metaKey, altKey, key }) {
  return ctrlKey || metaKey || altKey || target.closest("input[type=search], select, textarea") ? null : keys?.[key];
}

function copy(button, text) {
  const before = button.textContent;
  const done = () => { button.textContent = "Copied"; setTimeout(() => { button.textContent = before; }, 1200); };
  if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, () => window.prompt("Copy:", text));
  else window.prompt("Copy:", text);
}

function keep(name, value) {
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

function changeTheme() {
  const next = THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length];
  keep("corefeval-theme", next);
  setTheme(next);
}
