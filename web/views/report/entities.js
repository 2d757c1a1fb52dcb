// Entities with errors, the costliest first: each with its neighbours on the other side, and nothing else.

import { getEntityCost, getFinding, sumDocumentLoss, writePoints, writeShare } from "../../model/costs.js";
import { identifyMention, listMembers, nameEntity } from "../../model/document.js";
import { findNeighbours, listWrongEntities } from "../../model/entities.js";
import { countDocuments, countThings, nameDocument } from "../../model/report.js";
import { rankEntities, sortEntities } from "../../model/lists.js";
import { make, one, setOptions } from "../dom.js";
import { drawBands } from "./bands.js";
import { createPager } from "./pager.js";
import { linkTo, listMeasuresOfCosts, makeChip } from "./parts.js";

const SIZE = 25;

export function createEntities(app) {
  const { data, store } = app;
  setOptions(one("#entities-of"), data.systems.map(({ name }, number) => [number, name]), 0);
  one("#entities-of").parentElement.hidden = data.systems.length === 1;
  setOptions(one("#entities-in"), [["", "all documents"], ...data.documents.name.map((_, number) => [number, nameDocument(data, number)])], "");
  one("#entities-in").parentElement.hidden = countDocuments(data) === 1;
  const listen = (id, change) => one(id).addEventListener("change", (event) => store.change(change(event.target.value)));
  listen("#entities-of", (value) => ({ system: Number(value) }));
  listen("#entities-in", (value) => ({ within: value === "" ? null : Number(value) }));
  listen("#entities-by", (value) => ({ measure: Number(value) }));
  listen("#entities-order", (value) => ({ order: value }));
  const pager = createPager(app, one("#groups"), { heading: () => one("#entities h1"), size: SIZE, word: "entities" });
  let shown = null;

  async function show(state) {
    const { system, within, measure, order, page } = state;
    const wanted = [system, within, measure, order, page].join("/");
    if (shown === wanted) return;
    shown = wanted;
    one("#entities-of").value = String(system);
    one("#entities-in").value = within === null ? "" : String(within);
    setOptions(one("#entities-by"), listMeasuresOfCosts(data, system, measure), measure);
    one("#entities-order").value = order;
    const found = within === null ? await listOverall(system, measure, order) : await listWithin(system, measure, order, within);
    if (shown !== wanted) return;
    one("#entities-count").textContent = tellCount(found, within);
    await pager.show(found?.listed || [], page, (each) => makeEntity(each, state), { end: found && tellEnd(found) });
  }

  // Over all documents: the system's list; of one document: what its record has. {listed, total}, or null without either.
  async function listOverall(system, measure, order) {
    const lists = await app.loadLists(system);
    if (!lists) return null;
    const ranked = rankEntities(lists, system, measure, order);
    const there = ranked.filter(({ document: number }) => app.isThere(number));
    return { listed: there, ranked: ranked.length, total: lists.entities.total };
  }

  async function listWithin(system, measure, order, number) {
    const record = await app.load(number);
    if (!record) return null;
    const listed = sortEntities(listWrongEntities(record, system).map((each) => ({ ...each, document: number, cost: getEntityCost(record, system, each.side, each.entity, measure) })), order);
    return { listed, ranked: listed.length, total: listed.length };
  }

  const countEntities = (count) => `${count.toLocaleString("en")} ${count === 1 ? "entity" : "entities"}`;

  function tellCount(found, within) {
    if (!found) return within === null ? "the list could not be loaded" : `the text of ${nameDocument(data, within)} is not in this file`;
    return found.total ? `${countEntities(found.total)} with misplaced mentions` : "nothing is wrong here";
  }

  // What is not listed is said where the list ends, and what shows it.
  function tellEnd({ listed, ranked, total }) {
    const told = [];
    if (ranked > listed.length) told.push(make("p", { class: "notice" }, `Not listed: ${countEntities(ranked - listed.length)} of documents whose text is not in this file. A folder has all: `, make("code", {}, "corefeval report … -o report")));
    if (total > ranked) told.push(make("p", { class: "notice" }, `The list ends with the costliest ${ranked.toLocaleString("en")} of ${countEntities(total)} by ${data.measures[data.mainMeasure].title}. More of them: `, make("code", {}, "corefeval errors KEY RESPONSE --worst N")));
    return told.length ? make("div", {}, ...told) : null;
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
