// The scores: every measure, what has changed, what a preview would change, the cells touched; how a number comes about.
import { judgeChange, writeChange, writePoints } from "../../../model/workbench_text.js";
import { fill, make } from "../dom.js";

const FIELDS = ["recall", "precision", "f1"];

export function drawScores(element, { scores, preview, showAll, names }, handlers) {
  if (!scores) {
    fill(element, make("p", { class: "soft" }, "Scores appear when a key and a response are chosen."));
    return;
  }
  const measures = scores.measures.filter((measure) => showAll || measure.default || scores.measures.length <= 10);
  const previews = Object.fromEntries((preview?.measures ?? []).map((measure) => [measure.name, measure]));
  const head = ["measure", ...FIELDS, "last edit", "start", preview ? "if done" : null].filter(Boolean);
  fill(
    element,
    make("table", { class: "scores" },
      make("caption", {}, preview ? "Scores, and what they would be" : "Scores"),
      make("thead", {}, make("tr", {}, head.map((text) => make("th", { scope: "col" }, text)))),
      make("tbody", {}, measures.map((measure) => drawMeasure(measure, previews[measure.name], Boolean(preview), handlers)))),
    make("label", { class: "toggle" }, make("input", { type: "checkbox", checked: showAll, onchange: handlers.toggleAll, data: { key: "all-measures" } }), " all measures"),
    drawCells((preview ?? scores).cells, names, Boolean(preview)),
    scores.notices.length ? make("ul", { class: "notices" }, scores.notices.map((text) => make("li", {}, text))) : null,
    make("p", { class: "signature" }, scores.signature),
  );
}

function drawMeasure(measure, preview, hasPreview, handlers) {
  const main = Object.keys(measure.values).includes("f1") ? "f1" : Object.keys(measure.values)[0];
  const isCost = measure.less_is_better.includes(main);
  const button = make("button", { type: "button", class: "plain", title: `${measure.title}: how it comes to its number`, onclick: () => handlers.explain(measure.name), data: { key: `explain-${measure.name}` } }, measure.name);
  const change = (changes) => make("td", { class: judgeChange(changes?.[main], isCost) }, writeChange(changes?.[main]));
  return make("tr", { data: { measure: measure.name } },
    make("th", { scope: "row" }, button),
    FIELDS.map((field) => drawValue(measure, field, main)),
    change(measure.since_last),
    change(measure.since_start),
    hasPreview ? make("td", { class: `preview ${judgeChange(preview?.since_last?.[main], isCost)}` }, writeChange(preview?.since_last?.[main])) : null);
}

function drawValue(measure, field, main) {
  const shown = main === "f1" ? measure.values[field] : field === "f1" ? measure.values[main] : undefined;
  const undefinedHere = measure.undefined.includes(main === "f1" ? field : main);
  return make("td", { title: undefinedHere ? "0/0: a convention" : null, class: undefinedHere ? "undefined" : null }, writePoints(shown));
}

function drawCells(cells, names, isPreview) {
  if (!cells?.count) return null;
  const shown = cells.cells.slice(0, 12);
  return make("details", { class: "cells", open: true },
    make("summary", {}, `${isPreview ? "Cells that would change" : "Cells touched"}: ${cells.count}`),
    make("ul", {}, shown.map((cell) => make("li", {}, `key ${names.key(cell.key)} × response ${names.response(cell.response)}: ${cell.before} → ${cell.after} mentions`))),
    cells.count > shown.length ? make("p", { class: "soft" }, `and ${cells.count - shown.length} more`) : null);
}
