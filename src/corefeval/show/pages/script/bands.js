// The picture of one group: bars for entities, bands between those that share mentions.

const ENTITIES_DRAWN = 24;
const WIDTH = 720;
const BARS = [210, 510]; // where the key's and the response's bars stand
const BAR = 10;
const GAP = 32;

function bands(record, system, key, response, cells) {
  const bySize = (side, entities) => entities.map((entity) => [entity, members(record, side)[entity].length]).sort((x, y) => y[1] - x[1]);
  const ours = bySize("k", key);
  const theirs = arranged(bySize(system, response), ours, cells);
  const shown = [ours.slice(0, ENTITIES_DRAWN), theirs.slice(0, ENTITIES_DRAWN)];
  const mentions = shown.map((entities) => sum(entities.map(([, size]) => size)));
  const unit = Math.max(1.5, Math.min(9, 260 / Math.max(1, ...mentions)));
  const tall = shown.map((entities, at) => mentions[at] * unit + GAP * entities.length);
  const height = Math.max(...tall) + 18;
  const places = shown.map((entities, at) => placed(entities, (height - tall[at]) / 2 + GAP / 2, unit));
  const picture = draw("svg", { class: "bands", viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": "key entities at the left, response entities at the right; described below" });
  for (const { i, n, path } of paths(cells, places, unit)) {
    picture.append(draw("path", { class: "band", d: path, style: coloured(looks(record, "k")[i]) }, draw("title", {}, plural(n, "mention"))));
  }
  picture.append(...trunks(record, system, "k", places[0], 0, unit), ...trunks(record, system, system, places[1], 1, unit));
  const hidden = ours.length + theirs.length - shown[0].length - shown[1].length;
  return make("div", { class: "scroll" }, picture, hidden ? make("p", { class: "hint" }, `Not drawn: ${hidden} smaller ones.`) : null);
}

// Where each entity's bar begins, and how much of it bands have used.
function placed(entities, top, unit) {
  const found = new Map();
  let y = top;
  for (const [entity, size] of entities) {
    found.set(entity, { y, used: 0, size });
    y += size * unit + GAP;
  }
  return found;
}

// Bands leave and reach every bar in the order of their other ends, so that few cross.
function paths(cells, places, unit) {
  const drawn = cells.filter(([i, j]) => places[0].has(i) && places[1].has(j)).map(([i, j, n]) => ({ i, j, n }));
  const top = (at, entity) => places[at].get(entity).y;
  const taken = (place, n) => place.y + ((place.used += n) - n) * unit;
  const ends = (x, y) => top(1, x.j) - top(1, y.j) || top(0, x.i) - top(0, y.i);
  const starts = (x, y) => top(0, x.i) - top(0, y.i) || top(1, x.j) - top(1, y.j);
  for (const cell of drawn.sort(ends)) cell.b = taken(places[1].get(cell.j), cell.n);
  for (const cell of drawn.sort(starts)) cell.a = taken(places[0].get(cell.i), cell.n);
  const [left, right] = [BARS[0] + BAR, BARS[1]];
  const middle = (left + right) / 2;
  for (const cell of drawn) {
    const { a, b } = cell;
    const thick = cell.n * unit;
    cell.path = `M${left},${a}C${middle},${a} ${middle},${b} ${right},${b}V${b + thick}C${middle},${b + thick} ${middle},${a + thick} ${left},${a + thick}Z`;
  }
  return drawn;
}

function trunks(record, system, side, places, at, unit) {
  return [...places].flatMap(([entity, { y, used, size }]) => {
    const look = looks(record, side)[entity];
    const bar = (from, mentions, kind, title) => draw("rect", { class: kind, x: BARS[at], y: y + from * unit, width: BAR, height: mentions * unit, style: coloured(look) }, draw("title", {}, title));
    const title = titleOf(record, side, entity);
    const x = at ? BARS[1] + 18 : BARS[0] - 8;
    const cost = entityCosts(record, system, side, entity)[costing.measure];
    return [
      bar(0, used, "trunk", plural(used, "mention")),
      ...(used < size ? [bar(used, size - used, "trunk absent", `${plural(size - used, "mention")} without a twin`)] : []),
      draw("text", { class: "title", x, y: y + Math.max(10, (size * unit) / 2 + 4), "text-anchor": at ? "start" : "end" },
        draw("tspan", { class: "label" }, `${look.label} `), `${title.length > 22 ? `${title.slice(0, 21)}…` : title} `, draw("tspan", { class: "count" }, String(size)),
        cost ? draw("tspan", { class: "count", x, dy: 13 }, `${inPoints(cost)} points`) : null),
    ];
  });
}

// Response entities in the order in which bands from the left reach them, so that few cross.
function arranged(theirs, ours, cells) {
  const place = new Map(ours.map(([entity], at) => [entity, at]));
  const middle = new Map();
  for (const [entity] of theirs) {
    const own = cells.filter(([, j]) => j === entity);
    const weight = sum(own.map((cell) => cell[2]));
    middle.set(entity, weight ? sum(own.map(([i, , n]) => n * place.get(i))) / weight : ours.length);
  }
  const largest = theirs.slice(0, ENTITIES_DRAWN);
  return [...largest.sort((x, y) => middle.get(x[0]) - middle.get(y[0])), ...theirs.slice(ENTITIES_DRAWN)];
}
