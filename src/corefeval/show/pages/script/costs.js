// What mentions and entities cost by the measure that is chosen, in points.

const costing = { measure: mainMeasure };

const MILLION = 1e6; // costs are written in millionths of a point
const NOTHING = data.measures.map(() => 0);

// How a measure's costs were found for a system, or null where they were not.
function costsOf(system, measure = costing.measure) {
  const found = data.costs[system][measure];
  return found.unknown ? null : found;
}

function listOfCosts(record, system, numbers, place) {
  const { costs } = record.systems[system];
  return costs.lists[(costs[numbers][place] || 0) - 1] || NOTHING;
}

// What a mention of a side costs a system by every measure; twins are one mention.
function mentionCosts(record, system, side, mention) {
  if (side === "k") return listOfCosts(record, system, "key", mention);
  const twin = record.systems[side].twins[mention];
  return twin < 0 ? listOfCosts(record, system, "own", mention) : listOfCosts(record, system, "key", twin);
}

function entityCosts(record, system, side, entity) {
  return listOfCosts(record, system, side === "k" ? "keyEntities" : "ownEntities", entity);
}

// Two digits at least of what is not nothing: costs of single mentions are small.
function inPoints(cost) {
  if (!cost) return "0";
  const value = Math.abs(cost) / MILLION;
  const digits = Math.min(6, Math.max(2, 1 - Math.floor(Math.log10(value))));
  return `${cost < 0 ? "−" : ""}${value.toFixed(digits)}`;
}

function howFound(system, measure = costing.measure) {
  const found = costsOf(system, measure);
  if (!found) return data.costs[system][measure].unknown;
  if (!found.exact) return "leave-one-out: what the score would gain without it";
  const lost = `the ${found.loss.toFixed(2)} that are lost`;
  return `exact: all mentions together cost ${lost}${found.rest > 0.005 ? `, but for ${found.rest.toFixed(2)} that are nobody's` : ""}`;
}

// The entities of a mention in the key and in a system's response, as far as it is there, with what they cost.
function entitiesCosting(record, system, side, mention) {
  return ["k", system].flatMap((where) => {
    const there = where === side ? mention : across(record, side, mention, where);
    return there === undefined ? [] : [[where, entityCosts(record, system, where, entityOf(record, where, there))]];
  });
}

// What a mention and its entities cost, for the panel: by the chosen measure, and by all when asked for.
function toldCosts(record, system, side, mention) {
  const { title } = data.measures[costing.measure];
  const own = mentionCosts(record, system, side, mention);
  const entities = entitiesCosting(record, system, side, mention);
  const amount = (costs) => make("b", { class: "cost" }, costs[costing.measure] ? `${inPoints(costs[costing.measure])} points` : "nothing");
  const several = side === "k" && data.systems.length > 1;
  const told = costsOf(system)
    ? [amount(own), ` of ${title}`, ...(several ? [" in ", make("bdi", {}, data.systems[system])] : []),
      "; its entity ", ...entities.flatMap(([where, costs], at) => [at ? ", " : "", amount(costs), where === "k" ? " in the key" : " in the response"]), "."]
    : [`an unknown part of ${title}.`];
  return make("div", { class: "costs" },
    make("p", {}, "Costs ", ...told),
    make("p", { class: "small" }, `${howFound(system)}.`),
    make("details", { open: costing.open, ontoggle: (event) => { costing.open = event.target.open; } },
      make("summary", { class: "small" }, "by all measures"), costTable(system, own, entities)));
}

function costTable(system, own, entities) {
  const amounts = [own, ...entities.map(([, costs]) => costs)];
  const rows = data.measures.map((measure, m) => {
    const found = costsOf(system, m);
    const cells = amounts.map((costs) => make("td", { class: "n" }, found ? inPoints(costs[m]) : "–"));
    return make("tr", {}, make("th", { scope: "row", title: measure.title }, measure.name, found && !found.exact ? make("span", { class: "small" }, " leave-one-out") : null), ...cells);
  });
  const titles = ["", "mention", ...entities.map(([where]) => (where === "k" ? "key entity" : "response entity"))];
  const head = titles.map((title, at) => make("th", { scope: "col", class: at ? "n" : undefined }, title));
  return make("table", { class: "cost-table" }, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows));
}

// All choices of the measure are one choice.
function startCosts(changed) {
  for (const select of all("select[data-cost]")) {
    options(select, data.measures.map((measure, number) => [number, measure.title]), costing.measure);
    select.addEventListener("change", (event) => costBy(Number(event.target.value), changed));
  }
}

function costBy(measure, changed) {
  costing.measure = measure;
  for (const select of all("select[data-cost]")) select.value = String(measure);
  changed();
}
