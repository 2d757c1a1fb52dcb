// All errors of a system across documents, those that cost most by a measure first.

import { getFinding, sumDocumentLoss, writePoints, writeShare } from "../../model/costs.js";
import { getError } from "../../model/errors.js";
import { rankErrors } from "../../model/lists.js";
import { countThings, nameDocument, sum } from "../../model/report.js";
import { make, one, setOptions } from "../dom.js";
import { createPager } from "./pager.js";
import { linkDocument, listMeasuresOfCosts, makeBar, makeSign, makeSnippet, tellError } from "./parts.js";

const SIZE = 100;
// How many mentions of an error are named at first, and of how many letters its sentence is, if not of as many as usual.
const FULL = { name: "error", named: 6 };
export const BRIEF = { name: "error brief", named: 1, letters: 70 };

/** An error as an item of a list: its kind, its sentence, what is wrong, its document, and what it costs. */
export async function makeErrorItem(app, { errors }, system, at, measure, most, form = FULL) {
  const { data } = app;
  const [document, kind, cost] = [errors.document[at], data.kinds[errors.kind[at]], errors.costs[measure]?.[at]];
  const record = await app.load(document);
  const error = record && getError(record, system, errors.error[at]);
  return make("li", { class: form.name, "data-kind": kind.name },
    make("p", { class: "what" }, makeSign(kind), make("b", {}, kind.title),
      record ? [": ", ...tellError(app, record, error, form.named)] : null),
    record ? make("p", {}, makeSnippet(app, record, document, error, form.letters)) : make("p", { class: "small" }, "Its text is not in this file."),
    make("p", { class: "small where" }, make("span", { class: "document", title: nameDocument(data, document) }, linkDocument(app, document)),
      cost === undefined ? null : make("span", { class: "share" }, makeBar(cost / most, system), tellCost(data, record, system, measure, cost))));
}

// The part of what its document loses, and of what all documents lose; points where costs do not add up.
function tellCost(data, record, system, measure, cost) {
  const { exact, loss } = getFinding(data, system, measure);
  if (!exact) return `${writePoints(cost)} points`;
  const whole = writeShare(cost, 1e6 * loss);
  return record && data.documents.name.length > 1 ? `${writeShare(cost, sumDocumentLoss(record, system, measure))} of its document's loss, ${whole} of the whole` : `${whole} of the loss`;
}

export function createErrors(app, box) {
  const { data, store } = app;
  setOptions(one("#errors-of"), data.systems.map(({ name }, number) => [number, name]), 0);
  one("#errors-of").parentElement.hidden = data.systems.length === 1;
  one("#errors-of").addEventListener("change", (event) => store.change({ system: Number(event.target.value) }));
  setOptions(one("#errors-kind"), [["", "all types"], ...data.kinds.map((kind, number) => [number, kind.title]), ["several", "several types"]], "");
  const several = one("#errors-kind [value=several]");
  one("#errors-kind").addEventListener("change", (event) => store.change({ kinds: event.target.value === "" ? null : new Set([Number(event.target.value)]) }));
  one("#errors-by").addEventListener("change", (event) => store.change({ measure: Number(event.target.value) }));
  const pager = createPager(app, one(".error-list", box), { heading: () => one("h1", box), size: SIZE, word: "errors" });
  let shown = null;

  async function show({ system, kinds, measure, page }) {
    const wanted = [system, kinds ? [...kinds] : "", measure, page].join("/");
    if (shown === wanted) return;
    shown = wanted;
    one("#errors-of").value = String(system);
    several.hidden = !kinds || kinds.size === 1;
    one("#errors-kind").value = !kinds ? "" : kinds.size === 1 ? String([...kinds][0]) : "several";
    setOptions(one("#errors-by"), listMeasuresOfCosts(data, system, measure), measure);
    one("#errors-order").textContent = tellOrder(system, measure);
    const lists = await app.loadLists(system);
    if (shown !== wanted) return;
    if (!lists) { one("#errors-count").textContent = "the list could not be loaded"; return; }
    const ranked = rankErrors(lists, measure, kinds);
    const all = sum(data.kinds.filter((_, kind) => !kinds || kinds.has(kind)).flatMap(({ name }) => data.errors[system].map((counts) => counts[name] || 0)));
    one("#errors-count").textContent = countThings(all, "error");
    const most = lists.errors.costs[measure]?.[ranked[0]] || 1;
    await pager.show(ranked, page, (at) => makeErrorItem(app, lists, system, at, measure, most), { end: tellEnd(ranked.length, all) });
  }

  function tellOrder(system, measure) {
    const { title } = data.measures[measure];
    const found = getFinding(data, system, measure);
    if (!found) return `In the order in which they cost by another measure, or of types: what they cost by ${title} is not known, as ${data.costs[system][measure].unknown}.`;
    return `Those that cost most come first: what the mentions of an error cost, by ${title}. A mention may be part of several errors, so ${found.exact ? "shares" : "points"} do not add up to all that is lost.`;
  }

  // A list that ends before the last error says so where it ends, and what shows the rest.
  function tellEnd(listed, all) {
    if (listed >= all) return null;
    return make("p", { class: "notice" }, `The list ends here, with the costliest ${listed.toLocaleString("en")} of ${countThings(all, "error")} by ${data.measures[data.mainMeasure].title}. All of them: `,
      make("code", {}, "corefeval errors KEY RESPONSE --all --csv"));
  }

  return { show };
}
