// Pure functions on what a document has beyond the entities that are edited: relations, layers, heads; and on how sides differ.
import { writeText } from "./workbench_text.js";

// The relations of one side in words: [{kind, label, source, targets, runs}]; runs: of the mention that it comes from, if any.
export function describeRelations(content, annotation) {
  return (annotation.relations ?? []).map(({ kind, label, source, targets }) => ({
    kind, label: label ?? "", source: describeEnd(content, annotation, source), targets: targets.map((end) => describeEnd(content, annotation, end)),
    runs: findRuns(annotation, source),
  }));
}

function describeEnd(content, annotation, end) {
  const mention = annotation.mentions[end.id];
  if (mention) return writeText(content, mention.runs);
  const entity = findEntity(annotation, end);
  if (entity) return `entity ${annotation.entities[entity].name}`;
  return end.id ? "(gone)" : writeOutside(content, end.written);
}

// A mention or an entity that is in a layer only is said as the file has it: a span, spans, or a name.
function writeOutside(content, written) {
  if (!Array.isArray(written)) return `${written}`;
  return writeText(content, Array.isArray(written[0]) ? written : [written]);
}

// The entity that an end of a relation is: its own, or where most of its mentions are now.
function findEntity({ mentions, entities }, { id, members = [] }) {
  if (entities[id]) return id;
  const votes = {};
  for (const member of members) {
    const entity = mentions[member]?.entity;
    if (entity) votes[entity] = (votes[entity] ?? 0) + 1;
  }
  return Object.keys(votes).sort((one, other) => votes[other] - votes[one])[0] ?? null;
}

function findRuns({ mentions, entities }, end) {
  if (mentions[end.id]) return mentions[end.id].runs;
  if (Array.isArray(end.written)) return Array.isArray(end.written[0]) ? end.written : [end.written];
  const entity = findEntity({ mentions, entities }, end);
  return Object.values(mentions).find((mention) => mention.entity === entity)?.runs ?? null;
}

// The relations that a mention has: those that come from it or its entity, and those that lead to its entity.
export function findRelationsOf(annotation, id) {
  const { entity } = annotation.mentions[id];
  const isOf = (end) => end.id === id || findEntity(annotation, end) === entity;
  return (annotation.relations ?? []).flatMap((relation, place) => ([relation.source, ...relation.targets].some(isOf) ? [place] : []));
}

// The layers of one side: [{name, entities: [{name, mentions: [runs]}]}].
export function listLayers(annotation) {
  return Object.entries(annotation.layers ?? {}).map(([name, { mentions, entities }]) => ({
    name,
    entities: Object.entries(entities).map(([id, entity]) => ({ name: entity.name, mentions: Object.values(mentions).filter((each) => each.entity === id).map(({ runs }) => runs) })),
  }));
}

// All runs of the mentions of layers.
export function listLayerRuns(annotation) {
  return Object.values(annotation.layers ?? {}).flatMap(({ mentions }) => Object.values(mentions).flatMap(({ runs }) => runs));
}

// The mentions of one side that another lacks, or has in an entity of other mentions.
export function findDifferences(one, other) {
  const [ours, theirs] = [groupByRuns(one), groupByRuns(other)];
  return Object.entries(one.mentions).filter(([, { runs }]) => ours.get(String(runs)) !== theirs.get(String(runs))).map(([id]) => id);
}

// For each mention, by its runs, those of its entity as a text.
function groupByRuns({ mentions }) {
  const members = {};
  for (const { entity, runs } of Object.values(mentions)) (members[entity] ??= []).push(String(runs));
  for (const entity of Object.keys(members)) members[entity] = members[entity].sort().join(";");
  return new Map(Object.values(mentions).map(({ entity, runs }) => [String(runs), members[entity]]));
}
