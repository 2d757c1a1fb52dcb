// The first screen: how good the response is, what is wrong with it, and where; below it, every measure.

import { getFinding, writePoints, writeShare } from "../../model/costs.js";
import { identifyMention } from "../../model/document.js";
import { rankErrors } from "../../model/lists.js";
import {
  countDocuments, countThings, findDifference, findRates, isBetter, listDrawn, listNumbers, nameDocument, rankCorrections, tellWorst,
  writeProbability, writeScore, zoomAxis,
} from "../../model/report.js";
import { writeSigned } from "../../model/numbers.js";
import { all, make, one, setOptions } from "../dom.js";
import { colourOf, linkDocument, linkTo, makeBar, makeRange, makeSign, makeSwatch, makeTable, nameSystem } from "./parts.js";
import { BRIEF, makeErrorItem } from "./errors.js";
import { makeBreakdowns, makeLinks } from "./findings.js";

const COSTLIEST = 5;

export function createOverview(app, box) {
  const { data, store } = app;
  const several = data.systems.length > 1;
  one("#answer-of").parentElement.hidden = !several;
  setOptions(one("#answer-of"), data.systems.map(({ name }, number) => [number, name]), 0);
  one("#answer-of").addEventListener("change", (event) => store.change({ system: Number(event.target.value) }));
  setOptions(one("#answer-by"), data.measures.map(({ title }, number) => [number, title]), data.mainMeasure);
  one("#answer-by").addEventListener("change", (event) => store.change({ measure: Number(event.target.value) }));
  one("#matrix").replaceChildren(...makeMatrix(app));
  one("#scores").replaceChildren(makeScores(app));
  one("#notices").replaceChildren(...makeNotices(data));
  box.addEventListener("click", (event) => {
    const about = event.target.closest("[data-about]");
    if (about) {
      const row = document.getElementById(about.getAttribute("aria-controls"));
      row.hidden = !row.hidden;
      about.setAttribute("aria-expanded", String(!row.hidden));
    }
    const copy = event.target.closest("[data-copy]");
    if (copy) app.copy(copy, one(copy.dataset.copy).textContent);
  });
  let shown = null;

  function show({ system, measure }) {
    const wanted = `${system}/${measure}`;
    if (shown === wanted) return;
    shown = wanted;
    one("#answer-of").value = String(system);
    one("#answer-by").value = String(measure);
    one("#headline").replaceChildren(...makeHeadline(app, system, measure));
    one("#kinds").replaceChildren(makeKinds(app, system, measure));
    fillCostliest(app, system, measure, () => shown === wanted);
    one("#findings").replaceChildren(...makeLinks(data, system), ...makeBreakdowns(data, system, measure));
  }

  return { show };
}

function makeHeadline(app, system, measure) {
  const { data } = app;
  const { title, main, better } = data.measures[measure];
  const { main: score, interval } = data.results[system][measure];
  const rates = findRates(data, system, measure);
  return [
    make("div", { class: "score" }, make("strong", {}, writeScore(score)),
      make("p", {}, title, main === "f1" && !/average/.test(title) ? " F1" : "", better === "lower" ? " (lower is better)" : "",
        interval ? make("span", { class: "interval" }, `, ${writePercent(data)} interval ${writeScore(interval[0])} to ${writeScore(interval[1])}`) : null),
      rates ? make("p", { class: "rates" }, `recall ${writeScore(rates.recall)}, precision ${writeScore(rates.precision)}`,
        rates.of.length ? make("span", { class: "small" }, ` (means of ${rates.of.join("; ")})`) : null) : null),
    make("p", { class: "sentence" }, tellWorst(data, system, measure)),
  ];
}

const writePercent = (data) => `${Math.round(100 * data.settings.confidence)} %`;

// Types of errors by the points that they cost; beside several systems, the others' points, too.
function makeKinds(app, system, measure) {
  const { data } = app;
  const { kinds, total } = rankCorrections(data, system, measure);
  const systems = [system, ...listNumbers(data.systems).filter((other) => other !== system)];
  const ranked = systems.map((each) => new Map(rankCorrections(data, each, measure).kinds.map((entry) => [entry.kind, entry])));
  const amount = ({ points, count }) => (total === null ? count : points);
  const most = Math.max(1e-9, ...kinds.map(amount));
  const rows = kinds.map(({ kind }) => make("tr", {},
    make("th", { scope: "row" }, linkTo(app, { view: "errors", kinds: new Set([kind]), system }, { title: data.kinds[kind].rule }, makeSign(data.kinds[kind]), data.kinds[kind].title),
      systems.length > 1 ? null : make("span", { class: "rule small" }, data.kinds[kind].rule)),
    make("td", { class: "bar" }, makeBar(amount(ranked[0].get(kind)) / most, system)),
    ...(total === null ? [] : [make("td", { class: "n points" }, writeScore(ranked[0].get(kind).points))]),
    make("td", { class: "n" }, ranked[0].get(kind).count.toLocaleString("en")),
    ...systems.slice(1).map((_, at) => make("td", { class: "n other" }, total === null ? ranked[at + 1].get(kind).count.toLocaleString("en") : writeScore(ranked[at + 1].get(kind).points)))));
  const name = (each, attributes) => [[makeSwatch(each), nameSystem(app, each)], { ...attributes, title: data.systems[each].name }];
  const titles = [
    systems.length > 1 ? name(system, { class: "name" }) : [make("span", { class: "sr" }, "picture"), { class: "name" }],
    ...(total === null ? [] : [["points", { class: "n" }]]), ["errors", { class: "n" }],
    ...systems.slice(1).map((each) => name(each, { class: "n" })),
  ];
  return makeTable({ class: systems.length > 2 ? "kinds several" : "kinds" }, "Types of errors, the costliest first", [["type", {}], ...titles], rows);
}

async function fillCostliest(app, system, measure, isWanted) {
  const lists = await app.loadLists(system);
  if (!lists) return;
  const ranked = rankErrors(lists, measure);
  const cost = lists.errors.costs[measure];
  const items = await Promise.all(ranked.slice(0, COSTLIEST).map((at) => makeErrorItem(app, lists, system, at, measure, cost?.[ranked[0]], BRIEF)));
  if (!isWanted()) return;
  one("#costliest ol").replaceChildren(...items);
  one("#costliest").hidden = !items.length;
  one("#costliest h2").textContent = !cost ? "Some errors" : items.length > 1 ? `The ${items.length} costliest errors` : "The costliest error";
  one("#all-errors").replaceChildren(linkTo(app, { view: "errors", system, kinds: null, measure }, {}, `All ${countThings(lists.errors.total, "error")}`));
}

const countMentions = ({ mentions, entities }) => `${mentions.toLocaleString("en")} mentions in ${entities.toLocaleString("en")} entities`;

// Systems as rows, measures as columns, each on an axis of its own from the worst to the best; and how to read it.
function makeMatrix(app) {
  const { data } = app;
  const axes = data.measures.map((_, measure) => zoomAxis(listDrawn(data, measure)));
  const head = [["system", {}], ...data.measures.map(({ title }, measure) => [
    [title, make("span", { class: "axis", "aria-hidden": "true" }, make("i", {}, String(axes[measure][0])), make("i", {}, String(axes[measure][1])))], { class: "n" },
  ])];
  const rows = data.systems.map((_, system) => make("tr", {},
    make("th", { scope: "row", class: "name", title: data.systems[system].name }, make("span", { class: "who" }, makeSwatch(system), nameSystem(app, system)), make("span", { class: "size small" }, countMentions(data.systems[system]))),
    ...data.measures.map((_measure, measure) => {
      const { main, interval, best } = data.results[system][measure];
      const difference = system ? findDifference(data, 0, system, measure) : undefined;
      return make("td", { class: "n" }, best.includes("main") ? make("b", {}, writeScore(main)) : writeScore(main),
        makeSignificance(data, difference), makeRange(main, interval, axes[measure], system));
    })));
  return [
    make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Systems by measures" }, makeTable({ class: "matrix" }, "Systems by measures", head, rows)),
    make("p", { class: "hint" }, ...tellMatrix(app)),
  ];
}

function tellMatrix(app) {
  const { data } = app;
  const [several, intervals] = [data.systems.length > 1, countDocuments(data) > 1];
  return [
    several ? "Bold is best. " : "", "Each column has the axis at its head", intervals ? `; bands are ${writePercent(data)} intervals.` : ".",
    ...(several && intervals ? [" ▲ ▼ significantly better or worse than ", nameSystem(app, 0), "."] : []),
  ];
}

function makeSignificance(data, difference) {
  if (!difference?.significant) return make("span", { class: "mark" }, "");
  const up = isBetter(data, difference.measure, difference.points);
  return make("span", { class: `mark ${up ? "up" : "down"}`, title: `${writeSigned(difference.points)}, p ${writeProbability(difference.p)}` },
    make("span", { "aria-hidden": "true" }, up ? "▲" : "▼"), make("span", { class: "sr" }, `significantly ${up ? "better" : "worse"}`));
}

// Every measure with recall, precision and its main value; its head opens what it means and what it missed.
function makeScores(app) {
  const { data } = app;
  const several = data.systems.length > 1;
  const intervals = countDocuments(data) > 1;
  const axis = zoomAxis(data.measures.flatMap((_, measure) => listDrawn(data, measure)));
  const head = [["measure", {}], ...(several ? [["system", {}]] : []), "recall", "precision", "F1 or score",
    [[make("span", { class: "sr" }, "picture"), make("span", { class: "axis", "aria-hidden": "true" }, make("i", {}, String(axis[0])), make("i", {}, String(axis[1])))], { class: "picture" }],
    ...(intervals ? [["interval", { class: "n" }]] : []), ...(several ? [[["difference from ", nameSystem(app, 0)], { class: "n wide" }]] : [])];
  const bodies = data.measures.map((_, measure) => makeMeasure(app, measure, axis, head.length));
  const table = makeTable({ class: "scores" }, "Scores by every measure", head, []);
  one("tbody", table).replaceWith(...bodies);
  return table;
}

function makeMeasure(app, measure, axis, width) {
  const { data } = app;
  const { title, name } = data.measures[measure];
  const several = data.systems.length > 1;
  const id = `about-${name.replace(/[^\w-]/g, "_")}`;
  const bold = (best, field, value) => (best.includes(field) ? make("b", {}, writeScore(value)) : value === null && field !== "main" ? "" : writeScore(value));
  const rows = data.systems.map((_, system) => {
    const { recall, precision, main, interval, best } = data.results[system][measure];
    const difference = system ? findDifference(data, 0, system, measure) : undefined;
    return make("tr", {},
      system ? null : make("th", { scope: "rowgroup", rowspan: data.systems.length }, make("button", { type: "button", class: "measure", "aria-expanded": "false", "aria-controls": id, "data-about": true },
        title, " ", make("span", { class: "code" }, name))),
      several ? make("td", { class: "name" }, makeSwatch(system), nameSystem(app, system)) : null,
      make("td", { class: "n" }, bold(best, "recall", recall)), make("td", { class: "n" }, bold(best, "precision", precision)),
      make("td", { class: "n main" }, bold(best, "main", main)),
      make("td", { class: "picture" }, makeRange(main, interval, axis, system)),
      countDocuments(data) > 1 ? make("td", { class: "n" }, interval ? `${writeScore(interval[0])} to ${writeScore(interval[1])}` : "") : null,
      several ? make("td", { class: "n wide" }, ...tellDifference(difference)) : null);
  });
  const row = make("tr", { class: "about", id, hidden: true }, make("td", { colspan: width }, makeAbout(app, measure)));
  return make("tbody", {}, ...rows, row);
}

function tellDifference(difference) {
  if (!difference) return [];
  const p = difference.p === null ? "" : ` p ${difference.p < 0.001 ? "" : "= "}${writeProbability(difference.p)}`;
  return [writeSigned(difference.points), difference.significant ? make("abbr", { title: "significant" }, "*") : "", make("span", { class: "p" }, p)];
}

function makeAbout(app, measure) {
  const { data } = app;
  const { about, formula, citation, addsUp } = data.measures[measure];
  const paragraph = (pieces) => make("p", {}, ...pieces.map((piece, at) => (at % 2 ? make("code", {}, piece) : piece)));
  return make("div", { class: "about" },
    make("div", {}, ...about.map(paragraph), make("p", { class: "formula" }, formula), make("p", { class: "small" }, `${citation.replace(/(?<![.?!])$/, ".")} Over documents: ${addsUp}.`)),
    make("div", {}, ...data.systems.flatMap((_, system) => tellLosses(app, system, measure))),
    ...data.systems.map((_, system) => makeCostliest(app, system, measure)));
}

const writeCount = (value) => (Number.isInteger(value) ? value.toLocaleString("en") : value.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 }));
const LOST = { recall: "not found", precision: "not right" };

function tellLosses(app, system, measure) {
  const { data } = app;
  const { lost, worst } = data.results[system][measure];
  if (!lost.length && !worst.length) return [];
  const score = (number) => data.scores[system][measure][number];
  return [
    make("h3", {}, "What it missed", ...(data.systems.length > 1 ? [" in ", nameSystem(app, system)] : [])),
    make("ul", {}, ...lost.map(({ side, found, wanted }) => make("li", {}, `${side}: ${writeCount(found)} of ${writeCount(wanted)}, ${writeCount(Number((wanted - found).toFixed(4)))} ${LOST[side]}`))),
    worst.length ? make("p", {}, "Documents with the largest part of it: ", ...worst.flatMap((number, at) => [at ? ", " : "", linkDocument(app, number, { left: "k", right: system }), ` (${writeScore(score(number))})`]), ".") : null,
  ];
}

function makeCostliest(app, system, measure) {
  const { data } = app;
  const title = (what) => make("h3", {}, what, ...(data.systems.length > 1 ? [" in ", nameSystem(app, system)] : []));
  const found = getFinding(data, system, measure);
  if (!found) return make("section", { class: "costs" }, title("What it cost"), make("p", { class: "small" }, `What mentions and entities cost is not known here: ${data.costs[system][measure].unknown}.`));
  const { entities, mentions } = data.costliest[system][measure];
  if (!entities.length && !mentions.length) return make("section", { class: "costs" });
  const rest = found.rest > 0.005 ? `, but for ${writeScore(found.rest)} that no mention costs, as a side has nothing to count (0/0)` : "";
  const told = found.exact ? `Shares of the ${writeScore(found.loss)} points that are lost. Exact: those of all entities add up to it, and so do those of all mentions${rest}.`
    : "Leave-one-out: points that the score would gain without it. They do not add up to what is lost.";
  return make("section", { class: "costs" }, title("What cost most"), make("p", { class: "small" }, told),
    make("div", { class: "pair-of-lists" }, makeCostly(app, "Entities", entities, system, measure), makeCostly(app, "Mentions", mentions, system, measure)));
}

function makeCostly(app, title, items, system, measure) {
  const whatOf = ({ side, size, found }) => (size ? `${side} entity, ${countThings(size, "mention")}` : side === "response" ? "extra" : found ? "found" : "missing");
  const open = async (event, { document: number, side, mention }) => {
    event.preventDefault();
    const record = await app.load(number);
    app.store.change({ view: "text", document: number, mention: identifyMention(record, side === "key" ? "k" : system, mention), left: "k", right: system, measure });
  };
  const found = getFinding(app.data, system, measure);
  const shorten = (words) => (words.length > 60 ? `${words.slice(0, 59)}…` : words);
  return make("div", {}, make("h4", {}, title), make("ol", { class: "costly" }, ...items.map((item) => make("li", {},
    make("span", { class: "words" },
      app.isThere(item.document) ? make("a", { href: app.store.link({ view: "text", document: item.document, mention: null, left: "k", right: system, measure }), onclick: (event) => open(event, item) }, make("bdi", {}, shorten(item.words)))
        : make("bdi", {}, shorten(item.words)),
      make("span", { class: "what" }, whatOf(item), ...(countDocuments(app.data) > 1 ? [", ", make("bdi", {}, nameDocument(app.data, item.document))] : []))),
    make("span", { class: "points" }, make("i", { style: { width: `${(100 * item.cost) / items[0].cost}%`, "--colour": colourOf(system) } }), make("b", {}, found.exact ? writeShare(item.cost, 1e6 * found.loss) : writePoints(item.cost)))))));
}

function makeNotices(data) {
  const { notices } = data;
  for (const link of all(".to-notices")) link.hidden = !notices.length;
  if (!notices.length) return [];
  const listed = notices.map(({ kind, message }) => make("li", {}, make("span", { class: "code" }, kind), " ", make("span", { dir: "auto" }, message)));
  return [make("h2", { tabindex: "-1" }, "Warnings"), make("details", { open: notices.length < 20 },
    make("summary", {}, `${countThings(notices.length, "thing")} to know about these numbers`), make("ul", { class: "warnings" }, ...listed))];
}
