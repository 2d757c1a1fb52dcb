// The view of the text: two sides, or one over the other, with errors to go through.

const reading = {
  document: null,
  record: null,
  left: "k",
  right: 0,
  kinds: new Set(data.kinds.map((kind) => kind.name)),
  elements: new Map(), // by side and mention, "k.12": its elements
  errors: [],
  at: -1,
  chosen: null,
};

const known = (side) => (side === "k" ? "k" : Number(side));
const sideName = (side) => (side === "k" ? "key" : data.systems[side]);
const identity = (side, mention) => `${side}.${mention}`;

async function read(number, mention = null) {
  if (reading.document !== number) {
    const record = await loaded(number);
    reading.document = number;
    reading.record = record;
    reading.chosen = null;
    one("#document").value = String(number);
    showText();
    if (!mention) window.scrollTo(0, 0);
  }
  if (mention && reading.record) choose(mention, { scroll: true });
}

function showText() {
  const { record } = reading;
  reading.elements.clear();
  const sides = one("#sides");
  inspect(null);
  if (!record) {
    const why = isThere(reading.document) ? "could not be loaded" : "is not in this file: it has the documents with most errors only";
    sides.replaceChildren(make("p", { class: "notice" }, `The text of ${documentName(reading.document)} ${why}.`));
    listErrors();
    return;
  }
  listErrors();
  const shown = [reading.left, reading.right];
  const same = sideOf(record, shown[0]).text === sideOf(record, shown[1]).text;
  const overlaid = one("#overlaid").checked && same && sideOf(record, shown[0]).text !== null && shown[0] !== shown[1];
  one("#overlaid").disabled = !same || sideOf(record, shown[0]).text === null;
  const marks = errorMarks();
  const columns = overlaid ? [blocksOf(record, shown, marks)] : shown.map((side) => blocksOf(record, [side], marks));
  sides.className = overlaid ? "sides overlaid" : "sides";
  const heads = columns.map((_, at) => make("h2", { class: "side" }, overlaid ? `${sideName(shown[0])} and ${sideName(shown[1])}` : sideName(shown[at])));
  const rows = Math.max(...columns.map((blocks) => blocks.length));
  const body = [];
  for (let row = 0; row < rows; row += 1) {
    body.push(make("div", { class: "row" }, ...columns.map((blocks, at) =>
      blocks[row] || make("p", { class: "block", "aria-hidden": "true", "data-side": at }))));
  }
  sides.replaceChildren(make("div", { class: "row heads" }, ...heads), ...body);
  const first = one(".m", sides);
  if (first) first.tabIndex = 0;
}

// One column: a block for every sentence, or for every entity where there is no text.
function blocksOf(record, sides, marks) {
  const { text } = sideOf(record, sides[0]);
  if (text === null) return members(record, sides[0]).map((mentions, entity) => named(record, sides[0], entity, mentions, marks));
  const words = textOf(record, text);
  const parts = byBlock(shownTogether(record, sides), words.blocks);
  const maker = { open: (part) => opened(record, part, marks), close: (part, element) => closed(record, part, element) };
  return words.blocks.map(([first, last], block) => {
    const paragraph = make("p", { class: "block", dir: "auto" });
    if (last >= first) fill(nested(parts[block], first, last), paragraph, words, maker);
    return paragraph;
  });
}

// The mentions to be shown on one text, {marks: [[side, mention], ...], runs}; twins of the same words once.
function shownTogether(record, sides) {
  const [first, other] = sides;
  const items = sideOf(record, first).mentions.map((mention, number) => ({ marks: [[first, number]], runs: mention.slice(1) }));
  if (other === undefined) return items;
  const byRuns = new Map(items.map((item) => [item.runs.join(), item]));
  sideOf(record, other).mentions.forEach((mention, number) => {
    const runs = mention.slice(1);
    const item = byRuns.get(runs.join());
    if (item && item.marks.length === 1) item.marks.push([other, number]);
    else items.push({ marks: [[other, number]], runs });
  });
  return items;
}

function named(record, side, entity, mentions, marks) {
  const block = make("p", { class: "block names", dir: "auto" });
  for (const mention of mentions) {
    const part = { item: { marks: [[side, mention]] }, opens: true, closes: true };
    const element = opened(record, part, marks);
    element.append(make("bdi", {}, nameOf(record, side, mention)));
    closed(record, part, element);
    block.append(element, " ");
  }
  return block;
}

function opened(record, part, marks) {
  const owners = part.item.marks;
  const [side, mention] = owners[0];
  const look = looks(record, side)[entityOf(record, side, mention)];
  const classes = ["m", part.opens ? "opens" : "cut-left", part.closes ? "closes" : "cut-right", owners.length > 1 ? "both" : side === "k" ? "of-key" : "of-system"];
  const found = owners.flatMap((owner) => marks.get(identity(...owner)) || []);
  const kinds = [...new Set(found.map((error) => error.kind))];
  if (kinds.length) classes.push("wrong", ...kinds);
  if (owners.length === 1 && isTwinless(record, side, mention)) classes.push("alone");
  const element = make("span", { class: classes.join(" "), tabindex: "-1", style: coloured(look), "data-m": owners.map((owner) => identity(...owner)).join(" ") });
  if (part.opens && kinds.length) {
    element.append(...kinds.map((kind) => make("span", { class: `sign ${kind}`, title: kindOf.get(kind).title }, kindOf.get(kind).sign)));
  }
  for (const owner of owners) {
    const name = identity(...owner);
    reading.elements.set(name, [...(reading.elements.get(name) || []), element]);
  }
  return element;
}

// A mention without a twin need not be an error of its own: its entity's may be that of others.
function isTwinless(record, side, mention) {
  const other = [reading.left, reading.right].find((each) => each !== side);
  return other !== undefined && across(record, side, mention, other) === undefined;
}

function closed(record, part, element) {
  if (!part.closes) return;
  const labels = part.item.marks.map(([side, mention]) => looks(record, side)[entityOf(record, side, mention)].label);
  element.append(make("sub", { class: "label" }, make("bdi", {}, [...new Set(labels)].join("≠"))));
}

// The errors of the system at the right (or left), and at which mentions they show.
function listErrors() {
  const { record } = reading;
  const system = reading.right === "k" ? reading.left : reading.right;
  reading.errors = record && system !== "k" ? errorsOf(record, system).filter((error) => reading.kinds.has(error.kind)) : [];
  reading.at = -1;
  const counts = new Map();
  if (record && system !== "k") for (const error of errorsOf(record, system)) counts.set(error.kind, (counts.get(error.kind) || 0) + 1);
  for (const label of all("#filter label")) one("output", label).textContent = String(counts.get(label.dataset.kind) || 0);
  tellWhere();
}

function errorsOf(record, system) {
  const own = record.systems[system];
  own.listed = own.listed || own.errors.map(([kind, key, response, text]) => ({
    kind, text,
    marks: [...key.map((mention) => ["k", mention]), ...response.map((mention) => [system, mention])],
    place: key.length ? placeOf(record, "k", key[0]) : placeOf(record, system, response[0]),
  })).sort((x, y) => x.place - y.place);
  return own.listed;
}

function placeOf(record, side, mention) {
  const runs = runsOf(record, side, mention);
  return runs.length ? runs[0] : entityOf(record, side, mention);
}

function errorMarks() {
  const marks = new Map();
  const shown = [reading.left, reading.right].filter((side) => side !== "k");
  for (const system of new Set(shown)) {
    for (const error of errorsOf(reading.record, system)) {
      if (!reading.kinds.has(error.kind)) continue;
      for (const mark of error.marks) {
        if (mark[0] === "k" && shown.length > 1) continue;
        const name = identity(...mark);
        marks.set(name, [...(marks.get(name) || []), error]);
      }
    }
  }
  return marks;
}

function tellWhere() {
  const count = reading.errors.length;
  one("#where").textContent = reading.at < 0 ? plural(count, "error") : `${reading.at + 1} of ${count}`;
}

function toError(step) {
  const count = reading.errors.length;
  if (!count) return;
  reading.at = reading.at < 0 ? (step > 0 ? 0 : count - 1) : (reading.at + step + count) % count;
  const error = reading.errors[reading.at];
  const mark = error.marks.find((each) => reading.elements.has(identity(...each)));
  if (mark) choose(identity(...mark), { scroll: true, error });
  tellWhere();
}
