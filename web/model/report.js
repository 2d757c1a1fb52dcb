// The report's data over all documents: names, totals, differences, and axes to draw them on.

import { writeNumber } from "./numbers.js";

export const FORMAT = 2;

/** Whether this script knows how to read some data. */
export const canRead = (data) => data.format === FORMAT;

export const nameDocument = (data, number) => data.documents.name[number] || "the document";
export const nameSide = (data, side) => (side === "k" ? "key" : data.systems[side].name);
export const countDocuments = (data) => data.documents.name.length;
export const listNumbers = (list) => list.map((_, number) => number);
export const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
export const countThings = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;

/** The number of the document that an address names, by its name or else by its number; null if there is none. */
export function findDocument(data, asked) {
  const place = data.documents.name.indexOf(asked);
  if (place >= 0) return place;
  const number = /^\d+$/.test(asked ?? "") ? Number(asked) : -1;
  return number >= 0 && number < countDocuments(data) ? number : null;
}

/** What an address calls a document: its name, or its number where the name is empty or not its own. */
export function addressDocument(data, number) {
  const name = data.documents.name[number];
  return name && data.documents.name.indexOf(name) === number ? name : String(number);
}

/** How many errors a system makes in a document; `kinds` are places among the report's kinds, null for all. */
export function countErrors(data, system, document, kinds = null) {
  return sum(Object.entries(data.errors[system][document])
    .filter(([name]) => !kinds || kinds.has(data.kinds.findIndex((kind) => kind.name === name))).map(([, count]) => count));
}

/** What correcting each type of errors adds to a measure: {kinds: [{kind, count, points}], total}, most points first. */
export function rankCorrections(data, system, measure) {
  const sign = data.measures[measure].better === "higher" ? 1 : -1;
  const kinds = data.corrections[system].map(({ kind, count, points }) => ({
    kind: data.kinds.findIndex((each) => each.name === kind), count,
    points: points[measure] === null ? null : sign * points[measure],
  })).sort((x, y) => (y.points ?? 0) - (x.points ?? 0) || y.count - x.count);
  const known = kinds.every(({ points }) => points !== null);
  return { kinds, total: known ? sum(kinds.map(({ points }) => points)) : null };
}

const PLURALS = {
  "span error": "Span errors", "conflated entities": "Conflated entities", "extra mention": "Extra mentions",
  "extra entity": "Extra entities", "divided entity": "Divided entities", "missing mention": "Missing mentions",
  "missing entity": "Missing entities",
};

/** The one sentence of the first screen: which errors cost most. */
export function tellWorst(data, system, measure) {
  const { kinds, total } = rankCorrections(data, system, measure);
  const made = sum(kinds.map(({ count }) => count));
  if (!made) return "There are no errors: the response is the key.";
  if (total === null || kinds[0].points < 0.005) {
    const most = [...kinds].sort((x, y) => y.count - x.count)[0];
    return `${PLURALS[data.kinds[most.kind].title]} are most frequent: ${most.count.toLocaleString("en")} of ${countThings(made, "error")}.`;
  }
  return `${PLURALS[data.kinds[kinds[0].kind].title]} cost most: ${writeNumber(kinds[0].points, 1)} of ${writeNumber(total, 1)} points.`;
}

/** Recall and precision beside a main score: the measure's own, or the means of its parts, or null. */
export function findRates(data, system, measure) {
  const own = data.results[system][measure];
  if (own.recall !== null || own.precision !== null) return { recall: own.recall, precision: own.precision, of: [] };
  const { parts } = data.measures[measure];
  const mean = (field) => sum(parts.map((part) => data.results[system][part][field])) / parts.length;
  return parts.length ? { recall: mean("recall"), precision: mean("precision"), of: parts.map((part) => data.measures[part].title) } : null;
}

/** The difference of b over a by a measure: {points, interval, p, significant, documents}; undefined if not compared. */
export function findDifference(data, a, b, measure) {
  const found = data.differences.find((each) => each.measure === measure && ((each.a === a && each.b === b) || (each.a === b && each.b === a)));
  if (!found || found.a === a) return found;
  const [wins, ties, losses] = found.documents;
  return {
    ...found, a, b, points: -found.points, documents: [losses, ties, wins],
    interval: found.interval && [-found.interval[1], -found.interval[0]],
  };
}

/** Whether more points of a measure (or fewer, where points are negative) are better. */
export const isBetter = (data, measure, points) => (data.measures[measure].better === "higher" ? points > 0 : points < 0);

/** How many errors of a kind the second of two systems has fixed, broken and kept. */
export function findChange(data, a, b, kind) {
  const found = data.changes.find((each) => each.a === Math.min(a, b) && each.b === Math.max(a, b));
  const [fixed, broken, both] = found.kinds[data.kinds[kind].name] || [0, 0, 0];
  return a < b ? { fixed, broken, both } : { fixed: broken, broken: fixed, both };
}

/** The ends of an axis that shows all values with a little room, in round numbers: [low, high]. */
export function zoomAxis(values) {
  const known = values.filter((value) => value !== null && Number.isFinite(value));
  if (!known.length) return [0, 100];
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const step = [1, 2, 5, 10, 20, 50].find((each) => most - least <= 6 * each) || 100;
  const low = Math.floor(least / step) * step;
  const high = Math.ceil(most / step) * step;
  const [from, to] = high > low ? [low, high] : [low - step, high + step];
  // Of scores between 0 and 100 the axis ends there, too.
  return least >= 0 && most <= 100 ? [Math.max(0, from), Math.min(100, to)] : [from, to];
}

/** All numbers that are drawn of one measure: scores of systems, and the ends of their intervals. */
export const listDrawn = (data, measure) => data.results.flatMap((results) => [results[measure].main, ...(results[measure].interval || [])]);

/** A p-value as text: "0.012", or "< 0.001". */
export const writeProbability = (p) => (p < 0.001 ? "< 0.001" : p.toFixed(3));

/** A score or its points, a dash where there is none. */
export const writeScore = (value) => (value === null || value === undefined ? "–" : writeNumber(value));
