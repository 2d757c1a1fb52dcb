// The panel beside the text: what is wrong with a mention, what it costs, and its entity in context.

import { getEntityCost, getFinding, getMentionCost, listEntitiesOf, sumDocumentLoss, writePoints, writeShare } from "../../model/costs.js";
import { listErrors } from "../../model/errors.js";
import { findTwin, getEntity, getSide, identifyMention, listMembers, nameEntity, nameMention } from "../../model/document.js";
import { findNeighbours, listConcordance } from "../../model/entities.js";
import { findDirection } from "../../model/text.js";
import { countThings, nameSide, writeScore } from "../../model/report.js";
import { all, make, one } from "../dom.js";
import { linkTo, makeChip, makeFold, makeSign, nameSystem, tellError } from "./parts.js";

const MENTIONS_LISTED = 60;
const CONTEXT = 4; // words before and behind a mention of a concordance

export function createInspector(app, panel, { close }) {
  const { data } = app;
  let open = false; // whether costs by all measures are shown

  function show(record, state, mark, error) {
    panel.classList.toggle("empty", !mark);
    if (!mark) {
      one("#said").textContent = "";
      panel.replaceChildren(make("p", { class: "hint" }, "Point at a mention to see its entity on both sides; choose it to read more. ",
        make("kbd", {}, "n"), " and ", make("kbd", {}, "p"), " go to the next and previous error."));
      return;
    }
    const [side, mention] = mark;
    const shown = [...new Set([state.left, state.right])];
    const systems = side === "k" ? shown.filter((each) => each !== "k") : [side];
    const entity = getEntity(record, side, mention);
    const concerns = (each) => each.marks.some(([s, m]) => s === side && m === mention);
    const errors = error && concerns(error) ? [error] : systems.flatMap((system) => listErrors(record, system)).filter(concerns);
    panel.replaceChildren(
      make("p", { class: "small" }, make("bdi", {}, nameSide(data, side)), ...tellMissing(record, systems, side, mention)),
      make("h2", { dir: "auto" }, nameMention(record, side, mention)),
      ...errors.map((each) => make("p", { class: "told" }, makeSign(data.kinds[each.kind]), make("b", {}, data.kinds[each.kind].title),
        ...(systems.length > 1 ? [" in ", nameSystem(app, each.system)] : []), ": ", ...tellError(app, record, each))),
      ...systems.map((system) => tellCosts(record, state, system, side, mention)),
      make("h3", {}, "Entity ", makeChip(record, side, entity), " ", make("bdi", {}, nameEntity(record, side, entity)),
        make("span", { class: "small" }, ` ${countThings(listMembers(record, side)[entity].length, "mention")}, called `, make("bdi", {}, getSide(record, side).entities[entity]), " in the file")),
      makeConcordance(record, state, mark, shown.filter((other) => other !== side)),
      ...shown.filter((other) => other !== side).map((other) => tellElsewhere(record, side, entity, other)),
      make("p", {}, make("button", { type: "button", class: "quiet", onclick: (event) => app.copy(event.target, location.href) }, "Copy link"),
        " ", make("button", { type: "button", class: "quiet", onclick: close }, "Close")));
    one("#said").textContent = all(".told, .costs > p:first-child", panel).map((each) => each.textContent).join(" ");
  }

  function tellMissing(record, systems, side, mention) {
    const without = side === "k" ? systems.filter((each) => findTwin(record, "k", mention, each) === undefined) : [];
    return without.length ? ["; missing in ", ...without.flatMap((each, at) => [at ? " and " : "", nameSystem(app, each)])] : [];
  }

  // What a mention and its entities cost, as shares of what the document loses; points where costs do not add up.
  function tellCosts(record, state, system, side, mention) {
    const { measure } = state;
    const { title } = data.measures[measure];
    const found = getFinding(data, system, measure);
    const entities = listEntitiesOf(record, system, side, mention);
    const amount = (cost, by = measure) => writeAmount(record, system, by, cost);
    const strong = (cost) => make("b", { class: "cost" }, amount(cost));
    const whose = side === "k" && data.systems.length > 1 ? [" in ", nameSystem(app, system)] : [];
    const told = found ? [strong(getMentionCost(record, system, side, mention, measure)),
      found.exact ? ` of what this document loses by ${title}` : ` of ${title}`, ...whose, "; its entity ",
      ...entities.flatMap(([where, each], at) => [at ? ", " : "", strong(getEntityCost(record, system, where, each, measure)), where === "k" ? " in the key" : " in the response"]), "."]
      : [`an unknown part of ${title}.`];
    const table = () => make("table", { class: "cost-table" },
      make("thead", {}, make("tr", {}, ...["measure", "mention", ...entities.map(([where]) => (where === "k" ? "key entity" : "response entity"))].map((each, at) => make("th", { scope: "col", class: at ? "n" : undefined }, each)))),
      make("tbody", {}, ...data.measures.map(({ name, title: full }, by) => make("tr", {}, make("th", { scope: "row", title: full }, name),
        ...[getMentionCost(record, system, side, mention, by), ...entities.map(([where, each]) => getEntityCost(record, system, where, each, by))]
          .map((cost) => make("td", { class: "n" }, getFinding(data, system, by) ? amount(cost, by) : "–"))))));
    return make("div", { class: "costs" },
      make("p", {}, "Costs ", ...told),
      make("p", { class: "small" }, `${tellHow(record, system, measure)}.`),
      make("details", { open, ontoggle: (event) => { open = event.target.open; } }, make("summary", { class: "small" }, "by all measures"), table()));
  }

  function writeAmount(record, system, measure, cost) {
    if (!cost) return "nothing";
    return getFinding(data, system, measure).exact ? writeShare(cost, sumDocumentLoss(record, system, measure)) : `${writePoints(cost)} points`;
  }

  function tellHow(record, system, measure) {
    const found = getFinding(data, system, measure);
    if (!found) return data.costs[system][measure].unknown;
    if (!found.exact) return "leave-one-out: what the score would gain without it";
    const lost = `${writeShare(sumDocumentLoss(record, system, measure), found.loss * 1e6)} of the ${writeScore(found.loss)} points that are lost`;
    const rest = found.rest > 0.005 ? `; ${writeScore(found.rest)} are lost without any mention, as a side has nothing to count (0/0)` : "";
    return `exact: this document's mentions together cost ${lost}${rest}`;
  }

  // The mentions of an entity in context; ✓ where the other side has it with most of the entity, else ✗ and where it is.
  function makeConcordance(record, state, [side, chosen], others) {
    const entity = getEntity(record, side, chosen);
    const lines = others.length ? others.map((other) => listConcordance(record, side, entity, other, CONTEXT)) : [listConcordance(record, side, entity, side, CONTEXT)];
    const mark = (other, { right, entity: there }) => make("span", { class: right ? "right" : "amiss", title: `${nameSide(data, other)}: ${right ? "with most of the entity" : there === undefined ? "missing" : "in another entity"}` },
      right ? "✓" : "✗", make("span", { class: "sr" }, right ? " right" : there === undefined ? " missing" : " elsewhere"), right || there === undefined ? null : makeChip(record, other, there));
    const item = (_, at) => {
      const { mention, words, before, after } = lines[0][at];
      return make("li", {}, make("span", { class: "marks" }, ...others.map((other, place) => mark(other, lines[place][at]))),
        linkTo(app, { view: "text", document: state.document, mention: identifyMention(record, side, mention) }, { dir: findDirection(words), "aria-current": mention === chosen ? "true" : undefined }, make("span", { class: "context" }, before), make("b", {}, words), make("span", { class: "context" }, after)));
    };
    const list = make("ol", { class: "concordance" }, ...lines[0].slice(0, MENTIONS_LISTED).map(item));
    const rest = lines[0].slice(MENTIONS_LISTED);
    if (!rest.length) return list;
    return make("div", {}, list, ...makeFold(`${rest.length} more`, make("ol", { class: "concordance" }), () => rest.map((each, at) => item(each, at + MENTIONS_LISTED))));
  }

  // Where the mentions of an entity are on another side: in which entities, how many.
  function tellElsewhere(record, side, entity, other) {
    const { parts, missing } = findNeighbours(record, side, entity, other);
    const items = parts.map((part) => make("li", {}, makeChip(record, other, part.entity), " ", make("bdi", {}, nameEntity(record, other, part.entity)), `: ${part.n} of its ${countThings(part.size, "mention")}`));
    if (missing) items.push(make("li", {}, `${countThings(missing, "mention")} missing there`));
    return make("div", {}, make("h3", {}, "In ", make("bdi", {}, nameSide(data, other))), make("ul", { class: "elsewhere" }, ...items));
  }

  return { show };
}
