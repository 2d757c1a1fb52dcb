// Entities with errors, the costliest first: each with its neighbours on the other side, and nothing else.

import { getEntityCost, getFinding, sumDocumentLoss, writePoints, writeShare } from "../../model/costs.js";
import { identifyMention, listMembers, nameEntity } from "../../model/document.js";
import { findNeighbours, listWrongEntities } from "../../model/entities.js";
import { countDocuments, countThings, nameDocument } from "../../model/report.js";
import { growList, make, one, setOptions } from "../dom.js";
import { drawBands } from "./bands.js";
import { linkTo, makeChip } from "./parts.js";

const STEP = 12;

export function createEntities(app) {
  const { data, store } = app;
  setOptions(one("#entities-of"), data.systems.map(({ name }, number) => [number, name]), 0);
  one("#entities-of").parentElement.hidden = data.systems.length === 1;
  setOptions(one("#entities-in"), [["", "all documents"], ...data.documents.name.map((_, number) => [number, nameDocument(data, number)])], "");
  one("#entities-in").parentElement.hidden = countDocuments(data) === 1;
  setOptions(one("#entities-by"), data.measures.map(({ title }, number) => [number, title]), data.mainMeasure);
  const listen = (id, change) => one(id).addEventListener("change", (event) => store.change(change(event.target.value)));
  listen("#entities-of", (value) => ({ system: Number(value) }));
  listen("#entities-in", (value) => ({ within: value === "" ? null : Number(value) }));
  listen("#entities-by", (value) => ({ measure: Number(value) }));
  listen("#entities-order", (value) => ({ order: value }));
  let shown = null;

  async function show(state) {
    const { system, within, measure, order } = state;
    const wanted = [system, within, measure, order].join("/");
    if (shown === wanted) return;
    shown = wanted;
    one("#entities-of").value = String(system);
    one("#entities-in").value = within === null ? "" : String(within);
    one("#entities-by").value = String(measure);
    one("#entities-order").value = order;
    const { listed, total } = within === null ? listOverall(system, measure) : await listWithin(system, measure, within);
    if (shown !== wanted) return;
    const left = [...listed].sort((x, y) => (order === "cost" ? y.cost - x.cost || y.misplaced - x.misplaced : y.misplaced - x.misplaced || y.cost - x.cost));
    one("#entities-count").textContent = tellCount(left.length, total, within);
    growList(one("#groups"), async (count) => (await Promise.all(left.splice(0, count).map((each) => makeEntity(each, state)))).filter(Boolean), STEP);
  }

  // Over all documents: the data's list, those that cost most; of one document, all that its record has.
  function listOverall(system, measure) {
    const columns = data.wrongEntities[system];
    const listed = columns.entity.map((entity, at) => ({
      document: columns.document[at], side: columns.side[at] === "key" ? "k" : system, entity, misplaced: columns.misplaced[at], cost: columns.costs[at][measure],
    })).filter(({ document: number }) => app.isThere(number));
    return { listed, total: columns.total };
  }

  async function listWithin(system, measure, number) {
    const record = await app.load(number);
    if (!record) return { listed: [], total: null };
    const listed = listWrongEntities(record, system).map((each) => ({ ...each, document: number, cost: getEntityCost(record, system, each.side, each.entity, measure) }));
    return { listed, total: listed.length };
  }

  function tellCount(some, total, within) {
    if (total === null) return `the text of ${nameDocument(data, within)} is not in this file`;
    if (!total) return "nothing is wrong here";
    const found = `${some.toLocaleString("en")} ${some === 1 ? "entity" : "entities"} with misplaced mentions`;
    return total > some ? `the costliest ${found}, of ${total.toLocaleString("en")}` : found;
  }

  async function makeEntity({ document: number, side, entity, misplaced, cost }, { system, measure }) {
    const record = await app.load(number);
    if (!record) return null;
    const other = side === "k" ? system : "k";
    const found = findNeighbours(record, side, entity, other);
    const mention = identifyMention(record, side, listMembers(record, side)[entity][0]);
    const there = linkTo(app, { view: "text", document: number, mention, left: "k", right: system }, {}, countDocuments(data) > 1 ? make("bdi", {}, nameDocument(data, number)) : "in the text");
    return make("article", { class: "group" },
      make("header", {}, make("h2", {}, makeChip(record, side, entity), " ", make("bdi", {}, nameEntity(record, side, entity)),
        make("span", { class: "small" }, ` ${side === "k" ? "key" : "response"} entity of ${countThings(found.size, "mention")}, ${misplaced} misplaced${tellCost(record, system, measure, cost)}`)), there),
      drawBands(record, side, entity, other, found),
      make("ul", { class: "told-groups" }, ...tellParts(record, side, other, found)));
  }

  function tellCost(record, system, measure, cost) {
    const finding = getFinding(data, system, measure);
    if (!finding || !cost) return "";
    return finding.exact ? `; ${writeShare(cost, sumDocumentLoss(record, system, measure))} of what the document loses by ${data.measures[measure].title}`
      : `; ${writePoints(cost)} points of ${data.measures[measure].title} by leave-one-out`;
  }

  // What happened, in words: for those who do not see the picture, and for those who do.
  function tellParts(record, side, other, { parts, missing }) {
    const where = (each) => (each === "k" ? "the key" : "the response");
    const besides = ({ foreign, extra }) => [foreign ? `${foreign} of other entities` : "", extra ? `${extra} not in ${where(side)}` : ""].filter(Boolean);
    const lines = parts.map((part) => make("li", {}, `${countThings(part.n, "mention")} in `, makeChip(record, other, part.entity), " ", make("bdi", {}, nameEntity(record, other, part.entity)),
      part.size === part.n ? "" : `, with ${besides(part).join(" and ")}`));
    if (missing) lines.push(make("li", {}, `${countThings(missing, "mention")} not in ${where(other)}`));
    return lines;
  }

  return { show };
}
