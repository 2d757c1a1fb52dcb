// Pure functions on a document of the workbench: its text in blocks, mentions nested in it, entities, links and their closure.

import { makeHue } from "./document.js";
import { nest } from "./layout.js";
import { writeNumber, writeSigned } from "./numbers.js";
import { findBlock } from "./text.js";

export { findBlock };

const LONGEST = 80; // words of a block

// The text in blocks of units: {first, last, units: [{first, text, space}]}; a unit is a word, or a line's characters.
export function divideText(content) {
  return content.words === undefined && content.text !== undefined ? divideCharacters(content.text) : divideWords(content);
}

function divideWords({ words = [], sentence = [], empty = [] }) {
  const unwritten = new Set(empty);
  const blocks = [];
  words.forEach((text, first) => {
    // A text without sentences is cut, too: what is drawn again after an edit is a block.
    const begins = first === 0 || sentence[first] !== sentence[first - 1] || blocks.at(-1).units.length >= LONGEST;
    if (begins) blocks.push({ first, last: first, units: [] });
    const block = blocks.at(-1);
    block.last = first;
    block.units.push({ first, text: text || "∅", space: true, empty: unwritten.has(first) });
  });
  return blocks;
}

function divideCharacters(text) {
  const blocks = [];
  let first = 0;
  for (const line of text.split(/(?<=\n)/u)) {
    if (line) blocks.push({ first, last: first + line.length - 1, units: [{ first, text: line, space: false }] });
    first += line.length;
  }
  return blocks;
}

// Sort mentions so that one comes before those within it: by first place, the longest first.
export function sortMentions(mentions) {
  return Object.entries(mentions)
    .map(([id, mention]) => ({ id, ...mention }))
    .sort((one, other) => one.runs[0][0] - other.runs[0][0] || other.runs.at(-1)[1] - one.runs.at(-1)[1] || order(one.id, other.id));
}

function order(one, other) {
  return Number(one.slice(1)) - Number(other.slice(1));
}

// For each block the runs that reach into it, outermost first: [[{id, first, last}]].
export function assignRuns(blocks, mentions) {
  const found = blocks.map(() => []);
  const runs = Object.entries(mentions).flatMap(([id, mention]) => mention.runs.map(([first, last]) => ({ id, first, last })));
  runs.sort((one, other) => one.first - other.first || other.last - one.last || order(one.id, other.id));
  for (const run of runs) {
    for (let place = findBlock(blocks, run.first); place < blocks.length && blocks[place].first <= run.last; place += 1) found[place].push(run);
  }
  return found;
}

// A block as a tree: {id, opens, closes, parts: [text unit or tree]}. A mention that crosses another is continued behind it.
export function nestMentions(block, runs) {
  const units = cutUnits(block, runs);
  const parts = runs.map(({ id, first, last }) => ({
    id, a: Math.max(first, block.first), b: Math.min(last, block.last), opens: first >= block.first, closes: last <= block.last,
  }));
  let at = 0;
  const takeUntil = (place) => {
    const from = at;
    while (at < units.length && units[at].first < place) at += 1;
    return units.slice(from, at);
  };
  const fill = ({ id = null, b, within, opens, closes }) => {
    const inside = within.flatMap((part) => [...takeUntil(part.a), fill(part)]);
    return { id, opens, closes, parts: [...inside, ...takeUntil(b + 1)] };
  };
  return fill(nest(parts, block.first, block.last));
}

// The units of a block, those of characters cut where runs begin and end.
function cutUnits(block, runs) {
  return block.units.flatMap((unit) => {
    if (unit.space) return [{ ...unit, last: unit.first }];
    const end = unit.first + unit.text.length;
    const cuts = new Set([unit.first, end]);
    for (const { first, last } of runs) for (const cut of [first, last + 1]) if (cut > unit.first && cut < end) cuts.add(cut);
    const places = [...cuts].sort((one, other) => one - other);
    return places.slice(0, -1).map((first, place) => {
      const last = places[place + 1] - 1;
      return { first, last, space: false, text: unit.text.slice(first - unit.first, last + 1 - unit.first) };
    });
  });
}

// The entities of one side with their mentions in the order of the text, the largest first.
export function listEntities({ mentions, entities }) {
  const members = Object.fromEntries(Object.keys(entities).map((id) => [id, []]));
  for (const { id, entity } of sortMentions(mentions)) members[entity].push(id);
  return Object.entries(entities)
    .map(([id, { name }]) => ({ id, name, mentions: members[id] }))
    .sort((one, other) => other.mentions.length - one.mentions.length || order(one.id, other.id));
}

// One side after a change as the server describes it: {mentions: {id: [before, after]}, entities: …}.
export function applyChange(annotation, change) {
  return { mentions: replaceStates(annotation.mentions, change.mentions), entities: replaceStates(annotation.entities, change.entities) };
}

function replaceStates(states, changed) {
  const made = { ...states };
  for (const [id, [, after]] of Object.entries(changed)) {
    if (after === null) delete made[id];
    else made[id] = after;
  }
  return made;
}

// The words of a text, or its characters, from a first to a last place.
export function writeText(content, runs) {
  const write = ([first, last]) =>
    content.words === undefined ? (content.text ?? "").slice(first, last + 1) : content.words.slice(first, last + 1).join(" ");
  return runs.map(write).join(" … ");
}

// The smallest mention around a place of the text; null if there is none.
export function findAround({ mentions }, place) {
  const size = ({ runs }) => runs.at(-1)[1] - runs[0][0];
  const here = Object.entries(mentions).filter(([, { runs }]) => place !== null && runs.some(([first, last]) => first <= place && place <= last));
  here.sort(([, one], [, other]) => size(one) - size(other));
  return here[0]?.[0] ?? null;
}

// The next mention, from one on, that is alone in its entity; around the end; null if there is none.
export function findUnlinked({ mentions }, from, step) {
  const sizes = {};
  for (const { entity } of Object.values(mentions)) sizes[entity] = (sizes[entity] ?? 0) + 1;
  return stepThrough(sortMentions(mentions), from, step, ({ entity }) => sizes[entity] === 1);
}

// The next mention in the order of the text, around the end; null if there is none.
export function findNeighbour({ mentions }, from, step) {
  return stepThrough(sortMentions(mentions), from, step, () => true);
}

function stepThrough(sorted, from, step, fits) {
  const begin = sorted.findIndex(({ id }) => id === from);
  for (let count = 1; count <= sorted.length; count += 1) {
    const start = begin < 0 && step < 0 ? sorted.length : begin;
    const found = sorted[(((start + step * count) % sorted.length) + sorted.length) % sorted.length];
    if (fits(found)) return found.id;
  }
  return null;
}

// What links between mentions would make one: lists of mentions, whole entities that links connect.
export function closeLinks({ mentions }, links) {
  const above = {};
  const find = (entity) => (above[entity] === undefined ? entity : find(above[entity]));
  for (const [one, other] of links) {
    const [a, b] = [find(mentions[one].entity), find(mentions[other].entity)];
    if (a !== b) above[b] = a;
  }
  const touched = new Set(links.flat().map((id) => find(mentions[id].entity)));
  const groups = Object.fromEntries([...touched].map((entity) => [entity, []]));
  for (const { id, entity } of sortMentions(mentions)) if (touched.has(find(entity))) groups[find(entity)].push(id);
  return Object.values(groups);
}

// All places where the words of a text occur, as runs; as the server finds them.
export function countMatches(content, text) {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return 0;
  if (content.words === undefined) return countCharacters((content.text ?? "").toLowerCase(), wanted);
  const words = content.words.map((word) => word.toLowerCase());
  const parts = wanted.split(/\s+/u);
  let [count, place] = [0, 0];
  while (place + parts.length <= words.length) {
    const fits = parts.every((part, offset) => words[place + offset] === part);
    count += fits ? 1 : 0;
    place += fits ? parts.length : 1;
  }
  return count;
}

function countCharacters(whole, part) {
  const isLetter = (letter) => /[\p{L}\p{N}]/u.test(letter);
  let count = 0;
  for (let place = whole.indexOf(part); place >= 0; place = whole.indexOf(part, place + part.length)) {
    if (!isLetter(whole[place - 1] ?? " ") && !isLetter(whole[place + part.length] ?? " ")) count += 1;
  }
  return count;
}

// The hue of an entity by the number in its id, as on the report's page.
export const chooseHue = (entity) => makeHue(Number(entity.slice(1)));

// A score or a change of one as points with two decimals; "" for what is no number.
export function writePoints(value) {
  return typeof value === "number" ? writeNumber(100 * value) : (value ?? "");
}

export function writeChange(value) {
  if (typeof value !== "number") return "";
  if (Math.abs(value) < 5e-7) return "·";
  return writeSigned(100 * value);
}

// Whether a change of a field is good, bad or neither: where less is better, a loss is good.
export function judgeChange(value, isCost) {
  if (typeof value !== "number" || Math.abs(value) < 5e-7) return "same";
  return value > 0 === !isCost ? "better" : "worse";
}
