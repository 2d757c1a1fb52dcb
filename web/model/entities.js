// One entity and its neighbours: the entities of the other side that share mentions with it.

import { countShared, findTwin, getEntity, listMembers, nameMention, findMentionContext } from "./document.js";

/**
 * An entity and where its mentions are on the other side: {size, parts, missing, misplaced}. A part is {entity, n, size,
 * foreign, extra}: a neighbour, the mentions shared, its size, and of the rest of it how many are of other entities and
 * how many the entity's side has not at all. The largest part comes first.
 */
export function findNeighbours(record, side, entity, other) {
  const size = listMembers(record, side)[entity].length;
  const parts = countShared(record, side, other).filter(({ i }) => i === entity).map(({ j, n }) => {
    const members = listMembers(record, other)[j];
    const extra = members.filter((mention) => findTwin(record, other, mention, side) === undefined).length;
    return { entity: j, n, size: members.length, extra, foreign: members.length - n - extra };
  }).sort((x, y) => y.n - x.n || x.entity - y.entity);
  const shared = parts.reduce((total, { n }) => total + n, 0);
  return { size, parts, missing: size - shared, misplaced: size - (parts[0]?.n || 0) };
}

/** All entities of a document with misplaced mentions, of the key and of a system: [{side, entity, misplaced}, ...]. */
export function listWrongEntities(record, system) {
  return [["k", system], [system, "k"]].flatMap(([side, other]) => {
    const largest = listMembers(record, side).map(() => 0);
    for (const { i, n } of countShared(record, side, other)) largest[i] = Math.max(largest[i], n);
    return listMembers(record, side).map((members, entity) => ({ side, entity, misplaced: members.length - largest[entity] }));
  }).filter(({ misplaced }) => misplaced > 0);
}

/**
 * The mentions of an entity, each in its context, and whether the other side has it where most of the entity is:
 * {mention, words, before, after, right, twin, entity}; twin and entity are undefined where it has none.
 */
export function listConcordance(record, side, entity, other, width) {
  const { parts } = findNeighbours(record, side, entity, other);
  const home = parts[0]?.entity;
  return listMembers(record, side)[entity].map((mention) => {
    const twin = findTwin(record, side, mention, other);
    const there = twin === undefined ? undefined : getEntity(record, other, twin);
    return {
      mention, twin, entity: there, right: there !== undefined && there === home,
      words: nameMention(record, side, mention), ...findMentionContext(record, side, mention, width),
    };
  });
}
