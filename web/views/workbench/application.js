// The application: the state, what people do to it, and what is drawn of it.
import { applyChange, closeLinks, countMatches, findAround, findNeighbour, findUnlinked } from "../../model/workbench_text.js";
import { addressOf, ask, tell } from "../../store/requests.js";
import { EDITS, makeStore, moveCursor, readPlace, toggleMention, writePlace } from "../../store/workbench.js";
import { ACTIONS, findAction } from "./actions.js";
import { fill, find, make, makeOptions } from "./dom.js";
import { drawAdjudication, drawEntities, drawFiles, drawKeys, drawResolvers } from "./panels.js";
import { drawScores } from "./scores.js";
import { makeTextView } from "./text.js";

const NOTHING = { range: null, selected: [], links: [], mode: null, conflict: [], hovered: null, preview: null };
const EMPTY = { mentions: {}, entities: {} };
const WAIT = 20; // seconds that a request for events waits
const HOVER = 120; // milliseconds before a preview is asked for

export class Application {
  constructor() {
    this.store = makeStore({
      ...NOTHING, project: "", document: 0, side: "", beside: "", key: "", response: "", sides: [], documents: [], content: null, annotations: {},
      revision: 0, current: null, scores: null, showAll: false, scope: "document", panel: "scores", filter: "", cursor: null, anchor: null, author: readAuthor(),
      turns: [0, 0], notices: [], title: "", agreement: null, agreementError: "", compared: [], resolver: "salience", off: [], table: null, averaged: "muc, bcub, ceafe",
    });
    this.lists = { projects: [], examples: {}, formats: { write: {} }, resolvers: [], rules: [], studies: [] };
    this.text = makeTextView(find("text"), {
      choose: (id, adds) => this.chooseMention(id, adds),
      select: (range) => this.store.set({ range, cursor: range[1], anchor: range[0], preview: null }),
      hover: (id) => this.hoverMention(id),
    });
    this.besideText = makeTextView(find("beside-text"), { choose: (id) => this.chooseBeside(id), hover: () => null });
    this.store.subscribe((now, before) => this.schedule(now, before));
    this.pressing = false; // whether a button of the pointer is down
    this.postponed = null; // the state that was drawn last, where drawing waits for the pointer
    this.previews = 0;
    this.refusal = null; // the status of the last request that was refused
    this.stuck = null; // what cannot be taken back, for others have edited it
  }

  get state() {
    return this.store.get();
  }

  get annotation() {
    return this.state.annotations[this.state.side] ?? EMPTY;
  }

  // What an action works on.
  get context() {
    const { range, selected, current, links } = this.state;
    return { range, selected, current, links, annotation: this.annotation };
  }

  async start() {
    this.lists = { ...this.lists, ...(await ask("/api/projects")) };
    this.lists.studies = (await ask("/api/studies")).studies;
    this.bind();
    const place = readPlace(window.location.hash);
    const project = this.lists.projects.includes(place.project) ? place.project : this.lists.projects[0];
    if (project) await this.openProject({ ...place, project });
    else this.showPanel("files");
    this.follow();
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
    this.draw(this.state, before);
  }

  bind() {
    document.addEventListener("pointerdown", () => {
      this.pressing = true;
    }, true);
    window.addEventListener("click", () => this.release()); // behind all others who hear of it
    for (const event of ["pointerup", "pointercancel"]) document.addEventListener(event, () => setTimeout(() => this.release(), 0), true);
    document.addEventListener("pointermove", (event) => this.pressing && !event.buttons && this.release(), true);
    document.addEventListener("keydown", (event) => {
      const action = findAction(event);
      const pressed = event.target.closest("button, a, summary, [role=tab]");
      if (!action || (pressed && ["Enter", "ArrowLeft", "ArrowRight"].includes(event.key))) return;
      event.preventDefault();
      this.run(action);
    });
    fill(find("actions"), ACTIONS.filter(({ button }) => button).map((action) => {
      const preview = (shows) => () => action.edit && this.previewEdit(shows ? EDITS[action.edit](this.context) : null);
      return make("button", {
        type: "button", title: `${action.text} (${action.keys.join(", ")})`, data: { action: action.name }, onclick: () => this.run(action),
        onpointerenter: preview(true), onpointerleave: preview(false), onfocus: preview(true), onblur: preview(false),
      }, action.button, " ", make("kbd", {}, action.keys[0]));
    }));
    for (const [id, field] of [["side", "side"], ["beside", "beside"], ["key", "key"], ["response", "response"], ["scope", "scope"]]) {
      find(id).addEventListener("change", (event) => this.changePlace({ [field]: event.target.value }));
    }
    find("document").addEventListener("change", (event) => this.openDocument(Number(event.target.value)));
    find("author").addEventListener("change", (event) => this.setAuthor(event.target.value));
    find("search").addEventListener("input", (event) => this.store.set({ filter: event.target.value }));
    find("search-form").addEventListener("submit", (event) => this.addMatches(event));
    for (const tab of document.querySelectorAll("[role=tab]")) {
      tab.addEventListener("click", () => this.showPanel(tab.dataset.panel));
      tab.addEventListener("keydown", (event) => this.stepTab(event, tab));
    }
    window.addEventListener("hashchange", () => {
      const place = readPlace(window.location.hash);
      if (writePlace(this.state) !== window.location.hash) this.openProject(place).catch((error) => this.complain(error));
    });
  }

  run(action) {
    if (action.edit) this.makeEdit(EDITS[action.edit](this.context), action.text);
    else action.run(this);
  }

  // Projects, documents, sides

  async openProject(place) {
    const shown = await ask(addressOf(place.project), { author: this.state.author });
    const [first, second] = [shown.sides[0], shown.sides[1] ?? ""];
    const known = (side, otherwise) => (shown.sides.includes(side) ? side : otherwise);
    this.store.set({
      ...NOTHING, ...shown, project: place.project, current: null, cursor: null, table: null, agreement: null, annotations: {}, content: null,
      key: known(place.key, first), response: known(place.response, second), side: known(place.side, second || first), beside: known(place.beside, ""),
      compared: shown.sides.length > 2 ? shown.sides.slice(1) : shown.sides, document: 0,
    });
    document.title = `${shown.title} – corefeval`;
    await this.openDocument(Math.min(place.document ?? 0, shown.documents.length - 1));
  }

  async openDocument(number) {
    const { project } = this.state;
    const { content, sides, revision } = await ask(addressOf(project, "/document"), { document: number });
    this.store.set({ ...NOTHING, document: number, content, annotations: sides, revision, current: null, cursor: null, scores: null, agreement: null, table: null });
    this.writePlace();
    await this.refreshScores();
  }

  changePlace(changes) {
    this.store.set({ ...NOTHING, ...changes, current: changes.side ? null : this.state.current, scores: null, agreement: null });
    this.writePlace();
    this.refreshScores();
    this.refreshAgreement();
  }

  writePlace() {
    window.history.replaceState(null, "", writePlace(this.state));
  }

  stepDocument(step) {
    const number = this.state.document + step;
    if (number >= 0 && number < this.state.documents.length) this.openDocument(number);
  }

  stepSide() {
    const { sides, side } = this.state;
    this.changePlace({ side: sides[(sides.indexOf(side) + 1) % sides.length] });
  }

  setAuthor(name) {
    const author = name.trim() || readAuthor();
    window.sessionStorage.setItem("author", author);
    this.store.set({ author });
  }

  // Edits

  // What every request about the open document says.
  get request() {
    const { side, document: number, key, response, author, revision } = this.state;
    const pair = key && response && key !== response ? { key, response } : {};
    return { side, document: number, author, revision, ...pair };
  }

  async makeEdit(edit, hint) {
    if (!edit) {
      this.say(`Nothing is selected for that: ${hint}.`);
      return;
    }
    await this.send("/edits", { edit });
  }

  async send(path, body) {
    try {
      const answer = await tell(addressOf(this.state.project, path), { ...this.request, ...body });
      await this.receive(answer);
      return answer;
    } catch (error) {
      this.refusal = error.status;
      if (error.status === 409) await this.catchUp();
      this.complain(error);
      return null;
    }
  }

  async receive(answer) {
    if (!answer.entry) {
      this.say("There is nothing left of that.");
      return;
    }
    if (answer.revision === this.state.revision + 1) this.takeEntries([answer.entry]);
    else await this.catchUp();
    this.store.set({ ...NOTHING, selected: this.keepSelection(answer.entry), turns: answer.turns, scores: answer.scores ?? this.state.scores });
    if (!answer.scores || this.state.scope === "all") await this.refreshScores();
    this.say(describeEntry(answer.entry));
    this.refreshAgreement();
  }

  // After an edit the mentions that it changed stay selected, where they are on the side that is edited.
  keepSelection(entry) {
    const { mentions } = this.state.annotations[entry.side] ?? EMPTY;
    const changed = Object.keys(entry.change.mentions).filter((id) => mentions[id]);
    return entry.side === this.state.side && changed.length === 1 ? changed : [];
  }

  takeEntries(entries) {
    const { annotations, document: number, revision } = this.state;
    const changed = { ...annotations };
    for (const entry of entries) {
      if (entry.revision > revision && entry.document === number && changed[entry.side]) changed[entry.side] = applyChange(changed[entry.side], entry.change);
    }
    const { mentions, entities } = changed[this.state.side] ?? EMPTY;
    const alive = (ids) => ids.filter((id) => mentions[id]);
    this.store.set({
      annotations: changed, revision: Math.max(revision, ...entries.map((entry) => entry.revision)), selected: alive(this.state.selected),
      links: this.state.links.filter((link) => alive(link).length === 2), current: entities[this.state.current] ? this.state.current : null,
    });
  }

  async catchUp(wait = 0) {
    const { project, revision, sides } = this.state;
    const events = await ask(addressOf(project, "/events"), { since: revision, wait });
    if (project !== this.state.project || revision !== this.state.revision) return [];
    if (events.sides.length !== sides.length) {
      const asked = this.state;
      const shown = await ask(addressOf(project, "/document"), { document: asked.document });
      if (!this.hasChanged(asked, "project", "document", "revision")) this.store.set({ sides: events.sides, annotations: shown.sides, revision: shown.revision });
      return [];
    }
    this.takeEntries(events.entries);
    return events.entries;
  }

  // Others' edits, for as long as the page is open.
  async follow() {
    for (;;) {
      try {
        if (this.state.project) {
          const entries = await this.catchUp(WAIT);
          const others = entries.filter((entry) => entry.author !== this.state.author);
          if (others.length) {
            this.say(others.map(describeEntry).join("; "));
            await this.refreshScores();
            this.refreshAgreement();
          }
        } else await pause(500);
      } catch (error) {
        this.complain(error);
        await pause(2000);
      }
    }
  }

  async turn(kind) {
    const answer = await this.send(`/${kind}`, { skip: this.stuck === kind });
    this.stuck = answer || this.refusal !== 409 ? null : kind;
    if (this.stuck) find("message").textContent += ` – ${kind} again passes over it`;
    if (answer?.entry && answer.entry.document !== this.state.document) await this.openDocument(answer.entry.document);
  }

  async previewEdit(edit) {
    this.previews += 1;
    const [number, { preview, revision }] = [this.previews, this.state];
    if (!edit || !this.request.key) {
      if (preview) this.store.set({ preview: null });
      return;
    }
    await pause(HOVER);
    if (number !== this.previews) return;
    const found = await tell(addressOf(this.state.project, "/preview"), { ...this.request, edit }).catch(() => null);
    if (number === this.previews && revision === this.state.revision) this.store.set({ preview: found?.scores ?? null });
  }

  async addMatches(event) {
    event.preventDefault();
    const text = this.state.filter;
    const answer = await this.send("/edits", { edit: { kind: "add_matches", text, entity: this.state.current } });
    if (answer) find("text").focus();
  }

  rename() {
    const { current } = this.state;
    if (!current) {
      this.say("Make an entity the current one first (c).");
      return;
    }
    const input = make("input", { name: "name", value: this.annotation.entities[current].name, "aria-label": "name of the entity" });
    this.ask("Rename the entity", input, () => this.makeEdit({ kind: "rename", entity: current, name: input.value }));
    input.select();
  }

  // Selection

  chooseMention(id, adds) {
    const { mode, selected, links } = this.state;
    if (mode === "move") {
      this.store.set({ mode: null });
      this.makeEdit({ kind: "move", mentions: selected, entity: this.annotation.mentions[id].entity });
    } else if (mode === "link") {
      const from = links.length ? links.at(-1)[1] : selected.at(-1);
      if (from !== id) this.store.set({ links: [...links, [from, id]] });
      this.previewEdit(EDITS.link(this.context));
    } else {
      this.store.set({ selected: toggleMention(selected, id, adds), range: null, cursor: this.annotation.mentions[id].runs[0][0], conflict: [] });
    }
  }

  chooseBeside(id) {
    const { runs } = this.state.annotations[this.state.beside].mentions[id];
    this.showRuns(runs);
  }

  chooseEntity(id, adds) {
    const { mode, selected } = this.state;
    if (mode === "move") {
      this.store.set({ mode: null });
      this.makeEdit({ kind: "move", mentions: selected, entity: id });
      return;
    }
    const members = Object.keys(this.annotation.mentions).filter((each) => this.annotation.mentions[each].entity === id);
    this.store.set({ current: id, ...(adds ? { selected: [...new Set([...selected, ...members])] } : {}) });
    this.text.show(Math.min(...members.map((each) => this.annotation.mentions[each].runs[0][0])));
  }

  hoverMention(id) {
    const { mode, links, selected, hovered } = this.state;
    if (id === hovered) return;
    this.store.set({ hovered: id });
    if (mode === "link" && id) {
      const from = links.length ? links.at(-1)[1] : selected.at(-1);
      if (from !== id) this.previewEdit({ kind: "link", links: [...links, [from, id]] });
    } else if (mode === "move") this.previewEdit(id && { kind: "move", mentions: selected, entity: this.annotation.mentions[id].entity });
  }

  startMove() {
    if (!this.state.selected.length) this.say("Select mentions to move first.");
    else this.store.set({ mode: "move" });
  }

  startLink() {
    if (!this.state.selected.length) this.say("Select the mention that the link comes from first.");
    else this.store.set({ mode: "link", links: [] });
  }

  pressEnter() {
    const { mode, cursor } = this.state;
    if (mode === "link") {
      this.makeEdit(EDITS.link(this.context), "links are drawn between mentions");
      return;
    }
    const id = findAround(this.annotation, cursor);
    if (id) this.chooseMention(id, mode !== null);
  }

  cancel() {
    window.getSelection().removeAllRanges();
    this.store.set({ ...NOTHING });
    find("message").textContent = "";
  }

  goUnlinked(step) {
    this.go(findUnlinked(this.annotation, this.state.selected.at(-1) ?? null, step), "No mention is alone in its entity.");
  }

  goNeighbour(step) {
    this.go(findNeighbour(this.annotation, this.state.selected.at(-1) ?? null, step), "There are no mentions.");
  }

  go(id, otherwise) {
    if (id === null) {
      this.say(otherwise);
      return;
    }
    const { runs } = this.annotation.mentions[id];
    if (this.state.mode) this.chooseMention(id, true);
    else this.store.set({ selected: [id], range: null, cursor: runs[0][0] });
    this.text.show(runs[0][0]);
    this.say(this.text.describe(runs));
  }

  showRuns(runs) {
    this.store.set({ range: runs[0], cursor: runs[0][1] });
    this.text.show(runs[0][0]);
  }

  makeCurrent() {
    const [id] = this.state.selected;
    if (id) this.store.set({ current: this.annotation.mentions[id].entity });
    else this.say("Select a mention first.");
  }

  selectEntity() {
    const { selected, current } = this.state;
    const entities = selected.length ? new Set(selected.map((id) => this.annotation.mentions[id].entity)) : new Set([current]);
    this.store.set({ selected: Object.keys(this.annotation.mentions).filter((id) => entities.has(this.annotation.mentions[id].entity)), range: null });
  }

  moveCursor(step, extending) {
    const { cursor, anchor, content } = this.state;
    const moved = moveCursor({ cursor, anchor, length: content.words?.length ?? content.text?.length ?? 0 }, step, extending);
    if (!moved) return;
    this.store.set(moved);
    this.text.show(moved.cursor);
  }

  focusSearch() {
    find("search").focus();
  }

  // Panels

  showPanel(panel) {
    this.store.set({ panel });
    if (panel === "adjudicate") this.refreshAgreement();
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

  // Whether some of the state is no longer what it was when something was asked for.
  hasChanged(asked, ...names) {
    return names.some((name) => this.state[name] !== asked[name]);
  }

  async refreshScores() {
    const asked = this.state;
    const { project, key, response, document: number, scope } = asked;
    if (!key || !response || key === response) {
      this.store.set({ scores: null });
      return;
    }
    const scores = await ask(addressOf(project, "/scores"), { key, response, ...(scope === "all" ? {} : { document: number }) }).catch((error) => this.complain(error));
    if (scores && !this.hasChanged(asked, "project", "document", "key", "response", "scope", "revision")) this.store.set({ scores });
  }

  async refreshAgreement() {
    const asked = this.state;
    const { project, panel, compared, document: number } = asked;
    if (panel !== "adjudicate" || compared.length < 2) return;
    const found = await ask(addressOf(project, "/agreement"), { document: number, sides: compared }).catch((error) => ({ error: error.message }));
    if (this.hasChanged(asked, "project", "document", "compared", "revision")) return; // a later answer is under way
    this.store.set({ agreement: found.error ? null : found, agreementError: found.error ?? "" });
  }

  async explain(measure) {
    const { project, key, response, document: number, scope } = this.state;
    const found = await ask(addressOf(project, "/explain"), { measure, key, response, ...(scope === "all" ? {} : { document: number }) }).catch((error) => this.complain(error));
    if (found) this.showText(`How ${found.measure} comes to its number`, found.lines.join("\n"));
  }

  async runStudy(name) {
    const found = await ask(`/api/studies/${encodeURIComponent(name)}`).catch((error) => this.complain(error));
    if (found) this.showText(found.name, found.text);
  }

  showText(title, text) {
    this.ask(title, make("pre", { tabindex: "0" }, text), null);
  }

  // A dialog with something in it; with `done`, a form that can be sent.
  ask(title, content, done) {
    const dialog = find("dialog");
    const close = make("button", { type: "button", onclick: () => dialog.close() }, "Close");
    const form = make("form", { onsubmit: (event) => {
      event.preventDefault();
      dialog.close();
      done?.();
    } }, make("h2", { id: "dialog-title" }, title), content, make("div", { class: "row" }, done ? make("button", {}, "OK") : null, close));
    dialog.replaceChildren(form);
    dialog.showModal();
  }

  async create(body) {
    try {
      const { project } = await tell("/api/projects", body);
      this.lists = { ...this.lists, ...(await ask("/api/projects")) };
      await this.openProject({ project });
    } catch (error) {
      this.complain(error);
    }
  }

  async upload(event) {
    event.preventDefault();
    const form = event.target;
    const files = await Promise.all([...form.elements.files.files].map(async (file) => ({ name: file.name, data: await readBase64(file) })));
    if (files.length) await this.create({ files, name: files[0].name.split(".")[0], adjudicate: form.elements.adjudicate.checked, });
    else this.say("Choose files first.");
  }

  async save(event) {
    event.preventDefault();
    const { file, force } = event.target.elements;
    try {
      const answer = await tell(addressOf(this.state.project, "/save"), { side: this.state.side, file: file.value, force: force.checked });
      this.say([`${answer.file} is written.`, ...answer.notices].join(" "));
    } catch (error) {
      this.complain(error);
    }
  }

  download(event) {
    event.preventDefault();
    window.location.assign(addressOf(this.state.project, "/download", { side: this.state.side, format: event.target.elements.format.value }));
  }

  async addSide(event) {
    event.preventDefault();
    const name = event.target.elements.name.value;
    try {
      await tell(addressOf(this.state.project, "/sides"), { name });
      await this.openProject({ ...readPlace(window.location.hash), project: this.state.project, side: name });
    } catch (error) {
      this.complain(error);
    }
  }

  async tabulate(event) {
    event.preventDefault();
    const averaged = event.target.elements.measures.value;
    const { project, key, document: number } = this.state;
    const measures = averaged.split(",").map((name) => name.trim()).filter(Boolean);
    const found = await ask(addressOf(project, "/rules"), { key, document: number, measures }).catch((error) => this.complain(error));
    this.store.set({ averaged, table: found?.rows ?? null });
  }

  // The mention at the cursor, or its entity, as the side beside has it.
  takeBeside(what) {
    const { beside, cursor, annotations } = this.state;
    const mention = beside ? findAround(annotations[beside], cursor) : null;
    if (!mention) this.say("Show another side beside, and click one of its mentions first.");
    else if (what === "mention") this.send("/take", { source: beside, mention });
    else this.takeEntity(beside, mention);
  }

  takeEntity(source, mention) {
    return this.send("/take", { source, entity: this.state.annotations[source].mentions[mention].entity });
  }

  // What is said

  say(text) {
    const line = find("message");
    line.textContent = text;
    line.className = "message";
  }

  complain(error) {
    const line = find("message");
    line.textContent = error.message;
    line.className = "message error";
    this.store.set({ conflict: error.ids ?? [] });
    return undefined;
  }

  // Drawing

  draw(now, before) {
    const changed = (...names) => names.some((name) => now[name] !== before[name]);
    if (changed("title", "sides", "documents", "document", "side", "beside", "key", "response", "author")) this.drawPlace(now);
    if (now.content && changed("content", "annotations", "side", "beside")) this.drawTexts(now);
    if (changed("selected", "current", "hovered", "conflict", "links", "annotations", "side", "beside", "mode")) this.markMentions(now);
    if (changed("range", "content", "annotations", "cursor", "side")) this.text.highlight(now.range);
    if (changed("selected", "range", "current", "links", "annotations", "turns", "mode", "side", "filter", "content")) this.drawTools(now);
    if (changed("panel")) this.drawTabs(now);
    this.drawPanel(now, changed);
  }

  drawPlace(now) {
    find("title").textContent = now.title;
    const sides = now.sides.map((name) => [name, name]);
    fill(find("document"), makeOptions(now.documents.map(({ name }, number) => [String(number), name || `document ${number + 1}`]), String(now.document)));
    for (const id of ["side", "key"]) fill(find(id), makeOptions(sides, now[id]));
    for (const id of ["beside", "response"]) fill(find(id), makeOptions([["", "none"], ...sides], now[id]));
    find("author").value = now.author;
  }

  drawTexts(now) {
    const isCharacters = now.content.words === undefined;
    find("text").classList.toggle("characters", isCharacters);
    find("beside-text").classList.toggle("characters", isCharacters);
    this.text.draw({ content: now.content, annotation: now.annotations[now.side] ?? EMPTY });
    find("beside-column").hidden = !now.beside;
    find("text-title").textContent = `${now.side} (edited)`;
    find("beside-title").textContent = now.beside;
    if (now.beside) this.besideText.draw({ content: now.content, annotation: now.annotations[now.beside] ?? EMPTY });
  }

  markMentions(now) {
    const { mentions } = this.annotation;
    const ofEntity = (entity) => new Set(entity ? Object.keys(mentions).filter((id) => mentions[id].entity === entity) : []);
    const conflict = new Set(now.conflict.flatMap((id) => (id.startsWith("m") ? [id] : [...ofEntity(id)])));
    const linked = now.links.filter((link) => link.every((id) => mentions[id]));
    const closure = new Set(linked.length ? closeLinks(this.annotation, linked).flat() : []);
    this.text.mark({ selected: new Set(now.selected), current: ofEntity(now.current), hovered: ofEntity(mentions[now.hovered]?.entity), conflict, closure });
  }

  drawTools(now) {
    for (const action of ACTIONS) {
      const button = document.querySelector(`[data-action="${action.name}"]`);
      if (button && action.edit) button.setAttribute("aria-disabled", String(!EDITS[action.edit](this.context)));
    }
    for (const [place, name] of ["undo", "redo"].entries()) document.querySelector(`[data-action="${name}"]`)?.setAttribute("aria-disabled", String(!now.turns[place]));
    find("status").textContent = describeStatus(now, this.annotation);
  }

  drawTabs(now) {
    for (const tab of document.querySelectorAll("[role=tab]")) {
      const shown = tab.dataset.panel === now.panel;
      tab.setAttribute("aria-selected", String(shown));
      tab.tabIndex = shown ? 0 : -1;
      find(`panel-${tab.dataset.panel}`).hidden = !shown;
    }
  }

  drawPanel(now, changed) {
    const body = find(`panel-${now.panel}`).querySelector(".body");
    const all = changed("panel", "annotations", "side", "sides", "project");
    const drawers = {
      scores: () => (all || changed("scores", "preview", "showAll")) && drawScores(body, { ...now, names: this.nameEntities(now) }, {
        toggleAll: () => this.store.set({ showAll: !this.state.showAll }), explain: (measure) => this.explain(measure),
      }),
      entities: () => (all || changed("current", "filter")) && drawEntities(body, { ...now, annotation: this.annotation }, {
        choose: (id, adds) => this.chooseEntity(id, adds), describe: (runs) => this.text.describe(runs),
        preview: (id) => this.previewEdit(id && this.state.selected.length ? { kind: "move", mentions: this.state.selected, entity: id } : null),
      }),
      adjudicate: () => (all || changed("agreement", "agreementError", "compared")) && drawAdjudication(body, { ...now, error: now.agreementError }, {
        compare: () => this.compareSides(body), majority: () => this.send("/majority", { sides: this.state.compared }), addSide: (event) => this.addSide(event),
        take: (source, what) => this.send("/take", { source, ...what }), takeEntity: (source, mention) => this.takeEntity(source, mention),
        show: (runs) => this.showRuns(runs), describe: (runs) => this.text.describe(runs),
      }),
      resolve: () => (all || changed("resolver", "off", "table", "key")) && drawResolvers(body, { ...this.lists, ...now }, {
        choose: (event) => this.store.set({ resolver: event.target.value }), tabulate: (event) => this.tabulate(event),
        toggleRule: (event) => this.toggleRule(event.target.value),
        resolve: () => this.send("/resolve", { resolver: this.state.resolver, off: this.state.resolver === "salience" ? this.state.off : [] }),
      }),
      files: () => (changed("panel", "project", "side", "sides", "notices")) && drawFiles(body, { lists: this.lists, ...now }, {
        open: (event) => this.openProject({ project: event.target.value }), openExample: (event) => event.target.value && this.create({ example: event.target.value }),
        upload: (event) => this.upload(event), save: (event) => this.save(event), download: (event) => this.download(event),
        study: (event) => event.target.value && this.runStudy(event.target.value),
      }),
      keys: () => changed("panel") && drawKeys(body, ACTIONS),
    };
    drawers[now.panel]();
  }

  nameEntities(now) {
    const name = (side) => (id) => now.annotations[side]?.entities[id]?.name ?? id;
    return { key: name(now.key), response: name(now.response) };
  }

  compareSides(body) {
    const boxes = [...body.querySelectorAll("input[type=checkbox]")];
    this.store.set({ compared: boxes.filter((box) => box.checked).map((box) => box.value), agreement: null });
    this.refreshAgreement();
  }

  toggleRule(rule) {
    const { off } = this.state;
    this.store.set({ off: off.includes(rule) ? off.filter((each) => each !== rule) : [...off, rule] });
  }
}

function describeEntry(entry) {
  const count = Object.keys(entry.change.mentions).length;
  return `${entry.author}: ${entry.kind.replace("_", " ")} in ${entry.side}, ${count} mention${count === 1 ? "" : "s"} (revision ${entry.revision})`;
}

// One line: what there is, what is selected, and what a click would do.
function describeStatus({ current, selected, mode, links, filter, content }, annotation) {
  const { mentions, entities } = annotation;
  const linked = () => ` (${closeLinks(annotation, links).flat().length} mentions become one entity)`;
  const modes = { move: () => "move: click an entity or a mention of it", link: () => `link: click mentions, then Enter${links.length ? linked() : ""}` };
  return [
    `${Object.keys(mentions).length} mentions in ${Object.keys(entities).length} entities`,
    current ? `current: ${entities[current]?.name}` : "no current entity",
    selected.length ? `${selected.length} selected` : "",
    modes[mode]?.() ?? "",
    filter && content ? `${countMatches(content, filter)} matches` : "",
  ].filter(Boolean).join(" · ");
}

function pause(milliseconds) {
  return new Promise((done) => {
    setTimeout(done, milliseconds);
  });
}

function readAuthor() {
  const known = window.sessionStorage.getItem("author");
  const author = known ?? `browser ${Math.random().toString(36).slice(2, 6)}`;
  window.sessionStorage.setItem("author", author);
  return author;
}

async function readBase64(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let place = 0; place < bytes.length; place += 32768) text += String.fromCharCode(...bytes.subarray(place, place + 32768));
  return window.btoa(text);
}
