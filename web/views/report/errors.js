// All errors of a system across documents, those that cost most first.

import { getError } from "../../model/errors.js";
import { writeShare } from "../../model/costs.js";
import { countThings, sum } from "../../model/report.js";
import { growList, make, one, setOptions } from "../dom.js";
import { linkDocument, makeBar, makeSign, makeSnippet, tellError } from "./parts.js";

const STEP = 30;

/** An error as an item of a list: its kind, its sentence, what is wrong, its document, and what it costs. */
export async function makeErrorItem(app, system, at, { brief = false } = {}) {
  const listed = app.data.costliestErrors[system];
  const [document, number, cost] = [listed.document[at], listed.error[at], listed.cost[at]];
  const kind = app.data.kinds.find((each) => each.name === listed.kind[at]);
  const record = await app.load(document);
  const error = record && getError(record, system, number);
  const loss = app.data.costs[system][app.data.mainMeasure].loss * 1e6;
  return make("li", { class: "error", "data-kind": kind.name },
    make("p", { class: "what" }, makeSign(kind), make("b", {}, kind.title),
      record ? [": ", ...tellError(app, record, error)] : null),
    record ? make("p", {}, makeSnippet(app, record, document, error)) : make("p", { class: "small" }, "Its text is not in this file."),
    make("p", { class: "small where" }, brief || app.data.documents.name.length > 1 ? linkDocument(app, document) : null,
      cost === null ? null : make("span", { class: "share" }, makeBar(cost / listed.cost[0], system), ` ${writeShare(cost, loss)} of what is lost`)));
}

export function createErrors(app, box) {
  const { data, store } = app;
  setOptions(one("#errors-of"), data.systems.map(({ name }, number) => [number, name]), 0);
  one("#errors-of").parentElement.hidden = data.systems.length === 1;
  one("#errors-of").addEventListener("change", (event) => store.change({ system: Number(event.target.value) }));
  setOptions(one("#errors-kind"), [["", "all types"], ...data.kinds.map((kind, number) => [number, kind.title]), ["several", "several types"]], "");
  const several = one("#errors-kind [value=several]");
  one("#errors-kind").addEventListener("change", (event) => store.change({ kinds: event.target.value === "" ? null : new Set([Number(event.target.value)]) }));
  const known = data.costliestErrors.some((listed) => listed.cost[0] !== null && listed.cost.length);
  one("#errors-order").textContent = known
    ? `Those that cost most come first: what the mentions of an error cost, by ${data.measures[data.mainMeasure].title}. A mention may be part of several errors, so shares do not add up to all that is lost.`
    : "In the order of types: what they cost is not known for this measure.";
  let shown = null;

  function show({ system, kinds }) {
    const wanted = `${system}/${kinds ? [...kinds] : ""}`;
    if (shown === wanted) return;
    shown = wanted;
    one("#errors-of").value = String(system);
    several.hidden = !kinds || kinds.size === 1;
    one("#errors-kind").value = !kinds ? "" : kinds.size === 1 ? String([...kinds][0]) : "several";
    const listed = data.costliestErrors[system];
    const names = kinds && new Set([...kinds].map((kind) => data.kinds[kind].name));
    const left = listed.kind.map((_, at) => at).filter((at) => !names || names.has(listed.kind[at]));
    const all = names ? sum(data.errors[system].flatMap((counts) => [...names].map((name) => counts[name] || 0))) : listed.total;
    one("#errors-count").textContent = left.length < all ? `the costliest ${left.length.toLocaleString("en")} of ${countThings(all, "error")}` : countThings(all, "error");
    growList(one(".error-list", box), (count) => Promise.all(left.splice(0, count).map((at) => makeErrorItem(app, system, at))), STEP);
  }

  return { show };
}
