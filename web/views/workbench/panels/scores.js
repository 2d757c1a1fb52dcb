// The scores: every measure, what has changed, what a preview would change, the cells touched; how a number comes about.
import { judgeChange, writeChange, writePoints } from "../../../model/workbench_text.js";
import { fill, make } from "../dom.js";

const FIELDS = ["recall", "precision", "f1"];

const FIRST = 12; // cells that are listed at once

// What stands below each value: changes as the server names them, and what they are called.
const CHANGES = { made: [["since_last", "last edit"], ["since_start", "start"]], preview: [["since_last", "if done"]] };

export function drawScores(element, { scores, preview, showAll, names }, handlers) {
  if (!scores) {
    fill(element, make("p", { class: "soft" }, "Scores appear when a key and a response are chosen."));
    return;
  }
  const measures = scores.measures.filter((measure) => showAll || measure.default || scores.measures.length <= 10);
  const previews = Object.fromEntries((preview?.measures ?? []).map((measure) => [measure.name, measure]));
  const changes = preview ? CHANGES.preview : CHANGES.made;
  fill(
    element,
    make("table", { class: "scores" },
      make("caption", {}, preview ? "Scores, and what they would be" : "Scores"),
      make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "measure"), FIELDS.map((field) => make("th", { scope: "col" }, field, drawPair(changes.map(([, title]) => make("span", {}, title))))))),
      make("tbody", {}, measures.map((measure) => drawMeasure(measure, (preview ? previews[measure.name] : measure) ?? {}, changes, handlers)))),
    make("label", { class: "toggle" }, make("input", { type: "checkbox", checked: showAll, onchange: handlers.toggleAll, data: { key: "all-measures" } }), " all measures"),
    drawCells((preview ?? scores).cells, names, Boolean(preview)),
    scores.notices.length ? make("ul", { class: "notices" }, scores.notices.map((text) => make("li", {}, text))) : null,
    make("p", { class: "signature" }, scores.signature),
  );
}

function drawMeasure(measure, changed, changes, handlers) {
  const main = Object.keys(measure.values).includes("f1") ? "f1" : Object.keys(measure.values)[0];
  const button = make("button", { type: "button", class: "plain", title: `${measure.title}: how it comes to its number`, onclick: () => handlers.explain(measure.name), data: { key: `explain-${measure.name}` } }, measure.name);
  // A measure of one value has it where others have their f1.
  const fields = main === "f1" ? FIELDS : [null, null, main];
  return make("tr", { data: { measure: measure.name } }, make("th", { scope: "row" }, button), fields.map((field) => drawValue(measure, field, changes.map(([name]) => [name, changed[name]?.[field]]))));
}

// A value, and how it has changed, or would.
function drawValue(measure, field, changes) {
  if (field === null) return make("td", {});
  const isUndefined = measure.undefined.includes(field);
  const isCost = measure.less_is_better.includes(field);
  return make("td", { title: isUndefined ? "0/0: a convention" : null, class: isUndefined ? "undefined" : null }, writePoints(measure.values[field]),
    drawPair(changes.map(([name, change]) => make("span", { class: `${name} ${judgeChange(change, isCost)}` }, writeChange(change)))));
}

const drawPair = (parts) => make("small", { class: parts.length > 1 ? "pair" : "preview" }, parts);

function drawCells(cells, names, isPreview) {
  if (!cells?.count) return null;
  const items = cells.cells.map((cell) => make("li", {}, `key ${names.key(cell.key)} × response ${names.response(cell.response)}: ${cell.before} → ${cell.after} mentions`));
  const unlisted = cells.count - items.length;
  return make("details", { class: "cells", open: true },
    make("summary", {}, `${isPreview ? "Cells that would change" : "Cells touched"}: ${cells.count}`),
    make("ul", {}, items.slice(0, FIRST)),
    items.length > FIRST ? make("details", {}, make("summary", {}, `${items.length - FIRST} more`), make("ul", {}, items.slice(FIRST))) : null,
    unlisted ? make("p", { class: "soft" }, `${unlisted} more are not listed.`) : null);
}
