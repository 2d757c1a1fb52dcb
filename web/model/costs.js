// What mentions and entities cost by a measure, in millionths of a point, and as shares of what a document loses.

import { remember } from "./memory.js";
import { getEntity, findTwin } from "./document.js";

const MILLION = 1e6;

/** How a measure's costs were found for a system: {exact, loss, rest}, or null where they were not. */
export function getFinding(data, system, measure) {
  const found = data.costs[system][measure];
  return found.unknown ? null : found;
}

function getCost(record, system, column, place, measure) {
  const { costs } = record.systems[system];
  return costs.lists[(costs[column][place] || 0) - 1]?.[measure] || 0;
}

/** What a mention of a side costs a system; twins are one mention. */
export function getMentionCost(record, system, side, mention, measure) {
  const inKey = side === "k" ? mention : record.systems[side].twins[mention];
  return inKey < 0 ? getCost(record, system, "own", mention, measure) : getCost(record, system, "key", inKey, measure);
}

export function getEntityCost(record, system, side, entity, measure) {
  return getCost(record, system, side === "k" ? "keyEntities" : "ownEntities", entity, measure);
}

/** The entities of a mention in the key and in a system's response, as far as it is there: [[side, entity], ...]. */
export function listEntitiesOf(record, system, side, mention) {
  return ["k", system].flatMap((where) => {
    const there = findTwin(record, side, mention, where);
    return there === undefined ? [] : [[where, getEntity(record, where, there)]];
  });
}

/** What all mentions of a document cost a system: its part of what is lost. */
export const sumDocumentLoss = remember((record, system, measure) => {
  const { lists, key, own } = record.systems[system].costs;
  return [...key, ...own].reduce((total, number) => total + (number ? lists[number - 1][measure] : 0), 0);
});

/** A cost in points, with two digits at least of what is not nothing. */
export function writePoints(cost) {
  if (!cost) return "0";
  const value = Math.abs(cost) / MILLION;
  const digits = Math.min(6, Math.max(2, 1 - Math.floor(Math.log10(value))));
  return `${cost < 0 ? "−" : ""}${value.toFixed(digits)}`;
}

/** A cost as a share of a whole: "12 %", "0.36 %", "under 0.01 %". */
export function writeShare(cost, whole) {
  if (!cost || whole <= 0) return "nothing";
  const share = Math.min(100, (100 * cost) / whole); // costs are written with three digits
  if (share < 0.01) return "under 0.01 %";
  return `${share.toFixed(share >= 10 ? 0 : share >= 1 ? 1 : 2)} %`;
}
