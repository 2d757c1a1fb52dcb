// The panels beside the text: entities, adjudication, resolvers, files, keys.
import { chooseHue, listEntities, writeChange, writePoints } from "../../model/workbench_text.js";
import { addressOf } from "../../store/requests.js";
import { fill, make, makeOptions } from "./dom.js";

function makeButton(text, onclick, more = {}) {
  return make("button", { type: "button", onclick, data: { key: text }, ...more }, text);
}

export function drawEntities(element, state, handlers) {
  const { annotation, current, filter } = state;
  const wanted = filter.toLowerCase();
  const rows = listEntities(annotation).filter(({ name, mentions }) =>
    !wanted || name.toLowerCase().includes(wanted) || mentions.some((id) => handlers.describe(annotation.mentions[id].runs).toLowerCase().includes(wanted)));
  fill(element, make("ul", { class: "entities" }, rows.slice(0, 400).map((entity) => drawEntity(entity, state, handlers))),
    rows.length > 400 ? make("p", { class: "soft" }, `and ${rows.length - 400} more: narrow them down above`) : null,
    rows.length || current ? null : make("p", { class: "soft" }, "No entities yet: select words in the text and press n."));
}

function drawEntity({ id, name, mentions }, { annotation, current }, handlers) {
  const texts = mentions.slice(0, 4).map((mention) => handlers.describe(annotation.mentions[mention].runs));
  const more = mentions.length > 4 ? ` + ${mentions.length - 4}` : "";
  return make("li", {},
    make("button", {
      type: "button", class: "entity", hue: chooseHue(id), data: { key: id, e: id }, "aria-pressed": String(id === current),
      onclick: (event) => handlers.choose(id, event.ctrlKey || event.shiftKey || event.metaKey),
      onpointerenter: () => handlers.preview(id), onpointerleave: () => handlers.preview(null), onfocus: () => handlers.preview(id), onblur: () => handlers.preview(null),
    }, make("span", { class: "count" }, String(mentions.length)), make("b", {}, make("bdi", {}, name)), " ", make("bdi", {}, texts.join(" · ") + more)));
}

export function drawAdjudication(element, { sides, side, agreement, compared, error }, handlers) {
  const boxes = sides.map((name) => make("label", {}, make("input", { type: "checkbox", value: name, checked: compared.includes(name), onchange: handlers.compare, data: { key: `side-${name}` } }), ` ${name}`));
  fill(element,
    make("fieldset", {}, make("legend", {}, "Annotators"), boxes),
    make("div", { class: "row" }, makeButton("Majority draft", handlers.majority, { disabled: compared.length < 2 }), make("span", { class: "soft" }, `into ${side}`)),
    make("form", { class: "row", onsubmit: handlers.addSide }, make("input", { name: "name", "aria-label": "name of a new side", placeholder: "new side" }), makeButton("Add a side", null, { type: "submit" })),
    error ? make("p", { class: "soft" }, error) : agreement ? drawAgreement(agreement, side, handlers) : null);
}

function drawAgreement(agreement, side, handlers) {
  const measures = Object.keys(agreement.pairs[0]?.values ?? {});
  const alpha = agreement.alpha.find((each) => each.distance === "masi" && !each.itself);
  return make("div", {},
    make("div", { class: "scrolling", tabindex: "0", role: "region", "aria-label": "agreement" },
      make("table", { class: "agreement" }, make("caption", {}, "Agreement of pairs"),
        make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "pair"), measures.map((name) => make("th", { scope: "col" }, name)))),
        make("tbody", {}, agreement.pairs.map((pair) => make("tr", {}, make("th", { scope: "row" }, pair.names.join(" – ")), measures.map((name) => make("td", {}, writePoints(pair.values[name])))))))),
    make("p", {}, `Krippendorff's α (MASI): ${alpha?.value === null || alpha === undefined ? "undefined" : alpha.value.toFixed(4)}`),
    make("h3", {}, `Disagreements: ${agreement.disagreement_count}`),
    make("ul", { class: "disagreements" }, agreement.disagreements.slice(0, 200).map((each, place) => drawDisagreement(each, place, side, handlers))));
}

function drawDisagreement({ runs, mentions }, place, side, handlers) {
  const takes = Object.entries(mentions).filter(([name]) => name !== side).map(([name, id]) =>
    id === null
      ? make("span", { class: "soft" }, `${name}: not marked`)
      : make("span", { class: "takes" }, `${name}: `,
        makeButton("mention", () => handlers.take(name, { mention: id }), { "aria-label": `take the mention as ${name} has it`, data: { key: `m-${place}-${name}` } }),
        makeButton("entity", () => handlers.takeEntity(name, id), { "aria-label": `take the entity as ${name} has it`, data: { key: `e-${place}-${name}` } })));
  return make("li", {}, make("button", { type: "button", class: "plain", onclick: () => handlers.show(runs), data: { key: `show-${place}` } }, make("bdi", {}, handlers.describe(runs))), " ", takes);
}

export function drawResolvers(element, { resolvers, rules, resolver, off, side, key, table, averaged }, handlers) {
  fill(element,
    make("label", {}, "Resolver ", make("select", { onchange: handlers.choose, data: { key: "resolver" } }, makeOptions(resolvers.map((name) => [name, name]), resolver))),
    resolver === "salience"
      ? make("fieldset", {}, make("legend", {}, "Rules"), rules.map((rule) => make("label", {}, make("input", { type: "checkbox", value: rule, checked: !off.includes(rule), onchange: handlers.toggleRule, data: { key: `rule-${rule}` } }), ` ${rule}`)))
      : null,
    make("div", { class: "row" }, makeButton("Resolve", handlers.resolve, { disabled: side === key }), make("span", { class: "soft" }, side === key ? "edit another side than the key to resolve into it" : `the mentions of ${key} into ${side}`)),
    make("form", { class: "row", onsubmit: handlers.tabulate }, make("label", {}, "averaged ", make("input", { name: "measures", value: averaged })), makeButton("Switch rules off", null, { type: "submit" })),
    table ? drawRules(table) : null);
}

function drawRules(rows) {
  const measures = Object.keys(rows[0].values);
  return make("div", { class: "scrolling", tabindex: "0", role: "region", "aria-label": "rules switched off" },
    make("table", {}, make("caption", {}, "The salience resolver with rules switched off"),
      make("thead", {}, make("tr", {}, ["off", ...measures, "mean", "change"].map((text) => make("th", { scope: "col" }, text)))),
      make("tbody", {}, rows.map((row) => make("tr", {}, make("th", { scope: "row" }, row.off.join(", ") || "none"), measures.map((name) => make("td", {}, writePoints(row.values[name]))), make("td", {}, writePoints(row.mean)), make("td", {}, writeChange(row.change)))))));
}

export function drawFiles(element, { lists, project, side, notices }, handlers) {
  const formats = Object.keys(lists.formats.write).map((name) => [name, name]);
  fill(element,
    make("h3", {}, "Open"),
    make("div", { class: "row" }, make("label", {}, "Project ", make("select", { onchange: handlers.open, data: { key: "project" } }, makeOptions(lists.projects.map((name) => [name, name]), project)))),
    make("div", { class: "row" }, make("label", {}, "Example of a paper ", make("select", { onchange: handlers.openExample, data: { key: "example" } }, makeOptions([["", "…"], ...Object.entries(lists.examples).map(([name, source]) => [name, `${name}: ${source}`])], "")))),
    make("form", { onsubmit: handlers.upload },
      make("label", {}, "Files, the key first ", make("input", { type: "file", name: "files", multiple: true, data: { key: "files" } })),
      make("label", {}, make("input", { type: "checkbox", name: "adjudicate" }), " all are annotators'"), makeButton("Open files", null, { type: "submit" })),
    make("h3", {}, "Save"),
    make("form", { class: "row", onsubmit: handlers.save },
      make("input", { name: "file", "aria-label": "file name", placeholder: "name.conll", required: true }), make("label", {}, make("input", { type: "checkbox", name: "force" }), " overwrite"), makeButton(`Save ${side}`, null, { type: "submit" })),
    make("form", { class: "row", onsubmit: handlers.download }, make("label", {}, "Format ", make("select", { name: "format" }, makeOptions(formats, "conll"))), makeButton("Download", null, { type: "submit" })),
    make("p", {}, make("a", { href: addressOf(project, "/patch"), download: `${project}.json` }, "All edits as a JSON patch")),
    make("h3", {}, "Studies of the papers"),
    make("div", { class: "row" }, make("label", {}, "Study ", make("select", { onchange: handlers.study, data: { key: "study" } }, makeOptions([["", "…"], ...lists.studies.map(([name, title]) => [name, `${name}: ${title}`])], "")))),
    notices.length ? make("details", {}, make("summary", {}, `Notices of the files: ${notices.length}`), make("ul", {}, notices.map((text) => make("li", {}, text)))) : null);
}

export function drawKeys(element, actions) {
  fill(element, make("table", { class: "keys" }, make("caption", {}, "Keys"), make("tbody", {}, actions.filter(({ keys }) => keys.length).map(({ keys, text }) =>
    make("tr", {}, make("td", {}, keys.map((key) => make("kbd", {}, key))), make("td", {}, text))))));
}
