// The table of documents, and the overview's table of errors.

function errorCount(system, document, kinds = null) {
  let count = 0;
  for (const [kind, times] of Object.entries(data.errors[system][document])) {
    if (!kinds || kinds.has(kind)) count += times;
  }
  return count;
}

function startDocuments() {
  const numbers = data.documents.map((_, number) => number);
  const by = one("#by");
  const of = one("#of");
  const find = one("#find");
  options(by, data.measures.map((measure, number) => [number, measure.title]), mainMeasure);
  options(of, systemNames());
  of.parentElement.hidden = data.systems.length === 1;
  const size = (title, place) => ({
    title, number: true,
    value: (number) => data.documents[number][place],
    cell: (number) => data.documents[number][place]?.toLocaleString("en") ?? "–",
  });
  const score = (system) => ({
    title: data.systems.length === 1 ? "score" : data.systems[system], number: true,
    value: (number) => data.scores[system][by.value][number],
    cell: (number) => data.scores[system][by.value][number]?.toFixed(2) ?? "–",
  });
  const kind = (each) => ({
    title: each.title, sign: each, number: true,
    value: (number) => data.errors[of.value][number][each.name] || 0,
    cell: (number) => String(data.errors[of.value][number][each.name] || 0),
  });
  const columns = [
    { title: "document", value: documentName, cell: linked },
    ...(data.documents.some((document) => document[1] !== null) ? [size(data.unit === "character" ? "characters" : "words", 1)] : []),
    size("mentions", 2),
    size("entities", 3),
    ...data.systems.map((_, system) => score(system)),
    { title: "all measures", cell: profile },
    { title: "errors", number: true, value: (number) => errorCount(of.value, number), cell: (number) => String(errorCount(of.value, number)) },
    ...data.kinds.map(kind),
  ];
  const table = new SortedTable(one("#documents-table"), columns, "Documents with their scores and errors");
  const show = () => {
    const wanted = find.value.trim().toLowerCase();
    const found = numbers.filter((number) => documentName(number).toLowerCase().includes(wanted));
    one("#listed").textContent = found.length === numbers.length ? plural(found.length, "document") : `${found.length} of ${plural(numbers.length, "document")}`;
    table.show(found);
  };
  for (const control of [by, of]) control.addEventListener("change", show);
  find.addEventListener("input", show);
  show();
}

function linked(number) {
  const name = make("bdi", {}, documentName(number));
  return isThere(number) ? make("a", { href: `#text/${number}` }, name) : make("span", { title: "its text is not in this file" }, name);
}

function startKinds() {
  const total = (system, kind) => sum(data.errors[system].map((counts) => counts[kind] || 0));
  const most = Math.max(1, ...data.systems.flatMap((_, system) => data.kinds.map((kind) => total(system, kind.name))));
  const bar = (system, kind) => make("td", { class: "bar" },
    make("span", { style: `width: ${(100 * total(system, kind.name)) / most}%; --colour: ${colourOf(system)}` }),
    make("b", {}, total(system, kind.name).toLocaleString("en")));
  const rows = data.kinds.map((kind) => make("tr", {},
    make("th", { scope: "row" }, make("a", { href: "#text", "data-only": kind.name, title: "read them in the text" },
      make("span", { class: `sign ${kind.name}`, "aria-hidden": "true" }, kind.sign), kind.title)),
    ...data.systems.map((_, system) => bar(system, kind)),
    make("td", { class: "rule" }, kind.rule)));
  const head = make("tr", {}, make("th", { scope: "col" }, "type"), ...data.systems.map((name) => make("th", { scope: "col" }, make("bdi", {}, name))),
    make("th", { scope: "col" }, "rule"));
  one("#kinds").replaceChildren(make("table", { class: "kinds" }, make("thead", {}, head), make("tbody", {}, ...rows)));
}
