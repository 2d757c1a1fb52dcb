(() => {
  // web/store/requests.js
  var RefusedError = class extends Error {
    constructor(status, content) {
      super(content.error ?? `status ${status}`);
      this.status = status;
      this.ids = content.ids ?? [];
    }
  };
  async function readAnswer(answer) {
    const content = await answer.json().catch(() => ({}));
    if (!answer.ok) throw new RefusedError(answer.status, content);
    return content;
  }
  async function reach(address, options) {
    try {
      return await fetch(address, options);
    } catch {
      throw new Error("The server does not answer: is corefeval serve still running? Every edit that it has confirmed is kept.");
    }
  }
  function writeQuery(fields) {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(fields)) {
      for (const each of Array.isArray(value) ? value : [value]) if (each !== void 0 && each !== null) query.append(name, each);
    }
    return query;
  }
  async function ask(path, fields = {}) {
    return readAnswer(await reach(`${path}?${writeQuery(fields)}`));
  }
  async function tell(path, body) {
    const headers = { "content-type": "application/json" };
    return readAnswer(await reach(path, { method: "POST", headers, body: JSON.stringify(body) }));
  }
  function addressOf(project, path = "", fields = {}) {
    const query = writeQuery(fields).toString();
    return `/api/projects/${encodeURIComponent(project)}${path}${query ? `?${query}` : ""}`;
  }

  // web/store/workbench.js
  var PLACE = ["project", "document", "side", "beside", "key", "response"];
  function makeStore(initial) {
    let state = { ...initial };
    const listeners = /* @__PURE__ */ new Set();
    return {
      get: () => state,
      set(changes) {
        const before = state;
        state = { ...state, ...changes };
        for (const listener of [...listeners]) listener(state, before);
      },
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      }
    };
  }
  var READERS = { document: (fields) => Number(fields.get("document")) || 0, beside: (fields) => fields.getAll("beside") };
  function readPlace(hash) {
    const [project, query = ""] = hash.replace(/^#/u, "").split("?");
    const fields = new URLSearchParams(query);
    const place = { project: decode(project) };
    for (const name of PLACE.slice(1)) if (fields.has(name)) place[name] = READERS[name]?.(fields) ?? fields.get(name);
    return place;
  }
  function writePlace(state) {
    const fields = new URLSearchParams();
    for (const name of PLACE.slice(1)) for (const value of [state[name] || []].flat()) fields.append(name, value);
    const query = fields.toString();
    return `#${encodeURIComponent(state.project)}${query ? `?${query}` : ""}`;
  }
  function decode(text) {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  }
  function toggleMention(selected, id, adds) {
    if (!adds) return [id];
    return selected.includes(id) ? selected.filter((each) => each !== id) : [...selected, id];
  }
  function moveCursor({ cursor, anchor, length }, step, extending) {
    if (!length) return null;
    const place = cursor === null ? 0 : Math.min(length - 1, Math.max(0, cursor + step));
    const from = extending ? anchor ?? cursor ?? place : place;
    return { cursor: place, anchor: from, range: [Math.min(from, place), Math.max(from, place)] };
  }
  var EDITS = {
    newEntity: ({ range, selected }) => {
      if (range) return { kind: "make", runs: [range] };
      return selected.length ? { kind: "move", mentions: selected, entity: null } : null;
    },
    join: ({ range, selected, current }) => {
      if (!current) return null;
      if (range) return { kind: "make", runs: [range], entity: current };
      return selected.length ? { kind: "move", mentions: selected, entity: current } : null;
    },
    split: ({ selected }) => selected.length ? { kind: "move", mentions: selected, entity: null } : null,
    merge: ({ selected, annotation }) => {
      const entities = [...new Set(selected.map((id) => annotation.mentions[id].entity))];
      return entities.length > 1 ? { kind: "merge", entities } : null;
    },
    delete: ({ selected }) => selected.length ? { kind: "delete", mentions: selected } : null,
    respan: ({ range, selected }) => range && selected.length === 1 ? { kind: "respan", mention: selected[0], runs: [range] } : null,
    addPiece: ({ range, selected, annotation }) => {
      if (!range || selected.length !== 1) return null;
      const runs = [...annotation.mentions[selected[0]].runs, range].sort((one, other) => one[0] - other[0]);
      return { kind: "respan", mention: selected[0], runs };
    },
    head: (context) => markPart(context, "head"),
    minimum: (context) => markPart(context, "minimum"),
    link: ({ links }) => links.length ? { kind: "link", links } : null
  };
  function markPart({ range, selected, annotation }, name) {
    if (selected.length !== 1 || !range && !annotation.mentions[selected[0]][name]) return null;
    return { kind: "respan", mention: selected[0], [name]: range };
  }

  // web/views/workbench/actions.js
  var ACTIONS = [
    { name: "newEntity", keys: ["n"], text: "a new entity of the selected words or mentions", button: "New entity", group: "Entities", edit: "newEntity" },
    { name: "join", keys: ["j"], text: "put the selected words or mentions into the current entity", button: "Join", group: "Entities", edit: "join" },
    { name: "split", keys: ["s"], text: "split the selected mentions off as an entity of their own", button: "Split off", group: "Entities", edit: "split" },
    { name: "merge", keys: ["g"], text: "merge the entities of the selected mentions", button: "Merge", group: "Entities", edit: "merge" },
    { name: "delete", keys: ["x", "Delete"], text: "delete the selected mentions", button: "Delete", group: "Mention", edit: "delete" },
    { name: "respan", keys: ["r"], text: "give the selected mention the selected words", button: "Re-span", group: "Mention", edit: "respan" },
    { name: "addPiece", keys: ["p"], text: "add the selected words to the selected mention, with a gap", button: "Add piece", group: "Mention", edit: "addPiece" },
    { name: "head", keys: ["h"], text: "the selected words are the head of the selected mention; without words, it has none", button: "Head", group: "Mention", edit: "head" },
    { name: "minimum", keys: ["i"], text: "the selected words are the minimum (MIN) of the selected mention; without words, it has none", button: "MIN", group: "Mention", edit: "minimum" },
    { name: "move", keys: ["v"], text: "move the selected mentions to an entity: then click it, or a mention of it", button: "Move to …", group: "Entities", run: (app) => app.selection.startMove() },
    { name: "link", keys: ["l"], text: "draw a link from the selected mention: then click others, see the closure, and press Enter", button: "Link", group: "Entities", run: (app) => app.selection.startLink() },
    { name: "apply", keys: ["Enter"], text: "make the links drawn; select the mention at the cursor", run: (app) => app.selection.pressEnter() },
    { name: "cancel", keys: ["Escape"], text: "select nothing", run: (app) => app.selection.cancel() },
    { name: "unlinked", keys: ["u"], text: "the next mention that is alone in its entity", button: "Next unlinked", group: "Mention", run: (app) => app.selection.goUnlinked(1) },
    { name: "unlinkedBack", keys: ["U"], text: "the one before", run: (app) => app.selection.goUnlinked(-1) },
    { name: "next", keys: ["."], text: "the next mention", run: (app) => app.selection.goNeighbour(1) },
    { name: "previous", keys: [","], text: "the mention before", run: (app) => app.selection.goNeighbour(-1) },
    { name: "current", keys: ["c"], text: "make the selected mention's entity the current one", button: "Make current", group: "Entities", run: (app) => app.selection.makeCurrent() },
    { name: "all", keys: ["a"], text: "select all mentions of the entity", button: "Select entity", group: "Entities", run: (app) => app.selection.selectEntity() },
    { name: "rename", keys: ["e"], text: "rename the current entity", button: "Rename", group: "Entities", run: (app) => app.editing.rename() },
    { name: "search", keys: ["/"], text: "search words; Enter marks all matches in the current entity, or in a new one", run: (app) => app.selection.focusSearch() },
    { name: "take", keys: ["t"], text: "take the mention at the cursor as the side beside has it", button: "Take mention", group: "Side beside", run: (app) => app.editing.takeBeside("mention") },
    { name: "takeAll", keys: ["T"], text: "take its whole entity as the side beside has it", button: "Take entity", group: "Side beside", run: (app) => app.editing.takeBeside("entity") },
    { name: "undo", keys: ["Ctrl+z"], text: "undo", button: "Undo", group: "History", run: (app) => app.editing.turn("undo") },
    { name: "redo", keys: ["Ctrl+y", "Ctrl+Z"], text: "redo", button: "Redo", group: "History", run: (app) => app.editing.turn("redo") },
    { name: "right", keys: ["ArrowRight"], text: "the cursor a word on", run: (app) => app.selection.moveCursor(1, false) },
    { name: "left", keys: ["ArrowLeft"], text: "the cursor a word back", run: (app) => app.selection.moveCursor(-1, false) },
    { name: "extendRight", keys: ["Shift+ArrowRight"], text: "select a word more", run: (app) => app.selection.moveCursor(1, true) },
    { name: "extendLeft", keys: ["Shift+ArrowLeft"], text: "select a word less, or more to the left", run: (app) => app.selection.moveCursor(-1, true) },
    { name: "nextDocument", keys: ["]"], text: "the next document", run: (app) => app.projects.stepDocument(1) },
    { name: "previousDocument", keys: ["["], text: "the document before", run: (app) => app.projects.stepDocument(-1) },
    { name: "otherSide", keys: ["o"], text: "edit the next side", run: (app) => app.projects.stepSide() },
    { name: "keys", keys: ["?"], text: "all keys", button: "Keys", group: "History", run: (app) => app.showPanel("keys") }
  ];
  var BY_KEY = new Map(ACTIONS.flatMap((action) => action.keys.map((key) => [key, action])));
  function findAction(event) {
    const typing = event.target.closest("input:not([type=checkbox]), select, textarea");
    const control = event.ctrlKey || event.metaKey;
    if (event.altKey || event.target.closest("dialog") || typing && !(control && /^[zy]$/iu.test(event.key) && !typing.value)) return void 0;
    const arrows = event.shiftKey && event.key.startsWith("Arrow") ? "Shift+" : "";
    return BY_KEY.get(`${control ? "Ctrl+" : ""}${arrows}${event.key}`);
  }

  // web/views/workbench/dom.js
  function make(tag, properties = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) setProperty(element, name, value);
    element.append(...children.flat().filter((child) => child !== null && child !== void 0 && child !== false));
    return element;
  }
  function setProperty(element, name, value) {
    if (value === null || value === void 0 || value === false) return;
    if (name === "hue") element.style.setProperty("--hue", value);
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "data") Object.assign(element.dataset, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  function find(id) {
    return document.getElementById(id);
  }
  function fill(element, ...children) {
    const active = document.activeElement;
    const key = element.contains(active) ? active.dataset.key : void 0;
    const typed = [...element.querySelectorAll("input[name]:not([type])")].filter((input) => input.value !== input.defaultValue);
    element.replaceChildren(...children.flat().filter((child) => child !== null && child !== void 0 && child !== false));
    for (const { name, value } of typed) {
      const input = element.querySelector(`input[name="${CSS.escape(name)}"]`);
      if (input) input.value = value;
    }
    if (key) element.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
  }
  function makeOptions(values, chosen) {
    return values.map(([value, text]) => make("option", { value, selected: value === chosen }, text));
  }
  function makeButton(text, onclick, more = {}) {
    return make("button", { type: "button", onclick, data: { key: text }, ...more }, text);
  }

  // web/model/memory.js
  function remember(compute) {
    const known = /* @__PURE__ */ new WeakMap();
    return (object, ...rest) => {
      if (!known.has(object)) known.set(object, /* @__PURE__ */ new Map());
      const own = known.get(object);
      const name = rest.join();
      if (!own.has(name)) own.set(name, compute(object, ...rest));
      return own.get(name);
    };
  }

  // web/model/text.js
  var CLOSES = /^([.,;:!?%)\]}»”’…、。，；：？！]+|['’](s|S|re|ve|ll|d|m)|n['’]t)$/;
  var OPENS = /^[([{«“‘¿¡$£€#]+$/;
  var UNSPACED = /[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]/;
  function standTogether(before, after) {
    if (CLOSES.test(after) || OPENS.test(before)) return true;
    return UNSPACED.test(before.slice(-1)) && UNSPACED.test(after[0] || "");
  }
  function readText(text) {
    return text.sentences ? readWords(text) : readCharacters(text.running);
  }
  function readWords({ sentences, zeros }) {
    const words = sentences.flat();
    const unwritten = new Set(zeros);
    let end = -1;
    const blocks = sentences.map((sentence) => ({ first: end + 1, last: end += sentence.length }));
    const gap = (place) => place > 0 && !standTogether(words[place - 1], words[place]) ? " " : "";
    const pieces = (first, last) => {
      const found = [];
      let run = "";
      for (let place = first; place <= last; place += 1) {
        const space = place > first ? gap(place) : "";
        if (unwritten.has(place)) {
          if (run + space) found.push(run + space);
          found.push({ zero: words[place] === "_" ? "" : words[place] });
          run = "";
        } else run += space + words[place];
      }
      return run ? [...found, run] : found;
    };
    return { blocks, gap, pieces, count: words.length, context: 9 };
  }
  function readCharacters(running) {
    const characters = [...running];
    const blocks = [];
    let first = 0;
    characters.forEach((character, place) => {
      if (character !== "\n") return;
      if (place > first) blocks.push({ first, last: place - 1 });
      first = place + 1;
    });
    if (first < characters.length) blocks.push({ first, last: characters.length - 1 });
    const pieces = (from, to) => [characters.slice(from, to + 1).join("")];
    return { blocks, gap: () => "", pieces, count: characters.length, context: 48 };
  }
  function findBlock(blocks, place) {
    let low = 0;
    let high = blocks.length;
    while (low < high) {
      const middle = low + high >> 1;
      if (blocks[middle].last < place) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  // web/model/document.js
  var GOLDEN_ANGLE = 137.508;
  var getSide = (record, side) => side === "k" ? record.key : record.systems[side];
  var getRuns = (record, side, mention) => getSide(record, side).mentions[mention].slice(1);
  var getEntity = (record, side, mention) => getSide(record, side).mentions[mention][0];
  var getText = remember((record, number) => number === null ? null : readText(record.texts[number]));
  var listMentionIds = remember((record, side) => {
    const seen = /* @__PURE__ */ new Map();
    return getSide(record, side).mentions.map((_, mention) => {
      const runs = getRuns(record, side, mention);
      const parts = [];
      for (let at = 0; at < runs.length; at += 2) parts.push(`${runs[at]}-${runs[at + 1]}`);
      const id = parts.join("+") || getSide(record, side).names?.[mention] || "";
      const times = (seen.get(id) || 0) + 1;
      seen.set(id, times);
      return times > 1 ? `${id}~${times}` : id;
    });
  });
  var listMembers = remember((record, side) => {
    const own = getSide(record, side);
    const members = own.entities.map(() => []);
    own.mentions.forEach(([entity], mention) => members[entity].push(mention));
    return members;
  });
  var mapTwins = remember((record, system) => new Map(record.systems[system].twins.map((twin, mention) => [twin, mention])));
  function findTwin(record, side, mention, other) {
    if (side === other) return mention;
    const inKey = side === "k" ? mention : record.systems[side].twins[mention];
    if (inKey === void 0 || inKey < 0) return void 0;
    return other === "k" ? inKey : mapTwins(record, other).get(inKey);
  }
  var countShared = remember((record, side, other) => {
    const cells = /* @__PURE__ */ new Map();
    getSide(record, side).mentions.forEach(([i], mention) => {
      const twin = findTwin(record, side, mention, other);
      if (twin === void 0) return;
      const j = getEntity(record, other, twin);
      const name = `${i},${j}`;
      if (!cells.has(name)) cells.set(name, { i, j, n: 0 });
      cells.get(name).n += 1;
    });
    return [...cells.values()];
  });
  var chooseLooks = remember((record, side) => {
    const sizes = listMembers(record, side).map((mentions) => mentions.length);
    if (side === "k") {
      let hues = 0;
      return sizes.map((size, entity) => ({ label: String(entity + 1), hue: size > 1 ? makeHue(hues++) : null }));
    }
    const ours = chooseLooks(record, "k");
    const taken = /* @__PURE__ */ new Set();
    const looks = sizes.map(() => null);
    for (const { i, j } of [...countShared(record, "k", side)].sort((x, y) => y.n - x.n || x.i - y.i)) {
      if (taken.has(i) || looks[j]) continue;
      taken.add(i);
      looks[j] = ours[i];
    }
    let others = 0;
    return looks.map((look, entity) => {
      const { label, hue } = look || { label: makeLetters(others++), hue: null };
      return { label, hue: hue === null && sizes[entity] > 1 ? makeHue(ours.length + others) : hue };
    });
  });
  var makeHue = (number) => Math.round((25 + number * GOLDEN_ANGLE) % 360);
  function makeLetters(number) {
    const last = String.fromCharCode(97 + number % 26);
    return number < 26 ? last : makeLetters(Math.floor(number / 26) - 1) + last;
  }

  // web/model/layout.js
  function nest(parts, first, last) {
    const order2 = (x, y) => x.a - y.a || y.b - x.b;
    const queue = parts.filter((part) => part.a <= part.b).sort(order2);
    const root = { a: first, b: last, within: [] };
    const around = [root];
    for (let at = 0; at < queue.length; at += 1) {
      const part = queue[at];
      while (around[around.length - 1].b < part.a) around.pop();
      const parent = around[around.length - 1];
      if (part.b > parent.b) {
        const rest = { ...part, a: parent.b + 1, opens: false };
        let place = at + 1;
        while (place < queue.length && order2(queue[place], rest) <= 0) place += 1;
        queue.splice(place, 0, rest);
        part.b = parent.b;
        part.closes = false;
      }
      part.within = [];
      parent.within.push(part);
      around.push(part);
    }
    return root;
  }

  // web/model/numbers.js
  function writeFixed(value, digits) {
    const written = value.toFixed(digits);
    const isHalfway = value * 2 ** (digits + 1) % 2 === 1;
    return isHalfway && Number(written.at(-1)) % 2 ? (value - 2 ** -20).toFixed(digits) : written;
  }
  function writeNumber(value, digits = 2) {
    const written = writeFixed(Math.abs(value), digits);
    return value < 0 && Number(written) ? `−${written}` : written;
  }
  function writeSigned(value, digits = 2) {
    const written = digits ? writeFixed(Math.abs(value), digits) : Math.abs(value).toLocaleString("en");
    return `${value > 0 ? "+" : value < 0 ? "−" : ""}${written}`;
  }

  // web/model/workbench_text.js
  var LONGEST = 80;
  function divideText(content) {
    return content.words === void 0 && content.text !== void 0 ? divideCharacters(content.text) : divideWords(content);
  }
  function divideWords({ words = [], sentence = [], empty = [] }) {
    const unwritten = new Set(empty);
    const blocks = [];
    words.forEach((text, first) => {
      const begins = first === 0 || sentence[first] !== sentence[first - 1] || blocks.at(-1).units.length >= LONGEST;
      if (begins) blocks.push({ first, last: first, units: [] });
      const block = blocks.at(-1);
      block.last = first;
      block.units.push({ first, text: text || "∅", space: true, empty: unwritten.has(first) });
    });
    return blocks;
  }
  function divideCharacters(text) {
    const blocks = [];
    let first = 0;
    for (const line of text.split(/(?<=\n)/u)) {
      if (line) blocks.push({ first, last: first + line.length - 1, units: [{ first, text: line, space: false }] });
      first += line.length;
    }
    return blocks;
  }
  function sortMentions(mentions) {
    return Object.entries(mentions).map(([id, mention]) => ({ id, ...mention })).sort((one, other) => one.runs[0][0] - other.runs[0][0] || other.runs.at(-1)[1] - one.runs.at(-1)[1] || order(one.id, other.id));
  }
  function order(one, other) {
    return Number(one.slice(1)) - Number(other.slice(1));
  }
  function assignRuns(blocks, mentions) {
    const found = blocks.map(() => []);
    const runs = Object.entries(mentions).flatMap(([id, mention]) => mention.runs.map(([first, last]) => ({ id, first, last })));
    runs.sort((one, other) => one.first - other.first || other.last - one.last || order(one.id, other.id));
    for (const run of runs) {
      for (let place = findBlock(blocks, run.first); place < blocks.length && blocks[place].first <= run.last; place += 1) found[place].push(run);
    }
    return found;
  }
  function nestMentions(block, runs) {
    const units = cutUnits(block, runs);
    const parts = runs.map(({ id, first, last }) => ({
      id,
      a: Math.max(first, block.first),
      b: Math.min(last, block.last),
      opens: first >= block.first,
      closes: last <= block.last
    }));
    let at = 0;
    const takeUntil = (place) => {
      const from = at;
      while (at < units.length && units[at].first < place) at += 1;
      return units.slice(from, at);
    };
    const fill2 = ({ id = null, b, within, opens, closes }) => {
      const inside = within.flatMap((part) => [...takeUntil(part.a), fill2(part)]);
      return { id, opens, closes, parts: [...inside, ...takeUntil(b + 1)] };
    };
    return fill2(nest(parts, block.first, block.last));
  }
  function cutUnits(block, runs) {
    return block.units.flatMap((unit) => {
      if (unit.space) return [{ ...unit, last: unit.first }];
      const end = unit.first + unit.text.length;
      const cuts = /* @__PURE__ */ new Set([unit.first, end]);
      for (const { first, last } of runs) for (const cut of [first, last + 1]) if (cut > unit.first && cut < end) cuts.add(cut);
      const places = [...cuts].sort((one, other) => one - other);
      return places.slice(0, -1).map((first, place) => {
        const last = places[place + 1] - 1;
        return { first, last, space: false, text: unit.text.slice(first - unit.first, last + 1 - unit.first) };
      });
    });
  }
  function listEntities({ mentions, entities }) {
    const members = Object.fromEntries(Object.keys(entities).map((id) => [id, []]));
    for (const { id, entity } of sortMentions(mentions)) members[entity].push(id);
    return Object.entries(entities).map(([id, { name }]) => ({ id, name, mentions: members[id] })).sort((one, other) => other.mentions.length - one.mentions.length || order(one.id, other.id));
  }
  function applyChange(annotation, change) {
    return { mentions: replaceStates(annotation.mentions, change.mentions), entities: replaceStates(annotation.entities, change.entities) };
  }
  function replaceStates(states, changed) {
    const made = { ...states };
    for (const [id, [, after]] of Object.entries(changed)) {
      if (after === null) delete made[id];
      else made[id] = after;
    }
    return made;
  }
  function writeText(content, runs) {
    const write = ([first, last]) => content.words === void 0 ? (content.text ?? "").slice(first, last + 1) : content.words.slice(first, last + 1).join(" ");
    return runs.map(write).join(" … ");
  }
  function findAround({ mentions }, place) {
    const size = ({ runs }) => runs.at(-1)[1] - runs[0][0];
    const here = Object.entries(mentions).filter(([, { runs }]) => place !== null && runs.some(([first, last]) => first <= place && place <= last));
    here.sort(([, one], [, other]) => size(one) - size(other));
    return here[0]?.[0] ?? null;
  }
  function findUnlinked({ mentions }, from, step) {
    const sizes = {};
    for (const { entity } of Object.values(mentions)) sizes[entity] = (sizes[entity] ?? 0) + 1;
    return stepThrough(sortMentions(mentions), from, step, ({ entity }) => sizes[entity] === 1);
  }
  function findNeighbour({ mentions }, from, step) {
    return stepThrough(sortMentions(mentions), from, step, () => true);
  }
  function stepThrough(sorted, from, step, fits) {
    const begin = sorted.findIndex(({ id }) => id === from);
    for (let count2 = 1; count2 <= sorted.length; count2 += 1) {
      const start = begin < 0 && step < 0 ? sorted.length : begin;
      const found = sorted[((start + step * count2) % sorted.length + sorted.length) % sorted.length];
      if (fits(found)) return found.id;
    }
    return null;
  }
  function closeLinks({ mentions }, links) {
    const above = {};
    const find2 = (entity) => above[entity] === void 0 ? entity : find2(above[entity]);
    for (const [one, other] of links) {
      const [a, b] = [find2(mentions[one].entity), find2(mentions[other].entity)];
      if (a !== b) above[b] = a;
    }
    const touched = new Set(links.flat().map((id) => find2(mentions[id].entity)));
    const groups = Object.fromEntries([...touched].map((entity) => [entity, []]));
    for (const { id, entity } of sortMentions(mentions)) if (touched.has(find2(entity))) groups[find2(entity)].push(id);
    return Object.values(groups);
  }
  function countMatches(content, text) {
    const wanted = text.trim().toLowerCase();
    if (!wanted) return 0;
    if (content.words === void 0) return countCharacters((content.text ?? "").toLowerCase(), wanted);
    const words = content.words.map((word) => word.toLowerCase());
    const parts = wanted.split(/\s+/u);
    let [count2, place] = [0, 0];
    while (place + parts.length <= words.length) {
      const fits = parts.every((part, offset) => words[place + offset] === part);
      count2 += fits ? 1 : 0;
      place += fits ? parts.length : 1;
    }
    return count2;
  }
  function countCharacters(whole, part) {
    const isLetter = (letter) => /[\p{L}\p{N}]/u.test(letter);
    let count2 = 0;
    for (let place = whole.indexOf(part); place >= 0; place = whole.indexOf(part, place + part.length)) {
      if (!isLetter(whole[place - 1] ?? " ") && !isLetter(whole[place + part.length] ?? " ")) count2 += 1;
    }
    return count2;
  }
  var chooseHue = (entity) => makeHue(Number(entity.slice(1)));
  function writePoints(value) {
    return typeof value === "number" ? writeNumber(100 * value) : value ?? "";
  }
  function writeChange(value) {
    if (typeof value !== "number") return "";
    if (Math.abs(value) < 5e-7) return "·";
    return writeSigned(100 * value);
  }
  function judgeChange(value, isCost) {
    if (typeof value !== "number" || Math.abs(value) < 5e-7) return "same";
    return value > 0 === !isCost ? "better" : "worse";
  }

  // web/model/workbench_beyond.js
  function describeRelations(content, annotation) {
    return (annotation.relations ?? []).map(({ kind, label, source, targets }) => ({
      kind,
      label: label ?? "",
      source: describeEnd(content, annotation, source),
      targets: targets.map((end) => describeEnd(content, annotation, end)),
      runs: findRuns(annotation, source)
    }));
  }
  function describeEnd(content, annotation, end) {
    const mention = annotation.mentions[end.id];
    if (mention) return writeText(content, mention.runs);
    const entity = findEntity(annotation, end);
    if (entity) return `entity ${annotation.entities[entity].name}`;
    return end.id ? "(gone)" : writeOutside(content, end.written);
  }
  function writeOutside(content, written) {
    if (!Array.isArray(written)) return `${written}`;
    return writeText(content, Array.isArray(written[0]) ? written : [written]);
  }
  function findEntity({ mentions, entities }, { id, members = [] }) {
    if (entities[id]) return id;
    const votes = {};
    for (const member of members) {
      const entity = mentions[member]?.entity;
      if (entity) votes[entity] = (votes[entity] ?? 0) + 1;
    }
    return Object.keys(votes).sort((one, other) => votes[other] - votes[one])[0] ?? null;
  }
  function findRuns({ mentions, entities }, end) {
    if (mentions[end.id]) return mentions[end.id].runs;
    if (Array.isArray(end.written)) return Array.isArray(end.written[0]) ? end.written : [end.written];
    const entity = findEntity({ mentions, entities }, end);
    return Object.values(mentions).find((mention) => mention.entity === entity)?.runs ?? null;
  }
  function findRelationsOf(annotation, id) {
    const { entity } = annotation.mentions[id];
    const isOf = (end) => end.id === id || findEntity(annotation, end) === entity;
    return (annotation.relations ?? []).flatMap((relation, place) => [relation.source, ...relation.targets].some(isOf) ? [place] : []);
  }
  function listLayers(annotation) {
    return Object.entries(annotation.layers ?? {}).map(([name, { mentions, entities }]) => ({
      name,
      entities: Object.entries(entities).map(([id, entity]) => ({ name: entity.name, mentions: Object.values(mentions).filter((each) => each.entity === id).map(({ runs }) => runs) }))
    }));
  }
  function listLayerRuns(annotation) {
    return Object.values(annotation.layers ?? {}).flatMap(({ mentions }) => Object.values(mentions).flatMap(({ runs }) => runs));
  }
  function findDifferences(one, other) {
    const [ours, theirs] = [groupByRuns(one), groupByRuns(other)];
    return Object.entries(one.mentions).filter(([, { runs }]) => ours.get(String(runs)) !== theirs.get(String(runs))).map(([id]) => id);
  }
  function groupByRuns({ mentions }) {
    const members = {};
    for (const { entity, runs } of Object.values(mentions)) (members[entity] ??= []).push(String(runs));
    for (const entity of Object.keys(members)) members[entity] = members[entity].sort().join(";");
    return new Map(Object.values(mentions).map(({ entity, runs }) => [String(runs), members[entity]]));
  }

  // web/model/workbench_status.js
  var count = (number, thing) => `${number} ${thing}${number === 1 ? "" : "s"}`;
  function describeEntry(entry) {
    return `${entry.author}: ${entry.kind.replace("_", " ")} in ${entry.side}, ${count(Object.keys(entry.change.mentions).length, "mention")} (revision ${entry.revision})`;
  }
  function describeStatus({ current, selected, mode, links, filter, content }, annotation) {
    const { mentions, entities } = annotation;
    const linked = () => ` (${closeLinks(annotation, links).flat().length} mentions become one entity)`;
    const modes = { move: () => "move: click an entity or a mention of it", link: () => `link: click mentions, then Enter${links.length ? linked() : ""}` };
    return [
      `${count(Object.keys(mentions).length, "mention")} in ${Object.keys(entities).length === 1 ? "1 entity" : `${Object.keys(entities).length} entities`}`,
      current ? `current: ${entities[current]?.name}` : "no current entity",
      selected.length ? `${selected.length} selected` : "",
      modes[mode]?.() ?? "",
      filter && content ? countFound(countMatches(content, filter)) : ""
    ].filter(Boolean).join(" · ");
  }
  var countFound = (number) => number === 1 ? "1 match" : `${number} matches`;
  function averagePairs(pairs, chance) {
    return Object.keys(pairs[0]?.values ?? {}).map((name) => {
      const isUndefined = pairs.every((pair) => pair.undefined.includes(name));
      const value = pairs.reduce((sum, pair) => sum + pair.values[name], 0) / pairs.length;
      const { chance: byChance, above_chance: above } = chance?.measures[name] ?? {};
      return { name, value: isUndefined ? null : value, chance: byChance, above };
    });
  }

  // web/views/workbench/panels/adjudication.js
  function drawAdjudication(element, { sides, side, agreement, chance, compared, error }, handlers) {
    const boxes = sides.map((name) => make("label", {}, make("input", { type: "checkbox", value: name, checked: compared.includes(name), onchange: handlers.compare, data: { key: `side-${name}` } }), ` ${name}`));
    fill(
      element,
      make("fieldset", {}, make("legend", {}, "Annotators"), boxes),
      make("div", { class: "row" }, makeButton("Majority draft", handlers.majority, { disabled: compared.length < 2 }), make("span", { class: "soft" }, `into ${side}`)),
      make("form", { class: "row", onsubmit: handlers.addSide }, make("input", { name: "name", "aria-label": "name of a new side", placeholder: "new side", data: { key: "new-side" } }), makeButton("Add a side", null, { type: "submit" })),
      error ? make("p", { class: "soft" }, error) : agreement ? drawAgreement(agreement, chance, side, handlers) : null
    );
  }
  function drawAgreement(agreement, chance, side, handlers) {
    return make(
      "div",
      {},
      drawMeans(agreement, chance),
      agreement.pairs.length > 1 ? drawPairs(agreement.pairs) : null,
      drawAlpha(agreement.alpha),
      make("p", { class: "signature" }, agreement.signature),
      make("h3", {}, `Disagreements: ${agreement.disagreement_count}`),
      make("ul", { class: "disagreements" }, agreement.disagreements.slice(0, 200).map((each, place) => drawDisagreement(each, place, side, handlers)))
    );
  }
  var makeHead = (names) => make("thead", {}, make("tr", {}, names.map((name) => make("th", { scope: "col" }, name))));
  var makeScrolling = (name, table) => make("div", { class: "scrolling", tabindex: "0", role: "region", "aria-label": name }, table);
  function drawMeans({ pairs }, chance) {
    const of = pairs.length > 1 ? `mean of ${pairs.length} pairs` : pairs[0].names.join(" – ");
    const note2 = chance ? `chance: ${chance.draws} random partitions with the same sizes of entities, seed ${chance.seed}; chance is 0 and full agreement 100 in the last column` : "chance is being computed …";
    const rows = averagePairs(pairs, chance).map(({ name, value, chance: byChance, above }) => make("tr", { data: { measure: name } }, make("th", { scope: "row" }, name), [value, byChance, above].map((number) => make("td", {}, number === void 0 ? "" : number === null ? "–" : writePoints(number)))));
    return make(
      "div",
      {},
      makeScrolling("agreement", make("table", { class: "agreement" }, make("caption", {}, `Agreement: ${of}`), makeHead(["measure", "agreement", "by chance", "above chance"]), make("tbody", {}, rows))),
      make("p", { class: "soft note" }, note2)
    );
  }
  function drawPairs(pairs) {
    const measures = Object.keys(pairs[0].values);
    return make(
      "details",
      {},
      make("summary", {}, "Pair by pair"),
      makeScrolling("agreement of pairs", make(
        "table",
        { class: "pairs" },
        makeHead(["pair", ...measures]),
        make("tbody", {}, pairs.map((pair) => make("tr", {}, make("th", { scope: "row" }, pair.names.join(" – ")), measures.map((name) => make("td", {}, pair.undefined.includes(name) ? "–" : writePoints(pair.values[name]))))))
      ))
    );
  }
  var DISTANCES = { passonneau: "Passonneau", masi: "MASI" };
  function drawAlpha(coefficients) {
    const find2 = (distance, itself) => coefficients.find((each) => each.distance === distance && each.itself === itself).value;
    const write = (value) => value === null ? "–" : value.toFixed(4);
    return makeScrolling("Krippendorff's α", make(
      "table",
      { class: "alpha" },
      make("caption", {}, "Krippendorff's α of all"),
      makeHead(["distance of sets", "without the mention itself", "with it"]),
      make("tbody", {}, Object.entries(DISTANCES).map(([distance, name]) => make("tr", {}, make("th", { scope: "row" }, name), [false, true].map((itself) => make("td", {}, write(find2(distance, itself)))))))
    ));
  }
  function drawDisagreement({ runs, mentions }, place, side, handlers) {
    const takes = Object.entries(mentions).filter(([name]) => name !== side).map(([name, id]) => id === null ? make("span", { class: "soft takes" }, `${name}: not marked`) : make(
      "span",
      { class: "takes" },
      `${name}: `,
      makeButton("mention", () => handlers.take(name, { mention: id }), { "aria-label": `take the mention as ${name} has it`, data: { key: `m-${place}-${name}` } }),
      makeButton("entity", () => handlers.takeEntity(name, id), { "aria-label": `take the entity as ${name} has it`, data: { key: `e-${place}-${name}` } })
    ));
    return make("li", {}, make("button", { type: "button", class: "plain", onclick: () => handlers.show(runs), data: { key: `show-${place}` } }, make("bdi", {}, handlers.describe(runs))), " ", takes);
  }

  // web/views/workbench/panels/details.js
  var MOST = 300;
  function drawDetails(element, { content, annotation, selected }, handlers) {
    const relations = describeRelations(content, annotation);
    const layers = listLayers(annotation);
    fill(
      element,
      selected.length ? selected.slice(0, 20).map((id) => drawMention(id, annotation, relations, handlers)) : make("p", { class: "soft" }, "Select a mention to see its head, its minimum, and what else its file says of it."),
      relations.length ? make("section", {}, make("h3", {}, `Relations: ${relations.length}`), drawRelations(relations.slice(0, MOST), handlers), note(relations.length)) : null,
      layers.map(({ name, entities }) => make("section", { data: { layer: name } }, make("h3", {}, `Layer ${name.replace("_", " ")}`), drawLayer(name, entities, handlers), note(entities.length))),
      relations.length || layers.length ? make("p", { class: "soft note" }, "Relations and layers are saved as they are; relations follow their mentions and entities.") : null
    );
  }
  var note = (count2) => count2 > MOST ? make("p", { class: "soft" }, `and ${count2 - MOST} more`) : null;
  function drawMention(id, annotation, relations, handlers) {
    const { runs, entity, head, minimum, attributes } = annotation.mentions[id];
    const { name, attributes: ofEntity } = annotation.entities[entity];
    const facts = [
      ["entity", name],
      ["head", head && handlers.describe([head])],
      ["minimum", minimum && handlers.describe([minimum])],
      ...Object.entries(attributes ?? {}),
      ...Object.entries(ofEntity ?? {}).map(([key, value]) => [`entity's ${key}`, value]),
      ...findRelationsOf(annotation, id).map((place) => ["relation", writeRelation(relations[place])])
    ];
    return make(
      "section",
      { class: "mention" },
      make("h3", {}, make("bdi", {}, handlers.describe(runs))),
      make("dl", {}, facts.filter(([, value]) => value).flatMap(([key, value]) => [make("dt", {}, key), make("dd", {}, make("bdi", {}, value))]))
    );
  }
  function writeRelation({ kind, label, source, targets }) {
    return `${[kind, label].filter(Boolean).join(" ")}: ${source} → ${targets.join(" + ") || "nothing"}`;
  }
  function drawRelations(relations, handlers) {
    return make("ul", { class: "relations" }, relations.map((relation, place) => make(
      "li",
      {},
      make("button", { type: "button", class: "plain", disabled: !relation.runs, onclick: () => handlers.show(relation.runs), data: { key: `relation-${place}` } }, make("bdi", {}, writeRelation(relation)))
    )));
  }
  function drawLayer(layer, entities, handlers) {
    return make("ul", { class: "layers" }, entities.slice(0, MOST).map(({ name, mentions }, number) => make("li", {}, make("b", {}, make("bdi", {}, name)), ": ", mentions.flatMap((runs, place) => [
      place ? " · " : null,
      make("button", { type: "button", class: "plain", onclick: () => handlers.show(runs), data: { key: `layer-${layer}-${number}-${place}` } }, make("bdi", {}, handlers.describe(runs)))
    ]))));
  }

  // web/views/workbench/panels/entities.js
  function drawEntities(element, state, handlers) {
    const { annotation, current, filter } = state;
    const wanted = filter.toLowerCase();
    const rows = listEntities(annotation).filter(({ name, mentions }) => !wanted || name.toLowerCase().includes(wanted) || mentions.some((id) => handlers.describe(annotation.mentions[id].runs).toLowerCase().includes(wanted)));
    fill(
      element,
      make("ul", { class: "entities" }, rows.slice(0, 400).map((entity) => drawEntity(entity, state, handlers))),
      rows.length > 400 ? make("p", { class: "soft" }, `and ${rows.length - 400} more: narrow them down above`) : null,
      rows.length || current ? null : make("p", { class: "soft" }, "No entities yet: select words in the text and press n.")
    );
  }
  function drawEntity({ id, name, mentions }, { annotation, current }, handlers) {
    const texts = mentions.slice(0, 4).map((mention) => handlers.describe(annotation.mentions[mention].runs));
    const more = mentions.length > 4 ? ` + ${mentions.length - 4}` : "";
    return make(
      "li",
      {},
      make("button", {
        type: "button",
        class: "entity",
        hue: chooseHue(id),
        data: { key: id, e: id },
        "aria-pressed": String(id === current),
        onclick: (event) => handlers.choose(id, event.ctrlKey || event.shiftKey || event.metaKey),
        onpointerenter: () => handlers.preview(id),
        onpointerleave: () => handlers.preview(null),
        onfocus: () => handlers.preview(id),
        onblur: () => handlers.preview(null)
      }, make("span", { class: "count" }, String(mentions.length)), make("b", {}, make("bdi", {}, name)), " ", make("bdi", {}, texts.join(" · ") + more))
    );
  }

  // web/views/workbench/panels/files.js
  function drawFiles(element, { lists, project, side, notices, study }, handlers) {
    const formats = Object.keys(lists.formats.write).map((name) => [name, name]);
    fill(
      element,
      make("h3", {}, "Open"),
      make("div", { class: "row" }, make("label", {}, "Project ", make("select", { onchange: handlers.open, data: { key: "project" } }, makeOptions(lists.projects.map((name) => [name, name]), project)))),
      make("div", { class: "row" }, make("label", {}, "Example of a paper ", make("select", { onchange: handlers.openExample, data: { key: "example" } }, makeOptions([["", "…"], ...Object.entries(lists.examples).map(([name, source]) => [name, `${name}: ${source}`])], "")))),
      make(
        "form",
        { onsubmit: handlers.upload },
        make("label", {}, "Files, the key first ", make("input", { type: "file", name: "files", multiple: true, data: { key: "files" } })),
        make("label", {}, make("input", { type: "checkbox", name: "adjudicate" }), " all are annotators'"),
        makeButton("Open files", null, { type: "submit" })
      ),
      make("h3", {}, "Save"),
      make(
        "form",
        { class: "row", onsubmit: handlers.save },
        make("input", { name: "file", "aria-label": "file name", placeholder: "name.conll", required: true, data: { key: "file-name" } }),
        make("label", {}, make("input", { type: "checkbox", name: "force" }), " overwrite"),
        makeButton(`Save ${side}`, null, { type: "submit" })
      ),
      make("form", { class: "row", onsubmit: handlers.download }, make("label", {}, "Format ", make("select", { name: "format" }, makeOptions(formats, "conll"))), makeButton("Download", null, { type: "submit" })),
      make("p", {}, make("a", { href: addressOf(project, "/patch"), download: `${project}.json` }, "All edits as a JSON patch")),
      make("h3", {}, "Studies of the papers"),
      make("label", {}, "Study ", make("select", { onchange: handlers.chooseStudy, data: { key: "study" } }, makeOptions([["", "…"], ...lists.studies.map(([name, title]) => [name, `${name}: ${title}`])], study))),
      make(
        "div",
        { class: "row" },
        makeButton("Show its findings", () => handlers.runStudy(study), { disabled: !study }),
        makeButton("Open its partitions", () => handlers.openStudy(study), { disabled: !lists.studies.some(([name, , , opens]) => name === study && opens) }),
        make("span", { class: "soft" }, lists.studies.some(([name, , , opens]) => name === study && !opens) ? "a study of printed numbers: it has no partitions" : "")
      ),
      notices.length ? make("details", {}, make("summary", {}, `Notices of the files: ${notices.length}`), make("ul", {}, notices.map((text) => make("li", {}, text)))) : null
    );
  }

  // web/views/workbench/panels/keys.js
  function drawKeys(element, actions) {
    fill(element, make("table", { class: "keys" }, make("caption", {}, "Keys"), make("tbody", {}, actions.filter(({ keys }) => keys.length).map(({ keys, text }) => make("tr", {}, make("td", {}, keys.map((key) => make("kbd", {}, key))), make("td", {}, text))))));
  }

  // web/views/workbench/panels/resolvers.js
  function drawResolvers(element, { resolvers, rules, resolver, off, side, key, table, averaged }, handlers) {
    fill(
      element,
      make("label", {}, "Resolver ", make("select", { onchange: handlers.choose, data: { key: "resolver" } }, makeOptions(resolvers.map((name) => [name, name]), resolver))),
      resolver === "salience" ? make("fieldset", {}, make("legend", {}, "Rules"), rules.map((rule) => make("label", {}, make("input", { type: "checkbox", value: rule, checked: !off.includes(rule), onchange: handlers.toggleRule, data: { key: `rule-${rule}` } }), ` ${rule}`))) : null,
      make("div", { class: "row" }, makeButton("Resolve", handlers.resolve, { disabled: side === key }), make("span", { class: "soft" }, side === key ? "edit another side than the key to resolve into it" : `the mentions of ${key} into ${side}`)),
      make("form", { class: "row", onsubmit: handlers.tabulate }, make("label", {}, "averaged ", make("input", { name: "measures", value: averaged, data: { key: "averaged" } })), makeButton("Switch rules off", null, { type: "submit" })),
      table ? drawRules(table) : null
    );
  }
  function drawRules(rows) {
    const measures = Object.keys(rows[0].values);
    return make(
      "div",
      { class: "scrolling", tabindex: "0", role: "region", "aria-label": "rules switched off" },
      make(
        "table",
        {},
        make("caption", {}, "The salience resolver with rules switched off"),
        make("thead", {}, make("tr", {}, ["off", ...measures, "mean", "change"].map((text) => make("th", { scope: "col" }, text)))),
        make("tbody", {}, rows.map((row) => make("tr", {}, make("th", { scope: "row" }, row.off.join(", ") || "none"), measures.map((name) => make("td", {}, writePoints(row.values[name]))), make("td", {}, writePoints(row.mean)), make("td", {}, writeChange(row.change)))))
      )
    );
  }

  // web/views/workbench/panels/scores.js
  var FIELDS = ["recall", "precision", "f1"];
  var FIRST = 12;
  var CHANGES = { made: [["since_last", "last edit"], ["since_start", "start"]], preview: [["since_last", "if done"]] };
  function drawScores(element, { scores, preview, showAll, names }, handlers) {
    if (!scores) {
      fill(element, make("p", { class: "soft" }, "Scores appear when a key and a response are chosen."));
      return;
    }
    const measures = scores.measures.filter((measure) => showAll || measure.default || scores.measures.length <= 10);
    const previews = Object.fromEntries((preview?.measures ?? []).map((measure) => [measure.name, measure]));
    const changes = preview ? CHANGES.preview : CHANGES.made;
    fill(
      element,
      make(
        "table",
        { class: "scores" },
        make("caption", {}, preview ? "Scores, and what they would be" : "Scores"),
        make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "measure"), FIELDS.map((field) => make("th", { scope: "col" }, field, drawPair(changes.map(([, title]) => make("span", {}, title))))))),
        make("tbody", {}, measures.map((measure) => drawMeasure(measure, (preview ? previews[measure.name] : measure) ?? {}, changes, handlers)))
      ),
      make("label", { class: "toggle" }, make("input", { type: "checkbox", checked: showAll, onchange: handlers.toggleAll, data: { key: "all-measures" } }), " all measures"),
      drawCells((preview ?? scores).cells, names, Boolean(preview)),
      scores.notices.length ? make("ul", { class: "notices" }, scores.notices.map((text) => make("li", {}, text))) : null,
      make("p", { class: "signature" }, scores.signature)
    );
  }
  function drawMeasure(measure, changed, changes, handlers) {
    const main = Object.keys(measure.values).includes("f1") ? "f1" : Object.keys(measure.values)[0];
    const button = make("button", { type: "button", class: "plain", title: `${measure.title}: how it comes to its number`, onclick: () => handlers.explain(measure.name), data: { key: `explain-${measure.name}` } }, measure.name);
    const fields = main === "f1" ? FIELDS : [null, null, main];
    return make("tr", { data: { measure: measure.name } }, make("th", { scope: "row" }, button), fields.map((field) => drawValue(measure, field, changes.map(([name]) => [name, changed[name]?.[field]]))));
  }
  function drawValue(measure, field, changes) {
    if (field === null) return make("td", {});
    const isUndefined = measure.undefined.includes(field);
    const isCost = measure.less_is_better.includes(field);
    return make(
      "td",
      { title: isUndefined ? "0/0: a convention" : null, class: isUndefined ? "undefined" : null },
      writePoints(measure.values[field]),
      drawPair(changes.map(([name, change]) => make("span", { class: `${name} ${judgeChange(change, isCost)}` }, writeChange(change))))
    );
  }
  var drawPair = (parts) => make("small", { class: parts.length > 1 ? "pair" : "preview" }, parts);
  function drawCells(cells, names, isPreview) {
    if (!cells?.count) return null;
    const items = cells.cells.map((cell) => make("li", {}, `key ${names.key(cell.key)} × response ${names.response(cell.response)}: ${cell.before} → ${cell.after} mentions`));
    const unlisted = cells.count - items.length;
    return make(
      "details",
      { class: "cells", open: true },
      make("summary", {}, `${isPreview ? "Cells that would change" : "Cells touched"}: ${cells.count}`),
      make("ul", {}, items.slice(0, FIRST)),
      items.length > FIRST ? make("details", {}, make("summary", {}, `${items.length - FIRST} more`), make("ul", {}, items.slice(FIRST))) : null,
      unlisted ? make("p", { class: "soft" }, `${unlisted} more are not listed.`) : null
    );
  }

  // web/views/workbench/panels.js
  var SIDES = ["annotations", "side", "sides", "project"];
  var PANELS = {
    scores: {
      fields: [...SIDES, "scores", "preview", "showAll"],
      draw: (body, { app, now }) => drawScores(body, { ...now, names: nameEntities(now) }, {
        toggleAll: () => app.store.set({ showAll: !app.state.showAll }),
        explain: (measure) => app.results.explain(measure)
      })
    },
    entities: {
      fields: [...SIDES, "current", "filter"],
      draw: (body, { app, now }) => drawEntities(body, { ...now, annotation: app.annotation }, {
        choose: (id, adds) => app.selection.chooseEntity(id, adds),
        describe: (runs) => app.drawing.describe(runs),
        preview: (id) => app.editing.preview(id && app.state.selected.length ? { kind: "move", mentions: app.state.selected, entity: id } : null)
      })
    },
    details: {
      fields: [...SIDES, "selected", "content"],
      draw: (body, { app, now }) => now.content && drawDetails(body, { ...now, annotation: app.annotation }, {
        show: (runs) => app.selection.showRuns(runs),
        describe: (runs) => app.drawing.describe(runs)
      })
    },
    adjudicate: {
      fields: [...SIDES, "agreement", "agreementError", "chance", "compared"],
      draw: (body, { app, now }) => drawAdjudication(body, { ...now, error: now.agreementError }, {
        compare: () => app.results.compareSides(listChecked(body)),
        addSide: (event) => app.projects.addSide(event),
        majority: () => app.editing.send("/majority", { sides: app.state.compared }),
        take: (source, what) => app.editing.send("/take", { source, ...what }),
        takeEntity: (source, mention) => app.editing.takeEntity(source, mention),
        show: (runs) => app.selection.showRuns(runs),
        describe: (runs) => app.drawing.describe(runs)
      })
    },
    resolve: {
      fields: [...SIDES, "resolver", "off", "table", "key"],
      draw: (body, { app, now }) => drawResolvers(body, { ...app.lists, ...now }, {
        choose: (event) => app.store.set({ resolver: event.target.value }),
        tabulate: (event) => app.results.tabulate(event),
        toggleRule: (event) => app.results.toggleRule(event.target.value),
        resolve: () => app.editing.send("/resolve", { resolver: app.state.resolver, off: app.state.resolver === "salience" ? app.state.off : [] })
      })
    },
    files: {
      fields: ["project", "side", "sides", "notices", "study"],
      draw: (body, { app, now }) => drawFiles(body, { lists: app.lists, ...now }, {
        open: (event) => app.projects.open({ project: event.target.value }).catch((error) => app.messages.complain(error)),
        openExample: (event) => event.target.value && app.projects.create({ example: event.target.value }),
        upload: (event) => app.projects.upload(event),
        save: (event) => app.projects.save(event),
        download: (event) => app.projects.download(event),
        chooseStudy: (event) => app.store.set({ study: event.target.value }),
        runStudy: (name) => app.results.runStudy(name),
        openStudy: (name) => app.projects.create({ example: name })
      })
    },
    keys: { fields: [], draw: (body) => drawKeys(body, ACTIONS) }
  };
  function drawPanel(app, now, changed) {
    const { fields, draw } = PANELS[now.panel];
    if (changed("panel", ...fields)) draw(find(`panel-${now.panel}`).querySelector(".body"), { app, now });
  }
  function nameEntities(now) {
    const name = (side) => (id) => now.annotations[side]?.entities[id]?.name ?? now.gone[`${side}/${id}`] ?? (now.preview ? "new" : id);
    return { key: name(now.key), response: name(now.response) };
  }
  function listChecked(body) {
    return [...body.querySelectorAll("input[type=checkbox]")].filter((box) => box.checked).map((box) => box.value);
  }

  // web/views/workbench/state.js
  var NOTHING = { range: null, selected: [], links: [], mode: null, conflict: [], hovered: null, preview: null };
  var EMPTY = { mentions: {}, entities: {} };
  function makeState() {
    return {
      ...NOTHING,
      project: "",
      document: 0,
      side: "",
      beside: [],
      source: "",
      key: "",
      response: "",
      sides: [],
      documents: [],
      content: null,
      annotations: {},
      revision: 0,
      current: null,
      scores: null,
      showAll: false,
      scope: "document",
      panel: "scores",
      filter: "",
      cursor: null,
      anchor: null,
      author: "",
      gone: {},
      turns: [0, 0],
      notices: [],
      title: "",
      agreement: null,
      agreementError: "",
      chance: null,
      compared: [],
      resolver: "salience",
      off: [],
      table: null,
      averaged: "muc, bcub, ceafe",
      study: ""
    };
  }
  function pause(milliseconds) {
    return new Promise((done) => {
      setTimeout(done, milliseconds);
    });
  }

  // web/views/workbench/text.js
  function makeTextView(element, handlers) {
    let [blocks, drawn, content] = [[], [], null];
    element.addEventListener("click", (event) => {
      const mention = event.target.closest(".m");
      if (mention && window.getSelection().isCollapsed) handlers.choose(mention.dataset.m, event.ctrlKey || event.metaKey || event.shiftKey);
    });
    element.addEventListener("pointerover", (event) => handlers.hover?.(event.target.closest(".m")?.dataset.m ?? null));
    element.addEventListener("pointerleave", () => handlers.hover?.(null));
    element.addEventListener("mouseup", () => {
      const range = readSelection(element);
      if (range) handlers.select?.(range);
    });
    function drawBlock(block, runs, state) {
      const drawTree = (tree) => tree.parts.flatMap((part, place) => {
        if (part.parts) return [drawMention2(part, drawTree(part), state), needsSpace(tree.parts, place) ? " " : null];
        const unit = make("span", { class: part.empty ? "w empty" : "w", data: { i: part.first } }, part.text);
        return [unit, part.space && needsSpace(tree.parts, place) ? " " : null];
      });
      return make("p", { class: "block", dir: "auto" }, drawTree(nestMentions(block, runs)));
    }
    function needsSpace(parts, place) {
      return content.words !== void 0 && place < parts.length - 1;
    }
    function drawMention2(tree, children, { annotation }) {
      const { entity } = annotation.mentions[tree.id];
      const name = tree.closes ? make("span", { class: "name", "aria-hidden": "true" }, annotation.entities[entity].name) : null;
      return make("span", { class: "m", hue: chooseHue(entity), data: { m: tree.id, e: entity } }, children, name);
    }
    return {
      draw(state) {
        if (state.content !== content) {
          content = state.content;
          blocks = divideText(content);
          drawn = [];
          element.replaceChildren(...blocks.map(() => make("p", { class: "block" })));
        }
        const runs = assignRuns(blocks, state.annotation.mentions);
        blocks.forEach((block, place) => {
          const signature = runs[place].map(({ id, first, last }) => {
            const { entity } = state.annotation.mentions[id];
            return `${id} ${first} ${last} ${entity} ${state.annotation.entities[entity].name}`;
          }).join();
          if (drawn[place] === signature) return;
          drawn[place] = signature;
          element.children[place].replaceWith(drawBlock(block, runs[place], state));
        });
      },
      // Classes of mentions: {selected: Set of ids, current: Set …}
      mark(groups) {
        for (const mention of element.querySelectorAll(".m")) {
          for (const [name, ids] of Object.entries(groups)) mention.classList.toggle(name, ids.has(mention.dataset.m));
        }
      },
      // The parts of the drawn text that lie within (first, last), as ranges of the browser.
      findParts([first, last]) {
        const found = [];
        for (let place = findBlock(blocks, first); place < blocks.length && blocks[place].first <= last; place += 1) {
          for (const unit of element.children[place].querySelectorAll(".w")) found.push(makePart(unit, first, last, content.words === void 0));
        }
        return found.filter(Boolean);
      },
      show(place) {
        element.children[findBlock(blocks, place)]?.scrollIntoView({ block: "nearest" });
      },
      describe(runs) {
        return writeText(content, runs);
      }
    };
  }
  function readSelection(element) {
    const selection = window.getSelection();
    if (selection.isCollapsed || !selection.rangeCount) return null;
    const range = selection.getRangeAt(0);
    if (!element.contains(range.startContainer) || !element.contains(range.endContainer)) return null;
    const units = [...element.querySelectorAll(".w")].filter((unit) => range.intersectsNode(unit) && covers(range, unit));
    if (!units.length) return null;
    const [first, last] = [units[0], units.at(-1)];
    const isWords = !element.classList.contains("characters");
    if (isWords) return [Number(first.dataset.i), Number(last.dataset.i)];
    const begin = range.startContainer.parentElement === first ? range.startOffset : 0;
    const end = range.endContainer.parentElement === last ? range.endOffset : last.textContent.length;
    const places = [Number(first.dataset.i) + begin, Number(last.dataset.i) + end - 1];
    return places[0] <= places[1] ? places : null;
  }
  function covers(range, unit) {
    const [text] = unit.childNodes;
    if (range.startContainer === text && range.startOffset === text.length) return false;
    return !(range.endContainer === text && range.endOffset === 0);
  }
  function makePart(unit, first, last, isCharacters) {
    const begin = Number(unit.dataset.i);
    const [text] = unit.childNodes;
    const length = isCharacters ? text.length : 1;
    if (begin > last || begin + length - 1 < first) return null;
    const part = document.createRange();
    part.setStart(text, isCharacters ? Math.max(0, first - begin) : 0);
    part.setEnd(text, isCharacters ? Math.min(text.length, last - begin + 1) : text.length);
    return part;
  }
  function showHighlights(name, parts) {
    if (!CSS.highlights) return;
    if (parts.length) CSS.highlights.set(name, new Highlight(...parts));
    else CSS.highlights.delete(name);
  }

  // web/views/workbench/drawing.js
  var Drawing = class {
    constructor(app) {
      this.app = app;
      this.text = makeTextView(find("text"), {
        choose: (id, adds) => app.selection.choose(id, adds),
        select: (range) => app.store.set({ range, cursor: range[1], anchor: range[0], preview: null }),
        hover: (id) => app.selection.hover(id)
      });
      this.beside = /* @__PURE__ */ new Map();
      this.pressing = false;
      this.postponed = null;
      app.store.subscribe((now, before) => this.schedule(now, before));
    }
    // Draw at once; while the pointer is down, when it is let go: what is pressed must not be replaced before it is clicked.
    schedule(now, before) {
      if (this.pressing) this.postponed ??= before;
      else this.draw(now, before);
    }
    release() {
      this.pressing = false;
      if (!this.postponed) return;
      const before = this.postponed;
      this.postponed = null;
      this.draw(this.app.state, before);
    }
    bind() {
      document.addEventListener("pointerdown", () => {
        this.pressing = true;
      }, true);
      window.addEventListener("click", (event) => {
        const menu = document.querySelector(".menu[open]");
        if (menu && !event.composedPath().includes(menu)) menu.open = false;
        this.release();
      });
      for (const event of ["pointerup", "pointercancel"]) document.addEventListener(event, () => setTimeout(() => this.release(), 0), true);
      document.addEventListener("pointermove", (event) => this.pressing && !event.buttons && this.release(), true);
    }
    draw(now, before) {
      const changed = (...names) => names.some((name) => now[name] !== before[name]);
      if (changed("title", "sides", "documents", "document", "side", "beside", "key", "response", "author")) this.drawPlace(now);
      if (now.content && changed("content", "annotations", "side", "beside")) this.drawTexts(now);
      if (changed("selected", "current", "hovered", "conflict", "links", "annotations", "side", "beside", "mode")) this.markMentions(now);
      if (changed("range", "content", "annotations", "cursor", "side", "beside", "selected")) this.drawHighlights(now);
      if (changed("selected", "range", "current", "links", "annotations", "turns", "mode", "side", "beside", "filter", "content")) this.drawTools(now);
      if (changed("panel")) this.drawTabs(now);
      drawPanel(this.app, now, changed);
    }
    drawPlace(now) {
      find("title").textContent = now.title;
      const sides = now.sides.map((name) => [name, name]);
      fill(find("document"), makeOptions(now.documents.map(({ name }, number) => [String(number), name || `document ${number + 1}`]), String(now.document)));
      for (const id of ["side", "key"]) fill(find(id), makeOptions(sides, now[id]));
      fill(find("response"), makeOptions([["", "none"], ...sides], now.response));
      find("beside-names").textContent = now.beside.join(", ") || "none";
      fill(find("beside"), now.sides.filter((name) => name !== now.side).map((name) => make("label", {}, make("input", { type: "checkbox", value: name, checked: now.beside.includes(name), onchange: () => this.app.projects.toggleBeside(name), data: { key: `beside-${name}` } }), ` ${name}`)));
      find("author").value = now.author;
    }
    drawTexts(now) {
      const isCharacters = now.content.words === void 0;
      this.arrangeColumns(now.beside);
      find("text-title").textContent = `${now.side} (edited)`;
      for (const element of document.querySelectorAll(".text")) element.classList.toggle("characters", isCharacters);
      this.text.draw({ content: now.content, annotation: now.annotations[now.side] ?? EMPTY });
      for (const [name, view] of this.beside) view.draw({ content: now.content, annotation: now.annotations[name] ?? EMPTY });
    }
    // A column for each side beside: those that stay keep theirs.
    arrangeColumns(names) {
      for (const [name, { column }] of [...this.beside]) {
        if (names.includes(name)) continue;
        column.remove();
        this.beside.delete(name);
      }
      for (const name of names) {
        if (!this.beside.has(name)) this.beside.set(name, this.makeColumn(name));
        find("columns").append(this.beside.get(name).column);
      }
    }
    makeColumn(name) {
      const text = make("div", { class: "text", tabindex: "0", role: "group", "aria-label": name });
      const column = make("div", { class: "column beside", data: { side: name } }, make("h2", {}, make("bdi", {}, name)), text);
      return { ...makeTextView(text, { choose: (id) => this.app.selection.chooseBeside(name, id) }), column };
    }
    markMentions(now) {
      const { annotation } = this.app;
      const { mentions } = annotation;
      const ofEntity = (entity) => new Set(entity ? Object.keys(mentions).filter((id) => mentions[id].entity === entity) : []);
      const conflict = new Set(now.conflict.flatMap((id) => id.startsWith("m") ? [id] : [...ofEntity(id)]));
      const linked = now.links.filter((link) => link.every((id) => mentions[id]));
      const closure = new Set(linked.length ? closeLinks(annotation, linked).flat() : []);
      const others = now.beside.map((name) => [name, now.annotations[name] ?? EMPTY]);
      const differs = new Set(others.flatMap(([, other]) => findDifferences(annotation, other)));
      this.text.mark({ selected: new Set(now.selected), current: ofEntity(now.current), hovered: ofEntity(mentions[now.hovered]?.entity), conflict, closure, differs });
      for (const [name, other] of others) this.beside.get(name)?.mark({ differs: new Set(findDifferences(other, annotation)) });
    }
    // What is selected of the text, heads and minimums of the selected mentions, and layers beyond identity.
    drawHighlights(now) {
      const chosen = now.selected.map((id) => this.app.annotation.mentions[id]).filter(Boolean);
      const views = [[this.text, this.app.annotation], ...[...this.beside].map(([name, view]) => [view, now.annotations[name] ?? EMPTY])];
      showHighlights("chosen", now.range ? this.text.findParts(now.range) : []);
      for (const part of ["head", "minimum"]) showHighlights(part, chosen.flatMap((mention) => mention[part] ? this.text.findParts(mention[part]) : []));
      showHighlights("layer", now.content ? views.flatMap(([view, annotation]) => listLayerRuns(annotation).flatMap((run) => view.findParts(run))) : []);
    }
    drawActions(actions) {
      const { editing } = this.app;
      const groups = [...new Set(actions.map(({ group }) => group))];
      fill(find("actions"), groups.map((group) => make("div", { class: "group", role: "group", "aria-label": group, data: { group } }, actions.filter((action) => action.group === group).map((action) => {
        const preview = (shows) => () => action.edit && editing.preview(shows ? EDITS[action.edit](this.app.context) : null);
        return make("button", {
          type: "button",
          title: `${action.text} (${action.keys.join(", ")})`,
          data: { action: action.name },
          onclick: () => this.app.run(action),
          onpointerenter: preview(true),
          onpointerleave: preview(false),
          onfocus: preview(true),
          onblur: preview(false)
        }, action.button, " ", make("kbd", {}, action.keys[0]));
      }))));
    }
    drawTools(now) {
      for (const action of ACTIONS) {
        const button = document.querySelector(`[data-action="${action.name}"]`);
        if (button && action.edit) button.setAttribute("aria-disabled", String(!EDITS[action.edit](this.app.context)));
      }
      for (const [place, name] of ["undo", "redo"].entries()) document.querySelector(`[data-action="${name}"]`)?.setAttribute("aria-disabled", String(!now.turns[place]));
      document.querySelector('[data-group="Side beside"]')?.toggleAttribute("hidden", !now.beside.length);
      find("status").textContent = describeStatus(now, this.app.annotation);
    }
    drawTabs(now) {
      for (const tab of document.querySelectorAll("[role=tab]")) {
        const shown = tab.dataset.panel === now.panel;
        tab.setAttribute("aria-selected", String(shown));
        tab.tabIndex = shown ? 0 : -1;
        find(`panel-${tab.dataset.panel}`).hidden = !shown;
      }
    }
    // Bring a place of the text into sight, on all sides.
    show(place) {
      for (const view of [this.text, ...this.beside.values()]) view.show(place);
    }
    describe(runs) {
      return this.text.describe(runs);
    }
  };

  // web/views/workbench/editing.js
  var WAIT = 20;
  var HOVER = 120;
  var Editing = class {
    constructor(app) {
      this.app = app;
      this.previews = 0;
      this.refusal = null;
      this.stuck = null;
    }
    // What every request about the open document says.
    get request() {
      const { side, document: number, key, response, author, revision } = this.app.state;
      const pair = key && response && key !== response ? { key, response } : {};
      return { side, document: number, author, revision, ...pair };
    }
    async make(edit, hint) {
      if (edit) await this.send("/edits", { edit });
      else this.app.messages.say(`Nothing is selected for that: ${hint}.`);
    }
    async send(path, body) {
      try {
        const answer = await tell(addressOf(this.app.state.project, path), { ...this.request, ...body });
        await this.receive(answer);
        return answer;
      } catch (error) {
        this.refusal = error.status;
        if (error.status === 409) await this.catchUp();
        this.app.messages.complain(error);
        return null;
      }
    }
    async receive(answer) {
      const { store, results, messages } = this.app;
      if (!answer.entry) {
        messages.say("There is nothing left of that.");
        return;
      }
      if (answer.revision === store.get().revision + 1) this.takeEntries([answer.entry]);
      else await this.catchUp();
      store.set({ ...NOTHING, selected: this.keepSelection(answer.entry), turns: answer.turns, scores: answer.scores ?? store.get().scores });
      if (!answer.scores || store.get().scope === "all") await results.refreshScores();
      messages.say([describeEntry(answer.entry), answer.scores_error].filter(Boolean).join("; "));
      results.refreshAgreement();
    }
    // After an edit the mentions that it changed stay selected, where they are on the side that is edited.
    keepSelection(entry) {
      const { annotations, side } = this.app.state;
      const { mentions } = annotations[entry.side] ?? EMPTY;
      const changed = Object.keys(entry.change.mentions).filter((id) => mentions[id]);
      return entry.side === side && changed.length === 1 ? changed : [];
    }
    takeEntries(entries) {
      const { annotations, document: number, revision, side, selected, links, current } = this.app.state;
      const [changed, gone] = [{ ...annotations }, { ...this.app.state.gone }];
      for (const entry of entries) {
        for (const [id, [was, now]] of Object.entries(entry.change.entities)) if (was && !now) gone[`${entry.side}/${id}`] = was.name;
        const before = changed[entry.side];
        if (entry.revision > revision && entry.document === number && before) changed[entry.side] = { ...before, ...applyChange(before, entry.change) };
      }
      const { mentions, entities } = changed[side] ?? EMPTY;
      const alive = (ids) => ids.filter((id) => mentions[id]);
      this.app.store.set({
        annotations: changed,
        gone,
        revision: Math.max(revision, ...entries.map((entry) => entry.revision)),
        selected: alive(selected),
        links: links.filter((link) => alive(link).length === 2),
        current: entities[current] ? current : null
      });
    }
    async catchUp(wait = 0) {
      const { store, results } = this.app;
      const { project, revision, sides } = store.get();
      const events = await ask(addressOf(project, "/events"), { since: revision, wait });
      if (project !== store.get().project || revision !== store.get().revision) return [];
      if (events.sides.length !== sides.length) {
        const asked = store.get();
        const shown = await ask(addressOf(project, "/document"), { document: asked.document });
        if (!results.hasChanged(asked, "project", "document", "revision")) store.set({ sides: events.sides, annotations: shown.sides, revision: shown.revision });
        return [];
      }
      this.takeEntries(events.entries);
      return events.entries;
    }
    // Others' edits, for as long as the page is open.
    async follow() {
      const { messages, results } = this.app;
      for (; ; ) {
        try {
          if (this.app.state.project) {
            const entries = await this.catchUp(WAIT);
            const others = entries.filter((entry) => entry.author !== this.app.state.author);
            if (others.length) {
              messages.say(others.map(describeEntry).join("; "));
              await results.refresh();
            }
          } else await pause(500);
        } catch (error) {
          messages.complain(error);
          await pause(2e3);
        }
      }
    }
    async turn(kind) {
      const answer = await this.send(`/${kind}`, { skip: this.stuck === kind });
      this.stuck = answer || this.refusal !== 409 ? null : kind;
      if (this.stuck) find("message").textContent += ` – ${kind} again passes over it`;
      if (answer?.entry && answer.entry.document !== this.app.state.document) await this.app.projects.openDocument(answer.entry.document);
    }
    async preview(edit) {
      const { store } = this.app;
      this.previews += 1;
      const number = this.previews;
      if (!edit || !this.request.key) {
        if (store.get().preview) store.set({ preview: null });
        return;
      }
      await pause(HOVER);
      if (number !== this.previews) return;
      const asked = store.get();
      const found = await tell(addressOf(asked.project, "/preview"), { ...this.request, edit }).catch(() => null);
      if (number === this.previews && asked.revision === store.get().revision) store.set({ preview: found?.scores ?? null });
    }
    async addMatches(event) {
      event.preventDefault();
      const { filter, current } = this.app.state;
      const answer = await this.send("/edits", { edit: { kind: "add_matches", text: filter, entity: current } });
      if (answer) find("text").focus();
    }
    rename() {
      const { state, annotation, messages } = this.app;
      const { current } = state;
      if (!current) {
        messages.say("Make an entity the current one first (c).");
        return;
      }
      const input = make("input", { name: "name", value: annotation.entities[current].name, "aria-label": "name of the entity" });
      messages.ask("Rename the entity", input, () => this.make({ kind: "rename", entity: current, name: input.value }));
      input.select();
    }
    // The mention at the cursor, or its entity, as a side beside has it: the one that was clicked last.
    takeBeside(what) {
      const { beside, source, cursor, annotations } = this.app.state;
      const from = beside.includes(source) ? source : beside[0];
      const mention = from ? findAround(annotations[from], cursor) : null;
      if (!mention) this.app.messages.say("Show another side beside, and click one of its mentions first.");
      else if (what === "mention") this.send("/take", { source: from, mention });
      else this.takeEntity(from, mention);
    }
    takeEntity(source, mention) {
      return this.send("/take", { source, entity: this.app.state.annotations[source].mentions[mention].entity });
    }
  };

  // web/views/workbench/messages.js
  var Messages = class {
    constructor(app) {
      this.app = app;
    }
    say(text) {
      const line = find("message");
      line.textContent = text;
      line.className = "message";
    }
    complain(error) {
      const line = find("message");
      line.textContent = error.message;
      line.className = "message error";
      this.app.store.set({ conflict: error.ids ?? [] });
      return void 0;
    }
    showText(title, text) {
      this.ask(title, make("pre", { tabindex: "0" }, text), null);
    }
    // A dialog with something in it; with `done`, a form that can be sent.
    ask(title, content, done) {
      const dialog = find("dialog");
      const close = make("button", { type: "button", onclick: () => dialog.close() }, "Close");
      const form = make("form", { onsubmit: (event) => {
        event.preventDefault();
        dialog.close();
        done?.();
      } }, make("h2", { id: "dialog-title" }, title), content, make("div", { class: "row" }, done ? make("button", {}, "OK") : null, close));
      dialog.replaceChildren(form);
      dialog.showModal();
    }
  };

  // web/views/workbench/projects.js
  var MOST_COMPARED = 20;
  var MOST_BESIDE = 3;
  var Projects = class {
    constructor(app) {
      this.app = app;
    }
    async open(place) {
      const { store } = this.app;
      const shown = await ask(addressOf(place.project), { author: store.get().author });
      const [first, second] = [shown.sides[0], shown.sides[1] ?? ""];
      const known = (side2, otherwise) => shown.sides.includes(side2) ? side2 : otherwise;
      const side = known(place.side, second || first);
      store.set({
        ...NOTHING,
        ...shown,
        project: place.project,
        current: null,
        cursor: null,
        table: null,
        agreement: null,
        chance: null,
        annotations: {},
        content: null,
        source: "",
        key: known(place.key, first),
        response: known(place.response, second),
        side,
        beside: (place.beside ?? []).filter((name) => name !== side && shown.sides.includes(name)),
        compared: (shown.sides.length > 2 ? shown.sides.slice(1) : shown.sides).slice(0, MOST_COMPARED),
        document: 0
      });
      document.title = `${shown.title} – corefeval`;
      await this.openDocument(Math.min(place.document ?? 0, shown.documents.length - 1));
    }
    async openDocument(number) {
      const { store, results } = this.app;
      const { project } = store.get();
      const { content, sides, revision } = await ask(addressOf(project, "/document"), { document: number });
      if (project !== store.get().project) return;
      store.set({ ...NOTHING, document: number, content, gone: {}, annotations: sides, revision, current: null, cursor: null, scores: null, agreement: null, chance: null, table: null });
      this.writePlace();
      await results.refresh();
    }
    changePlace(changes) {
      const { store, results } = this.app;
      const { side, beside, current } = { ...store.get(), ...changes };
      store.set({ ...NOTHING, ...changes, beside: beside.filter((name) => name !== side), current: changes.side ? null : current, scores: null, agreement: null, chance: null });
      this.writePlace();
      results.refresh();
    }
    toggleBeside(name) {
      const { beside } = this.app.state;
      this.changePlace({ beside: beside.includes(name) ? beside.filter((each) => each !== name) : [...beside, name] });
    }
    writePlace() {
      window.history.replaceState(null, "", writePlace(this.app.state));
    }
    stepDocument(step) {
      const number = this.app.state.document + step;
      if (number >= 0 && number < this.app.state.documents.length) this.openDocument(number);
    }
    stepSide() {
      const { sides, side } = this.app.state;
      this.changePlace({ side: sides[(sides.indexOf(side) + 1) % sides.length] });
    }
    async create(body) {
      const { messages } = this.app;
      try {
        const { project, sides } = await tell("/api/projects", body);
        await this.app.loadLists();
        const [key, ...annotators] = sides;
        await this.open(body.adjudicate ? { project, side: key, beside: annotators.slice(0, MOST_BESIDE) } : { project });
      } catch (error) {
        messages.complain(error);
      }
    }
    async upload(event) {
      event.preventDefault();
      const form = event.target;
      const files = await Promise.all([...form.elements.files.files].map(async (file) => ({ name: file.name, data: await readBase64(file) })));
      if (files.length) await this.create({ files, name: files[0].name.split(".")[0], adjudicate: form.elements.adjudicate.checked });
      else this.app.messages.say("Choose files first.");
    }
    async save(event) {
      event.preventDefault();
      const { state, messages } = this.app;
      const { file, force } = event.target.elements;
      try {
        const answer = await tell(addressOf(state.project, "/save"), { side: state.side, file: file.value, force: force.checked });
        messages.say([`${answer.file} is written.`, ...answer.notices].join(" "));
      } catch (error) {
        messages.complain(error);
      }
    }
    async download(event) {
      event.preventDefault();
      const { state, messages } = this.app;
      const fields = { side: state.side, format: event.target.elements.format.value };
      try {
        await fetchFile(addressOf(state.project, "/download", fields));
      } catch (error) {
        messages.complain(error);
      }
    }
    async addSide(event) {
      event.preventDefault();
      const { state, messages } = this.app;
      const name = event.target.elements.name.value;
      event.target.reset();
      try {
        await tell(addressOf(state.project, "/sides"), { name });
        await this.open({ ...readPlace(window.location.hash), project: state.project, side: name });
      } catch (error) {
        messages.complain(error);
      }
    }
  };
  async function fetchFile(address) {
    const answer = await window.fetch(address);
    if (!answer.ok) throw new Error((await answer.json()).error);
    const name = decodeURIComponent(answer.headers.get("content-disposition").split("''")[1]);
    const link = document.createElement("a");
    link.href = window.URL.createObjectURL(await answer.blob());
    link.download = name;
    link.click();
    window.URL.revokeObjectURL(link.href);
  }
  async function readBase64(file) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    let text = "";
    for (let place = 0; place < bytes.length; place += 32768) text += String.fromCharCode(...bytes.subarray(place, place + 32768));
    return window.btoa(text);
  }

  // web/views/workbench/results.js
  var Results = class {
    constructor(app) {
      this.app = app;
    }
    // Whether some of the state is no longer what it was when something was asked for.
    hasChanged(asked, ...names) {
      return names.some((name) => this.app.state[name] !== asked[name]);
    }
    async refresh() {
      this.refreshAgreement();
      await this.refreshScores();
    }
    async refreshScores() {
      const { store, messages } = this.app;
      const asked = store.get();
      const { project, key, response } = asked;
      if (!key || !response || key === response) {
        store.set({ scores: null });
        return;
      }
      const scores = await ask(addressOf(project, "/scores"), this.listPair(asked)).catch((error) => messages.complain(error));
      if (scores && !this.hasChanged(asked, "project", "document", "key", "response", "scope", "revision")) store.set({ scores });
    }
    listPair({ key, response, document: number, scope }) {
      return { key, response, ...scope === "all" ? {} : { document: number } };
    }
    async refreshAgreement() {
      const { store } = this.app;
      const asked = store.get();
      const { project, panel, compared, document: number } = asked;
      if (panel !== "adjudicate" || compared.length < 2) return;
      const fields = { document: number, sides: compared };
      const found = await ask(addressOf(project, "/agreement"), fields).catch((error) => ({ error: error.message }));
      const isOutdated = () => this.hasChanged(asked, "project", "document", "compared", "revision");
      if (isOutdated()) return;
      store.set({ agreement: found.error ? null : found, agreementError: found.error ?? "", chance: null });
      if (found.error) return;
      const chance = await ask(addressOf(project, "/chance"), fields).catch(() => null);
      if (chance?.measures && !isOutdated()) store.set({ chance });
    }
    compareSides(names) {
      this.app.store.set({ compared: names, agreement: null, chance: null });
      this.refreshAgreement();
    }
    async explain(measure) {
      const { state, messages } = this.app;
      const found = await ask(addressOf(state.project, "/explain"), { measure, ...this.listPair(state) }).catch((error) => messages.complain(error));
      if (found) messages.showText(`How ${found.measure} comes to its number`, found.lines.join("\n"));
    }
    async runStudy(name) {
      const { messages } = this.app;
      const found = await ask(`/api/studies/${encodeURIComponent(name)}`).catch((error) => messages.complain(error));
      if (found) messages.showText(found.name, found.text);
    }
    async tabulate(event) {
      event.preventDefault();
      const { state, store, messages } = this.app;
      const averaged = event.target.elements.measures.value;
      const measures = averaged.split(",").map((name) => name.trim()).filter(Boolean);
      const fields = { key: state.key, document: state.document, measures };
      const found = await ask(addressOf(state.project, "/rules"), fields).catch((error) => messages.complain(error));
      store.set({ averaged, table: found?.rows ?? null });
    }
    toggleRule(rule) {
      const { off } = this.app.state;
      this.app.store.set({ off: off.includes(rule) ? off.filter((each) => each !== rule) : [...off, rule] });
    }
  };

  // web/views/workbench/selection.js
  var Selection = class {
    constructor(app) {
      this.app = app;
    }
    // The mention that the next link comes from.
    get linkStart() {
      const { links, selected } = this.app.state;
      return links.length ? links.at(-1)[1] : selected.at(-1);
    }
    choose(id, adds) {
      const { state, store, annotation, editing } = this.app;
      const { mode, selected, links } = state;
      if (mode === "move") {
        store.set({ mode: null });
        editing.make({ kind: "move", mentions: selected, entity: annotation.mentions[id].entity });
      } else if (mode === "link") {
        if (this.linkStart !== id) store.set({ links: [...links, [this.linkStart, id]] });
        editing.preview(EDITS.link(this.app.context));
      } else {
        store.set({ selected: toggleMention(selected, id, adds), range: null, cursor: annotation.mentions[id].runs[0][0], conflict: [] });
      }
    }
    chooseBeside(side, id) {
      const { state, store } = this.app;
      store.set({ source: side });
      this.showRuns(state.annotations[side].mentions[id].runs);
    }
    chooseEntity(id, adds) {
      const { state, store, annotation, editing } = this.app;
      const { mode, selected } = state;
      if (mode === "move") {
        store.set({ mode: null });
        editing.make({ kind: "move", mentions: selected, entity: id });
        return;
      }
      const members = Object.keys(annotation.mentions).filter((each) => annotation.mentions[each].entity === id);
      store.set({ current: id, ...adds ? { selected: [.../* @__PURE__ */ new Set([...selected, ...members])] } : {} });
      this.app.drawing.show(Math.min(...members.map((each) => annotation.mentions[each].runs[0][0])));
    }
    hover(id) {
      const { state, store, annotation, editing } = this.app;
      const { mode, links, selected, hovered } = state;
      if (id === hovered) return;
      store.set({ hovered: id });
      if (mode === "link" && id && this.linkStart !== id) editing.preview({ kind: "link", links: [...links, [this.linkStart, id]] });
      else if (mode === "move") editing.preview(id && { kind: "move", mentions: selected, entity: annotation.mentions[id].entity });
    }
    startMove() {
      const { state, store, messages } = this.app;
      if (!state.selected.length) messages.say("Select mentions to move first.");
      else store.set({ mode: "move" });
    }
    startLink() {
      const { state, store, messages } = this.app;
      if (!state.selected.length) messages.say("Select the mention that the link comes from first.");
      else store.set({ mode: "link", links: [] });
    }
    pressEnter() {
      const { state, annotation, context, editing } = this.app;
      if (state.mode === "link") {
        editing.make(EDITS.link(context), "links are drawn between mentions");
        return;
      }
      const id = findAround(annotation, state.cursor);
      if (id) this.choose(id, state.mode !== null);
    }
    cancel() {
      window.getSelection().removeAllRanges();
      this.app.store.set({ ...NOTHING });
      this.app.messages.say("");
    }
    goUnlinked(step) {
      this.go(findUnlinked(this.app.annotation, this.app.state.selected.at(-1) ?? null, step), "No mention is alone in its entity.");
    }
    goNeighbour(step) {
      this.go(findNeighbour(this.app.annotation, this.app.state.selected.at(-1) ?? null, step), "There are no mentions.");
    }
    go(id, otherwise) {
      const { state, store, annotation, drawing, messages } = this.app;
      if (id === null) {
        messages.say(otherwise);
        return;
      }
      const { runs } = annotation.mentions[id];
      if (state.mode) this.choose(id, true);
      else store.set({ selected: [id], range: null, cursor: runs[0][0] });
      drawing.show(runs[0][0]);
      messages.say(drawing.describe(runs));
    }
    showRuns(runs) {
      this.app.store.set({ range: runs[0], cursor: runs[0][1] });
      this.app.drawing.show(runs[0][0]);
    }
    makeCurrent() {
      const { state, store, annotation, messages } = this.app;
      const [id] = state.selected;
      if (id) store.set({ current: annotation.mentions[id].entity });
      else messages.say("Select a mention first.");
    }
    selectEntity() {
      const { state, store, annotation, messages } = this.app;
      const { selected, current } = state;
      const entities = selected.length ? new Set(selected.map((id) => annotation.mentions[id].entity)) : /* @__PURE__ */ new Set([current]);
      const members = Object.keys(annotation.mentions).filter((id) => entities.has(annotation.mentions[id].entity));
      if (members.length) store.set({ selected: members, range: null });
      else messages.say("Select a mention, or make an entity the current one first.");
    }
    moveCursor(step, extending) {
      const { state, store, drawing } = this.app;
      const { cursor, anchor, content } = state;
      const moved = moveCursor({ cursor, anchor, length: content.words?.length ?? content.text?.length ?? 0 }, step, extending);
      if (!moved) return;
      store.set(moved);
      drawing.show(moved.cursor);
    }
    focusSearch() {
      find("search").focus();
    }
  };

  // web/views/workbench/application.js
  var Application = class {
    constructor() {
      this.store = makeStore(makeState());
      this.lists = { projects: [], examples: {}, formats: { write: {} }, resolvers: [], rules: [], studies: [] };
      this.messages = new Messages(this);
      this.projects = new Projects(this);
      this.selection = new Selection(this);
      this.editing = new Editing(this);
      this.results = new Results(this);
      this.drawing = new Drawing(this);
    }
    get state() {
      return this.store.get();
    }
    // The side that is edited.
    get annotation() {
      return this.state.annotations[this.state.side] ?? EMPTY;
    }
    // What an action works on.
    get context() {
      const { range, selected, current, links } = this.state;
      return { range, selected, current, links, annotation: this.annotation };
    }
    async start() {
      this.store.set({ author: await claimAuthor() });
      await this.loadLists();
      this.lists.studies = (await ask("/api/studies")).studies;
      this.bind();
      const place = readPlace(window.location.hash);
      const project = this.lists.projects.includes(place.project) ? place.project : this.lists.projects[0];
      if (project) await this.projects.open({ ...place, project });
      else this.showPanel("files");
      this.editing.follow();
    }
    async loadLists() {
      this.lists = { ...this.lists, ...await ask("/api/projects") };
    }
    bind() {
      this.drawing.bind();
      document.addEventListener("keydown", (event) => {
        const action = findAction(event);
        const pressed = event.target.closest("button, a, summary, [role=tab]");
        if (!action || pressed && ["Enter", "ArrowLeft", "ArrowRight"].includes(event.key)) return;
        event.preventDefault();
        this.run(action);
      });
      this.drawing.drawActions(ACTIONS.filter(({ button }) => button));
      for (const field of ["side", "key", "response", "scope"]) {
        find(field).addEventListener("change", (event) => this.projects.changePlace({ [field]: event.target.value }));
      }
      find("document").addEventListener("change", (event) => this.projects.openDocument(Number(event.target.value)));
      find("author").addEventListener("change", (event) => this.setAuthor(event.target.value));
      find("search").addEventListener("input", (event) => this.store.set({ filter: event.target.value }));
      find("search-form").addEventListener("submit", (event) => this.editing.addMatches(event));
      for (const tab of document.querySelectorAll("[role=tab]")) {
        tab.addEventListener("click", () => this.showPanel(tab.dataset.panel));
        tab.addEventListener("keydown", (event) => this.stepTab(event, tab));
      }
      window.addEventListener("hashchange", () => {
        const place = readPlace(window.location.hash);
        if (writePlace(this.state) !== window.location.hash) this.projects.open(place).catch((error) => this.messages.complain(error));
      });
    }
    run(action) {
      if (action.edit) this.editing.make(EDITS[action.edit](this.context), action.text);
      else action.run(this);
    }
    setAuthor(name) {
      const author = name.trim() || this.state.author;
      keepAuthor(author);
      this.store.set({ author });
    }
    showPanel(panel) {
      this.store.set({ panel });
      if (panel === "adjudicate") this.results.refreshAgreement();
    }
    stepTab(event, tab) {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const tabs = [...document.querySelectorAll("[role=tab]")];
      const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
      this.showPanel(next.dataset.panel);
      next.focus();
      event.stopPropagation();
      event.preventDefault();
    }
  };
  async function claimAuthor() {
    const kept = window.sessionStorage.getItem("author") ?? window.localStorage.getItem("author");
    const known = kept && await holdAuthor(kept) ? kept : null;
    const browser = window.localStorage.getItem("browser") ?? window.crypto.randomUUID();
    window.localStorage.setItem("browser", browser);
    const { author } = await tell("/api/authors", { browser, known });
    if (author !== known) await holdAuthor(author);
    keepAuthor(author);
    return author;
  }
  function holdAuthor(name) {
    return new Promise((done) => {
      navigator.locks.request(`author ${name}`, { ifAvailable: true }, (lock) => {
        done(lock !== null);
        return lock && new Promise(() => {
        });
      });
    });
  }
  function keepAuthor(name) {
    for (const storage of [window.sessionStorage, window.localStorage]) storage.setItem("author", name);
  }

  // web/workbench.js
  var application = new Application();
  application.start().catch((error) => application.messages.complain(error));
})();
