(() => {
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
    for (let count = 1; count <= sorted.length; count += 1) {
      const start = begin < 0 && step < 0 ? sorted.length : begin;
      const found = sorted[((start + step * count) % sorted.length + sorted.length) % sorted.length];
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
    let [count, place] = [0, 0];
    while (place + parts.length <= words.length) {
      const fits = parts.every((part, offset) => words[place + offset] === part);
      count += fits ? 1 : 0;
      place += fits ? parts.length : 1;
    }
    return count;
  }
  function countCharacters(whole, part) {
    const isLetter = (letter) => /[\p{L}\p{N}]/u.test(letter);
    let count = 0;
    for (let place = whole.indexOf(part); place >= 0; place = whole.indexOf(part, place + part.length)) {
      if (!isLetter(whole[place - 1] ?? " ") && !isLetter(whole[place + part.length] ?? " ")) count += 1;
    }
    return count;
  }
  var chooseHue = (entity) => makeHue(Number(entity.slice(1)));
  function writePoints(value) {
    return typeof value === "number" ? (100 * value).toFixed(2) : value ?? "";
  }
  function writeChange(value) {
    if (typeof value !== "number") return "";
    if (Math.abs(value) < 5e-7) return "·";
    return `${value > 0 ? "+" : "−"}${Math.abs(100 * value).toFixed(2)}`;
  }
  function judgeChange(value, isCost) {
    if (typeof value !== "number" || Math.abs(value) < 5e-7) return "same";
    return value > 0 === !isCost ? "better" : "worse";
  }

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
  function writeQuery(fields) {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(fields)) {
      for (const each of Array.isArray(value) ? value : [value]) if (each !== void 0 && each !== null) query.append(name, each);
    }
    return query;
  }
  async function ask(path, fields = {}) {
    return readAnswer(await fetch(`${path}?${writeQuery(fields)}`));
  }
  async function tell(path, body) {
    const headers = { "content-type": "application/json" };
    return readAnswer(await fetch(path, { method: "POST", headers, body: JSON.stringify(body) }));
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
  function readPlace(hash) {
    const [project, query = ""] = hash.replace(/^#/u, "").split("?");
    const fields = new URLSearchParams(query);
    const place = { project: decode(project) };
    for (const name of PLACE.slice(1)) if (fields.has(name)) place[name] = name === "document" ? Number(fields.get(name)) || 0 : fields.get(name);
    return place;
  }
  function writePlace(state) {
    const fields = new URLSearchParams();
    for (const name of PLACE.slice(1)) if (state[name]) fields.set(name, state[name]);
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
    head: ({ range, selected }) => range && selected.length === 1 ? { kind: "respan", mention: selected[0], head: range } : null,
    minimum: ({ range, selected }) => range && selected.length === 1 ? { kind: "respan", mention: selected[0], minimum: range } : null,
    link: ({ links }) => links.length ? { kind: "link", links } : null
  };

  // web/views/workbench/actions.js
  var ACTIONS = [
    { name: "newEntity", keys: ["n"], text: "a new entity of the selected words or mentions", button: "New entity", edit: "newEntity" },
    { name: "join", keys: ["j"], text: "put the selected words or mentions into the current entity", button: "Join", edit: "join" },
    { name: "split", keys: ["s"], text: "split the selected mentions off as an entity of their own", button: "Split off", edit: "split" },
    { name: "merge", keys: ["g"], text: "merge the entities of the selected mentions", button: "Merge", edit: "merge" },
    { name: "delete", keys: ["Delete", "x"], text: "delete the selected mentions", button: "Delete", edit: "delete" },
    { name: "respan", keys: ["r"], text: "give the selected mention the selected words", button: "Re-span", edit: "respan" },
    { name: "addPiece", keys: ["p"], text: "add the selected words to the selected mention, with a gap", button: "Add piece", edit: "addPiece" },
    { name: "head", keys: ["h"], text: "the selected words are the head of the selected mention", button: "Head", edit: "head" },
    { name: "minimum", keys: ["i"], text: "the selected words are the minimum of the selected mention", button: "Minimum", edit: "minimum" },
    { name: "move", keys: ["v"], text: "move the selected mentions to an entity: then click it, or a mention of it", button: "Move to …", run: (app) => app.startMove() },
    { name: "link", keys: ["l"], text: "draw a link from the selected mention: then click others, see the closure, and press Enter", button: "Link", run: (app) => app.startLink() },
    { name: "apply", keys: ["Enter"], text: "make the links drawn; select the mention at the cursor", run: (app) => app.pressEnter() },
    { name: "cancel", keys: ["Escape"], text: "let go of what is selected", run: (app) => app.cancel() },
    { name: "unlinked", keys: ["u"], text: "the next mention that is alone in its entity", button: "Next unlinked", run: (app) => app.goUnlinked(1) },
    { name: "unlinkedBack", keys: ["U"], text: "the one before", run: (app) => app.goUnlinked(-1) },
    { name: "next", keys: ["."], text: "the next mention", run: (app) => app.goNeighbour(1) },
    { name: "previous", keys: [","], text: "the mention before", run: (app) => app.goNeighbour(-1) },
    { name: "current", keys: ["c"], text: "make the selected mention's entity the current one", button: "Make current", run: (app) => app.makeCurrent() },
    { name: "all", keys: ["a"], text: "select all mentions of the entity", button: "Select entity", run: (app) => app.selectEntity() },
    { name: "rename", keys: ["e"], text: "rename the current entity", button: "Rename", run: (app) => app.rename() },
    { name: "search", keys: ["/"], text: "search words; Enter marks all matches in the current entity, or in a new one", run: (app) => app.focusSearch() },
    { name: "take", keys: ["t"], text: "take the mention at the cursor as the side beside has it", button: "Take mention", run: (app) => app.takeBeside("mention") },
    { name: "takeAll", keys: ["T"], text: "take its whole entity as the side beside has it", button: "Take entity", run: (app) => app.takeBeside("entity") },
    { name: "undo", keys: ["Ctrl+z"], text: "undo", button: "Undo", run: (app) => app.turn("undo") },
    { name: "redo", keys: ["Ctrl+y", "Ctrl+Z"], text: "redo", button: "Redo", run: (app) => app.turn("redo") },
    { name: "right", keys: ["ArrowRight"], text: "the cursor a word on", run: (app) => app.moveCursor(1, false) },
    { name: "left", keys: ["ArrowLeft"], text: "the cursor a word back", run: (app) => app.moveCursor(-1, false) },
    { name: "extendRight", keys: ["Shift+ArrowRight"], text: "select a word more", run: (app) => app.moveCursor(1, true) },
    { name: "extendLeft", keys: ["Shift+ArrowLeft"], text: "select a word less, or more to the left", run: (app) => app.moveCursor(-1, true) },
    { name: "nextDocument", keys: ["]"], text: "the next document", run: (app) => app.stepDocument(1) },
    { name: "previousDocument", keys: ["["], text: "the document before", run: (app) => app.stepDocument(-1) },
    { name: "otherSide", keys: ["o"], text: "edit the next side", run: (app) => app.stepSide() },
    { name: "keys", keys: ["?"], text: "all keys", button: "Keys", run: (app) => app.showPanel("keys") }
  ];
  var BY_KEY = new Map(ACTIONS.flatMap((action) => action.keys.map((key) => [key, action])));
  function findAction(event) {
    const typing = event.target.closest("input:not([type=checkbox]), select, textarea");
    const control = event.ctrlKey || event.metaKey;
    if (event.altKey || typing && !(control && /^[zy]$/iu.test(event.key) && !typing.value)) return void 0;
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
    element.replaceChildren(...children.flat().filter((child) => child !== null && child !== void 0 && child !== false));
    if (key) element.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
  }
  function makeOptions(values, chosen) {
    return values.map(([value, text]) => make("option", { value, selected: value === chosen }, text));
  }

  // web/views/workbench/panels.js
  function makeButton(text, onclick, more = {}) {
    return make("button", { type: "button", onclick, data: { key: text }, ...more }, text);
  }
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
  function drawAdjudication(element, { sides, side, agreement, compared, error }, handlers) {
    const boxes = sides.map((name) => make("label", {}, make("input", { type: "checkbox", value: name, checked: compared.includes(name), onchange: handlers.compare, data: { key: `side-${name}` } }), ` ${name}`));
    fill(
      element,
      make("fieldset", {}, make("legend", {}, "Annotators"), boxes),
      make("div", { class: "row" }, makeButton("Majority draft", handlers.majority, { disabled: compared.length < 2 }), make("span", { class: "soft" }, `into ${side}`)),
      make("form", { class: "row", onsubmit: handlers.addSide }, make("input", { name: "name", "aria-label": "name of a new side", placeholder: "new side" }), makeButton("Add a side", null, { type: "submit" })),
      error ? make("p", { class: "soft" }, error) : agreement ? drawAgreement(agreement, side, handlers) : null
    );
  }
  function drawAgreement(agreement, side, handlers) {
    const measures = Object.keys(agreement.pairs[0]?.values ?? {});
    const alpha = agreement.alpha.find((each) => each.distance === "masi" && !each.itself);
    return make(
      "div",
      {},
      make(
        "div",
        { class: "scrolling", tabindex: "0", role: "region", "aria-label": "agreement" },
        make(
          "table",
          { class: "agreement" },
          make("caption", {}, "Agreement of pairs"),
          make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "pair"), measures.map((name) => make("th", { scope: "col" }, name)))),
          make("tbody", {}, agreement.pairs.map((pair) => make("tr", {}, make("th", { scope: "row" }, pair.names.join(" – ")), measures.map((name) => make("td", {}, writePoints(pair.values[name]))))))
        )
      ),
      make("p", {}, `Krippendorff's α (MASI): ${alpha?.value === null || alpha === void 0 ? "undefined" : alpha.value.toFixed(4)}`),
      make("h3", {}, `Disagreements: ${agreement.disagreement_count}`),
      make("ul", { class: "disagreements" }, agreement.disagreements.slice(0, 200).map((each, place) => drawDisagreement(each, place, side, handlers)))
    );
  }
  function drawDisagreement({ runs, mentions }, place, side, handlers) {
    const takes = Object.entries(mentions).filter(([name]) => name !== side).map(([name, id]) => id === null ? make("span", { class: "soft" }, `${name}: not marked`) : make(
      "span",
      { class: "takes" },
      `${name}: `,
      makeButton("mention", () => handlers.take(name, { mention: id }), { "aria-label": `take the mention as ${name} has it`, data: { key: `m-${place}-${name}` } }),
      makeButton("entity", () => handlers.takeEntity(name, id), { "aria-label": `take the entity as ${name} has it`, data: { key: `e-${place}-${name}` } })
    ));
    return make("li", {}, make("button", { type: "button", class: "plain", onclick: () => handlers.show(runs), data: { key: `show-${place}` } }, make("bdi", {}, handlers.describe(runs))), " ", takes);
  }
  function drawResolvers(element, { resolvers, rules, resolver, off, side, key, table, averaged }, handlers) {
    fill(
      element,
      make("label", {}, "Resolver ", make("select", { onchange: handlers.choose, data: { key: "resolver" } }, makeOptions(resolvers.map((name) => [name, name]), resolver))),
      resolver === "salience" ? make("fieldset", {}, make("legend", {}, "Rules"), rules.map((rule) => make("label", {}, make("input", { type: "checkbox", value: rule, checked: !off.includes(rule), onchange: handlers.toggleRule, data: { key: `rule-${rule}` } }), ` ${rule}`))) : null,
      make("div", { class: "row" }, makeButton("Resolve", handlers.resolve, { disabled: side === key }), make("span", { class: "soft" }, side === key ? "edit another side than the key to resolve into it" : `the mentions of ${key} into ${side}`)),
      make("form", { class: "row", onsubmit: handlers.tabulate }, make("label", {}, "averaged ", make("input", { name: "measures", value: averaged })), makeButton("Switch rules off", null, { type: "submit" })),
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
  function drawFiles(element, { lists, project, side, notices }, handlers) {
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
        make("input", { name: "file", "aria-label": "file name", placeholder: "name.conll", required: true }),
        make("label", {}, make("input", { type: "checkbox", name: "force" }), " overwrite"),
        makeButton(`Save ${side}`, null, { type: "submit" })
      ),
      make("form", { class: "row", onsubmit: handlers.download }, make("label", {}, "Format ", make("select", { name: "format" }, makeOptions(formats, "conll"))), makeButton("Download", null, { type: "submit" })),
      make("p", {}, make("a", { href: addressOf(project, "/patch"), download: `${project}.json` }, "All edits as a JSON patch")),
      make("h3", {}, "Studies of the papers"),
      make("div", { class: "row" }, make("label", {}, "Study ", make("select", { onchange: handlers.study, data: { key: "study" } }, makeOptions([["", "…"], ...lists.studies.map(([name, title]) => [name, `${name}: ${title}`])], "")))),
      notices.length ? make("details", {}, make("summary", {}, `Notices of the files: ${notices.length}`), make("ul", {}, notices.map((text) => make("li", {}, text)))) : null
    );
  }
  function drawKeys(element, actions) {
    fill(element, make("table", { class: "keys" }, make("caption", {}, "Keys"), make("tbody", {}, actions.filter(({ keys }) => keys.length).map(({ keys, text }) => make("tr", {}, make("td", {}, keys.map((key) => make("kbd", {}, key))), make("td", {}, text))))));
  }

  // web/views/workbench/scores.js
  var FIELDS = ["recall", "precision", "f1"];
  function drawScores(element, { scores, preview, showAll, names }, handlers) {
    if (!scores) {
      fill(element, make("p", { class: "soft" }, "Scores appear when a key and a response are chosen."));
      return;
    }
    const measures = scores.measures.filter((measure) => showAll || measure.default || scores.measures.length <= 10);
    const previews = Object.fromEntries((preview?.measures ?? []).map((measure) => [measure.name, measure]));
    const head = ["measure", ...FIELDS, "last edit", "start", preview ? "if done" : null].filter(Boolean);
    fill(
      element,
      make(
        "table",
        { class: "scores" },
        make("caption", {}, preview ? "Scores, and what they would be" : "Scores"),
        make("thead", {}, make("tr", {}, head.map((text) => make("th", { scope: "col" }, text)))),
        make("tbody", {}, measures.map((measure) => drawMeasure(measure, previews[measure.name], Boolean(preview), handlers)))
      ),
      make("label", { class: "toggle" }, make("input", { type: "checkbox", checked: showAll, onchange: handlers.toggleAll, data: { key: "all-measures" } }), " all measures"),
      drawCells((preview ?? scores).cells, names, Boolean(preview)),
      scores.notices.length ? make("ul", { class: "notices" }, scores.notices.map((text) => make("li", {}, text))) : null,
      make("p", { class: "signature" }, scores.signature)
    );
  }
  function drawMeasure(measure, preview, hasPreview, handlers) {
    const main = Object.keys(measure.values).includes("f1") ? "f1" : Object.keys(measure.values)[0];
    const isCost = measure.less_is_better.includes(main);
    const button = make("button", { type: "button", class: "plain", title: `${measure.title}: how it comes to its number`, onclick: () => handlers.explain(measure.name), data: { key: `explain-${measure.name}` } }, measure.name);
    const change = (changes) => make("td", { class: judgeChange(changes?.[main], isCost) }, writeChange(changes?.[main]));
    return make(
      "tr",
      { data: { measure: measure.name } },
      make("th", { scope: "row" }, button),
      FIELDS.map((field) => drawValue(measure, field, main)),
      change(measure.since_last),
      change(measure.since_start),
      hasPreview ? make("td", { class: `preview ${judgeChange(preview?.since_last?.[main], isCost)}` }, writeChange(preview?.since_last?.[main])) : null
    );
  }
  function drawValue(measure, field, main) {
    const shown = main === "f1" ? measure.values[field] : field === "f1" ? measure.values[main] : void 0;
    const undefinedHere = measure.undefined.includes(main === "f1" ? field : main);
    return make("td", { title: undefinedHere ? "0/0: a convention" : null, class: undefinedHere ? "undefined" : null }, writePoints(shown));
  }
  function drawCells(cells, names, isPreview) {
    if (!cells?.count) return null;
    const shown = cells.cells.slice(0, 12);
    return make(
      "details",
      { class: "cells", open: true },
      make("summary", {}, `${isPreview ? "Cells that would change" : "Cells touched"}: ${cells.count}`),
      make("ul", {}, shown.map((cell) => make("li", {}, `key ${names.key(cell.key)} × response ${names.response(cell.response)}: ${cell.before} → ${cell.after} mentions`))),
      cells.count > shown.length ? make("p", { class: "soft" }, `and ${cells.count - shown.length} more`) : null
    );
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
        if (part.parts) return [drawMention(part, drawTree(part), state), needsSpace(tree.parts, place) ? " " : null];
        const unit = make("span", { class: part.empty ? "w empty" : "w", data: { i: part.first } }, part.text);
        return [unit, part.space && needsSpace(tree.parts, place) ? " " : null];
      });
      return make("p", { class: "block", dir: "auto" }, drawTree(nestMentions(block, runs)));
    }
    function needsSpace(parts, place) {
      return content.words !== void 0 && place < parts.length - 1;
    }
    function drawMention(tree, children, { annotation }) {
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
      // Classes of mentions: {selected: Set of ids, current: Set, hovered: Set, conflict: Set, closure: Set}
      mark(groups) {
        for (const mention of element.querySelectorAll(".m")) {
          for (const [name, ids] of Object.entries(groups)) mention.classList.toggle(name, ids.has(mention.dataset.m));
        }
      },
      highlight(range) {
        highlightRange(element, blocks, range);
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
  function highlightRange(element, blocks, range) {
    if (!CSS.highlights) return;
    if (!range) {
      CSS.highlights.delete("chosen");
      return;
    }
    const marked = [];
    for (let place = findBlock(blocks, range[0]); place < blocks.length && blocks[place].first <= range[1]; place += 1) {
      for (const unit of element.children[place].querySelectorAll(".w")) {
        const first = Number(unit.dataset.i);
        const length = element.classList.contains("characters") ? unit.textContent.length : 1;
        if (first > range[1] || first + length - 1 < range[0]) continue;
        const part = document.createRange();
        const [text] = unit.childNodes;
        part.setStart(text, length === 1 ? 0 : Math.max(0, range[0] - first));
        part.setEnd(text, length === 1 ? text.length : Math.min(text.length, range[1] - first + 1));
        marked.push(part);
      }
    }
    CSS.highlights.set("chosen", new Highlight(...marked));
  }

  // web/views/workbench/application.js
  var NOTHING = { range: null, selected: [], links: [], mode: null, conflict: [], hovered: null, preview: null };
  var EMPTY = { mentions: {}, entities: {} };
  var WAIT = 20;
  var HOVER = 120;
  var Application = class {
    constructor() {
      this.store = makeStore({
        ...NOTHING,
        project: "",
        document: 0,
        side: "",
        beside: "",
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
        author: readAuthor(),
        turns: [0, 0],
        notices: [],
        title: "",
        agreement: null,
        agreementError: "",
        compared: [],
        resolver: "salience",
        off: [],
        table: null,
        averaged: "muc, bcub, ceafe"
      });
      this.lists = { projects: [], examples: {}, formats: { write: {} }, resolvers: [], rules: [], studies: [] };
      this.text = makeTextView(find("text"), {
        choose: (id, adds) => this.chooseMention(id, adds),
        select: (range) => this.store.set({ range, cursor: range[1], anchor: range[0], preview: null }),
        hover: (id) => this.hoverMention(id)
      });
      this.besideText = makeTextView(find("beside-text"), { choose: (id) => this.chooseBeside(id), hover: () => null });
      this.store.subscribe((now, before) => this.schedule(now, before));
      this.pressing = false;
      this.postponed = null;
      this.previews = 0;
      this.refusal = null;
      this.stuck = null;
    }
    get state() {
      return this.store.get();
    }
    get annotation() {
      return this.state.annotations[this.state.side] ?? EMPTY;
    }
    // What an action works on.
    get context() {
      const { range, selected, current, links } = this.state;
      return { range, selected, current, links, annotation: this.annotation };
    }
    async start() {
      this.lists = { ...this.lists, ...await ask("/api/projects") };
      this.lists.studies = (await ask("/api/studies")).studies;
      this.bind();
      const place = readPlace(window.location.hash);
      const project = this.lists.projects.includes(place.project) ? place.project : this.lists.projects[0];
      if (project) await this.openProject({ ...place, project });
      else this.showPanel("files");
      this.follow();
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
      this.draw(this.state, before);
    }
    bind() {
      document.addEventListener("pointerdown", () => {
        this.pressing = true;
      }, true);
      window.addEventListener("click", () => this.release());
      for (const event of ["pointerup", "pointercancel"]) document.addEventListener(event, () => setTimeout(() => this.release(), 0), true);
      document.addEventListener("pointermove", (event) => this.pressing && !event.buttons && this.release(), true);
      document.addEventListener("keydown", (event) => {
        const action = findAction(event);
        const pressed = event.target.closest("button, a, summary, [role=tab]");
        if (!action || pressed && ["Enter", "ArrowLeft", "ArrowRight"].includes(event.key)) return;
        event.preventDefault();
        this.run(action);
      });
      fill(find("actions"), ACTIONS.filter(({ button }) => button).map((action) => {
        const preview = (shows) => () => action.edit && this.previewEdit(shows ? EDITS[action.edit](this.context) : null);
        return make("button", {
          type: "button",
          title: `${action.text} (${action.keys.join(", ")})`,
          data: { action: action.name },
          onclick: () => this.run(action),
          onpointerenter: preview(true),
          onpointerleave: preview(false),
          onfocus: preview(true),
          onblur: preview(false)
        }, action.button, " ", make("kbd", {}, action.keys[0]));
      }));
      for (const [id, field] of [["side", "side"], ["beside", "beside"], ["key", "key"], ["response", "response"], ["scope", "scope"]]) {
        find(id).addEventListener("change", (event) => this.changePlace({ [field]: event.target.value }));
      }
      find("document").addEventListener("change", (event) => this.openDocument(Number(event.target.value)));
      find("author").addEventListener("change", (event) => this.setAuthor(event.target.value));
      find("search").addEventListener("input", (event) => this.store.set({ filter: event.target.value }));
      find("search-form").addEventListener("submit", (event) => this.addMatches(event));
      for (const tab of document.querySelectorAll("[role=tab]")) {
        tab.addEventListener("click", () => this.showPanel(tab.dataset.panel));
        tab.addEventListener("keydown", (event) => this.stepTab(event, tab));
      }
      window.addEventListener("hashchange", () => {
        const place = readPlace(window.location.hash);
        if (writePlace(this.state) !== window.location.hash) this.openProject(place).catch((error) => this.complain(error));
      });
    }
    run(action) {
      if (action.edit) this.makeEdit(EDITS[action.edit](this.context), action.text);
      else action.run(this);
    }
    // Projects, documents, sides
    async openProject(place) {
      const shown = await ask(addressOf(place.project), { author: this.state.author });
      const [first, second] = [shown.sides[0], shown.sides[1] ?? ""];
      const known = (side, otherwise) => shown.sides.includes(side) ? side : otherwise;
      this.store.set({
        ...NOTHING,
        ...shown,
        project: place.project,
        current: null,
        cursor: null,
        table: null,
        agreement: null,
        annotations: {},
        content: null,
        key: known(place.key, first),
        response: known(place.response, second),
        side: known(place.side, second || first),
        beside: known(place.beside, ""),
        compared: shown.sides.length > 2 ? shown.sides.slice(1) : shown.sides,
        document: 0
      });
      document.title = `${shown.title} – corefeval`;
      await this.openDocument(Math.min(place.document ?? 0, shown.documents.length - 1));
    }
    async openDocument(number) {
      const { project } = this.state;
      const { content, sides, revision } = await ask(addressOf(project, "/document"), { document: number });
      this.store.set({ ...NOTHING, document: number, content, annotations: sides, revision, current: null, cursor: null, scores: null, agreement: null, table: null });
      this.writePlace();
      await this.refreshScores();
    }
    changePlace(changes) {
      this.store.set({ ...NOTHING, ...changes, current: changes.side ? null : this.state.current, scores: null, agreement: null });
      this.writePlace();
      this.refreshScores();
      this.refreshAgreement();
    }
    writePlace() {
      window.history.replaceState(null, "", writePlace(this.state));
    }
    stepDocument(step) {
      const number = this.state.document + step;
      if (number >= 0 && number < this.state.documents.length) this.openDocument(number);
    }
    stepSide() {
      const { sides, side } = this.state;
      this.changePlace({ side: sides[(sides.indexOf(side) + 1) % sides.length] });
    }
    setAuthor(name) {
      const author = name.trim() || readAuthor();
      window.sessionStorage.setItem("author", author);
      this.store.set({ author });
    }
    // Edits
    // What every request about the open document says.
    get request() {
      const { side, document: number, key, response, author, revision } = this.state;
      const pair = key && response && key !== response ? { key, response } : {};
      return { side, document: number, author, revision, ...pair };
    }
    async makeEdit(edit, hint) {
      if (!edit) {
        this.say(`Nothing is selected for that: ${hint}.`);
        return;
      }
      await this.send("/edits", { edit });
    }
    async send(path, body) {
      try {
        const answer = await tell(addressOf(this.state.project, path), { ...this.request, ...body });
        await this.receive(answer);
        return answer;
      } catch (error) {
        this.refusal = error.status;
        if (error.status === 409) await this.catchUp();
        this.complain(error);
        return null;
      }
    }
    async receive(answer) {
      if (!answer.entry) {
        this.say("There is nothing left of that.");
        return;
      }
      if (answer.revision === this.state.revision + 1) this.takeEntries([answer.entry]);
      else await this.catchUp();
      this.store.set({ ...NOTHING, selected: this.keepSelection(answer.entry), turns: answer.turns, scores: answer.scores ?? this.state.scores });
      if (!answer.scores || this.state.scope === "all") await this.refreshScores();
      this.say(describeEntry(answer.entry));
      this.refreshAgreement();
    }
    // After an edit the mentions that it changed stay selected, where they are on the side that is edited.
    keepSelection(entry) {
      const { mentions } = this.state.annotations[entry.side] ?? EMPTY;
      const changed = Object.keys(entry.change.mentions).filter((id) => mentions[id]);
      return entry.side === this.state.side && changed.length === 1 ? changed : [];
    }
    takeEntries(entries) {
      const { annotations, document: number, revision } = this.state;
      const changed = { ...annotations };
      for (const entry of entries) {
        if (entry.revision > revision && entry.document === number && changed[entry.side]) changed[entry.side] = applyChange(changed[entry.side], entry.change);
      }
      const { mentions, entities } = changed[this.state.side] ?? EMPTY;
      const alive = (ids) => ids.filter((id) => mentions[id]);
      this.store.set({
        annotations: changed,
        revision: Math.max(revision, ...entries.map((entry) => entry.revision)),
        selected: alive(this.state.selected),
        links: this.state.links.filter((link) => alive(link).length === 2),
        current: entities[this.state.current] ? this.state.current : null
      });
    }
    async catchUp(wait = 0) {
      const { project, revision, sides } = this.state;
      const events = await ask(addressOf(project, "/events"), { since: revision, wait });
      if (project !== this.state.project || revision !== this.state.revision) return [];
      if (events.sides.length !== sides.length) {
        const asked = this.state;
        const shown = await ask(addressOf(project, "/document"), { document: asked.document });
        if (!this.hasChanged(asked, "project", "document", "revision")) this.store.set({ sides: events.sides, annotations: shown.sides, revision: shown.revision });
        return [];
      }
      this.takeEntries(events.entries);
      return events.entries;
    }
    // Others' edits, for as long as the page is open.
    async follow() {
      for (; ; ) {
        try {
          if (this.state.project) {
            const entries = await this.catchUp(WAIT);
            const others = entries.filter((entry) => entry.author !== this.state.author);
            if (others.length) {
              this.say(others.map(describeEntry).join("; "));
              await this.refreshScores();
              this.refreshAgreement();
            }
          } else await pause(500);
        } catch (error) {
          this.complain(error);
          await pause(2e3);
        }
      }
    }
    async turn(kind) {
      const answer = await this.send(`/${kind}`, { skip: this.stuck === kind });
      this.stuck = answer || this.refusal !== 409 ? null : kind;
      if (this.stuck) find("message").textContent += ` – ${kind} again passes over it`;
      if (answer?.entry && answer.entry.document !== this.state.document) await this.openDocument(answer.entry.document);
    }
    async previewEdit(edit) {
      this.previews += 1;
      const [number, { preview, revision }] = [this.previews, this.state];
      if (!edit || !this.request.key) {
        if (preview) this.store.set({ preview: null });
        return;
      }
      await pause(HOVER);
      if (number !== this.previews) return;
      const found = await tell(addressOf(this.state.project, "/preview"), { ...this.request, edit }).catch(() => null);
      if (number === this.previews && revision === this.state.revision) this.store.set({ preview: found?.scores ?? null });
    }
    async addMatches(event) {
      event.preventDefault();
      const text = this.state.filter;
      const answer = await this.send("/edits", { edit: { kind: "add_matches", text, entity: this.state.current } });
      if (answer) find("text").focus();
    }
    rename() {
      const { current } = this.state;
      if (!current) {
        this.say("Make an entity the current one first (c).");
        return;
      }
      const input = make("input", { name: "name", value: this.annotation.entities[current].name, "aria-label": "name of the entity" });
      this.ask("Rename the entity", input, () => this.makeEdit({ kind: "rename", entity: current, name: input.value }));
      input.select();
    }
    // Selection
    chooseMention(id, adds) {
      const { mode, selected, links } = this.state;
      if (mode === "move") {
        this.store.set({ mode: null });
        this.makeEdit({ kind: "move", mentions: selected, entity: this.annotation.mentions[id].entity });
      } else if (mode === "link") {
        const from = links.length ? links.at(-1)[1] : selected.at(-1);
        if (from !== id) this.store.set({ links: [...links, [from, id]] });
        this.previewEdit(EDITS.link(this.context));
      } else {
        this.store.set({ selected: toggleMention(selected, id, adds), range: null, cursor: this.annotation.mentions[id].runs[0][0], conflict: [] });
      }
    }
    chooseBeside(id) {
      const { runs } = this.state.annotations[this.state.beside].mentions[id];
      this.showRuns(runs);
    }
    chooseEntity(id, adds) {
      const { mode, selected } = this.state;
      if (mode === "move") {
        this.store.set({ mode: null });
        this.makeEdit({ kind: "move", mentions: selected, entity: id });
        return;
      }
      const members = Object.keys(this.annotation.mentions).filter((each) => this.annotation.mentions[each].entity === id);
      this.store.set({ current: id, ...adds ? { selected: [.../* @__PURE__ */ new Set([...selected, ...members])] } : {} });
      this.text.show(Math.min(...members.map((each) => this.annotation.mentions[each].runs[0][0])));
    }
    hoverMention(id) {
      const { mode, links, selected, hovered } = this.state;
      if (id === hovered) return;
      this.store.set({ hovered: id });
      if (mode === "link" && id) {
        const from = links.length ? links.at(-1)[1] : selected.at(-1);
        if (from !== id) this.previewEdit({ kind: "link", links: [...links, [from, id]] });
      } else if (mode === "move") this.previewEdit(id && { kind: "move", mentions: selected, entity: this.annotation.mentions[id].entity });
    }
    startMove() {
      if (!this.state.selected.length) this.say("Select mentions to move first.");
      else this.store.set({ mode: "move" });
    }
    startLink() {
      if (!this.state.selected.length) this.say("Select the mention that the link comes from first.");
      else this.store.set({ mode: "link", links: [] });
    }
    pressEnter() {
      const { mode, cursor } = this.state;
      if (mode === "link") {
        this.makeEdit(EDITS.link(this.context), "links are drawn between mentions");
        return;
      }
      const id = findAround(this.annotation, cursor);
      if (id) this.chooseMention(id, mode !== null);
    }
    cancel() {
      window.getSelection().removeAllRanges();
      this.store.set({ ...NOTHING });
      find("message").textContent = "";
    }
    goUnlinked(step) {
      this.go(findUnlinked(this.annotation, this.state.selected.at(-1) ?? null, step), "No mention is alone in its entity.");
    }
    goNeighbour(step) {
      this.go(findNeighbour(this.annotation, this.state.selected.at(-1) ?? null, step), "There are no mentions.");
    }
    go(id, otherwise) {
      if (id === null) {
        this.say(otherwise);
        return;
      }
      const { runs } = this.annotation.mentions[id];
      if (this.state.mode) this.chooseMention(id, true);
      else this.store.set({ selected: [id], range: null, cursor: runs[0][0] });
      this.text.show(runs[0][0]);
      this.say(this.text.describe(runs));
    }
    showRuns(runs) {
      this.store.set({ range: runs[0], cursor: runs[0][1] });
      this.text.show(runs[0][0]);
    }
    makeCurrent() {
      const [id] = this.state.selected;
      if (id) this.store.set({ current: this.annotation.mentions[id].entity });
      else this.say("Select a mention first.");
    }
    selectEntity() {
      const { selected, current } = this.state;
      const entities = selected.length ? new Set(selected.map((id) => this.annotation.mentions[id].entity)) : /* @__PURE__ */ new Set([current]);
      this.store.set({ selected: Object.keys(this.annotation.mentions).filter((id) => entities.has(this.annotation.mentions[id].entity)), range: null });
    }
    moveCursor(step, extending) {
      const { cursor, anchor, content } = this.state;
      const moved = moveCursor({ cursor, anchor, length: content.words?.length ?? content.text?.length ?? 0 }, step, extending);
      if (!moved) return;
      this.store.set(moved);
      this.text.show(moved.cursor);
    }
    focusSearch() {
      find("search").focus();
    }
    // Panels
    showPanel(panel) {
      this.store.set({ panel });
      if (panel === "adjudicate") this.refreshAgreement();
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
    // Whether some of the state is no longer what it was when something was asked for.
    hasChanged(asked, ...names) {
      return names.some((name) => this.state[name] !== asked[name]);
    }
    async refreshScores() {
      const asked = this.state;
      const { project, key, response, document: number, scope } = asked;
      if (!key || !response || key === response) {
        this.store.set({ scores: null });
        return;
      }
      const scores = await ask(addressOf(project, "/scores"), { key, response, ...scope === "all" ? {} : { document: number } }).catch((error) => this.complain(error));
      if (scores && !this.hasChanged(asked, "project", "document", "key", "response", "scope", "revision")) this.store.set({ scores });
    }
    async refreshAgreement() {
      const asked = this.state;
      const { project, panel, compared, document: number } = asked;
      if (panel !== "adjudicate" || compared.length < 2) return;
      const found = await ask(addressOf(project, "/agreement"), { document: number, sides: compared }).catch((error) => ({ error: error.message }));
      if (this.hasChanged(asked, "project", "document", "compared", "revision")) return;
      this.store.set({ agreement: found.error ? null : found, agreementError: found.error ?? "" });
    }
    async explain(measure) {
      const { project, key, response, document: number, scope } = this.state;
      const found = await ask(addressOf(project, "/explain"), { measure, key, response, ...scope === "all" ? {} : { document: number } }).catch((error) => this.complain(error));
      if (found) this.showText(`How ${found.measure} comes to its number`, found.lines.join("\n"));
    }
    async runStudy(name) {
      const found = await ask(`/api/studies/${encodeURIComponent(name)}`).catch((error) => this.complain(error));
      if (found) this.showText(found.name, found.text);
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
    async create(body) {
      try {
        const { project } = await tell("/api/projects", body);
        this.lists = { ...this.lists, ...await ask("/api/projects") };
        await this.openProject({ project });
      } catch (error) {
        this.complain(error);
      }
    }
    async upload(event) {
      event.preventDefault();
      const form = event.target;
      const files = await Promise.all([...form.elements.files.files].map(async (file) => ({ name: file.name, data: await readBase64(file) })));
      if (files.length) await this.create({ files, name: files[0].name.split(".")[0], adjudicate: form.elements.adjudicate.checked });
      else this.say("Choose files first.");
    }
    async save(event) {
      event.preventDefault();
      const { file, force } = event.target.elements;
      try {
        const answer = await tell(addressOf(this.state.project, "/save"), { side: this.state.side, file: file.value, force: force.checked });
        this.say([`${answer.file} is written.`, ...answer.notices].join(" "));
      } catch (error) {
        this.complain(error);
      }
    }
    download(event) {
      event.preventDefault();
      window.location.assign(addressOf(this.state.project, "/download", { side: this.state.side, format: event.target.elements.format.value }));
    }
    async addSide(event) {
      event.preventDefault();
      const name = event.target.elements.name.value;
      try {
        await tell(addressOf(this.state.project, "/sides"), { name });
        await this.openProject({ ...readPlace(window.location.hash), project: this.state.project, side: name });
      } catch (error) {
        this.complain(error);
      }
    }
    async tabulate(event) {
      event.preventDefault();
      const averaged = event.target.elements.measures.value;
      const { project, key, document: number } = this.state;
      const measures = averaged.split(",").map((name) => name.trim()).filter(Boolean);
      const found = await ask(addressOf(project, "/rules"), { key, document: number, measures }).catch((error) => this.complain(error));
      this.store.set({ averaged, table: found?.rows ?? null });
    }
    // The mention at the cursor, or its entity, as the side beside has it.
    takeBeside(what) {
      const { beside, cursor, annotations } = this.state;
      const mention = beside ? findAround(annotations[beside], cursor) : null;
      if (!mention) this.say("Show another side beside, and click one of its mentions first.");
      else if (what === "mention") this.send("/take", { source: beside, mention });
      else this.takeEntity(beside, mention);
    }
    takeEntity(source, mention) {
      return this.send("/take", { source, entity: this.state.annotations[source].mentions[mention].entity });
    }
    // What is said
    say(text) {
      const line = find("message");
      line.textContent = text;
      line.className = "message";
    }
    complain(error) {
      const line = find("message");
      line.textContent = error.message;
      line.className = "message error";
      this.store.set({ conflict: error.ids ?? [] });
      return void 0;
    }
    // Drawing
    draw(now, before) {
      const changed = (...names) => names.some((name) => now[name] !== before[name]);
      if (changed("title", "sides", "documents", "document", "side", "beside", "key", "response", "author")) this.drawPlace(now);
      if (now.content && changed("content", "annotations", "side", "beside")) this.drawTexts(now);
      if (changed("selected", "current", "hovered", "conflict", "links", "annotations", "side", "beside", "mode")) this.markMentions(now);
      if (changed("range", "content", "annotations", "cursor", "side")) this.text.highlight(now.range);
      if (changed("selected", "range", "current", "links", "annotations", "turns", "mode", "side", "filter", "content")) this.drawTools(now);
      if (changed("panel")) this.drawTabs(now);
      this.drawPanel(now, changed);
    }
    drawPlace(now) {
      find("title").textContent = now.title;
      const sides = now.sides.map((name) => [name, name]);
      fill(find("document"), makeOptions(now.documents.map(({ name }, number) => [String(number), name || `document ${number + 1}`]), String(now.document)));
      for (const id of ["side", "key"]) fill(find(id), makeOptions(sides, now[id]));
      for (const id of ["beside", "response"]) fill(find(id), makeOptions([["", "none"], ...sides], now[id]));
      find("author").value = now.author;
    }
    drawTexts(now) {
      const isCharacters = now.content.words === void 0;
      find("text").classList.toggle("characters", isCharacters);
      find("beside-text").classList.toggle("characters", isCharacters);
      this.text.draw({ content: now.content, annotation: now.annotations[now.side] ?? EMPTY });
      find("beside-column").hidden = !now.beside;
      find("text-title").textContent = `${now.side} (edited)`;
      find("beside-title").textContent = now.beside;
      if (now.beside) this.besideText.draw({ content: now.content, annotation: now.annotations[now.beside] ?? EMPTY });
    }
    markMentions(now) {
      const { mentions } = this.annotation;
      const ofEntity = (entity) => new Set(entity ? Object.keys(mentions).filter((id) => mentions[id].entity === entity) : []);
      const conflict = new Set(now.conflict.flatMap((id) => id.startsWith("m") ? [id] : [...ofEntity(id)]));
      const linked = now.links.filter((link) => link.every((id) => mentions[id]));
      const closure = new Set(linked.length ? closeLinks(this.annotation, linked).flat() : []);
      this.text.mark({ selected: new Set(now.selected), current: ofEntity(now.current), hovered: ofEntity(mentions[now.hovered]?.entity), conflict, closure });
    }
    drawTools(now) {
      for (const action of ACTIONS) {
        const button = document.querySelector(`[data-action="${action.name}"]`);
        if (button && action.edit) button.setAttribute("aria-disabled", String(!EDITS[action.edit](this.context)));
      }
      for (const [place, name] of ["undo", "redo"].entries()) document.querySelector(`[data-action="${name}"]`)?.setAttribute("aria-disabled", String(!now.turns[place]));
      find("status").textContent = describeStatus(now, this.annotation);
    }
    drawTabs(now) {
      for (const tab of document.querySelectorAll("[role=tab]")) {
        const shown = tab.dataset.panel === now.panel;
        tab.setAttribute("aria-selected", String(shown));
        tab.tabIndex = shown ? 0 : -1;
        find(`panel-${tab.dataset.panel}`).hidden = !shown;
      }
    }
    drawPanel(now, changed) {
      const body = find(`panel-${now.panel}`).querySelector(".body");
      const all = changed("panel", "annotations", "side", "sides", "project");
      const drawers = {
        scores: () => (all || changed("scores", "preview", "showAll")) && drawScores(body, { ...now, names: this.nameEntities(now) }, {
          toggleAll: () => this.store.set({ showAll: !this.state.showAll }),
          explain: (measure) => this.explain(measure)
        }),
        entities: () => (all || changed("current", "filter")) && drawEntities(body, { ...now, annotation: this.annotation }, {
          choose: (id, adds) => this.chooseEntity(id, adds),
          describe: (runs) => this.text.describe(runs),
          preview: (id) => this.previewEdit(id && this.state.selected.length ? { kind: "move", mentions: this.state.selected, entity: id } : null)
        }),
        adjudicate: () => (all || changed("agreement", "agreementError", "compared")) && drawAdjudication(body, { ...now, error: now.agreementError }, {
          compare: () => this.compareSides(body),
          majority: () => this.send("/majority", { sides: this.state.compared }),
          addSide: (event) => this.addSide(event),
          take: (source, what) => this.send("/take", { source, ...what }),
          takeEntity: (source, mention) => this.takeEntity(source, mention),
          show: (runs) => this.showRuns(runs),
          describe: (runs) => this.text.describe(runs)
        }),
        resolve: () => (all || changed("resolver", "off", "table", "key")) && drawResolvers(body, { ...this.lists, ...now }, {
          choose: (event) => this.store.set({ resolver: event.target.value }),
          tabulate: (event) => this.tabulate(event),
          toggleRule: (event) => this.toggleRule(event.target.value),
          resolve: () => this.send("/resolve", { resolver: this.state.resolver, off: this.state.resolver === "salience" ? this.state.off : [] })
        }),
        files: () => changed("panel", "project", "side", "sides", "notices") && drawFiles(body, { lists: this.lists, ...now }, {
          open: (event) => this.openProject({ project: event.target.value }),
          openExample: (event) => event.target.value && this.create({ example: event.target.value }),
          upload: (event) => this.upload(event),
          save: (event) => this.save(event),
          download: (event) => this.download(event),
          study: (event) => event.target.value && this.runStudy(event.target.value)
        }),
        keys: () => changed("panel") && drawKeys(body, ACTIONS)
      };
      drawers[now.panel]();
    }
    nameEntities(now) {
      const name = (side) => (id) => now.annotations[side]?.entities[id]?.name ?? id;
      return { key: name(now.key), response: name(now.response) };
    }
    compareSides(body) {
      const boxes = [...body.querySelectorAll("input[type=checkbox]")];
      this.store.set({ compared: boxes.filter((box) => box.checked).map((box) => box.value), agreement: null });
      this.refreshAgreement();
    }
    toggleRule(rule) {
      const { off } = this.state;
      this.store.set({ off: off.includes(rule) ? off.filter((each) => each !== rule) : [...off, rule] });
    }
  };
  function describeEntry(entry) {
    const count = Object.keys(entry.change.mentions).length;
    return `${entry.author}: ${entry.kind.replace("_", " ")} in ${entry.side}, ${count} mention${count === 1 ? "" : "s"} (revision ${entry.revision})`;
  }
  function describeStatus({ current, selected, mode, links, filter, content }, annotation) {
    const { mentions, entities } = annotation;
    const linked = () => ` (${closeLinks(annotation, links).flat().length} mentions become one entity)`;
    const modes = { move: () => "move: click an entity or a mention of it", link: () => `link: click mentions, then Enter${links.length ? linked() : ""}` };
    return [
      `${Object.keys(mentions).length} mentions in ${Object.keys(entities).length} entities`,
      current ? `current: ${entities[current]?.name}` : "no current entity",
      selected.length ? `${selected.length} selected` : "",
      modes[mode]?.() ?? "",
      filter && content ? `${countMatches(content, filter)} matches` : ""
    ].filter(Boolean).join(" · ");
  }
  function pause(milliseconds) {
    return new Promise((done) => {
      setTimeout(done, milliseconds);
    });
  }
  function readAuthor() {
    const known = window.sessionStorage.getItem("author");
    const author = known ?? `browser ${Math.random().toString(36).slice(2, 6)}`;
    window.sessionStorage.setItem("author", author);
    return author;
  }
  async function readBase64(file) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    let text = "";
    for (let place = 0; place < bytes.length; place += 32768) text += String.fromCharCode(...bytes.subarray(place, place + 32768));
    return window.btoa(text);
  }

  // web/workbench.js
  var application = new Application();
  application.start().catch((error) => application.complain(error));
})();
