// Two systems: differences of scores, documents, and errors that one has and the other has not.

const CHANGES_AT_ONCE = 40;

function startCompare() {
  const from = one("#from");
  if (!from) return () => {};
  const to = one("#to");
  options(from, systemNames(), 0);
  options(to, systemNames(), 1);
  const show = () => showCompared(Number(from.value), Number(to.value));
  for (const control of [from, to]) control.addEventListener("change", show);
  return show;
}

function showCompared(a, b) {
  const box = one("#compared");
  if (a === b) {
    box.replaceChildren(make("p", { class: "notice" }, "Choose two different systems."));
    return;
  }
  const documents = data.documents.map((_, number) => number);
  const changed = (number) => (data.scores[b][mainMeasure][number] ?? 0) - (data.scores[a][mainMeasure][number] ?? 0);
  const order = documents.sort((x, y) => Math.abs(changed(y)) - Math.abs(changed(x)));
  const changes = make("div", { class: "changes" });
  box.replaceChildren(
    make("h2", {}, "Scores"), make("div", { class: "scroll" }, differences(a, b)),
    make("h2", {}, "Documents"), make("p", { class: "hint" }, `${data.measures[mainMeasure].title}, points that ${data.systems[b]} gains or loses, largest first.`), movers(order.slice(0, 30), changed, a, b),
    make("h2", {}, "What was fixed, what was broken"),
    make("p", { class: "hint" }, "Errors of the one system that the other has not; documents in the order above."), changes);
  listChanges(changes, order.filter(isThere), a, b);
}

function differences(a, b) {
  const rows = data.measures.map((measure, m) => {
    const found = data.differences.find((each) => each.measure === m && ((each.a === a && each.b === b) || (each.a === b && each.b === a)));
    if (!found) return null;
    const sign = found.a === a ? 1 : -1;
    const points = sign * found.points;
    const [wins, ties, losses] = found.documents;
    const interval = found.interval && (sign > 0 ? found.interval : [-found.interval[1], -found.interval[0]]);
    return make("tr", {}, make("th", { scope: "row" }, measure.title), make("td", { class: `n ${points > 0 ? "up" : points < 0 ? "down" : ""}` }, signed(points)),
      make("td", { class: "n" }, interval ? `${signed(interval[0])} to ${signed(interval[1])}` : ""),
      make("td", { class: "n" }, found.p === null ? "" : found.p.replace("= ", ""), found.significant ? make("abbr", { title: "significant" }, "*") : null),
      make("td", { class: "n" }, (sign > 0 ? [wins, ties, losses] : [losses, ties, wins]).join(" / ")));
  });
  const head = ["measure", "points", "interval", "p, corrected", "better / same / worse"].map((title, at) => make("th", { scope: "col", class: at ? "n" : undefined }, title));
  return make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows));
}

const signed = (value) => `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toFixed(2)}`;

function movers(documents, changed, a, b) {
  const most = Math.max(0.01, ...documents.map((number) => Math.abs(changed(number))));
  const rows = documents.map((number) => {
    const points = changed(number);
    const half = (50 * Math.abs(points)) / most;
    return make("li", {}, make("a", { href: `#text/${number}`, "data-sides": `${a} ${b}`, dir: "auto" }, documentName(number)),
      make("span", { class: "mover" }, make("i", { style: `left: ${points < 0 ? 50 - half : 50}%; width: ${half}%; --colour: ${colourOf(points < 0 ? a : b)}` })),
      make("b", { class: "n" }, signed(points)));
  });
  return make("ol", { class: "movers" }, ...rows);
}

// What makes two errors of different systems the same: their kind and the words or names that they show at.
function fingerprint(record, error) {
  return error.kind + error.marks.map(([side, mention]) => {
    const runs = runsOf(record, side, mention);
    return `${side === "k"}:${runs.length ? runs.join() : nameOf(record, side, mention)}`;
  }).join("|");
}

function listChanges(box, documents, a, b) {
  const list = make("div");
  const end = make("p");
  box.append(list, end);
  const left = [...documents];
  let busy = false;
  const watcher = whenSeen(end, async () => {
    if (busy) return;
    busy = true;
    let made = 0;
    while (left.length && made < CHANGES_AT_ONCE) {
      const number = left.shift();
      const record = await loaded(number);
      const part = record && changesOf(record, number, a, b);
      if (part) {
        list.append(part);
        made += part.childElementCount + 10;
      }
    }
    if (!left.length) watcher.disconnect();
    if (!left.length && !list.childElementCount) list.append(make("p", {}, "Both have the same errors."));
    busy = false;
    if (left.length) { watcher.unobserve(end); watcher.observe(end); }
  });
}

function changesOf(record, number, a, b) {
  const errors = [a, b].map((system) => new Map(errorsOf(record, system).map((error) => [fingerprint(record, error), error])));
  const only = (at) => [...errors[at]].filter(([print]) => !errors[1 - at].has(print)).map(([, error]) => error);
  const [fixed, broken] = [only(0), only(1)];
  if (!fixed.length && !broken.length) return null;
  const column = (title, found, system, way) => make("div", { class: way }, make("h4", {}, `${title} ${found.length}`),
    make("ul", {}, ...found.slice(0, 12).map((error) => make("li", {}, make("span", { class: `sign ${error.kind}` }, kindOf.get(error.kind).sign),
      make("span", { class: "small" }, `${kindOf.get(error.kind).title}: `),
      make("a", { href: `#text/${number}/${identity(...error.marks[0])}`, "data-sides": `k ${system}`, dir: "auto" }, error.text))),
      found.length > 12 ? make("li", { class: "small" }, `and ${found.length - 12} more`) : null));
  return make("section", { class: "change" }, make("h3", {}, make("a", { href: `#text/${number}`, "data-sides": `${a} ${b}`, dir: "auto" }, documentName(number))),
    make("div", { class: "two" }, column("Fixed", fixed, a, "fixed"), column("Broken", broken, b, "broken")));
}
