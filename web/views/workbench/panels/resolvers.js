// Resolvers, and the table of rules switched off.
import { writeChange, writePoints } from "../../../model/workbench_text.js";
import { fill, make, makeButton, makeOptions } from "../dom.js";

export function drawResolvers(element, { resolvers, rules, resolver, off, side, key, table, averaged }, handlers) {
  fill(element,
    make("label", {}, "Resolver ", make("select", { onchange: handlers.choose, data: { key: "resolver" } }, makeOptions(resolvers.map((name) => [name, name]), resolver))),
    resolver === "salience"
      ? make("fieldset", {}, make("legend", {}, "Rules"), rules.map((rule) => make("label", {}, make("input", { type: "checkbox", value: rule, checked: !off.includes(rule), onchange: handlers.toggleRule, data: { key: `rule-${rule}` } }), ` ${rule}`)))
      : null,
    make("div", { class: "row" }, makeButton("Resolve", handlers.resolve, { disabled: side === key }), make("span", { class: "soft" }, side === key ? "edit another side than the key to resolve into it" : `the mentions of ${key} into ${side}`)),
    make("form", { class: "row", onsubmit: handlers.tabulate }, make("label", {}, "averaged ", make("input", { name: "measures", value: averaged, data: { key: "averaged" } })), makeButton("Switch rules off", null, { type: "submit" })),
    table ? drawRules(table) : null);
}

function drawRules(rows) {
  const measures = Object.keys(rows[0].values);
  return make("div", { class: "scrolling", tabindex: "0", role: "region", "aria-label": "rules switched off" },
    make("table", {}, make("caption", {}, "The salience resolver with rules switched off"),
      make("thead", {}, make("tr", {}, ["off", ...measures, "mean", "change"].map((text) => make("th", { scope: "col" }, text)))),
      make("tbody", {}, rows.map((row) => make("tr", {}, make("th", { scope: "row" }, row.off.join(", ") || "none"), measures.map((name) => make("td", {}, writePoints(row.values[name]))), make("td", {}, writePoints(row.mean)), make("td", {}, writeChange(row.change)))))));
}
