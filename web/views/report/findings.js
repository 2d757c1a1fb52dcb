// What the analysis knows over all documents: links by types of mentions, scores by groups of mentions.

import { sum, writeScore } from "../../model/report.js";
import { make } from "../dom.js";
import { makeTable } from "./parts.js";

const FIELDS = {
  "mention-type": "type of mention", "entity-type": "type of entity", size: "mentions in the entity",
  distance: "distance to the mention before it in its entity", nesting: "nesting",
};

/** Missed and wrong links as two tables, anaphors in rows, antecedents in columns, the darker the more. */
export function makeLinks(data, system) {
  const links = data.links[system];
  if (!links || !links.types.length) return [];
  const most = Math.max(1, ...["missed", "wrong"].flatMap((kind) => links[kind].flat()));
  const cell = (count) => make("td", { class: count ? "n shaded" : "n", style: count ? { "--shade": (count / most).toFixed(3) } : {} }, count.toLocaleString("en"));
  const table = (kind, title) => make("div", {}, make("h3", {}, `${title}: ${sum(links[kind].flat()).toLocaleString("en")}`), make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": title },
    makeTable({ class: "links" }, title, [["anaphor ↓, antecedent →", {}], ...links.types.map((type) => [type, { class: "n" }])],
      links.types.map((type, row) => make("tr", {}, make("th", { scope: "row" }, type), ...links[kind][row].map(cell))))));
  return [make("h2", {}, "Links"), make("p", { class: "hint" }, "By the types of a mention and of its antecedent: links of the key that are missed, and links of the response that are wrong."),
    make("div", { class: "side-by-side" }, table("missed", "Missed links"), table("wrong", "Wrong links"))];
}

/** Scores of groups of mentions, a table for each field. */
export function makeBreakdowns(data, system, measure) {
  const fields = data.breakdowns[system];
  if (!fields.length) return [];
  const { title } = data.measures[measure];
  const table = ({ field, groups }) => make("div", {}, make("h3", {}, `By ${FIELDS[field] || field}`), make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Scores by ${FIELDS[field] || field}` },
    makeTable({ class: "breakdown" }, `Scores by ${FIELDS[field] || field}`, [["mentions", {}], "in key", "in response", title, "B³ recall", "precision", "F1"],
      groups.map((group) => make("tr", {}, make("th", { scope: "row" }, group.label), ...[group.key, group.response].map((count) => make("td", { class: "n" }, count.toLocaleString("en"))),
        make("td", { class: "n" }, writeScore(group.scores[measure])), ...group.bcub.map((value) => make("td", { class: "n" }, writeScore(value))))))));
  return [make("h2", {}, "Groups of mentions"), make("p", { class: "hint" }, `${title}: as if key and response had these mentions only. B³: recall and precision of these mentions with all others there.`),
    make("div", { class: "side-by-side" }, ...fields.map(table))];
}
