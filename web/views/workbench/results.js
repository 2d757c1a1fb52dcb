// What is computed of the sides: scores and how they come about, agreement and what chance makes of it, rules switched off, studies.
import { addressOf, ask } from "../../store/requests.js";

export class Results {
  constructor(app) {
    this.app = app;
  }

  // Whether some of the state is no longer what it was when something was asked for.
  hasChanged(asked, ...names) {
    return names.some((name) => this.app.state[name] !== asked[name]);
  }

  async refresh() {
    this.refreshAgreement();
    await this.refreshScores();
  }

  async refreshScores() {
    const { store, messages } = this.app;
    const asked = store.get();
    const { project, key, response } = asked;
    if (!key || !response || key === response) {
      store.set({ scores: null });
      return;
    }
    const scores = await ask(addressOf(project, "/scores"), this.listPair(asked)).catch((error) => messages.complain(error));
    if (scores && !this.hasChanged(asked, "project", "document", "key", "response", "scope", "revision")) store.set({ scores });
  }

  listPair({ key, response, document: number, scope }) {
    return { key, response, ...(scope === "all" ? {} : { document: number }) };
  }

  async refreshAgreement() {
    const { store } = this.app;
    const asked = store.get();
    const { project, panel, compared, document: number } = asked;
    if (panel !== "adjudicate" || compared.length < 2) return;
    const fields = { document: number, sides: compared };
    const found = await ask(addressOf(project, "/agreement"), fields).catch((error) => ({ error: error.message }));
    const isOutdated = () => this.hasChanged(asked, "project", "document", "compared", "revision"); // a later answer is under way
    if (isOutdated()) return;
    store.set({ agreement: found.error ? null : found, agreementError: found.error ?? "", chance: null });
    if (found.error) return;
    const chance = await ask(addressOf(project, "/chance"), fields).catch(() => null); // takes longer than the next edit may
    if (chance?.measures && !isOutdated()) store.set({ chance });
  }

  compareSides(names) {
    this.app.store.set({ compared: names, agreement: null, chance: null });
    this.refreshAgreement();
  }

  async explain(measure) {
    const { state, messages } = this.app;
    const found = await ask(addressOf(state.project, "/explain"), { measure, ...this.listPair(state) }).catch((error) => messages.complain(error));
    if (found) messages.showText(`How ${found.measure} comes to its number`, found.lines.join("\n"));
  }

  async runStudy(name) {
    const { messages } = this.app;
    const found = await ask(`/api/studies/${encodeURIComponent(name)}`).catch((error) => messages.complain(error));
    if (found) messages.showText(found.name, found.text);
  }

  async tabulate(event) {
    event.preventDefault();
    const { state, store, messages } = this.app;
    const averaged = event.target.elements.measures.value;
    const measures = averaged.split(",").map((name) => name.trim()).filter(Boolean);
    const fields = { key: state.key, document: state.document, measures };
    const found = await ask(addressOf(state.project, "/rules"), fields).catch((error) => messages.complain(error));
    store.set({ averaged, table: found?.rows ?? null });
  }

  toggleRule(rule) {
    const { off } = this.app.state;
    this.app.store.set({ off: off.includes(rule) ? off.filter((each) => each !== rule) : [...off, rule] });
  }
}
