// The application: its state and its parts, and what of the page they hear of.
import { ask, tell } from "../../store/requests.js";
import { EDITS, makeStore, readPlace, writePlace } from "../../store/workbench.js";
import { ACTIONS, findAction } from "./actions.js";
import { find } from "./dom.js";
import { Drawing } from "./drawing.js";
import { Editing } from "./editing.js";
import { Messages } from "./messages.js";
import { Projects } from "./projects.js";
import { Results } from "./results.js";
import { Selection } from "./selection.js";
import { EMPTY, makeState } from "./state.js";

export class Application {
  constructor() {
    this.store = makeStore(makeState());
    this.lists = { projects: [], examples: {}, formats: { write: {} }, resolvers: [], rules: [], studies: [] };
    this.messages = new Messages(this);
    this.projects = new Projects(this);
    this.selection = new Selection(this);
    this.editing = new Editing(this);
    this.results = new Results(this);
    this.drawing = new Drawing(this);
  }

  get state() {
    return this.store.get();
  }

  // The side that is edited.
  get annotation() {
    return this.state.annotations[this.state.side] ?? EMPTY;
  }

  // What an action works on.
  get context() {
    const { range, selected, current, links } = this.state;
    return { range, selected, current, links, annotation: this.annotation };
  }

  async start() {
    this.store.set({ author: await claimAuthor() });
    await this.loadLists();
    this.lists.studies = (await ask("/api/studies")).studies;
    this.bind();
    const place = readPlace(window.location.hash);
    const project = this.lists.projects.includes(place.project) ? place.project : this.lists.projects[0];
    if (project) await this.projects.open({ ...place, project });
    else this.showPanel("files");
    this.editing.follow();
  }

  async loadLists() {
    this.lists = { ...this.lists, ...(await ask("/api/projects")) };
  }

  bind() {
    this.drawing.bind();
    document.addEventListener("keydown", (event) => {
      const action = findAction(event);
      const pressed = event.target.closest("button, a, summary, [role=tab]");
      if (!action || (pressed && ["Enter", "ArrowLeft", "ArrowRight"].includes(event.key))) return;
      event.preventDefault();
      this.run(action);
    });
    this.drawing.drawActions(ACTIONS.filter(({ button }) => button));
    for (const field of ["side", "key", "response", "scope"]) {
      find(field).addEventListener("change", (event) => this.projects.changePlace({ [field]: event.target.value }));
    }
    find("document").addEventListener("change", (event) => this.projects.openDocument(Number(event.target.value)));
    find("author").addEventListener("change", (event) => this.setAuthor(event.target.value));
    find("search").addEventListener("input", (event) => this.store.set({ filter: event.target.value }));
    find("search-form").addEventListener("submit", (event) => this.editing.addMatches(event));
    for (const tab of document.querySelectorAll("[role=tab]")) {
      tab.addEventListener("click", () => this.showPanel(tab.dataset.panel));
      tab.addEventListener("keydown", (event) => this.stepTab(event, tab));
    }
    window.addEventListener("hashchange", () => {
      const place = readPlace(window.location.hash);
      if (writePlace(this.state) !== window.location.hash) this.projects.open(place).catch((error) => this.messages.complain(error));
    });
  }

  run(action) {
    if (action.edit) this.editing.make(EDITS[action.edit](this.context), action.text);
    else action.run(this);
  }

  setAuthor(name) {
    const author = name.trim() || this.state.author;
    keepAuthor(author);
    this.store.set({ author });
  }

  showPanel(panel) {
    this.store.set({ panel });
    if (panel === "adjudicate") this.results.refreshAgreement();
  }

  stepTab(event, tab) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const tabs = [...document.querySelectorAll("[role=tab]")];
    const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
    this.showPanel(next.dataset.panel);
    next.focus();
    event.stopPropagation();
    event.preventDefault();
  }
}

// The name under which this page edits and undoes: the one that it had before, unless another page, or browser, has it now.
async function claimAuthor() {
  const kept = window.sessionStorage.getItem("author") ?? window.localStorage.getItem("author");
  const known = kept && (await holdAuthor(kept)) ? kept : null;
  const browser = window.localStorage.getItem("browser") ?? window.crypto.randomUUID();
  window.localStorage.setItem("browser", browser);
  const { author } = await tell("/api/authors", { browser, known });
  if (author !== known) await holdAuthor(author);
  keepAuthor(author);
  return author;
}

// Hold a name for as long as the page is open; false if another page does.
function holdAuthor(name) {
  return new Promise((done) => {
    navigator.locks.request(`author ${name}`, { ifAvailable: true }, (lock) => {
      done(lock !== null);
      return lock && new Promise(() => {});
    });
  });
}

function keepAuthor(name) {
  for (const storage of [window.sessionStorage, window.localStorage]) storage.setItem("author", name);
}
