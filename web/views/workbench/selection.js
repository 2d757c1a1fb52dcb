// What is selected, which entity is the current one, and where the cursor is; what a click means while something is moved or linked.
import { findAround, findNeighbour, findUnlinked } from "../../model/workbench_text.js";
import { EDITS, moveCursor, toggleMention } from "../../store/workbench.js";
import { find } from "./dom.js";
import { NOTHING } from "./state.js";

export class Selection {
  constructor(app) {
    this.app = app;
  }

  // The mention that the next link comes from.
  get linkStart() {
    const { links, selected } = this.app.state;
    return links.length ? links.at(-1)[1] : selected.at(-1);
  }

  choose(id, adds) {
    const { state, store, annotation, editing } = this.app;
    const { mode, selected, links } = state;
    if (mode === "move") {
      store.set({ mode: null });
      editing.make({ kind: "move", mentions: selected, entity: annotation.mentions[id].entity });
    } else if (mode === "link") {
      if (this.linkStart !== id) store.set({ links: [...links, [this.linkStart, id]] });
      editing.preview(EDITS.link(this.app.context));
    } else {
      store.set({ selected: toggleMention(selected, id, adds), range: null, cursor: annotation.mentions[id].runs[0][0], conflict: [] });
    }
  }

  chooseBeside(side, id) {
    const { state, store } = this.app;
    store.set({ source: side });
    this.showRuns(state.annotations[side].mentions[id].runs);
  }

  chooseEntity(id, adds) {
    const { state, store, annotation, editing } = this.app;
    const { mode, selected } = state;
    if (mode === "move") {
      store.set({ mode: null });
      editing.make({ kind: "move", mentions: selected, entity: id });
      return;
    }
    const members = Object.keys(annotation.mentions).filter((each) => annotation.mentions[each].entity === id);
    store.set({ current: id, ...(adds ? { selected: [...new Set([...selected, ...members])] } : {}) });
    this.app.drawing.show(Math.min(...members.map((each) => annotation.mentions[each].runs[0][0])));
  }

  hover(id) {
    const { state, store, annotation, editing } = this.app;
    const { mode, links, selected, hovered } = state;
    if (id === hovered) return;
    store.set({ hovered: id });
    if (mode === "link" && id && this.linkStart !== id) editing.preview({ kind: "link", links: [...links, [this.linkStart, id]] });
    else if (mode === "move") editing.preview(id && { kind: "move", mentions: selected, entity: annotation.mentions[id].entity });
  }

  startMove() {
    const { state, store, messages } = this.app;
    if (!state.selected.length) messages.say("Select mentions to move first.");
    else store.set({ mode: "move" });
  }

  startLink() {
    const { state, store, messages } = this.app;
    if (!state.selected.length) messages.say("Select the mention that the link comes from first.");
    else store.set({ mode: "link", links: [] });
  }

  pressEnter() {
    const { state, annotation, context, editing } = this.app;
    if (state.mode === "link") {
      editing.make(EDITS.link(context), "links are drawn between mentions");
      return;
    }
    const id = findAround(annotation, state.cursor);
    if (id) this.choose(id, state.mode !== null);
  }

  cancel() {
    window.getSelection().removeAllRanges();
    this.app.store.set({ ...NOTHING });
    this.app.messages.say("");
  }

  goUnlinked(step) {
    this.go(findUnlinked(this.app.annotation, this.app.state.selected.at(-1) ?? null, step), "No mention is alone in its entity.");
  }

  goNeighbour(step) {
    this.go(findNeighbour(this.app.annotation, this.app.state.selected.at(-1) ?? null, step), "There are no mentions.");
  }

  go(id, otherwise) {
    const { state, store, annotation, drawing, messages } = this.app;
    if (id === null) {
      messages.say(otherwise);
      return;
    }
    const { runs } = annotation.mentions[id];
    if (state.mode) this.choose(id, true);
    else store.set({ selected: [id], range: null, cursor: runs[0][0] });
    drawing.show(runs[0][0]);
    messages.say(drawing.describe(runs));
  }

  showRuns(runs) {
    this.app.store.set({ range: runs[0], cursor: runs[0][1] });
    this.app.drawing.show(runs[0][0]);
  }

  makeCurrent() {
    const { state, store, annotation, messages } = this.app;
    const [id] = state.selected;
    if (id) store.set({ current: annotation.mentions[id].entity });
    else messages.say("Select a mention first.");
  }

  selectEntity() {
    const { state, store, annotation, messages } = this.app;
    const { selected, current } = state;
    const entities = selected.length ? new Set(selected.map((id) => annotation.mentions[id].entity)) : new Set([current]);
    const members = Object.keys(annotation.mentions).filter((id) => entities.has(annotation.mentions[id].entity));
    if (members.length) store.set({ selected: members, range: null });
    else messages.say("Select a mention, or make an entity the current one first.");
  }

  moveCursor(step, extending) {
    const { state, store, drawing } = this.app;
    const { cursor, anchor, content } = state;
    const moved = moveCursor({ cursor, anchor, length: content.words?.length ?? content.text?.length ?? 0 }, step, extending);
    if (!moved) return;
    store.set(moved);
    drawing.show(moved.cursor);
  }

  focusSearch() {
    find("search").focus();
  }
}
