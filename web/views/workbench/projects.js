// What is open: a project, a document of it, the sides that are edited, shown and scored; files in and out.
import { addressOf, ask, tell } from "../../store/requests.js";
import { readPlace, writePlace } from "../../store/workbench.js";
import { NOTHING } from "./state.js";

const MOST_COMPARED = 20; // sides; more are not compared at once
const MOST_BESIDE = 3; // annotators that are shown from the start

export class Projects {
  constructor(app) {
    this.app = app;
  }

  async open(place) {
    const { store } = this.app;
    const shown = await ask(addressOf(place.project), { author: store.get().author });
    const [first, second] = [shown.sides[0], shown.sides[1] ?? ""];
    const known = (side, otherwise) => (shown.sides.includes(side) ? side : otherwise);
    const side = known(place.side, second || first);
    store.set({
      ...NOTHING, ...shown, project: place.project, current: null, cursor: null, table: null, agreement: null, chance: null, annotations: {}, content: null, source: "",
      key: known(place.key, first), response: known(place.response, second), side, beside: (place.beside ?? []).filter((name) => name !== side && shown.sides.includes(name)),
      compared: (shown.sides.length > 2 ? shown.sides.slice(1) : shown.sides).slice(0, MOST_COMPARED), document: 0,
    });
    document.title = `${shown.title} – corefeval`;
    await this.openDocument(Math.min(place.document ?? 0, shown.documents.length - 1));
  }

  async openDocument(number) {
    const { store, results } = this.app;
    const { project } = store.get();
    const { content, sides, revision } = await ask(addressOf(project, "/document"), { document: number });
    if (project !== store.get().project) return; // another one was opened in the meantime
    store.set({ ...NOTHING, document: number, content, gone: {}, annotations: sides, revision, current: null, cursor: null, scores: null, agreement: null, chance: null, table: null });
    this.writePlace();
    await results.refresh();
  }

  changePlace(changes) {
    const { store, results } = this.app;
    const { side, beside, current } = { ...store.get(), ...changes };
    store.set({ ...NOTHING, ...changes, beside: beside.filter((name) => name !== side), current: changes.side ? null : current, scores: null, agreement: null, chance: null });
    this.writePlace();
    results.refresh();
  }

  toggleBeside(name) {
    const { beside } = this.app.state;
    this.changePlace({ beside: beside.includes(name) ? beside.filter((each) => each !== name) : [...beside, name] });
  }

  writePlace() {
    window.history.replaceState(null, "", writePlace(this.app.state));
  }

  stepDocument(step) {
    const number = this.app.state.document + step;
    if (number >= 0 && number < this.app.state.documents.length) this.openDocument(number);
  }

  stepSide() {
    const { sides, side } = this.app.state;
    this.changePlace({ side: sides[(sides.indexOf(side) + 1) % sides.length] });
  }

  async create(body) {
    const { messages } = this.app;
    try {
      const { project, sides } = await tell("/api/projects", body);
      await this.app.loadLists();
      const [key, ...annotators] = sides;
      await this.open(body.adjudicate ? { project, side: key, beside: annotators.slice(0, MOST_BESIDE) } : { project });
    } catch (error) {
      messages.complain(error);
    }
  }

  async upload(event) {
    event.preventDefault();
    const form = event.target;
    const files = await Promise.all([...form.elements.files.files].map(async (file) => ({ name: file.name, data: await readBase64(file) })));
    if (files.length) await this.create({ files, name: files[0].name.split(".")[0], adjudicate: form.elements.adjudicate.checked });
    else this.app.messages.say("Choose files first.");
  }

  async save(event) {
    event.preventDefault();
    const { state, messages } = this.app;
    const { file, force } = event.target.elements;
    try {
      const answer = await tell(addressOf(state.project, "/save"), { side: state.side, file: file.value, force: force.checked });
      messages.say([`${answer.file} is written.`, ...answer.notices].join(" "));
    } catch (error) {
      messages.complain(error);
    }
  }

  async download(event) {
    event.preventDefault();
    const { state, messages } = this.app;
    const fields = { side: state.side, format: event.target.elements.format.value };
    try {
      await fetchFile(addressOf(state.project, "/download", fields));
    } catch (error) {
      messages.complain(error);
    }
  }

  async addSide(event) {
    event.preventDefault();
    const { state, messages } = this.app;
    const name = event.target.elements.name.value;
    event.target.reset();
    try {
      await tell(addressOf(state.project, "/sides"), { name });
      await this.open({ ...readPlace(window.location.hash), project: state.project, side: name });
    } catch (error) {
      messages.complain(error);
    }
  }
}

// A file is saved by the browser; an answer that is none is an error, and leaves the page where it is.
async function fetchFile(address) {
  const answer = await window.fetch(address);
  if (!answer.ok) throw new Error((await answer.json()).error);
  const name = decodeURIComponent(answer.headers.get("content-disposition").split("''")[1]);
  const link = document.createElement("a");
  link.href = window.URL.createObjectURL(await answer.blob());
  link.download = name;
  link.click();
  window.URL.revokeObjectURL(link.href);
}

async function readBase64(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let place = 0; place < bytes.length; place += 32768) text += String.fromCharCode(...bytes.subarray(place, place + 32768));
  return window.btoa(text);
}
