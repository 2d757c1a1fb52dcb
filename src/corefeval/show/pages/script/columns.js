// The columns of the text view: mentions as elements on their text, and what has no place in it.

// A column for one side, or for two of them on one text: a block for every sentence, or for every entity where there is
// no text; and `rest`, what has no place among them.
function columnOf(record, sides, text) {
  const marks = errorMarks(sides);
  const missing = missedByAll(record, sides).map((mention) => ({ marks: [["k", mention]], ghost: true, runs: text === null ? [] : placesIn(record, "k", mention, text) }));
  if (text === null) {
    const blocks = members(record, sides[0]).map((mentions) => listed(record, mentions.map((mention) => ({ marks: [[sides[0], mention]] })), marks));
    return { shown: sides, blocks, rest: remainder(record, "Missing here", missing, marks) };
  }
  const words = textOf(record, text);
  const items = shownTogether(record, sides, text);
  const standing = [...items, ...missing].filter((item) => item.runs.length);
  const parts = byBlock(standing, words.blocks);
  const maker = { open: (part) => opened(record, part, marks), close: (part, element) => closed(record, part, element) };
  const blocks = words.blocks.map(([first, last], block) => {
    const paragraph = make("p", { class: "block", dir: "auto" });
    if (last >= first) fill(nested(parts[block], first, last), paragraph, words, maker);
    return paragraph;
  });
  const without = (found) => found.filter((item) => !item.runs.length);
  return {
    shown: sides, blocks,
    rest: [
      ...remainder(record, "These do not begin and end with words of this text", without(items), marks),
      ...remainder(record, "Missing here, and without a place in this text", without(missing), marks),
    ],
  };
}

// Where the key is not beside them, systems show what they miss of it: the key's mentions without a twin in any of them.
function missedByAll(record, systems) {
  if ([reading.left, reading.right].includes("k")) return [];
  return record.key.mentions.map((_, mention) => mention).filter((mention) => systems.every((system) => twinOf(record, system, mention) === undefined));
}

function remainder(record, title, items, marks) {
  if (!items.length) return [];
  return [make("p", { class: "hint" }, `${title}: ${plural(items.length, "mention")}.`), listed(record, items, marks)];
}

// The mentions to be shown on one text, {marks: [[side, mention], ...], runs}; twins of the same words once.
function shownTogether(record, sides, text) {
  const [first, other] = sides;
  const items = sideOf(record, first).mentions.map((_, mention) => ({ marks: [[first, mention]], runs: placesIn(record, first, mention, text) }));
  if (other === undefined) return items;
  const ours = [...items];
  sideOf(record, other).mentions.forEach((_, mention) => {
    const runs = placesIn(record, other, mention, text);
    const twin = ours[across(record, other, mention, first)];
    if (twin && twin.runs.join() === runs.join()) twin.marks.push([other, mention]);
    else items.push({ marks: [[other, mention]], runs });
  });
  return items;
}

// Mentions by name, one after another.
function listed(record, items, marks) {
  const block = make("p", { class: "block names", dir: "auto" });
  for (const item of items) {
    const part = { item, opens: true, closes: true };
    const element = opened(record, part, marks);
    element.append(make("bdi", {}, nameOf(record, ...item.marks[0])));
    closed(record, part, element);
    block.append(element, " ");
  }
  return block;
}

function opened(record, part, marks) {
  const owners = part.item.marks;
  const [side, mention] = owners[0];
  const look = looks(record, side)[entityOf(record, side, mention)];
  const kinds = [...new Set(owners.flatMap((owner) => marks.get(identity(...owner)) || []).map((error) => error.kind))];
  const element = make("span", {
    class: classesOf(record, part, kinds).join(" "), tabindex: "-1", style: coloured(look), "data-m": owners.map((owner) => identity(...owner)).join(" "),
    role: "group", "aria-roledescription": "mention", "aria-label": spoken(record, part.item, kinds),
  });
  if (part.opens) {
    element.append(...kinds.map((kind) => make("span", { class: `sign ${kind}`, "aria-hidden": "true", title: kindOf.get(kind).title }, kindOf.get(kind).sign)));
  }
  for (const owner of owners) {
    const name = identity(...owner);
    reading.elements.set(name, [...(reading.elements.get(name) || []), element]);
  }
  return element;
}

// What those hear who do not see frames, colours and signs.
function spoken(record, { marks, ghost }, kinds) {
  const entities = [...new Set(marks.map(([side, mention]) => looks(record, side)[entityOf(record, side, mention)].label))];
  const whose = marks.length > 1 ? "" : ghost ? ", missing here" : `, ${sideName(marks[0][0])}`;
  return [`${nameOf(record, ...marks[0])}, entity ${entities.join(" or ")}${whose}`, ...kinds.map((kind) => kindOf.get(kind).title)].join(", ");
}

function classesOf(record, part, kinds) {
  const { marks, ghost } = part.item;
  const [side, mention] = marks[0];
  const classes = ["m", part.opens ? "opens" : "cut-left", part.closes ? "closes" : "cut-right"];
  if (ghost) classes.push("ghost");
  else if (marks.length > 1) classes.push("both");
  else classes.push(side === reading.left ? "of-left" : "of-right", ...(isTwinless(record, side, mention) ? ["alone"] : []));
  return kinds.length ? [...classes, "wrong", ...kinds] : classes;
}

// A mention without a twin need not be an error of its own: its entity's may be that of others.
function isTwinless(record, side, mention) {
  const other = [reading.left, reading.right].find((each) => each !== side);
  return other !== undefined && across(record, side, mention, other) === undefined;
}

function closed(record, part, element) {
  if (!part.closes) return;
  const labels = part.item.marks.map(([side, mention]) => looks(record, side)[entityOf(record, side, mention)].label);
  element.append(make("sub", { class: "label", "aria-hidden": "true" }, [...new Set(labels)].join("≠")));
}

// The errors that show in a column, by mention: those of its systems, or for the key's of the system beside it.
function errorMarks(sides) {
  const marks = new Map();
  const systems = (these) => [...new Set(these.filter((side) => side !== "k"))];
  const shown = systems(sides).length ? systems(sides) : systems([reading.left, reading.right]);
  for (const system of shown) {
    for (const error of errorsOf(reading.record, system)) {
      if (!reading.kinds.has(error.kind)) continue;
      for (const mark of error.marks) {
        const name = identity(...mark);
        marks.set(name, [...(marks.get(name) || []), error]);
      }
    }
  }
  return marks;
}
