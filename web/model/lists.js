// The lists of a system over all documents: its errors and its wrong entities, ranked by what they cost, page by page.

import { listNumbers } from "./report.js";

/** Places in the list of errors, those of some kinds (null: of all): the costliest by a measure first, where costs are known. */
export function rankErrors({ errors }, measure, kinds = null) {
  const places = listNumbers(errors.kind).filter((at) => !kinds || kinds.has(errors.kind[at]));
  const cost = errors.costs[measure];
  return cost ? places.sort((x, y) => cost[y] - cost[x] || x - y) : places;
}

/** Wrong entities as {document, side, entity, misplaced, cost}, sides of a system; ranked by "cost" or "misplaced". */
export function rankEntities({ entities }, system, measure, order) {
  const cost = entities.costs[measure];
  return sortEntities(entities.entity.map((entity, at) => ({
    document: entities.document[at], side: entities.side[at] ? system : "k", entity, misplaced: entities.misplaced[at], cost: cost ? cost[at] : 0,
  })), order);
}

/** Entities with {cost, misplaced}, those with the highest cost, or with most misplaced mentions, first. */
export function sortEntities(entities, order) {
  const other = order === "cost" ? "misplaced" : "cost";
  return [...entities].sort((x, y) => y[order] - x[order] || y[other] - x[other]);
}

/** A page of a list: {page, pages, from, to}; a page behind the last is the last. */
export function cutPage(count, size, asked) {
  const pages = Math.max(1, Math.ceil(count / size));
  const page = Math.min(asked, pages - 1);
  return { page, pages, from: page * size, to: Math.min(count, (page + 1) * size) };
}
