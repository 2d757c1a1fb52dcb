// The sides of a document: which entity is which, in which colour, under which label.

const GOLDEN = 137.508;

// A side is "k" for the key, or the number of a system.
function sideOf(record, side) {
  return side === "k" ? record.key : record.systems[side];
}

function runsOf(record, side, mention) {
  return sideOf(record, side).mentions[mention].slice(1);
}

// Where a mention stands in a text, which need not be its side's own: [] where it has no place there.
function placesIn(record, side, mention, text) {
  const own = sideOf(record, side);
  if (own.text === text) return runsOf(record, side, mention);
  if (side !== "k") return (text === record.key.text && own.inKey?.[mention]) || [];
  const other = record.systems.find((system) => system.text === text);
  return other?.missed?.[mention] || [];
}

// The text on which sides can be shown together: theirs, or the key's where theirs differ; null if there is none.
function commonText(record, sides) {
  const texts = sides.map((side) => sideOf(record, side).text);
  if (texts.includes(null)) return null;
  if (texts.every((text) => text === texts[0])) return texts[0];
  return sides.every((side) => sideOf(record, side).text === record.key.text || sideOf(record, side).inKey) ? record.key.text : null;
}

const entityOf = (record, side, mention) => sideOf(record, side).mentions[mention][0];

function nameOf(record, side, mention) {
  const { names, text } = sideOf(record, side);
  if (names) return names[mention];
  const words = textOf(record, text);
  const runs = runsOf(record, side, mention);
  const parts = [];
  for (let at = 0; at < runs.length; at += 2) parts.push(words.plain(runs[at], runs[at + 1]));
  return parts.join(" … ");
}

function titleOf(record, side, entity) {
  const own = sideOf(record, side);
  const title = nameOf(record, side, own.titles[entity]);
  return title.length > 48 ? `${title.slice(0, 45)}…` : title;
}

// Who is in which entity, found once for a document and side.
function members(record, side) {
  const own = sideOf(record, side);
  if (!own.members) {
    own.members = own.entities.map(() => []);
    own.mentions.forEach(([entity], mention) => own.members[entity].push(mention));
  }
  return own.members;
}

// The response's mention that is the twin of a key mention, or undefined.
function twinOf(record, system, keyMention) {
  const own = record.systems[system];
  own.twinOf = own.twinOf || new Map(own.twins.map((twin, mention) => [twin, mention]));
  return own.twinOf.get(keyMention);
}

// A label and a hue for every entity. A response entity has those of the key entity that it shares most with, if no
// other entity shares more of that; else letters of its own. Singletons are grey.
function looks(record, side) {
  const own = sideOf(record, side);
  if (own.looks) return own.looks;
  const sizes = members(record, side).map((mentions) => mentions.length);
  if (side === "k") {
    let hues = 0;
    own.looks = sizes.map((size, entity) => ({ label: String(entity + 1), hue: size > 1 ? hue(hues++) : null }));
    return own.looks;
  }
  const ours = looks(record, "k");
  const counts = new Map();
  own.mentions.forEach(([entity], mention) => {
    const twin = own.twins[mention];
    if (twin < 0) return;
    const cell = `${record.key.mentions[twin][0]},${entity}`;
    counts.set(cell, (counts.get(cell) || 0) + 1);
  });
  const taken = new Set();
  own.looks = sizes.map(() => null);
  const cells = [...counts].map(([cell, n]) => [...cell.split(",").map(Number), n]).sort((x, y) => y[2] - x[2] || x[0] - y[0]);
  for (const [i, j] of cells) {
    if (taken.has(i) || own.looks[j]) continue;
    taken.add(i);
    own.looks[j] = { ...ours[i] };
  }
  let others = 0;
  own.looks.forEach((look, entity) => {
    if (!look) own.looks[entity] = { label: letters(others++), hue: null };
    if (own.looks[entity].hue === null && sizes[entity] > 1) own.looks[entity].hue = hue(ours.length + others);
  });
  return own.looks;
}

const hue = (number) => Math.round((25 + number * GOLDEN) % 360);

function letters(number) {
  const last = String.fromCharCode(97 + (number % 26));
  return number < 26 ? last : letters(Math.floor(number / 26) - 1) + last;
}

function coloured(look) {
  return look.hue === null ? "" : `--h: ${look.hue}; --c: 1`;
}
