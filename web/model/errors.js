// The errors of a document, as structures: their kind, the mentions that they are about, and what they are beside.

import { remember } from "./memory.js";
import { getEntity, getRuns } from "./document.js";

/**
 * The errors of a system in the order of the text: {kind, system, number, marks, beside, same}. `kind` is a place
 * among the report's kinds, `marks` are [side, mention] of all mentions that it shows at, `beside` is one such or null.
 */
export const listErrors = remember((record, system) => {
  const { errors } = record.systems[system];
  return errors.kind.map((_, number) => getError(record, system, number)).sort((x, y) => x.place - y.place || x.number - y.number);
});

export function getError(record, system, number) {
  const columns = record.systems[system].errors;
  const [key, response] = [columns.key[number], columns.response[number]];
  const marks = [...key.map((mention) => ["k", mention]), ...response.map((mention) => [system, mention])];
  return {
    system, number, marks,
    kind: columns.kind[number],
    beside: findBeside(columns.beside[number], system),
    same: columns.same[number],
    place: findPlace(record, ...marks[0]),
    response: response.length,
  };
}

const findBeside = (numbers, system) => (numbers ? (numbers[0] >= 0 ? ["k", numbers[0]] : [system, numbers[1]]) : null);

function findPlace(record, side, mention) {
  const runs = getRuns(record, side, mention);
  return runs.length ? runs[0] : getEntity(record, side, mention);
}

/** What stands between the mentions of an error and the mention beside them; errors of whole entities have none. */
const RELATIONS = {
  "span-error": " should be ",
  "conflated-entities": " together with ",
  "extra-mention": " together with ",
  "divided-entity": " apart from ",
  "missing-mention": ", which belongs to ",
};

/** An error in words: {mentions, relation, beside}; `mentions` are [side, mention], all that it is about, and `beside` is such or null. */
export function describeError(error, kindName) {
  // A mention that both sides have is told once; a span error is told by what the response has.
  const sides = error.marks.map(([side]) => side);
  const told = kindName === "span-error" || !sides.includes("k") ? error.system : "k";
  return { mentions: error.marks.filter(([side]) => side === told), relation: RELATIONS[kindName] || " beside ", beside: error.beside };
}

/** The errors of one system that another does not make, by what makes errors of two systems the same. */
export function listOnlyIn(record, system, other) {
  const theirs = new Set(record.systems[other].errors.same);
  const seen = new Set();
  return listErrors(record, system).filter(({ same }) => !theirs.has(same) && !seen.has(same) && seen.add(same));
}

/** Errors of these kinds (null: of all) by mention: a Map from "side.mention" to a list of errors. */
export function markErrors(errors, kinds) {
  const marks = new Map();
  for (const error of errors) {
    if (kinds && !kinds.has(error.kind)) continue;
    for (const [side, mention] of error.marks) {
      const name = `${side}.${mention}`;
      marks.set(name, [...(marks.get(name) || []), error]);
    }
  }
  return marks;
}
