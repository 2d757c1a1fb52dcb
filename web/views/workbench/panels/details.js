// What is known of the selected mentions, and what the side has beyond identity: relations and layers, to be read only.
import { describeRelations, findRelationsOf, listLayers } from "../../../model/workbench_beyond.js";
import { fill, make } from "../dom.js";

const MOST = 300;

export function drawDetails(element, { content, annotation, selected }, handlers) {
  const relations = describeRelations(content, annotation);
  const layers = listLayers(annotation);
  fill(element,
    selected.length ? selected.slice(0, 20).map((id) => drawMention(id, annotation, relations, handlers)) : make("p", { class: "soft" }, "Select a mention to see its head, its minimum, and what else its file says of it."),
    relations.length ? make("section", {}, make("h3", {}, `Relations: ${relations.length}`), drawRelations(relations.slice(0, MOST), handlers), note(relations.length)) : null,
    layers.map(({ name, entities }) => make("section", { data: { layer: name } }, make("h3", {}, `Layer ${name.replace("_", " ")}`), drawLayer(name, entities, handlers), note(entities.length))),
    relations.length || layers.length ? make("p", { class: "soft note" }, "Relations and layers are saved as they are; relations follow their mentions and entities.") : null);
}

const note = (count) => (count > MOST ? make("p", { class: "soft" }, `and ${count - MOST} more`) : null);

function drawMention(id, annotation, relations, handlers) {
  const { runs, entity, head, minimum, attributes } = annotation.mentions[id];
  const { name, attributes: ofEntity } = annotation.entities[entity];
  const facts = [
    ["entity", name], ["head", head && handlers.describe([head])], ["minimum", minimum && handlers.describe([minimum])],
    ...Object.entries(attributes ?? {}), ...Object.entries(ofEntity ?? {}).map(([key, value]) => [`entity's ${key}`, value]),
    ...findRelationsOf(annotation, id).map((place) => ["relation", writeRelation(relations[place])]),
  ];
  return make("section", { class: "mention" }, make("h3", {}, make("bdi", {}, handlers.describe(runs))),
    make("dl", {}, facts.filter(([, value]) => value).flatMap(([key, value]) => [make("dt", {}, key), make("dd", {}, make("bdi", {}, value))])));
}

function writeRelation({ kind, label, source, targets }) {
  return `${[kind, label].filter(Boolean).join(" ")}: ${source} → ${targets.join(" + ") || "nothing"}`;
}

function drawRelations(relations, handlers) {
  return make("ul", { class: "relations" }, relations.map((relation, place) => make("li", {},
    make("button", { type: "button", class: "plain", disabled: !relation.runs, onclick: () => handlers.show(relation.runs), data: { key: `relation-${place}` } }, make("bdi", {}, writeRelation(relation))))));
}

function drawLayer(layer, entities, handlers) {
  return make("ul", { class: "layers" }, entities.slice(0, MOST).map(({ name, mentions }, number) => make("li", {}, make("b", {}, make("bdi", {}, name)), ": ", mentions.flatMap((runs, place) => [
    place ? " · " : null,
    make("button", { type: "button", class: "plain", onclick: () => handlers.show(runs), data: { key: `layer-${layer}-${number}-${place}` } }, make("bdi", {}, handlers.describe(runs))),
  ]))));
}
