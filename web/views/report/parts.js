// Small pieces that several views share: names of systems and errors, links, bars and intervals.

import { getFinding } from "../../model/costs.js";
import { describeError } from "../../model/errors.js";
import { chooseLooks, findMentionContext, identifyMention, nameMention } from "../../model/document.js";
import { cutContext, findDirection } from "../../model/text.js";
import { nameDocument, nameSide } from "../../model/report.js";
import { make } from "../dom.js";

export const colourOf = (system) => `var(--s${system % 6})`;

/** The style of what has the colour of an entity. */
export const colourEntity = ({ hue }) => (hue === null ? {} : { "--h": hue });
export const entityClass = ({ hue }) => (hue === null ? "" : " hued");

/** A link to a state: with a plain click, all that it does not say stays as it is. */
export function linkTo(app, changes, attributes, ...children) {
  return make("a", {
    ...attributes, href: app.store.link(changes),
    onclick: (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
      event.preventDefault();
      app.store.change(changes);
    },
  }, ...children);
}

export const makeSwatch = (system) => make("span", { class: "swatch", style: { "--colour": colourOf(system) } });
export const nameSystem = (app, system) => make("bdi", {}, nameSide(app.data, system));

/** The name of a document, as a link to its text where that is there. */
export function linkDocument(app, number, changes = {}) {
  const name = make("bdi", {}, nameDocument(app.data, number));
  if (!app.isThere(number)) return make("span", { title: "its text is not in this file" }, name);
  return linkTo(app, { view: "text", document: number, mention: null, ...changes }, {}, name);
}

export const makeSign = (kind) => make("span", { class: `sign ${kind.name}`, "aria-hidden": "true" }, kind.sign);

export function makeChip(record, side, entity) {
  const look = chooseLooks(record, side)[entity];
  return make("span", { class: `chip${entityClass(look)}`, style: colourEntity(look) }, look.label);
}

/** What a list leaves out at first: a button that shows `rest`, filled with what `produce` gives, and hides it again. */
export function makeFold(name, rest, produce) {
  rest.hidden = true;
  const button = make("button", {
    type: "button", class: "fold", "aria-expanded": "false",
    onclick: () => {
      if (!rest.hasChildNodes()) rest.append(...produce());
      rest.hidden = !rest.hidden;
      button.setAttribute("aria-expanded", String(!rest.hidden));
      button.textContent = rest.hidden ? name : "fewer";
    },
  }, name);
  return [rest, button];
}

/** An error in words, each mention isolated, so that scripts of both directions stand beside each other; `many` are named at first. */
export function tellError(app, record, error, many = 6) {
  const { mentions, relation, beside } = describeError(error, app.data.kinds[error.kind].name);
  const name = (mark) => make("bdi", {}, nameMention(record, ...mark));
  const list = (marks) => marks.flatMap((mark, at) => (at ? [", ", name(mark)] : [name(mark)]));
  // One that is left out takes no more room than saying so.
  const first = mentions.length > many + 1 ? many : mentions.length;
  const rest = mentions.slice(first);
  return [
    ...list(mentions.slice(0, first)),
    ...(rest.length ? [", ", ...makeFold(`${rest.length} more`, make("span"), () => [...list(rest), " "])] : []),
    ...(beside ? [relation, name(beside)] : []),
  ];
}

/** Measures to choose costs by, as options [number, name, disabled]: those whose costs are not known cannot be chosen anew. */
export const listMeasuresOfCosts = (data, system, chosen) => data.measures.map(({ title }, number) => [
  number, title, number !== chosen && getFinding(data, system, number) === null,
]);

/** Two sides that show an error: the key, and its system. */
export const showError = (record, document, error) => ({
  view: "text", document, mention: identifyMention(record, ...error.marks[0]), left: "k", right: error.system,
});

const LEAST = 12; // letters on each side of a long mention

/** An error in its sentence, as a link to its place: what stands before it, its first mention, what follows; some `letters` in all. */
export function makeSnippet(app, record, document, error, letters = Infinity) {
  const [side, mention] = error.marks[0];
  const words = nameMention(record, side, mention);
  const { before, after } = cutContext(findMentionContext(record, side, mention), Math.max(LEAST, Math.floor((letters - words.length) / 2)));
  return linkTo(app, showError(record, document, error), { class: "snippet", dir: findDirection(words) }, before, make("mark", {}, words), after);
}

/** A bar on a rail of its own, so that its length is its share of the longest one. */
export const makeBar = (share, system) => make("span", { class: "rail", "aria-hidden": "true" },
  make("i", { style: { width: `${Math.max(0, Math.min(100, 100 * share)).toFixed(2)}%`, "--colour": colourOf(system) } }));

/** A score and its interval on an axis: a band for the interval, a line across it for the score. */
export function makeRange(value, interval, [low, high], system) {
  const place = (number) => Math.max(0, Math.min(100, (100 * (number - low)) / (high - low)));
  const band = interval && make("i", { style: { left: `${place(interval[0])}%`, width: `${place(interval[1]) - place(interval[0])}%` } });
  const line = value === null ? null : make("b", { style: { left: `${place(value)}%` } });
  return make("span", { class: "range", "aria-hidden": "true", style: { "--colour": colourOf(system) } }, band, line);
}

/** A table: `head` are texts or [text, attributes], `rows` lists of cells; the first cell of a row is its head. */
export function makeTable(attributes, caption, head, rows) {
  const title = (each, at) => (Array.isArray(each) ? make("th", { scope: "col", ...each[1] }, each[0]) : make("th", { scope: "col", class: at ? "n" : undefined }, each));
  return make("table", attributes, make("caption", { class: "sr" }, caption),
    make("thead", {}, make("tr", {}, ...head.map(title))), make("tbody", {}, ...rows));
}
