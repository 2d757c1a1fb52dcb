// The state of the report, and the address that says it: #view/document/mention?option=value, defaults left out.

import { addressDocument, countDocuments, findDocument, listNumbers } from "../model/report.js";

export const VIEWS = ["overview", "errors", "text", "entities", "documents", "compare"];

/** The state that an address without anything means. */
export function makeState(data) {
  return {
    view: "overview", document: null, mention: null, left: "k", right: 0, overlaid: false, signs: false, kinds: null,
    measure: data.mainMeasure, system: 0, within: null, order: "cost", from: 0, to: Math.min(1, data.systems.length - 1),
    find: "", sort: null, page: 0,
  };
}

const readNumber = (limit) => (text) => (/^\d+$/.test(text) && Number(text) < limit ? Number(text) : undefined);
const readSide = (data) => (text) => (text === "k" ? "k" : readNumber(data.systems.length)(text));

// How each option is read from an address (undefined: it makes no sense there) and written into one.
function listOptions(data) {
  const system = { read: readNumber(data.systems.length), write: String };
  const flag = { read: (text) => text === "1", write: () => "1" };
  const document = { read: (text) => findDocument(data, text) ?? undefined, write: (number) => addressDocument(data, number) };
  const kinds = {
    read: (text) => new Set(text.split(",").map((name) => data.kinds.findIndex((kind) => kind.name === name)).filter((kind) => kind >= 0)),
    write: (chosen) => [...chosen].map((kind) => data.kinds[kind].name).join(","),
  };
  const measure = {
    read: (text) => readNumber(data.measures.length)(String(data.measures.findIndex((each) => each.name === text))),
    write: (number) => data.measures[number].name,
  };
  const text = { read: (value) => value, write: (value) => value };
  return {
    // Pages are counted from 1 where people read them.
    page: { read: (value) => (/^[1-9]\d*$/.test(value) ? Number(value) - 1 : undefined), write: (number) => String(number + 1) },
    left: { read: readSide(data), write: String }, right: { read: readSide(data), write: String }, overlaid: flag, signs: flag,
    kinds, measure, system, within: document, order: text, from: system, to: system, find: text, sort: text,
  };
}

/** The state that an address (from "#" on) means; what makes no sense is as if it were not there. */
export function readState(hash, data) {
  const [path, query = ""] = hash.replace(/^#/, "").split("?");
  const [view, document, ...mention] = path.split("/").map(decodePart);
  const state = makeState(data);
  if (VIEWS.includes(view)) state.view = view;
  if (state.view === "compare" && data.systems.length < 2) state.view = "overview";
  if (state.view === "text") {
    state.document = findDocument(data, document);
    state.mention = state.document === null ? null : mention.join("/") || null;
  }
  const options = listOptions(data);
  for (const [name, value] of new URLSearchParams(query)) {
    const read = options[name]?.read(value);
    if (read !== undefined) state[name] = read;
  }
  return state;
}

/** A state after some changes: a list that is another one is read from its first page on. */
export const applyChanges = (state, changes) => ({ ...state, page: 0, ...changes });

/** The address of a state, from "#" on: what differs from the defaults, so that it is short. */
export function writeState(state, data) {
  const usual = makeState(data);
  const parts = [state.view];
  if (state.view === "text" && state.document !== null) parts.push(addressDocument(data, state.document), ...(state.mention ? [state.mention] : []));
  const query = new URLSearchParams();
  for (const [name, { write }] of Object.entries(listOptions(data))) {
    if (state[name] !== usual[name] && state[name] !== false && state[name] !== null && state[name] !== "") query.set(name, write(state[name]));
  }
  const written = query.toString();
  return `#${parts.map(encodePart).join("/")}${written ? `?${written}` : ""}`;
}

function decodePart(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // a lone % in a name that was typed
  }
}

const encodePart = (part) => encodeURIComponent(part).replace(/%3A/g, ":").replace(/%2B/g, "+");

/** The document in which a reader may want to begin: of those that are there, the one with most errors. */
export function findWorstDocument(data, isThere) {
  const count = (number) => data.errors.reduce((total, documents) => total + Object.values(documents[number]).reduce((a, b) => a + b, 0), 0);
  const there = listNumbers(data.documents.name).filter(isThere);
  return there.reduce((best, number) => (count(number) > count(best) ? number : best), there[0] ?? (countDocuments(data) ? 0 : null));
}
