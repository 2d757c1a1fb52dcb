// Adjudication: who is compared, how far they agree, above chance too, and what they differ on.
import { averagePairs } from "../../../model/workbench_status.js";
import { writePoints } from "../../../model/workbench_text.js";
import { fill, make, makeButton } from "../dom.js";

export function drawAdjudication(element, { sides, side, agreement, chance, compared, error }, handlers) {
  const boxes = sides.map((name) => make("label", {}, make("input", { type: "checkbox", value: name, checked: compared.includes(name), onchange: handlers.compare, data: { key: `side-${name}` } }), ` ${name}`));
  fill(element,
    make("fieldset", {}, make("legend", {}, "Annotators"), boxes),
    make("div", { class: "row" }, makeButton("Majority draft", handlers.majority, { disabled: compared.length < 2 }), make("span", { class: "soft" }, `into ${side}`)),
    make("form", { class: "row", onsubmit: handlers.addSide }, make("input", { name: "name", "aria-label": "name of a new side", placeholder: "new side", data: { key: "new-side" } }), makeButton("Add a side", null, { type: "submit" })),
    error ? make("p", { class: "soft" }, error) : agreement ? drawAgreement(agreement, chance, side, handlers) : null);
}

function drawAgreement(agreement, chance, side, handlers) {
  return make("div", {},
    drawMeans(agreement, chance),
    agreement.pairs.length > 1 ? drawPairs(agreement.pairs) : null,
    drawAlpha(agreement.alpha),
    make("p", { class: "signature" }, agreement.signature),
    make("h3", {}, `Disagreements: ${agreement.disagreement_count}`),
    make("ul", { class: "disagreements" }, agreement.disagreements.slice(0, 200).map((each, place) => drawDisagreement(each, place, side, handlers))));
}

const makeHead = (names) => make("thead", {}, make("tr", {}, names.map((name) => make("th", { scope: "col" }, name))));

// What may be wider than the panel is scrolled, by keys too.
const makeScrolling = (name, table) => make("div", { class: "scrolling", tabindex: "0", role: "region", "aria-label": name }, table);

function drawMeans({ pairs }, chance) {
  const of = pairs.length > 1 ? `mean of ${pairs.length} pairs` : pairs[0].names.join(" – ");
  const note = chance ? `chance: ${chance.draws} random partitions with the same sizes of entities, seed ${chance.seed}; chance is 0 and full agreement 100 in the last column` : "chance is being computed …";
  const rows = averagePairs(pairs, chance).map(({ name, value, chance: byChance, above }) =>
    make("tr", { data: { measure: name } }, make("th", { scope: "row" }, name), [value, byChance, above].map((number) => make("td", {}, number === undefined ? "" : number === null ? "–" : writePoints(number)))));
  return make("div", {},
    makeScrolling("agreement", make("table", { class: "agreement" }, make("caption", {}, `Agreement: ${of}`), makeHead(["measure", "agreement", "by chance", "above chance"]), make("tbody", {}, rows))),
    make("p", { class: "soft note" }, note));
}

function drawPairs(pairs) {
  const measures = Object.keys(pairs[0].values);
  return make("details", {}, make("summary", {}, "Pair by pair"),
    makeScrolling("agreement of pairs", make("table", { class: "pairs" }, makeHead(["pair", ...measures]),
      make("tbody", {}, pairs.map((pair) => make("tr", {}, make("th", { scope: "row" }, pair.names.join(" – ")), measures.map((name) => make("td", {}, pair.undefined.includes(name) ? "–" : writePoints(pair.values[name])))))))));
}

const DISTANCES = { passonneau: "Passonneau", masi: "MASI" };

function drawAlpha(coefficients) {
  const find = (distance, itself) => coefficients.find((each) => each.distance === distance && each.itself === itself).value;
  const write = (value) => (value === null ? "–" : value.toFixed(4));
  return makeScrolling("Krippendorff's α", make("table", { class: "alpha" }, make("caption", {}, "Krippendorff's α of all"), makeHead(["distance of sets", "without the mention itself", "with it"]),
    make("tbody", {}, Object.entries(DISTANCES).map(([distance, name]) => make("tr", {}, make("th", { scope: "row" }, name), [false, true].map((itself) => make("td", {}, write(find(distance, itself)))))))));
}

function drawDisagreement({ runs, mentions }, place, side, handlers) {
  const takes = Object.entries(mentions).filter(([name]) => name !== side).map(([name, id]) =>
    id === null
      ? make("span", { class: "soft takes" }, `${name}: not marked`)
      : make("span", { class: "takes" }, `${name}: `,
        makeButton("mention", () => handlers.take(name, { mention: id }), { "aria-label": `take the mention as ${name} has it`, data: { key: `m-${place}-${name}` } }),
        makeButton("entity", () => handlers.takeEntity(name, id), { "aria-label": `take the entity as ${name} has it`, data: { key: `e-${place}-${name}` } })));
  return make("li", {}, make("button", { type: "button", class: "plain", onclick: () => handlers.show(runs), data: { key: `show-${place}` } }, make("bdi", {}, handlers.describe(runs))), " ", takes);
}
