// One document: its sides, mentions, entities and twins. A side is "k" for the key, or the number of a system.

import { remember } from "./memory.js";
import { readText, writePlain, findContext } from "./text.js";

const GOLDEN_ANGLE = 137.508;
const LONGEST_TITLE = 48;

export const getSide = (record, side) => (side === "k" ? record.key : record.systems[side]);
export const getRuns = (record, side, mention) => getSide(record, side).mentions[mention].slice(1);
export const getEntity = (record, side, mention) => getSide(record, side).mentions[mention][0];

/** The text with this number, ready to be read by places; null for null. */
export const getText = remember((record, number) => (number === null ? null : readText(record.texts[number])));

/** Where a mention stands in a text, which need not be its side's own: [] where it has no place there. */
export function findPlaces(record, side, mention, text) {
  const own = getSide(record, side);
  if (own.text === text) return getRuns(record, side, mention);
  if (side !== "k") return (text === record.key.text && own.inKey?.[mention]) || [];
  const other = record.systems.find((system) => system.text === text);
  return other?.missed?.[mention] || [];
}

/** The text on which sides can be shown together: theirs, or the key's where theirs differ; null if there is none. */
export function findCommonText(record, sides) {
  const texts = sides.map((side) => getSide(record, side).text);
  if (texts.includes(null)) return null;
  if (texts.every((text) => text === texts[0])) return texts[0];
  const carried = (side) => getSide(record, side).text === record.key.text || getSide(record, side).inKey;
  return sides.every(carried) ? record.key.text : null;
}

/** The words of a mention, "…" for its gaps; or its name, where there is no text. */
export function nameMention(record, side, mention) {
  const { names, text } = getSide(record, side);
  if (names) return names[mention];
  const words = getText(record, text);
  const runs = getRuns(record, side, mention);
  const parts = [];
  for (let at = 0; at < runs.length; at += 2) parts.push(writePlain(words, runs[at], runs[at + 1]));
  return parts.join(" … ");
}

/** The title of an entity: the words of its best name, not too long. */
export function nameEntity(record, side, entity) {
  const title = nameMention(record, side, getSide(record, side).titles[entity]);
  return title.length > LONGEST_TITLE ? `${title.slice(0, LONGEST_TITLE - 1)}…` : title;
}

/** A few words before and behind a mention: {before, after}, both "" where there is no text. */
export function findMentionContext(record, side, mention, width) {
  const { names, text } = getSide(record, side);
  const runs = getRuns(record, side, mention);
  if (names || !runs.length) return { before: "", after: "" };
  return findContext(getText(record, text), runs[0], runs[runs.length - 1], width);
}

/**
 * The ids of a side's mentions, which links have: their places in the text, such as "0-1" or "16-16+18-18", or else
 * their names; "~2" follows where the same places come a second time. They depend on nothing but the side's own file.
 */
export const listMentionIds = remember((record, side) => {
  const seen = new Map();
  return getSide(record, side).mentions.map((_, mention) => {
    const runs = getRuns(record, side, mention);
    const parts = [];
    for (let at = 0; at < runs.length; at += 2) parts.push(`${runs[at]}-${runs[at + 1]}`);
    const id = parts.join("+") || getSide(record, side).names?.[mention] || "";
    const times = (seen.get(id) || 0) + 1;
    seen.set(id, times);
    return times > 1 ? `${id}~${times}` : id;
  });
});

/** The id of a mention with its side, such as "k:0-1"; and back, [side, mention] or null. */
export const identifyMention = (record, side, mention) => `${side}:${listMentionIds(record, side)[mention]}`;

export function findMention(record, id) {
  const [, name, rest] = /^(k|\d+):(.*)$/s.exec(id || "") || [];
  const side = name === "k" ? "k" : Number(name);
  if (name === undefined || !getSide(record, side)) return null;
  const mention = listMentionIds(record, side).indexOf(rest);
  return mention < 0 ? null : [side, mention];
}

/** The mentions of every entity of a side. */
export const listMembers = remember((record, side) => {
  const own = getSide(record, side);
  const members = own.entities.map(() => []);
  own.mentions.forEach(([entity], mention) => members[entity].push(mention));
  return members;
});

const mapTwins = remember((record, system) => new Map(record.systems[system].twins.map((twin, mention) => [twin, mention])));

/** The twin of a mention on another side, by way of the key; undefined where it has none. */
export function findTwin(record, side, mention, other) {
  if (side === other) return mention;
  const inKey = side === "k" ? mention : record.systems[side].twins[mention];
  if (inKey === undefined || inKey < 0) return undefined;
  return other === "k" ? inKey : mapTwins(record, other).get(inKey);
}

/** How many mentions entities of two sides share: a list of {i, j, n}, of the first side and the other. */
export const countShared = remember((record, side, other) => {
  const cells = new Map();
  getSide(record, side).mentions.forEach(([i], mention) => {
    const twin = findTwin(record, side, mention, other);
    if (twin === undefined) return;
    const j = getEntity(record, other, twin);
    const name = `${i},${j}`;
    if (!cells.has(name)) cells.set(name, { i, j, n: 0 });
    cells.get(name).n += 1;
  });
  return [...cells.values()];
});

/**
 * A label and a hue for every entity of a side: [{label, hue}, ...]. A response entity has those of the key entity that
 * it shares most with, if no other entity shares more of that; else letters of its own. Singletons have no hue (null).
 */
export const chooseLooks = remember((record, side) => {
  const sizes = listMembers(record, side).map((mentions) => mentions.length);
  if (side === "k") {
    let hues = 0;
    return sizes.map((size, entity) => ({ label: String(entity + 1), hue: size > 1 ? makeHue(hues++) : null }));
  }
  const ours = chooseLooks(record, "k");
  const taken = new Set();
  const looks = sizes.map(() => null);
  for (const { i, j } of [...countShared(record, "k", side)].sort((x, y) => y.n - x.n || x.i - y.i)) {
    if (taken.has(i) || looks[j]) continue;
    taken.add(i);
    looks[j] = ours[i];
  }
  let others = 0;
  return looks.map((look, entity) => {
    const { label, hue } = look || { label: makeLetters(others++), hue: null };
    return { label, hue: hue === null && sizes[entity] > 1 ? makeHue(ours.length + others) : hue };
  });
});

/** A hue for the entity with this number, far from those of its neighbours. */
export const makeHue = (number) => Math.round((25 + number * GOLDEN_ANGLE) % 360);

/** a, b, …, z, aa, ab, … */
export function makeLetters(number) {
  const last = String.fromCharCode(97 + (number % 26));
  return number < 26 ? last : makeLetters(Math.floor(number / 26) - 1) + last;
}
