// Edits: asked for and answered, undone and done again, those of others; and previews of what they would change.
import { describeEntry } from "../../model/workbench_status.js";
import { applyChange, findAround } from "../../model/workbench_text.js";
import { addressOf, ask, tell } from "../../store/requests.js";
import { find, make } from "./dom.js";
import { EMPTY, NOTHING, pause } from "./state.js";

const WAIT = 20; // seconds that a request for events waits
const HOVER = 120; // milliseconds before a preview is asked for

export class Editing {
  constructor(app) {
    this.app = app;
    this.previews = 0;
    this.refusal = null; // the status of the last request that was refused
    this.stuck = null; // what cannot be taken back, for others have edited it
  }

  // What every request about the open document says.
  get request() {
    const { side, document: number, key, response, author, revision } = this.app.state;
    const pair = key && response && key !== response ? { key, response } : {};
    return { side, document: number, author, revision, ...pair };
  }

  async make(edit, hint) {
    if (edit) await this.send("/edits", { edit });
    else this.app.messages.say(`Nothing is selected for that: ${hint}.`);
  }

  async send(path, body) {
    try {
      const answer = await tell(addressOf(this.app.state.project, path), { ...this.request, ...body });
      await this.receive(answer);
      return answer;
    } catch (error) {
      this.refusal = error.status;
      if (error.status === 409) await this.catchUp();
      this.app.messages.complain(error);
      return null;
    }
  }

  async receive(answer) {
    const { store, results, messages } = this.app;
    if (!answer.entry) {
      messages.say("There is nothing left of that.");
      return;
    }
    if (answer.revision === store.get().revision + 1) this.takeEntries([answer.entry]);
    else await this.catchUp();
    store.set({ ...NOTHING, selected: this.keepSelection(answer.entry), turns: answer.turns, scores: answer.scores ?? store.get().scores });
    if (!answer.scores || store.get().scope === "all") await results.refreshScores();
    messages.say([describeEntry(answer.entry), answer.scores_error].filter(Boolean).join("; "));
    results.refreshAgreement();
  }

  // After an edit the mentions that it changed stay selected, where they are on the side that is edited.
  keepSelection(entry) {
    const { annotations, side } = this.app.state;
    const { mentions } = annotations[entry.side] ?? EMPTY;
    const changed = Object.keys(entry.change.mentions).filter((id) => mentions[id]);
    return entry.side === side && changed.length === 1 ? changed : [];
  }

  takeEntries(entries) {
    const { annotations, document: number, revision, side, selected, links, current } = this.app.state;
    const [changed, gone] = [{ ...annotations }, { ...this.app.state.gone }];
    for (const entry of entries) {
      for (const [id, [was, now]] of Object.entries(entry.change.entities)) if (was && !now) gone[`${entry.side}/${id}`] = was.name;
      const before = changed[entry.side];
      if (entry.revision > revision && entry.document === number && before) changed[entry.side] = { ...before, ...applyChange(before, entry.change) };
    }
    const { mentions, entities } = changed[side] ?? EMPTY;
    const alive = (ids) => ids.filter((id) => mentions[id]);
    this.app.store.set({
      annotations: changed, gone, revision: Math.max(revision, ...entries.map((entry) => entry.revision)), selected: alive(selected),
      links: links.filter((link) => alive(link).length === 2), current: entities[current] ? current : null,
    });
  }

  async catchUp(wait = 0) {
    const { store, results } = this.app;
    const { project, revision, sides } = store.get();
    const events = await ask(addressOf(project, "/events"), { since: revision, wait });
    if (project !== store.get().project || revision !== store.get().revision) return [];
    if (events.sides.length !== sides.length) {
      const asked = store.get();
      const shown = await ask(addressOf(project, "/document"), { document: asked.document });
      if (!results.hasChanged(asked, "project", "document", "revision")) store.set({ sides: events.sides, annotations: shown.sides, revision: shown.revision });
      return [];
    }
    this.takeEntries(events.entries);
    return events.entries;
  }

  // Others' edits, for as long as the page is open.
  async follow() {
    const { messages, results } = this.app;
    for (;;) {
      try {
        if (this.app.state.project) {
          const entries = await this.catchUp(WAIT);
          const others = entries.filter((entry) => entry.author !== this.app.state.author);
          if (others.length) {
            messages.say(others.map(describeEntry).join("; "));
            await results.refresh();
          }
        } else await pause(500);
      } catch (error) {
        messages.complain(error);
        await pause(2000);
      }
    }
  }

  async turn(kind) {
    const answer = await this.send(`/${kind}`, { skip: this.stuck === kind });
    this.stuck = answer || this.refusal !== 409 ? null : kind;
    if (this.stuck) find("message").textContent += ` – ${kind} again passes over it`;
    if (answer?.entry && answer.entry.document !== this.app.state.document) await this.app.projects.openDocument(answer.entry.document);
  }

  async preview(edit) {
    const { store } = this.app;
    this.previews += 1;
    const number = this.previews;
    if (!edit || !this.request.key) {
      if (store.get().preview) store.set({ preview: null });
      return;
    }
    await pause(HOVER);
    if (number !== this.previews) return;
    const asked = store.get();
    const found = await tell(addressOf(asked.project, "/preview"), { ...this.request, edit }).catch(() => null);
    if (number === this.previews && asked.revision === store.get().revision) store.set({ preview: found?.scores ?? null });
  }

  async addMatches(event) {
    event.preventDefault();
    const { filter, current } = this.app.state;
    const answer = await this.send("/edits", { edit: { kind: "add_matches", text: filter, entity: current } });
    if (answer) find("text").focus();
  }

  rename() {
    const { state, annotation, messages } = this.app;
    const { current } = state;
    if (!current) {
      messages.say("Make an entity the current one first (c).");
      return;
    }
    const input = make("input", { name: "name", value: annotation.entities[current].name, "aria-label": "name of the entity" });
    messages.ask("Rename the entity", input, () => this.make({ kind: "rename", entity: current, name: input.value }));
    input.select();
  }

  // The mention at the cursor, or its entity, as a side beside has it: the one that was clicked last.
  takeBeside(what) {
    const { beside, source, cursor, annotations } = this.app.state;
    const from = beside.includes(source) ? source : beside[0];
    const mention = from ? findAround(annotations[from], cursor) : null;
    if (!mention) this.app.messages.say("Show another side beside, and click one of its mentions first.");
    else if (what === "mention") this.send("/take", { source: from, mention });
    else this.takeEntity(from, mention);
  }

  takeEntity(source, mention) {
    return this.send("/take", { source, entity: this.app.state.annotations[source].mentions[mention].entity });
  }
}
