// The table of documents, the worst first.

import { countErrors, countThings, listNumbers, nameDocument, writeScore } from "../../model/report.js";
import { draw, one, setOptions } from "../dom.js";
import { colourOf, linkDocument } from "./parts.js";
import { createSortedTable } from "./tables.js";

export function createDocuments(app) {
  const { data, store } = app;
  const numbers = listNumbers(data.documents.name);
  let state = store.state;
  setOptions(one("#by"), data.measures.map((measure, number) => [number, measure.title]), state.measure);
  setOptions(one("#of"), data.systems.map(({ name }, number) => [number, name]), state.system);
  one("#of").parentElement.hidden = data.systems.length === 1;
  one("#by").addEventListener("change", (event) => store.change({ measure: Number(event.target.value) }));
  one("#of").addEventListener("change", (event) => store.change({ system: Number(event.target.value) }));
  one("#find").addEventListener("input", (event) => store.change({ find: event.target.value }, { replace: true }));

  const score = (system, number) => data.scores[system][state.measure][number];
  const errors = (number) => countErrors(data, state.system, number);
  const kindCount = (kind, number) => data.errors[state.system][number][kind.name] || 0;
  // Shades say how bad a value is among all documents: scores between the extremes, counts from nothing on.
  let ends = new Map();
  const findEnds = (value, from) => {
    const known = numbers.map(value).filter((each) => each !== null);
    return [Math.min(...known, ...from), Math.max(...known, ...from)];
  };
  const shadeBy = (name, value) => (number) => {
    const [low, high] = ends.get(name);
    return value(number) === null || high <= low ? 0 : (value(number) - low) / (high - low);
  };
  const lack = (system) => (number) => (score(system, number) === null ? null : -sign() * score(system, number));
  const sign = () => (data.measures[state.measure].better === "higher" ? 1 : -1);
  const size = (title, column) => ({
    name: title, title, number: true,
    value: (number) => data.documents[column][number], cell: (number) => data.documents[column][number]?.toLocaleString("en") ?? "–",
  });
  const columns = [
    { name: "document", title: "document", value: (number) => nameDocument(data, number), cell: (number) => linkDocument(app, number), about: (number) => nameDocument(data, number) },
    ...data.systems.map(({ name }, system) => ({
      name: `score-${system}`, title: data.systems.length === 1 ? "score" : name, number: true, rising: true,
      value: (number) => score(system, number), cell: (number) => writeScore(score(system, number)), shade: shadeBy(`score-${system}`, lack(system)),
    })),
    { name: "profile", title: "all measures", cell: (number) => drawProfile(data, number) },
    { name: "errors", title: "errors", number: true, value: errors, cell: (number) => errors(number).toLocaleString("en"), shade: shadeBy("errors", errors) },
    ...data.kinds.map((kind) => ({
      name: kind.name, title: kind.title, kind, number: true, value: (number) => kindCount(kind, number),
      cell: (number) => String(kindCount(kind, number)), shade: shadeBy(kind.name, (each) => kindCount(kind, each)),
    })),
    ...(data.documents.words.some((words) => words !== null) ? [size(data.unit === "character" ? "characters" : "words", "words")] : []),
    size("mentions", "mentions"),
    size("entities", "entities"),
  ];
  const table = createSortedTable(one("#documents-table"), columns, "Documents with their scores and errors", (sort) => store.change({ sort }));
  let shown = null;

  function show(now) {
    state = now;
    const usual = sign() > 0 ? "score-0" : "-score-0";
    const wanted = [state.measure, state.system, state.find, state.sort].join("/");
    if (shown === wanted) return;
    shown = wanted;
    ends = new Map([
      ...data.systems.map((_, system) => [`score-${system}`, findEnds(lack(system), [])]),
      ["errors", findEnds(errors, [0])],
      ...data.kinds.map((kind) => [kind.name, findEnds((number) => kindCount(kind, number), [0])]),
    ]);
    one("#by").value = String(state.measure);
    one("#of").value = String(state.system);
    if (one("#find").value !== state.find) one("#find").value = state.find;
    const name = state.find.trim().toLowerCase();
    const found = numbers.filter((number) => nameDocument(data, number).toLowerCase().includes(name));
    const without = found.filter((number) => !app.isThere(number)).length;
    one("#listed").textContent = (found.length === numbers.length ? countThings(found.length, "document") : `${found.length} of ${countThings(numbers.length, "document")}`)
      + (without ? `; the text of ${without} is not in this file` : "");
    table.show(found, state.sort || usual);
  }

  return { show };
}

// A bar for every measure, one beside the other for several systems.
function drawProfile(data, document) {
  const systems = data.systems.length;
  const step = systems * 4 + 4;
  const width = data.measures.length * step;
  const words = data.measures.map((measure, m) => `${measure.name} ${data.scores.map((s) => s[m][document] ?? "–").join(" and ")}`);
  const picture = draw("svg", { class: "profile", viewBox: `0 0 ${width} 22`, width, height: 22, role: "img", "aria-label": words.join(", ") },
    draw("title", {}, words.join("\n")));
  data.measures.forEach((measure, m) => {
    picture.append(draw("rect", { class: "rail", x: m * step, y: 0, width: systems * 4, height: 22 }));
    data.scores.forEach((scores, system) => {
      const score = scores[m][document];
      if (score === null) return;
      const height = Math.max(0.5, Math.min(100, Math.max(0, score)) * 0.22);
      picture.append(draw("rect", { x: m * step + system * 4, y: 22 - height, width: 3.2, height, style: { fill: colourOf(system) } }));
    });
  });
  return picture;
}
