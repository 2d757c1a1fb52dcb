// Key entities against response entities: the overlap table as bands, worst first.

const GROUPS_AT_ONCE = 12;

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
    if (one("#entities-order").value === "cost") left.sort((x, y) => y[3][costing.measure] - x[3][costing.measure]);
    one("#entities-count").textContent = counted(left.length, only < 0 ? data.grouped[of.value] : 0);
    box.replaceChildren();
    more();
  };
  let busy = false;
  const more = async () => {
    if (busy || one("#entities").hidden) return;
    busy = true;
    const next = left.splice(0, GROUPS_AT_ONCE);
    for (const [number, place, , costs] of next) {
      const record = await loaded(number);
      if (record) box.append(group(record, number, Number(of.value), place, costs));
    }
    busy = false;
  };
  of.addEventListener("change", show);
  within.addEventListener("change", show);
  one("#entities-order").addEventListener("change", show);
  whenSeen(one("#more-groups"), more);
  return show;
}

function counted(some, whole) {
  if (!some) return "nothing is wrong here";
  const groups = `${plural(some, "group")} with errors`;
  return whole > some ? `the worst ${groups} of ${whole.toLocaleString("en")}` : groups;
}

function group(record, number, system, place, costs) {
  const [wrong, key, response, cells] = record.systems[system].groups[place];
  const where = make("a", { href: `#text/${number}/${firstMention(record, system, key, response)}`, dir: "auto" }, documentName(number));
  return make("article", { class: "group" },
    make("header", {}, make("h2", {}, plural(wrong, "mention"), " astray", ...costOfGroup(system, costs)), data.documents.length > 1 ? where : make("a", { href: where.getAttribute("href") }, "in the text")),
    bands(record, system, key, response, cells),
    make("ul", { class: "told-groups" }, ...sentences(record, system, key, response, cells).map((text) => make("li", { dir: "auto" }, text))));
}

// Only where costs are a sum do those of entities make one of the group.
function costOfGroup(system, costs) {
  const { title } = data.measures[costing.measure];
  const found = costsOf(system);
  if (!found) return [];
  const told = found.exact ? `${inPoints(costs[costing.measure])} points of ${title}` : `points of ${title} by leave-one-out`;
  return [make("span", { class: "small" }, ` ${told}`)];
}

function firstMention(record, system, key, response) {
  const [side, entity] = key.length ? ["k", key[0]] : [system, response[0]];
  return identity(side, members(record, side)[entity][0]);
}

// What happened, in words: for those who do not see the picture, and for those who do.
const SENTENCES = 6;

function sentences(record, system, key, response, cells) {
  const told = [
    ...key.flatMap((entity) => toldOf(record, "k", entity, cells.filter(([i]) => i === entity))),
    ...response.flatMap((entity) => toldOf(record, system, entity, cells.filter(([, j]) => j === entity))),
  ];
  return told.length > SENTENCES ? [...told.slice(0, SENTENCES), `And ${told.length - SENTENCES} more.`] : told;
}

const TOLD = {
  key: {
    gone: (name, mentions) => `Key entity ${name} is missing (${mentions}).`,
    parts: (name, count) => `Key entity ${name} is split into ${count}.`,
    less: (name, mentions) => `Key entity ${name} has ${mentions} that the response has not.`,
  },
  response: {
    gone: (name, mentions) => `Response entity ${name} is not in the key (${mentions}).`,
    parts: (name, count) => `Response entity ${name} merges ${count} key entities.`,
    less: (name, mentions) => `Response entity ${name} has ${mentions} that the key has not.`,
  },
};

function toldOf(record, side, entity, cells) {
  const told = TOLD[side === "k" ? "key" : "response"];
  const name = `${looks(record, side)[entity].label} “${titleOf(record, side, entity)}”`;
  const twinless = members(record, side)[entity].length - sum(cells.map((cell) => cell[2]));
  if (!cells.length) return [told.gone(name, plural(twinless, "mention"))];
  return [
    ...(cells.length > 1 ? [told.parts(name, cells.length)] : []),
    ...(twinless ? [told.less(name, plural(twinless, "mention"))] : []),
  ];
}
