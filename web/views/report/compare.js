// Two systems: differences of scores, errors by type, documents, and what the one fixed and broke.

import { listOnlyIn } from "../../model/errors.js";
import { findTwin, getEntity, nameEntity } from "../../model/document.js";
import { countDocuments, countThings, findChange, findDifference, isBetter, listNumbers, nameSide, writeProbability, writeScore } from "../../model/report.js";
import { writeSigned } from "../../model/numbers.js";
import { make, one, setOptions } from "../dom.js";
import { createPager } from "./pager.js";
import { colourOf, linkDocument, linkTo, makeChip, makeFold, makeSign, makeSnippet, makeTable, nameSystem, tellError } from "./parts.js";

const SIZE = 10; // documents with what was fixed and broken

export function createCompare(app) {
  const { data, store } = app;
  const systems = data.systems.map(({ name }, number) => [number, name]);
  for (const id of ["from", "to"]) {
    setOptions(one(`#${id}`), systems, store.state[id]);
    one(`#${id}`).addEventListener("change", (event) => store.change({ [id]: Number(event.target.value) }));
  }
  setOptions(one("#compare-by"), data.measures.map(({ title }, number) => [number, title]), store.state.measure);
  one("#compare-by").addEventListener("change", (event) => store.change({ measure: Number(event.target.value) }));
  let shown = null;
  let showPage = null; // shows a page of documents with what was fixed and broken

  function show({ from: a, to: b, measure, kinds, page }) {
    const wanted = [a, b, measure, kinds ? [...kinds] : ""].join("/");
    if (shown !== wanted) {
      shown = wanted;
      showPage = showAll(a, b, measure, kinds);
    }
    showPage?.(page);
  }

  function showAll(a, b, measure, kinds) {
    one("#from").value = String(a);
    one("#to").value = String(b);
    one("#compare-by").value = String(measure);
    const box = one("#compared");
    if (a === b) {
      box.replaceChildren(make("p", { class: "notice" }, "Choose two different systems."));
      return null;
    }
    const gain = (number) => (data.scores[b][measure][number] ?? 0) - (data.scores[a][measure][number] ?? 0);
    const order = listNumbers(data.documents.name).sort((x, y) => Math.abs(gain(y)) - Math.abs(gain(x)));
    const changes = make("div", { class: "changes" });
    const only = kinds?.size ? [" ", make("span", { class: "small" }, [...kinds].map((kind) => data.kinds[kind].title).join(", "), " only; ", linkTo(app, { kinds: null }, {}, "all types"))] : [];
    box.replaceChildren(
      make("h2", {}, "Scores"), scroll("Differences of scores", makeDifferences(a, b)),
      make("h2", {}, "Errors by type"), make("p", { class: "hint" }, "From ", nameSystem(app, a), " to ", nameSystem(app, b), ": which errors are fixed, which stay, which are new. Choose a number to read them below."), scroll("Errors by type", makeFlow(a, b)),
      ...(countDocuments(data) > 1 ? [make("h2", {}, "Documents"), make("p", { class: "hint" }, `${data.measures[measure].title}, points that `, nameSystem(app, b), " gains or loses, largest first."), makeMovers(order, gain, a, b, measure)] : []),
      make("h2", { id: "changes", tabindex: "-1" }, "What was fixed, what was broken", ...only),
      make("p", { class: "hint" }, "Errors of the one system that the other does not make", countDocuments(data) > 1 ? "; documents in the order above." : "."), changes);
    const left = order.filter((number) => app.isThere(number));
    const missing = order.length - left.length;
    const end = missing ? make("p", { class: "notice" }, `${countThings(missing, "document")} not listed: the text is not in this file. The numbers above count them.`) : null;
    const empty = make("p", {}, left.length > SIZE ? "Both make the same errors in these documents." : "Both make the same errors.");
    const pager = createPager(app, changes, { heading: () => one("#changes"), size: SIZE, word: "documents" });
    return (page) => pager.show(left, page, (number) => app.load(number).then((record) => record && makeChanges(record, number, a, b, kinds)), { empty, end });
  }

  const scroll = (label, ...children) => make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, ...children);

  const judge = (measure, points) => (!points ? "" : isBetter(data, measure, points) ? "up" : "down");

  function makeDifferences(a, b) {
    const rows = data.measures.flatMap(({ title }, measure) => {
      const found = findDifference(data, a, b, measure);
      if (!found) return [];
      const { points, interval, p, significant, documents } = found;
      return [make("tr", {}, make("th", { scope: "row" }, title),
        ...[a, b].map((system) => make("td", { class: "n" }, writeScore(data.results[system][measure].main))),
        make("td", { class: `n ${judge(measure, points)}` }, writeSigned(points)),
        make("td", { class: "n" }, interval ? `${writeSigned(interval[0])} to ${writeSigned(interval[1])}` : ""),
        make("td", { class: "n" }, p === null ? "" : writeProbability(p), significant ? make("abbr", { title: "significant" }, "*") : null),
        make("td", { class: "n" }, documents.join(" / ")))];
    });
    return makeTable({}, "Differences of scores", [["measure", {}], [nameSystem(app, a), { class: "n" }], [nameSystem(app, b), { class: "n" }], "points", "interval", "p, corrected", "documents better / same / worse"], rows);
  }

  // For every type: how many errors the first makes, how many of them are fixed or stay, how many are new.
  function makeFlow(a, b) {
    const read = (count, kind) => (count ? linkTo(app, { kinds: new Set([kind]) }, {}, count.toLocaleString("en")) : "0");
    const rows = data.kinds.map((each, kind) => {
      const { fixed, broken, both } = findChange(data, a, b, kind);
      const net = broken - fixed;
      return make("tr", {}, make("th", { scope: "row" }, makeSign(each), each.title),
        make("td", { class: "n" }, (both + fixed).toLocaleString("en")),
        make("td", { class: "n up" }, fixed ? "−" : "", read(fixed, kind)), make("td", { class: "n" }, both.toLocaleString("en")), make("td", { class: "n down" }, broken ? "+" : "", read(broken, kind)),
        make("td", { class: "n" }, (both + broken).toLocaleString("en")),
        make("td", { class: `n ${net < 0 ? "up" : net > 0 ? "down" : ""}` }, writeSigned(net, 0)));
    });
    return makeTable({ class: "flow" }, "Errors by type", [["type", {}], [nameSystem(app, a), { class: "n" }], "fixed", "in both", "new", [nameSystem(app, b), { class: "n" }], "change"], rows);
  }

  function makeMovers(order, gain, a, b, measure) {
    const most = Math.max(0.01, ...order.map((number) => Math.abs(gain(number))));
    const item = (number) => {
      const points = gain(number);
      const half = (50 * Math.abs(points)) / most;
      return make("li", {}, linkDocument(app, number, { left: a, right: b }),
        make("span", { class: "mover", "aria-hidden": "true" }, make("i", { style: { left: `${points < 0 ? 50 - half : 50}%`, width: `${half}%`, "--colour": colourOf(isBetter(data, measure, points) ? b : a) } })),
        make("b", { class: "n" }, writeSigned(points)));
    };
    const list = make("ol", { class: "movers" }, ...order.slice(0, 30).map(item));
    const rest = order.slice(30);
    return rest.length ? make("div", {}, list, ...makeFold(`${rest.length} more`, make("ol", { class: "movers" }), () => rest.map(item))) : list;
  }

  function makeChanges(record, number, a, b, kinds) {
    const list = (system, other) => listOnlyIn(record, system, other).filter(({ kind }) => !kinds || kinds.has(kind));
    const [fixed, broken] = [list(a, b), list(b, a)];
    if (!fixed.length && !broken.length) return null;
    const column = (title, found, way) => make("div", { class: way }, make("h4", {}, `${title} ${found.length}`),
      make("ul", {}, ...found.map((error) => make("li", {}, make("p", {}, makeSign(data.kinds[error.kind]), make("b", {}, data.kinds[error.kind].title), ": ", ...tellError(app, record, error)),
        make("p", {}, makeSnippet(app, record, number, error)), make("p", { class: "small" }, ...tellSides(record, error, a, b))))));
    return make("section", { class: "change" }, make("h3", {}, linkDocument(app, number, { left: a, right: b })),
      make("div", { class: "two" }, column("Fixed", fixed, "fixed"), column("Broken", broken, "broken")));
  }

  // What the key and both systems do with the first mention of an error: in which entity it is there, if in any.
  function tellSides(record, error, a, b) {
    const [side, mention] = error.marks[0];
    return ["k", a, b].flatMap((other, at) => {
      const there = findTwin(record, side, mention, other);
      const entity = there === undefined ? undefined : getEntity(record, other, there);
      const told = entity === undefined ? ["not there"] : [makeChip(record, other, entity), " ", make("bdi", {}, nameEntity(record, other, entity))];
      return [at ? " · " : "", make("bdi", {}, nameSide(data, other)), ": ", ...told];
    });
  }

  return { show };
}
