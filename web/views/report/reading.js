// The text with its mentions: two sides, or one over the other, with errors to go through.

import { listErrors, markErrors } from "../../model/errors.js";
import { chooseLooks, findCommonText, findMention, findPlaces, findTwin, getEntity, getSide, getText, identifyMention, listMembers, nameMention } from "../../model/document.js";
import { layOut } from "../../model/layout.js";
import { countDocuments, countErrors, countThings, nameDocument, nameSide } from "../../model/report.js";
import { all, make, one, setOptions } from "../dom.js";
import { colourEntity, colourOf, entityClass, makeSign } from "./parts.js";
import { createInspector } from "./inspector.js";

const nameMark = (side, mention) => `${side}.${mention}`;
const readMark = (name) => {
  const [side, mention] = name.split(".");
  return [side === "k" ? "k" : Number(side), Number(mention)];
};
const readSide = (text) => (text === "k" ? "k" : Number(text));

export function createReading(app) {
  const { data, store } = app;
  const reading = {
    record: null, document: null, shown: null, elements: new Map(), errors: [], at: -1, chosen: null, current: null,
  };
  const inspector = createInspector(app, one("#inspector"), { close: () => unchoose() });
  const box = one("#sides");
  let state = store.state;

  setOptions(one("#document"), data.documents.name.map((_, number) => [number, nameDocument(data, number)]), 0);
  const sides = [["k", "key"], ...data.systems.map(({ name }, number) => [number, name])];
  for (const id of ["left", "right"]) {
    setOptions(one(`#${id}`), sides, state[id]);
    one(`#${id}`).addEventListener("change", (event) => store.change({ [id]: readSide(event.target.value) }));
  }
  for (const id of ["overlaid", "signs"]) one(`#${id}`).addEventListener("change", (event) => store.change({ [id]: event.target.checked }));
  one("#cost-by").replaceChildren();
  setOptions(one("#cost-by"), data.measures.map(({ title }, number) => [number, title]), state.measure);
  one("#cost-by").addEventListener("change", (event) => store.change({ measure: Number(event.target.value) }));
  one("#document").addEventListener("change", (event) => openDocument(Number(event.target.value)));
  const turn = (step) => openDocument((state.document + step + countDocuments(data)) % countDocuments(data));
  const openDocument = (number) => store.change({ document: number, mention: null });
  one("#previous-document").addEventListener("click", () => turn(-1));
  one("#next-document").addEventListener("click", () => turn(1));
  one("#previous-error").addEventListener("click", () => toError(-1));
  one("#next-error").addEventListener("click", () => toError(1));
  one("#filter").append(...data.kinds.map((kind, number) => make("label", { "data-kind": number, title: kind.rule },
    make("input", { type: "checkbox", checked: true, onchange: filter }), makeSign(kind), kind.title, " ", make("output"))));
  box.addEventListener("mouseover", (event) => point(event.target.closest(".m")));
  box.addEventListener("mouseleave", () => light(reading.chosen));
  box.addEventListener("focusin", (event) => point(event.target.closest(".m")));
  box.addEventListener("click", (event) => {
    const mark = event.target.closest(".m");
    if (mark) choose(mark.dataset.m.split(" ")[0], { at: mark });
    else unchoose();
  });

  function filter() {
    const chosen = new Set(all("#filter label").filter((label) => one("input", label).checked).map((label) => Number(label.dataset.kind)));
    store.change({ kinds: chosen.size === data.kinds.length ? null : chosen });
  }

  const shownSides = () => [...new Set([state.left, state.right])];
  const shownSystems = () => shownSides().filter((side) => side !== "k");

  async function show(now, before) {
    state = now;
    const number = state.document;
    if (number === null) return;
    if (reading.document !== number) {
      const record = await app.load(number);
      if (state.document !== number) return;
      Object.assign(reading, { record, document: number, chosen: null, current: null, shown: null });
      if (!state.mention) window.scrollTo(0, 0);
    }
    const asked = reading.record ? findMention(reading.record, state.mention) : null;
    if (asked && !isVisible(...asked)) settleSides(asked[0], before);
    else {
      showSides(number);
      showChosen(asked && nameMark(...asked));
    }
  }

  // A mention that a link leads to brings its side; one whose side was taken away is chosen no longer.
  function settleSides(side, before) {
    const stays = before?.mention === state.mention && before.document === state.document && before.view === "text";
    store.change(stays ? { mention: null } : side === "k" ? { left: "k" } : { right: side }, { replace: true });
  }

  function showChosen(name) {
    if (!name) forget();
    if (name && name !== reading.chosen) choose(name, { scroll: true });
    else inspect();
  }

  function showSides(number) {
    const wanted = [number, state.left, state.right, state.overlaid, state.kinds ? [...state.kinds] : "all"].join("/");
    if (reading.shown !== wanted) {
      reading.shown = wanted;
      showControls();
      showText();
    }
    box.classList.toggle("signed", state.signs);
    one("#signs").checked = state.signs;
    one("#cost-by").value = String(state.measure);
  }

  const isVisible = (side, mention) => shownSides().includes(side)
    || (side === "k" && shownSystems().some((system) => findTwin(reading.record, "k", mention, system) === undefined));

  function showControls() {
    one("#document").value = String(state.document);
    one("#left").value = String(state.left);
    one("#right").value = String(state.right);
    one("#types summary").textContent = `Types of errors: ${state.kinds ? `${state.kinds.size} of ${data.kinds.length}` : "all"}`;
    const counts = (number) => shownSystems().map((system) => data.errors[system][state.document][data.kinds[number].name] || 0);
    for (const label of all("#filter label")) {
      const number = Number(label.dataset.kind);
      one("input", label).checked = !state.kinds || state.kinds.has(number);
      one("output", label).replaceChildren(...counts(number).flatMap((count, at) => [
        at ? " / " : "", shownSystems().length > 1 ? make("span", { class: "count", style: { "--colour": colourOf(shownSystems()[at]) } }, String(count)) : String(count),
      ]));
    }
  }

  function showText() {
    const { record } = reading;
    reading.elements.clear();
    reading.errors = record ? shownSystems().flatMap((system) => listErrors(record, system)).filter(({ kind }) => !state.kinds || state.kinds.has(kind))
      .sort((x, y) => x.place - y.place) : [];
    reading.at = -1;
    tellWhere();
    one("#text h1").textContent = nameDocument(data, state.document);
    if (!record) {
      const why = app.isThere(state.document) ? "could not be loaded" : "is not in this file: it has the documents with the costliest and with most errors only";
      box.className = "sides";
      box.replaceChildren(make("p", { class: "notice" }, "The text of ", make("bdi", {}, nameDocument(data, state.document)), ` ${why}.`));
      one("#overlaid").disabled = true;
      one("#no-overlay").textContent = "";
      forget();
      return;
    }
    const shown = shownSides();
    const overlaid = overlay(record, shown);
    const columns = overlaid ? [makeColumn(shown, findCommonText(record, shown))]
      : [state.left, state.right].map((side) => makeColumn([side], getSide(record, side).text));
    box.className = overlaid ? "sides overlaid" : "sides";
    for (const side of ["left", "right"]) box.style.setProperty(`--${side}`, JSON.stringify(nameSide(data, state[side])));
    const rows = Math.max(...columns.map(({ blocks }) => blocks.length));
    const body = [];
    for (let row = 0; row < rows; row += 1) {
      body.push(make("div", { class: "row" }, ...columns.map(({ blocks }) => blocks[row] || make("p", { class: "block", "aria-hidden": "true" }))));
    }
    box.replaceChildren(
      make("div", { class: "row heads" }, ...columns.map(({ sides: [side, other] }) => make("h2", { class: "side" },
        make("bdi", {}, nameSide(data, side)), ...(other === undefined ? [] : [" and ", make("bdi", {}, nameSide(data, other))])))),
      ...makeLegend(shown, overlaid),
      ...body,
      ...(columns.some(({ rest }) => rest.length) ? [make("div", { class: "row rest" }, ...columns.map(({ rest }) => make("div", {}, ...rest)))] : []));
    const first = one(".m", box);
    if (first) first.tabIndex = 0;
    if (reading.chosen && reading.elements.has(reading.chosen)) choose(reading.chosen, { focus: false });
    else forget();
  }

  // Whether the sides are shown on one text; why they cannot be is said beside the choice.
  function overlay(record, shown) {
    const possible = shown.length > 1 && findCommonText(record, shown) !== null;
    one("#overlaid").disabled = !possible;
    one("#overlaid").checked = possible && state.overlaid;
    one("#no-overlay").textContent = possible ? "" : tellWhyNot(record, shown);
    return possible && state.overlaid;
  }

  function tellWhyNot(record, shown) {
    if (shown.length < 2) return "(one side only)";
    const without = shown.filter((side) => getSide(record, side).text === null).map((side) => nameSide(data, side));
    return without.length ? `(not possible: ${without.join(" and ")} ${without.length > 1 ? "have" : "has"} no text)` : "(not possible: the texts have nothing in common)";
  }

  // What the frames mean, where that is not plain from both sides.
  function makeLegend(shown, overlaid) {
    const name = (side) => make("bdi", {}, nameSide(data, side));
    const lines = [];
    if (overlaid) lines.push(["Dashed: only ", name(shown[0]), " has it. Dotted: only ", name(shown[1]), " has it. "]);
    if (overlaid && shown.some((side) => getSide(reading.record, side).text !== getSide(reading.record, shown[0]).text)) lines.push(["Their texts differ; this is the key's. "]);
    if (shown.length > 1 && !shown.includes("k")) {
      lines.push([`In grey brackets: a mention of the key that ${overlaid ? "both miss" : "is missing here"}. `]);
      if (overlaid) lines.push(["Errors have the colour of their system: ", ...shown.flatMap((side, at) => [at ? ", " : "", make("span", { class: "count", style: { "--colour": colourOf(side) } }, name(side))]), "."]);
    }
    return lines.length ? [make("p", { class: "hint legend" }, ...lines.flat())] : [];
  }

  // A column for one side, or for two of them on one text: a block for every sentence, or for every entity where there
  // is no text; and `rest`, what has no place among them.
  function makeColumn(own, text) {
    const { record } = reading;
    const systems = own.filter((side) => side !== "k");
    const marks = markErrors((systems.length ? systems : shownSystems()).flatMap((system) => listErrors(record, system)), state.kinds);
    const missing = findMissed(own).map((mention) => ({ marks: [["k", mention]], ghost: true, runs: text === null ? [] : findPlaces(record, "k", mention, text) }));
    if (text === null) {
      const blocks = listMembers(record, own[0]).map((mentions) => makeNames(mentions.map((mention) => ({ marks: [[own[0], mention]] })), marks));
      return { sides: own, blocks, rest: makeRest("Missing here", missing, marks) };
    }
    const items = joinTwins(own, text);
    const standing = [...items, ...missing].filter((item) => item.runs.length);
    const blocks = layOut(getText(record, text), standing).map((children) => make("p", { class: "block", dir: "auto" }, ...children.map((child) => makePart(child, marks))));
    const without = (found) => found.filter((item) => !item.runs.length);
    return {
      sides: own, blocks,
      rest: [
        ...makeRest("These do not begin and end with words of this text", without(items), marks),
        ...makeRest("Missing here, and without a place in this text", without(missing), marks),
      ],
    };
  }

  // Where the key is not beside them, systems show what they miss of it: its mentions without a twin in any of them.
  function findMissed(systems) {
    if (shownSides().includes("k")) return [];
    const { record } = reading;
    return record.key.mentions.map((_, mention) => mention).filter((mention) => systems.every((system) => findTwin(record, "k", mention, system) === undefined));
  }

  // The mentions to be shown on one text, {marks: [[side, mention], ...], runs}; twins of the same words once.
  function joinTwins([first, other], text) {
    const { record } = reading;
    const items = getSide(record, first).mentions.map((_, mention) => ({ marks: [[first, mention]], runs: findPlaces(record, first, mention, text) }));
    if (other === undefined) return items;
    const ours = [...items];
    getSide(record, other).mentions.forEach((_, mention) => {
      const runs = findPlaces(record, other, mention, text);
      const twin = ours[findTwin(record, other, mention, first)];
      if (twin && twin.runs.join() === runs.join()) twin.marks.push([other, mention]);
      else items.push({ marks: [[other, mention]], runs });
    });
    return items;
  }

  function makeRest(title, items, marks) {
    if (!items.length) return [];
    return [make("p", { class: "hint" }, `${title}: ${countThings(items.length, "mention")}.`), makeNames(items, marks)];
  }

  // Mentions by name, one after another.
  function makeNames(items, marks) {
    const part = (item) => makePart({ item, opens: true, closes: true, inner: 0, children: [{ name: nameMention(reading.record, ...item.marks[0]) }] }, marks);
    return make("p", { class: "block names", dir: "auto" }, ...items.flatMap((item) => [part(item), " "]));
  }

  // A piece of the text: words, a zero, a name, or a part of a mention with all that is within it.
  function makePart(piece, marks) {
    if (typeof piece === "string") return piece;
    if (piece.zero !== undefined) return make("span", { class: "zero", title: "not written in the text" }, "∅", piece.zero ? make("i", {}, piece.zero) : null);
    if (piece.name !== undefined) return make("bdi", {}, piece.name);
    const owners = piece.item.marks;
    const { record } = reading;
    const looks = owners.map(([side, mention]) => chooseLooks(record, side)[getEntity(record, side, mention)]);
    const errors = owners.flatMap((owner) => marks.get(nameMark(...owner)) || []);
    const told = [...new Map(errors.map((error) => [`${error.kind}/${error.system}`, error])).values()];
    const element = make("span", {
      class: listClasses(piece, told).join(" ") + entityClass(looks[0]), tabindex: "-1", style: { ...colourEntity(looks[0]), ...(piece.inner ? { "--inner": piece.inner } : {}) },
      "data-m": owners.map((owner) => nameMark(...owner)).join(" "), role: "group", "aria-roledescription": "mention", "aria-label": speak(piece.item, told),
    },
    ...(piece.opens ? told.map((error) => makeWhoseSign(error)) : []),
    ...piece.children.map((child) => makePart(child, marks)),
    piece.closes ? makeLabel(owners, looks) : null);
    for (const owner of owners) {
      const name = nameMark(...owner);
      reading.elements.set(name, [...(reading.elements.get(name) || []), element]);
    }
    return element;
  }

  // Beside another system's, an error has the colour of its own.
  function makeWhoseSign(error) {
    const kind = data.kinds[error.kind];
    const sign = makeSign(kind);
    sign.title = kind.title + tellWhose(error);
    if (shownSystems().length > 1) {
      sign.classList.add("owned");
      sign.style.setProperty("--colour", colourOf(error.system));
    }
    return sign;
  }

  const tellWhose = (error) => (shownSystems().length > 1 ? ` (${nameSide(data, error.system)})` : "");

  // The entity's number; where both sides have different ones, each with its side.
  function makeLabel(owners, looks) {
    const labels = [...new Set(looks.map(({ label }) => label))];
    const text = labels.length < 2 ? labels[0] : owners.map(([side], at) => `${looks[at].label} in ${nameSide(data, side)}`).join(", ");
    return make("sub", { class: "label", "aria-hidden": "true" }, text);
  }

  // What those hear who do not see frames, colours and signs.
  function speak({ marks: owners, ghost }, errors) {
    const { record } = reading;
    const entities = [...new Set(owners.map(([side, mention]) => chooseLooks(record, side)[getEntity(record, side, mention)].label))];
    const whose = owners.length > 1 ? "" : ghost ? ", missing here" : `, ${nameSide(data, owners[0][0])}`;
    return [`${nameMention(record, ...owners[0])}, entity ${entities.join(" or ")}${whose}`, ...errors.map((error) => data.kinds[error.kind].title + tellWhose(error))].join(", ");
  }

  function listClasses({ item: { marks: owners, ghost }, opens, closes }, errors) {
    const [side, mention] = owners[0];
    const classes = ["m", opens ? "opens" : "cut-left", closes ? "closes" : "cut-right"];
    if (ghost) classes.push("ghost");
    else if (owners.length > 1) classes.push("both");
    else classes.push(side === state.left ? "of-left" : "of-right", ...(isTwinless(side, mention) ? ["alone"] : []));
    return errors.length ? [...classes, "wrong", ...new Set(errors.map((error) => data.kinds[error.kind].name))] : classes;
  }

  // A mention without a twin need not be an error of its own: its entity's may be that of others.
  function isTwinless(side, mention) {
    const other = shownSides().find((each) => each !== side);
    return other !== undefined && findTwin(reading.record, side, mention, other) === undefined;
  }

  function point(mark) {
    light(mark ? mark.dataset.m.split(" ")[0] : reading.chosen);
  }

  function light(name) {
    for (const element of all(".lit, .near", box)) element.classList.remove("lit", "near");
    box.classList.toggle("dimmed", Boolean(name));
    if (!name) return;
    const found = findRelated(...readMark(name));
    for (const each of found.near) for (const element of reading.elements.get(each) || []) element.classList.add("near");
    for (const each of found.lit) for (const element of reading.elements.get(each) || []) element.classList.add("lit");
  }

  // The mentions of an entity with their twins on the other sides, and the rest of the twins' entities.
  function findRelated(side, mention) {
    const { record } = reading;
    const own = listMembers(record, side)[getEntity(record, side, mention)];
    const lit = new Set(own.map((each) => nameMark(side, each)));
    const near = new Set();
    for (const other of new Set([...shownSides(), "k"])) {
      if (other === side) continue;
      const twins = own.map((each) => findTwin(record, side, each, other)).filter((each) => each !== undefined);
      for (const twin of twins) lit.add(nameMark(other, twin));
      for (const entity of new Set(twins.map((twin) => getEntity(record, other, twin)))) {
        for (const each of listMembers(record, other)[entity]) near.add(nameMark(other, each));
      }
    }
    for (const each of lit) near.delete(each);
    return { lit, near };
  }

  function choose(name, { scroll = false, focus = true, error = null, at = null } = {}) {
    const elements = reading.elements.get(name) || [];
    if (!elements.length) return;
    const element = at || elements[0];
    Object.assign(reading, { chosen: name, current: element, error });
    markChosen(elements, element);
    if (focus) element.focus({ preventScroll: true });
    if (scroll) toMiddle(element);
    light(name);
    const id = identifyMention(reading.record, ...readMark(name));
    if (id === state.mention) inspect();
    else store.change({ mention: id }, { replace: true });
  }

  // The chosen mention is the one that the keyboard comes to when it comes to the text.
  function markChosen(elements, element) {
    for (const other of all(".m[tabindex='0'], .m.chosen", box)) {
      other.tabIndex = -1;
      other.classList.remove("chosen");
    }
    for (const each of elements) each.classList.add("chosen");
    element.tabIndex = 0;
  }

  function forget() {
    Object.assign(reading, { chosen: null, current: null, error: null });
    for (const element of all(".m.chosen", box)) element.classList.remove("chosen");
    light(null);
  }

  function unchoose() {
    forget();
    if (state.mention) store.change({ mention: null }, { replace: true });
    else inspect();
  }

  function inspect() {
    const mark = reading.chosen ? readMark(reading.chosen) : null;
    inspector.show(reading.record, state, mark, reading.error);
  }

  function tellWhere() {
    const count = reading.record ? reading.errors.length : shownSystems().reduce((total, system) => total + countErrors(data, system, state.document, state.kinds), 0);
    one("#where").textContent = reading.at < 0 ? countThings(count, "error") : `${reading.at + 1} of ${count}`;
  }

  function toError(step) {
    const count = reading.errors.length;
    if (!count) return;
    reading.at = reading.at < 0 ? (step > 0 ? 0 : count - 1) : (reading.at + step + count) % count;
    const error = reading.errors[reading.at];
    const mark = error.marks.find((each) => reading.elements.has(nameMark(...each)));
    if (mark) choose(nameMark(...mark), { scroll: true, error });
    tellWhere();
  }

  function nextMention(step) {
    // Where mentions begin: one with gaps has several elements.
    const marks = all(".m.opens", box);
    if (!marks.length) return;
    const at = marks.indexOf(reading.current);
    const next = marks[at < 0 ? 0 : (at + step + marks.length) % marks.length];
    choose(next.dataset.m.split(" ")[0], { scroll: true, at: next });
  }

  const keys = {
    n: () => toError(1), j: () => toError(1), p: () => toError(-1), k: () => toError(-1),
    ArrowRight: () => nextMention(1), ArrowLeft: () => nextMention(-1), Escape: unchoose,
  };
  return { show, keys };
}

// Twice: what is not in sight is not laid out yet, and gets its true height on the way.
function toMiddle(element) {
  element.scrollIntoView({ block: "center" });
  requestAnimationFrame(() => element.scrollIntoView({ block: "center" }));
  // While the page loads, the browser goes to its top once more because it knows no such fragment.
  if (document.readyState !== "complete") window.addEventListener("load", () => setTimeout(() => toMiddle(element)), { once: true });
}
