// What is drawn of the state: only what has changed, and not while a button of the pointer is down.
import { findDifferences, listLayerRuns } from "../../model/workbench_beyond.js";
import { describeStatus } from "../../model/workbench_status.js";
import { closeLinks } from "../../model/workbench_text.js";
import { EDITS } from "../../store/workbench.js";
import { ACTIONS } from "./actions.js";
import { fill, find, make, makeOptions } from "./dom.js";
import { drawPanel } from "./panels.js";
import { EMPTY } from "./state.js";
import { makeTextView, showHighlights } from "./text.js";

export class Drawing {
  constructor(app) {
    this.app = app;
    this.text = makeTextView(find("text"), {
      choose: (id, adds) => app.selection.choose(id, adds),
      select: (range) => app.store.set({ range, cursor: range[1], anchor: range[0], preview: null }),
      hover: (id) => app.selection.hover(id),
    });
    this.beside = new Map(); // the views of other sides, by name
    this.pressing = false; // whether a button of the pointer is down
    this.postponed = null; // the state that was drawn last, where drawing waits for the pointer
    app.store.subscribe((now, before) => this.schedule(now, before));
  }

  // Draw at once; while the pointer is down, when it is let go: what is pressed must not be replaced before it is clicked.
  schedule(now, before) {
    if (this.pressing) this.postponed ??= before;
    else this.draw(now, before);
  }

  release() {
    this.pressing = false;
    if (!this.postponed) return;
    const before = this.postponed;
    this.postponed = null;
    this.draw(this.app.state, before);
  }

  bind() {
    document.addEventListener("pointerdown", () => {
      this.pressing = true;
    }, true);
    window.addEventListener("click", (event) => {
      const menu = document.querySelector(".menu[open]");
      if (menu && !event.composedPath().includes(menu)) menu.open = false;
      this.release(); // behind all others who hear of it
    });
    for (const event of ["pointerup", "pointercancel"]) document.addEventListener(event, () => setTimeout(() => this.release(), 0), true);
    document.addEventListener("pointermove", (event) => this.pressing && !event.buttons && this.release(), true);
  }

  draw(now, before) {
    const changed = (...names) => names.some((name) => now[name] !== before[name]);
    if (changed("title", "sides", "documents", "document", "side", "beside", "key", "response", "author")) this.drawPlace(now);
    if (now.content && changed("content", "annotations", "side", "beside")) this.drawTexts(now);
    if (changed("selected", "current", "hovered", "conflict", "links", "annotations", "side", "beside", "mode")) this.markMentions(now);
    if (changed("range", "content", "annotations", "cursor", "side", "beside", "selected")) this.drawHighlights(now);
    if (changed("selected", "range", "current", "links", "annotations", "turns", "mode", "side", "beside", "filter", "content")) this.drawTools(now);
    if (changed("panel")) this.drawTabs(now);
    drawPanel(this.app, now, changed);
  }

  drawPlace(now) {
    find("title").textContent = now.title;
    const sides = now.sides.map((name) => [name, name]);
    fill(find("document"), makeOptions(now.documents.map(({ name }, number) => [String(number), name || `document ${number + 1}`]), String(now.document)));
    for (const id of ["side", "key"]) fill(find(id), makeOptions(sides, now[id]));
    fill(find("response"), makeOptions([["", "none"], ...sides], now.response));
    find("beside-names").textContent = now.beside.join(", ") || "none";
    fill(find("beside"), now.sides.filter((name) => name !== now.side).map((name) =>
      make("label", {}, make("input", { type: "checkbox", value: name, checked: now.beside.includes(name), onchange: () => this.app.projects.toggleBeside(name), data: { key: `beside-${name}` } }), ` ${name}`)));
    find("author").value = now.author;
  }

  drawTexts(now) {
    const isCharacters = now.content.words === undefined;
    this.arrangeColumns(now.beside);
    find("text-title").textContent = `${now.side} (edited)`;
    for (const element of document.querySelectorAll(".text")) element.classList.toggle("characters", isCharacters);
    this.text.draw({ content: now.content, annotation: now.annotations[now.side] ?? EMPTY });
    for (const [name, view] of this.beside) view.draw({ content: now.content, annotation: now.annotations[name] ?? EMPTY });
  }

  // A column for each side beside: those that stay keep theirs.
  arrangeColumns(names) {
    for (const [name, { column }] of [...this.beside]) {
      if (names.includes(name)) continue;
      column.remove();
      this.beside.delete(name);
    }
    for (const name of names) {
      if (!this.beside.has(name)) this.beside.set(name, this.makeColumn(name));
      find("columns").append(this.beside.get(name).column);
    }
  }

  makeColumn(name) {
    const text = make("div", { class: "text", tabindex: "0", role: "group", "aria-label": name });
    const column = make("div", { class: "column beside", data: { side: name } }, make("h2", {}, make("bdi", {}, name)), text);
    return { ...makeTextView(text, { choose: (id) => this.app.selection.chooseBeside(name, id) }), column };
  }

  markMentions(now) {
    const { annotation } = this.app;
    const { mentions } = annotation;
    const ofEntity = (entity) => new Set(entity ? Object.keys(mentions).filter((id) => mentions[id].entity === entity) : []);
    const conflict = new Set(now.conflict.flatMap((id) => (id.startsWith("m") ? [id] : [...ofEntity(id)])));
    const linked = now.links.filter((link) => link.every((id) => mentions[id]));
    const closure = new Set(linked.length ? closeLinks(annotation, linked).flat() : []);
    const others = now.beside.map((name) => [name, now.annotations[name] ?? EMPTY]);
    const differs = new Set(others.flatMap(([, other]) => findDifferences(annotation, other)));
    this.text.mark({ selected: new Set(now.selected), current: ofEntity(now.current), hovered: ofEntity(mentions[now.hovered]?.entity), conflict, closure, differs });
    for (const [name, other] of others) this.beside.get(name)?.mark({ differs: new Set(findDifferences(other, annotation)) });
  }

  // What is selected of the text, heads and minimums of the selected mentions, and layers beyond identity.
  drawHighlights(now) {
    const chosen = now.selected.map((id) => this.app.annotation.mentions[id]).filter(Boolean);
    const views = [[this.text, this.app.annotation], ...[...this.beside].map(([name, view]) => [view, now.annotations[name] ?? EMPTY])];
    showHighlights("chosen", now.range ? this.text.findParts(now.range) : []);
    for (const part of ["head", "minimum"]) showHighlights(part, chosen.flatMap((mention) => (mention[part] ? this.text.findParts(mention[part]) : [])));
    showHighlights("layer", now.content ? views.flatMap(([view, annotation]) => listLayerRuns(annotation).flatMap((run) => view.findParts(run))) : []);
  }

  drawActions(actions) {
    const { editing } = this.app;
    const groups = [...new Set(actions.map(({ group }) => group))];
    fill(find("actions"), groups.map((group) => make("div", { class: "group", role: "group", "aria-label": group, data: { group } }, actions.filter((action) => action.group === group).map((action) => {
      const preview = (shows) => () => action.edit && editing.preview(shows ? EDITS[action.edit](this.app.context) : null);
      return make("button", {
        type: "button", title: `${action.text} (${action.keys.join(", ")})`, data: { action: action.name }, onclick: () => this.app.run(action),
        onpointerenter: preview(true), onpointerleave: preview(false), onfocus: preview(true), onblur: preview(false),
      }, action.button, " ", make("kbd", {}, action.keys[0]));
    }))));
  }

  drawTools(now) {
    for (const action of ACTIONS) {
      const button = document.querySelector(`[data-action="${action.name}"]`);
      if (button && action.edit) button.setAttribute("aria-disabled", String(!EDITS[action.edit](this.app.context)));
    }
    for (const [place, name] of ["undo", "redo"].entries()) document.querySelector(`[data-action="${name}"]`)?.setAttribute("aria-disabled", String(!now.turns[place]));
    document.querySelector('[data-group="Side beside"]')?.toggleAttribute("hidden", !now.beside.length);
    find("status").textContent = describeStatus(now, this.app.annotation);
  }

  drawTabs(now) {
    for (const tab of document.querySelectorAll("[role=tab]")) {
      const shown = tab.dataset.panel === now.panel;
      tab.setAttribute("aria-selected", String(shown));
      tab.tabIndex = shown ? 0 : -1;
      find(`panel-${tab.dataset.panel}`).hidden = !shown;
    }
  }

  // Bring a place of the text into sight, on all sides.
  show(place) {
    for (const view of [this.text, ...this.beside.values()]) view.show(place);
  }

  describe(runs) {
    return this.text.describe(runs);
  }
}
