// Key entities against response entities: the overlap table as bands, worst first.

const GROUPS_AT_ONCE = 12;
const ENTITIES_DRAWN = 24;

function startEntities() {
  const of = one("#entities-of");
  const within = one("#entities-in");
  options(of, systemNames());
  of.parentElement.hidden = data.systems.length === 1;
  options(within, [[-1, "all documents"], ...data.documents.map((_, number) => [number, documentName(number)])], -1);
  const box = one("#groups");
  let left = [];
  const show = () => {
    const only = Number(within.value);
    left = data.groups[of.value].filter(([document]) => isThere(document) && (only < 0 || document === only));
    one("#entities-count").textContent = left.length ? plural(left.length, "group") + " with errors" : "nothing is wrong here";
    box.replaceChildren();
    more();
  };
  let busy = false;
  const more = async () => {
    if (busy || one("#entities").hidden) return;
    busy = true;
    const next = left.splice(0, GROUPS_AT_ONCE);
    for (const [number, place] of next) {
      const record = await loaded(number);
      if (record) box.append(group(record, number, Number(of.value), place));
    }
    busy = false;
  };
  of.addEventListener("change", show);
  within.addEventListener("change", show);
  whenSeen(one("#more-groups"), more);
  return show;
}

function group(record, number, system, place) {
  const [wrong, key, response, cells] = record.systems[system].groups[place];
  const where = make("a", { href: `#text/${number}/${firstMention(record, system, key, response)}`, dir: "auto" }, documentName(number));
  return make("article", { class: "group" },
    make("header", {}, make("h2", {}, plural(wrong, "mention"), " astray"), data.documents.length > 1 ? where : make("a", { href: where.getAttribute("href") }, "in the text")),
    bands(record, system, key, response, cells),
    make("ul", { class: "told-groups" }, ...sentences(record, system, key, response, cells).map((text) => make("li", { dir: "auto" }, text))));
}

function firstMention(record, system, key, response) {
  const [side, entity] = key.length ? ["k", key[0]] : [system, response[0]];
  return identity(side, members(record, side)[entity][0]);
}

// What happened, in words: for those who do not see the picture, and for those who do.
function sentences(record, system, key, response, cells) {
  const told = [];
  const name = (side, entity) => `${looks(record, side)[entity].label} “${titleOf(record, side, entity)}”`;
  for (const entity of key) {
    const own = cells.filter(([i]) => i === entity);
    const missing = members(record, "k")[entity].length - own.reduce((sum, cell) => sum + cell[2], 0);
    if (!own.length) told.push(`Key entity ${name("k", entity)} is missing (${plural(missing, "mention")}).`);
    else if (own.length > 1) told.push(`Key entity ${name("k", entity)} is split into ${own.length}.`);
    if (own.length && missing) told.push(`Of key entity ${name("k", entity)}, ${plural(missing, "mention")} ${missing === 1 ? "is" : "are"} missing.`);
  }
  for (const entity of response) {
    const own = cells.filter(([, j]) => j === entity);
    const extra = members(record, system)[entity].length - own.reduce((sum, cell) => sum + cell[2], 0);
    if (!own.length) told.push(`Response entity ${name(system, entity)} is not in the key (${plural(extra, "mention")}).`);
    else if (own.length > 1) told.push(`Response entity ${name(system, entity)} merges ${own.length} key entities.`);
    if (own.length && extra) told.push(`Response entity ${name(system, entity)} has ${plural(extra, "mention")} that ${extra === 1 ? "is" : "are"} not in the key.`);
  }
  return told.length > 6 ? [...told.slice(0, 6), `And ${told.length - 6} more.`] : told;
}

function bands(record, system, key, response, cells) {
  const most = (side, entities) => entities.map((entity) => [entity, members(record, side)[entity].length]).sort((x, y) => y[1] - x[1]);
  const ours = most("k", key);
  const theirs = arranged(most(system, response), ours, cells);
  const shown = [ours.slice(0, ENTITIES_DRAWN), theirs.slice(0, ENTITIES_DRAWN)];
  const heights = shown.map((entities) => entities.reduce((sum, [, size]) => sum + size, 0));
  const unit = Math.max(1.5, Math.min(9, 260 / Math.max(1, ...heights)));
  const gap = 22;
  const tall = (at) => heights[at] * unit + gap * shown[at].length;
  const height = Math.max(tall(0), tall(1)) + 6;
  const width = 720;
  const bars = [210, 510];
  const picture = draw("svg", { class: "bands", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "key entities at the left, response entities at the right; described below" });
  const places = shown.map((entities, at) => {
    let y = (height - tall(at)) / 2 + gap / 2;
    const found = new Map();
    for (const [entity, size] of entities) {
      found.set(entity, { y, used: 0, size });
      y += size * unit + gap;
    }
    return found;
  });
  const inOrder = cells.filter(([i, j]) => places[0].has(i) && places[1].has(j)).sort((x, y) => places[0].get(x[0]).y - places[0].get(y[0]).y || places[1].get(x[1]).y - places[1].get(y[1]).y);
  const rightEnds = new Map();
  for (const cell of [...inOrder].sort((x, y) => places[1].get(x[1]).y - places[1].get(y[1]).y || places[0].get(x[0]).y - places[0].get(y[0]).y)) {
    const place = places[1].get(cell[1]);
    rightEnds.set(cell, place.y + place.used * unit);
    place.used += cell[2];
  }
  for (const cell of inOrder) {
    const [i, j, n] = cell;
    const place = places[0].get(i);
    const a = place.y + place.used * unit;
    place.used += n;
    const b = rightEnds.get(cell);
    const thick = n * unit;
    const middle = (bars[0] + bars[1]) / 2 + 5;
    const path = `M${bars[0] + 10},${a}C${middle},${a} ${middle},${b} ${bars[1]},${b}V${b + thick}C${middle},${b + thick} ${middle},${a + thick} ${bars[0] + 10},${a + thick}Z`;
    picture.append(draw("path", { class: "band", d: path, style: coloured(looks(record, "k")[i]) }, draw("title", {}, plural(n, "mention"))));
  }
  ["k", system].forEach((side, at) => {
    for (const [entity, { y, used, size }] of places[at]) {
      const look = looks(record, side)[entity];
      picture.append(draw("rect", { class: "bar", x: bars[at], y, width: 10, height: Math.max(1, used * unit), style: coloured(look) }));
      if (used < size) picture.append(draw("rect", { class: "bar absent", x: bars[at], y: y + used * unit, width: 10, height: (size - used) * unit, style: coloured(look) },
        draw("title", {}, `${plural(size - used, "mention")} without a twin`)));
      const title = titleOf(record, side, entity);
      const words = draw("text", { class: "title", x: at ? bars[1] + 18 : bars[0] - 8, y: y + Math.max(10, (size * unit) / 2 + 4), "text-anchor": at ? "start" : "end" },
        draw("tspan", { class: "label" }, `${look.label} `), `${title.length > 22 ? `${title.slice(0, 21)}…` : title} `, draw("tspan", { class: "count" }, String(size)));
      picture.append(words);
    }
  });
  const hidden = Math.max(0, ours.length - ENTITIES_DRAWN) + Math.max(0, theirs.length - ENTITIES_DRAWN);
  return make("div", { class: "scroll" }, picture, hidden ? make("p", { class: "hint" }, `${plural(hidden, "smaller entity").replace("entitys", "entities")} not drawn`) : null);
}

// Response entities in the order in which bands from the left reach them, so that few cross.
function arranged(theirs, ours, cells) {
  const place = new Map(ours.map(([entity], at) => [entity, at]));
  const middle = new Map();
  for (const [entity] of theirs) {
    const own = cells.filter(([, j]) => j === entity);
    const weight = own.reduce((sum, cell) => sum + cell[2], 0);
    middle.set(entity, weight ? own.reduce((sum, [i, , n]) => sum + n * place.get(i), 0) / weight : ours.length);
  }
  const largest = theirs.slice(0, ENTITIES_DRAWN);
  return [...largest.sort((x, y) => middle.get(x[0]) - middle.get(y[0])), ...theirs.slice(ENTITIES_DRAWN)];
}
