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
  current: null, // the element of the chosen mention that was come to
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
  if (!record) {
    inspect(null);
    const why = isThere(reading.document) ? "could not be loaded" : "is not in this file: it has the documents with most errors only";
    sides.replaceChildren(make("p", { class: "notice" }, `The text of ${documentName(reading.document)} ${why}.`));
    listErrors();
    return;
  }
  listErrors();
  const shown = [...new Set([reading.left, reading.right])];
  const overlaid = overlay(record, shown);
  const columns = overlaid ? [columnOf(record, shown, commonText(record, shown))]
    : [reading.left, reading.right].map((side) => columnOf(record, [side], sideOf(record, side).text));
  sides.className = overlaid ? "sides overlaid" : "sides";
  for (const side of ["left", "right"]) sides.style.setProperty(`--${side}`, JSON.stringify(sideName(reading[side])));
  const rows = Math.max(...columns.map(({ blocks }) => blocks.length));
  const body = [];
  for (let row = 0; row < rows; row += 1) {
    body.push(make("div", { class: "row" }, ...columns.map(({ blocks }) =>
      blocks[row] || make("p", { class: "block", "aria-hidden": "true" }))));
  }
  sides.replaceChildren(
    make("div", { class: "row heads" }, ...columns.map(({ shown: [side, other] }) => make("h2", { class: "side" }, make("bdi", {}, sideName(side)), ...(other === undefined ? [] : [" and ", make("bdi", {}, sideName(other))])))),
    ...legend(shown, overlaid),
    ...body,
    ...(columns.some(({ rest }) => rest.length) ? [make("div", { class: "row rest" }, ...columns.map(({ rest }) => make("div", {}, ...rest)))] : []));
  const first = one(".m", sides);
  if (first) first.tabIndex = 0;
  if (reading.elements.has(reading.chosen)) choose(reading.chosen, { focus: false });
  else letGo();
}

// Whether the sides are shown on one text; why they cannot be is said beside the choice.
function overlay(record, shown) {
  const possible = shown.length > 1 && commonText(record, shown) !== null;
  one("#overlaid").disabled = !possible;
  one("#no-overlay").textContent = possible ? "" : whyNot(record, shown);
  return possible && one("#overlaid").checked;
}

function whyNot(record, shown) {
  if (shown.length < 2) return "(one side only)";
  const without = shown.filter((side) => sideOf(record, side).text === null).map(sideName);
  return without.length ? `(not possible: ${without.join(" and ")} ${without.length > 1 ? "have" : "has"} no text)` : "(not possible: the texts have nothing in common)";
}

// What the frames mean, where that is not plain from both sides.
function legend(shown, overlaid) {
  const [left, right] = shown.map(sideName);
  const lines = [];
  if (overlaid) lines.push(`Dashed: only ${left} has it. Dotted: only ${right} has it.`);
  if (overlaid && textsDiffer(reading.record, shown)) lines.push("Their texts differ; this is the key's.");
  if (shown.length > 1 && !shown.includes("k")) lines.push(`In grey brackets: a mention of the key that ${overlaid ? "both miss" : "is missing here"}.`);
  return lines.length ? [make("p", { class: "hint legend" }, lines.join(" "))] : [];
}

const textsDiffer = (record, sides) => sides.some((side) => sideOf(record, side).text !== sideOf(record, sides[0]).text);

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
