// A mention that is pointed at, or chosen: its entity lights up on both sides, and the panel tells about it.

function light(name) {
  for (const element of all(".lit, .near", one("#sides"))) element.classList.remove("lit", "near");
  one("#sides").classList.toggle("dimmed", Boolean(name));
  if (!name) return;
  const found = related(...parsedName(name));
  for (const each of found.near) for (const element of reading.elements.get(each) || []) element.classList.add("near");
  for (const each of found.lit) for (const element of reading.elements.get(each) || []) element.classList.add("lit");
}

function parsedName(name) {
  const [side, mention] = name.split(".");
  return [known(side), Number(mention)];
}

// The mentions of an entity with their twins on the other sides, and the rest of the twins' entities.
function related(side, mention) {
  const { record } = reading;
  const own = members(record, side)[entityOf(record, side, mention)];
  const lit = new Set(own.map((each) => identity(side, each)));
  const near = new Set();
  for (const other of new Set([reading.left, reading.right, "k"])) {
    if (other === side) continue;
    const twins = own.map((each) => across(record, side, each, other)).filter((each) => each !== undefined);
    for (const twin of twins) lit.add(identity(other, twin));
    for (const entity of new Set(twins.map((twin) => entityOf(record, other, twin)))) {
      for (const each of members(record, other)[entity]) near.add(identity(other, each));
    }
  }
  for (const each of lit) near.delete(each);
  return { lit, near };
}

// The twin of a mention on another side, by way of the key; undefined where it has none.
function across(record, side, mention, other) {
  const inKey = side === "k" ? mention : record.systems[side].twins[mention];
  if (inKey < 0 || inKey === undefined) return undefined;
  return other === "k" ? inKey : twinOf(record, other, inKey);
}

function choose(name, { scroll = false, focus = true, error = null, at = null } = {}) {
  const elements = reading.elements.get(name) || [];
  if (!elements.length) return;
  const element = at || elements[0];
  markChosen(name, elements, element);
  if (focus) element.focus({ preventScroll: true });
  if (scroll) toMiddle(element);
  light(name);
  inspect(name, error);
  history.replaceState(null, "", `#text/${reading.document}/${name}`);
}

// The one mention that the keyboard comes to when it comes to the text.
function markChosen(name, elements, element) {
  reading.chosen = name;
  reading.current = element;
  for (const other of all(".m[tabindex='0'], .m.chosen", one("#sides"))) {
    other.tabIndex = -1;
    other.classList.remove("chosen");
  }
  for (const each of elements) each.classList.add("chosen");
  element.tabIndex = 0;
}

// Twice: what is not in sight is not laid out yet, and gets its true height on the way.
function toMiddle(element) {
  element.scrollIntoView({ block: "center" });
  requestAnimationFrame(() => element.scrollIntoView({ block: "center" }));
  // While the page loads, the browser goes to its top once more because it knows no such fragment.
  if (document.readyState !== "complete") window.addEventListener("load", () => setTimeout(() => toMiddle(element)), { once: true });
}

function letGo() {
  reading.chosen = null;
  reading.current = null;
  for (const element of all(".m.chosen", one("#sides"))) element.classList.remove("chosen");
  light(null);
  inspect(null);
}

function inspect(name, error = null) {
  const panel = one("#inspector");
  panel.classList.toggle("empty", !name);
  one("#said").textContent = "";
  if (!name) {
    panel.replaceChildren(make("p", { class: "hint" }, "Point at a mention to see its entity on both sides; choose it to read more. ",
      make("kbd", {}, "n"), " and ", make("kbd", {}, "p"), " go to the next and previous error."));
    return;
  }
  const { record } = reading;
  const [side, mention] = parsedName(name);
  const entity = entityOf(record, side, mention);
  const look = looks(record, side)[entity];
  const mentions = members(record, side)[entity];
  const errors = error ? [error] : systemsOf(side).flatMap((each) => errorsOf(record, each)).filter((each) => each.marks.some(([s, m]) => s === side && m === mention));
  panel.replaceChildren(
    make("p", { class: "small" }, sideName(side), ...missingIn(record, side, mention)),
    make("h2", { dir: "auto" }, nameOf(record, side, mention)),
    ...errors.map((each) => make("p", { class: "told" }, make("span", { class: `sign ${each.kind}` }, kindOf.get(each.kind).sign),
      make("b", {}, kindOf.get(each.kind).title), ": ", make("span", { dir: "auto" }, each.text))),
    ...systemsOf(side).map((each) => toldCosts(record, each, side, mention)),
    make("h3", {}, "Entity ", make("span", { class: "chip", style: coloured(look) }, look.label), " ", make("bdi", {}, titleOf(record, side, entity)),
      make("span", { class: "small" }, ` ${plural(mentions.length, "mention")}, called ${sideOf(record, side).entities[entity]} in the file`)),
    mentionList(side, mentions),
    ...[...new Set([reading.left, reading.right])].filter((other) => other !== side).map((other) => elsewhere(record, side, mentions, other)),
    make("p", {}, make("button", { type: "button", class: "quiet", onclick: (event) => copied(event.target, location.href) }, "Copy link"),
      " ", make("button", { type: "button", class: "quiet", onclick: letGo }, "Close")),
  );
  one("#said").textContent = [...all(".told, .costs > p:first-child", panel)].map((each) => each.textContent).join(" ");
}

function missingIn(record, side, mention) {
  const systems = side === "k" ? systemsOf("k").filter((each) => twinOf(record, each, mention) === undefined) : [];
  return systems.length ? [`; missing in ${systems.map(sideName).join(" and ")}`] : [];
}

// The systems that a mention of a side costs something.
const systemsOf = (side) => (side === "k" ? [...new Set([reading.left, reading.right])].filter((each) => each !== "k") : [side]);

const MENTIONS_LISTED = 60;

function mentionList(side, mentions) {
  const { record } = reading;
  const items = mentions.slice(0, MENTIONS_LISTED).map((mention) => {
    const link = make("a", { href: `#text/${reading.document}/${identity(side, mention)}`, dir: "auto" }, nameOf(record, side, mention));
    return make("li", {}, link);
  });
  if (mentions.length > MENTIONS_LISTED) items.push(make("li", {}, `and ${mentions.length - MENTIONS_LISTED} more`));
  return make("ol", { class: "mentions" }, ...items);
}

// Where the mentions of an entity are on another side: in which entities, how many.
function elsewhere(record, side, mentions, other) {
  const counts = new Map();
  let missing = 0;
  for (const mention of mentions) {
    const twin = across(record, side, mention, other);
    if (twin === undefined) missing += 1;
    else counts.set(entityOf(record, other, twin), (counts.get(entityOf(record, other, twin)) || 0) + 1);
  }
  const items = [...counts].sort((x, y) => y[1] - x[1]).map(([entity, count]) => make("li", {},
    make("span", { class: "chip", style: coloured(looks(record, other)[entity]) }, looks(record, other)[entity].label), " ",
    make("bdi", {}, titleOf(record, other, entity)), `: ${count} of its ${plural(members(record, other)[entity].length, "mention")}`));
  if (missing) items.push(make("li", {}, `${plural(missing, "mention")} not there`));
  return make("div", {}, make("h3", {}, "In ", make("bdi", {}, sideName(other))), make("ul", { class: "elsewhere" }, ...items));
}

function nextMention(step) {
  // Where mentions begin: one with gaps has several elements.
  const marks = all(".m.opens", one("#sides"));
  if (!marks.length) return;
  const at = marks.indexOf(reading.current);
  const next = marks[at < 0 ? 0 : (at + step + marks.length) % marks.length];
  choose(next.dataset.m.split(" ")[0], { scroll: true, at: next });
}

function startReading() {
  options(one("#document"), data.documents.map((_, number) => [number, documentName(number)]));
  const sides = [["k", "key"], ...systemNames()];
  for (const [id, side] of [["#left", "k"], ["#right", 0]]) {
    options(one(id), sides, side);
    one(id).addEventListener("change", (event) => {
      reading[id.slice(1)] = known(event.target.value);
      showText();
    });
  }
  one("#overlaid").addEventListener("change", showText);
  one("#document").addEventListener("change", (event) => { location.hash = `#text/${event.target.value}`; });
  const turn = (step) => { location.hash = `#text/${(reading.document + step + data.documents.length) % data.documents.length}`; };
  one("#previous-document").addEventListener("click", () => turn(-1));
  one("#next-document").addEventListener("click", () => turn(1));
  one("#previous-error").addEventListener("click", () => toError(-1));
  one("#next-error").addEventListener("click", () => toError(1));
  one("#filter").append(...data.kinds.map((kind) => make("label", { "data-kind": kind.name, title: kind.rule },
    make("input", { type: "checkbox", checked: true, onchange: filtered }), make("span", { class: `sign ${kind.name}`, "aria-hidden": "true" }, kind.sign),
    kind.title, " ", make("output"))));
  const box = one("#sides");
  box.addEventListener("mouseover", (event) => pointed(event.target.closest(".m")));
  box.addEventListener("mouseleave", () => light(reading.chosen));
  box.addEventListener("click", (event) => {
    const mark = event.target.closest(".m");
    if (mark) choose(mark.dataset.m.split(" ")[0], { at: mark });
    else letGo();
  });
  box.addEventListener("focusin", (event) => pointed(event.target.closest(".m")));
}

function pointed(mark) {
  light(mark ? mark.dataset.m.split(" ")[0] : reading.chosen);
}

function filtered() {
  reading.kinds = new Set(all("#filter label").filter((label) => one("input", label).checked).map((label) => label.dataset.kind));
  showText();
}

function onlyKind(name) {
  for (const label of all("#filter label")) one("input", label).checked = label.dataset.kind === name;
  reading.kinds = new Set([name]);
}
