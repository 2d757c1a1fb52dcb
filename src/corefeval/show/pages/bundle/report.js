(() => {
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

  // web/model/report.js
  var FORMAT = 2;
  var canRead = (data) => data.format === FORMAT;
  var nameDocument = (data, number) => data.documents.name[number] || "the document";
  var nameSide = (data, side) => side === "k" ? "key" : data.systems[side].name;
  var countDocuments = (data) => data.documents.name.length;
  var listNumbers = (list) => list.map((_, number) => number);
  var sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
  var countThings = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
  function findDocument(data, asked) {
    const place = data.documents.name.indexOf(asked);
    if (place >= 0) return place;
    const number = /^\d+$/.test(asked ?? "") ? Number(asked) : -1;
    return number >= 0 && number < countDocuments(data) ? number : null;
  }
  function addressDocument(data, number) {
    const name = data.documents.name[number];
    return name && data.documents.name.indexOf(name) === number ? name : String(number);
  }
  function countErrors(data, system, document2, kinds = null) {
    return sum(Object.entries(data.errors[system][document2]).filter(([name]) => !kinds || kinds.has(data.kinds.findIndex((kind) => kind.name === name))).map(([, count]) => count));
  }
  function rankCorrections(data, system, measure) {
    const sign = data.measures[measure].better === "higher" ? 1 : -1;
    const kinds = data.corrections[system].map(({ kind, count, points }) => ({
      kind: data.kinds.findIndex((each) => each.name === kind),
      count,
      points: points[measure] === null ? null : sign * points[measure]
    })).sort((x, y) => (y.points ?? 0) - (x.points ?? 0) || y.count - x.count);
    const known = kinds.every(({ points }) => points !== null);
    return { kinds, total: known ? sum(kinds.map(({ points }) => points)) : null };
  }
  var PLURALS = {
    "span error": "Span errors",
    "conflated entities": "Conflated entities",
    "extra mention": "Extra mentions",
    "extra entity": "Extra entities",
    "divided entity": "Divided entities",
    "missing mention": "Missing mentions",
    "missing entity": "Missing entities"
  };
  function tellWorst(data, system, measure) {
    const { kinds, total } = rankCorrections(data, system, measure);
    const made = sum(kinds.map(({ count }) => count));
    if (!made) return "There are no errors: the response is the key.";
    if (total === null || kinds[0].points < 5e-3) {
      const most = [...kinds].sort((x, y) => y.count - x.count)[0];
      return `${PLURALS[data.kinds[most.kind].title]} are most frequent: ${most.count.toLocaleString("en")} of ${countThings(made, "error")}.`;
    }
    return `${PLURALS[data.kinds[kinds[0].kind].title]} cost most: ${writeNumber(kinds[0].points, 1)} of ${writeNumber(total, 1)} points.`;
  }
  function findRates(data, system, measure) {
    const own = data.results[system][measure];
    if (own.recall !== null || own.precision !== null) return { recall: own.recall, precision: own.precision, of: [] };
    const { parts } = data.measures[measure];
    const mean = (field) => sum(parts.map((part) => data.results[system][part][field])) / parts.length;
    return parts.length ? { recall: mean("recall"), precision: mean("precision"), of: parts.map((part) => data.measures[part].title) } : null;
  }
  function findDifference(data, a, b, measure) {
    const found = data.differences.find((each) => each.measure === measure && (each.a === a && each.b === b || each.a === b && each.b === a));
    if (!found || found.a === a) return found;
    const [wins, ties, losses] = found.documents;
    return {
      ...found,
      a,
      b,
      points: -found.points,
      documents: [losses, ties, wins],
      interval: found.interval && [-found.interval[1], -found.interval[0]]
    };
  }
  var isBetter = (data, measure, points) => data.measures[measure].better === "higher" ? points > 0 : points < 0;
  function findChange(data, a, b, kind) {
    const found = data.changes.find((each) => each.a === Math.min(a, b) && each.b === Math.max(a, b));
    const [fixed, broken, both] = found.kinds[data.kinds[kind].name] || [0, 0, 0];
    return a < b ? { fixed, broken, both } : { fixed: broken, broken: fixed, both };
  }
  function zoomAxis(values) {
    const known = values.filter((value) => value !== null && Number.isFinite(value));
    if (!known.length) return [0, 100];
    const [least, most] = [Math.min(...known), Math.max(...known)];
    const step = [1, 2, 5, 10, 20, 50].find((each) => most - least <= 6 * each) || 100;
    const low = Math.floor(least / step) * step;
    const high = Math.ceil(most / step) * step;
    const [from, to] = high > low ? [low, high] : [low - step, high + step];
    return least >= 0 && most <= 100 ? [Math.max(0, from), Math.min(100, to)] : [from, to];
  }
  var listDrawn = (data, measure) => data.results.flatMap((results) => [results[measure].main, ...results[measure].interval || []]);
  var writeProbability = (p) => p < 1e-3 ? "< 0.001" : p.toFixed(3);
  var writeScore = (value) => value === null || value === void 0 ? "–" : writeNumber(value);

  // web/store/store.js
  var startHistory = (state, place = 0) => {
    const states = [];
    states[place] = state;
    return { states, place };
  };
  var addState = ({ states, place }, state) => ({ states: [...states.slice(0, place + 1), state], place: place + 1 });
  var replaceState = ({ states, place }, state) => ({ states: Object.assign([...states], { [place]: state }), place });
  var goTo = ({ states }, place, state) => replaceState({ states, place }, states[place] ?? state);
  var getState = ({ states, place }) => states[place];
  var canUndo = ({ place }) => place > 0;
  var canRedo = ({ states, place }) => place < states.length - 1;
  function createStore(state, { write: write2, place = 0, push = () => {
  }, travel = null, apply = (before, changes) => ({ ...before, ...changes }) }) {
    const listeners = [];
    let history2 = startHistory(state, place);
    function set(next) {
      const before = getState(history2);
      history2 = next;
      for (const listener of listeners) listener(getState(history2), before);
    }
    function advance(next, { replace = false, made = false }) {
      const stays = replace || write2(next) === write2(store.state);
      const changed = (stays ? replaceState : addState)(history2, next);
      push(write2(next), changed.place, stays || made);
      set(changed);
    }
    const go = (step) => travel ? travel(step) : store.arrive(history2.place + step);
    const store = {
      get state() {
        return getState(history2);
      },
      get canUndo() {
        return canUndo(history2);
      },
      get canRedo() {
        return canRedo(history2);
      },
      /** Set some fields; `replace` leaves no step in the history, nor does what changes nothing that an address says. */
      change: (changes, { replace = false } = {}) => advance(apply(store.state, changes), { replace }),
      /** Take over a whole state, of an address that somebody has gone to. */
      visit: (whole) => advance(whole, { made: true }),
      undo: () => store.canUndo && go(-1),
      redo: () => store.canRedo && go(1),
      /** Be at a place of the history, whose state, if it is not known, is this one. */
      arrive: (there, whole) => there !== history2.place && set(goTo(history2, there, whole)),
      /** The address of the state as it would be after some changes: what a link leads to. */
      link: (changes) => write2(apply(store.state, changes)),
      listen: (listener) => listeners.push(listener)
    };
    return store;
  }

  // web/store/state.js
  var VIEWS = ["overview", "errors", "text", "entities", "documents", "compare"];
  function makeState(data) {
    return {
      view: "overview",
      document: null,
      mention: null,
      left: "k",
      right: 0,
      overlaid: false,
      signs: false,
      kinds: null,
      measure: data.mainMeasure,
      system: 0,
      within: null,
      order: "cost",
      from: 0,
      to: Math.min(1, data.systems.length - 1),
      find: "",
      sort: null,
      page: 0
    };
  }
  var readNumber = (limit) => (text) => /^\d+$/.test(text) && Number(text) < limit ? Number(text) : void 0;
  var readSide = (data) => (text) => text === "k" ? "k" : readNumber(data.systems.length)(text);
  function listOptions(data) {
    const system = { read: readNumber(data.systems.length), write: String };
    const flag = { read: (text2) => text2 === "1", write: () => "1" };
    const document2 = { read: (text2) => findDocument(data, text2) ?? void 0, write: (number) => addressDocument(data, number) };
    const kinds = {
      read: (text2) => new Set(text2.split(",").map((name) => data.kinds.findIndex((kind) => kind.name === name)).filter((kind) => kind >= 0)),
      write: (chosen) => [...chosen].map((kind) => data.kinds[kind].name).join(",")
    };
    const measure = {
      read: (text2) => readNumber(data.measures.length)(String(data.measures.findIndex((each) => each.name === text2))),
      write: (number) => data.measures[number].name
    };
    const text = { read: (value) => value, write: (value) => value };
    return {
      // Pages are counted from 1 where people read them.
      page: { read: (value) => /^[1-9]\d*$/.test(value) ? Number(value) - 1 : void 0, write: (number) => String(number + 1) },
      left: { read: readSide(data), write: String },
      right: { read: readSide(data), write: String },
      overlaid: flag,
      signs: flag,
      kinds,
      measure,
      system,
      within: document2,
      order: text,
      from: system,
      to: system,
      find: text,
      sort: text
    };
  }
  function readState(hash, data) {
    const [path, query = ""] = hash.replace(/^#/, "").split("?");
    const [view, document2, ...mention] = path.split("/").map(decodePart);
    const state = makeState(data);
    if (VIEWS.includes(view)) state.view = view;
    if (state.view === "compare" && data.systems.length < 2) state.view = "overview";
    if (state.view === "text") {
      state.document = findDocument(data, document2);
      state.mention = state.document === null ? null : mention.join("/") || null;
    }
    const options = listOptions(data);
    for (const [name, value] of new URLSearchParams(query)) {
      const read = options[name]?.read(value);
      if (read !== void 0) state[name] = read;
    }
    return state;
  }
  var applyChanges = (state, changes) => ({ ...state, page: 0, ...changes });
  function writeState(state, data) {
    const usual = makeState(data);
    const parts = [state.view];
    if (state.view === "text" && state.document !== null) parts.push(addressDocument(data, state.document), ...state.mention ? [state.mention] : []);
    const query = new URLSearchParams();
    for (const [name, { write: write2 }] of Object.entries(listOptions(data))) {
      if (state[name] !== usual[name] && state[name] !== false && state[name] !== null && state[name] !== "") query.set(name, write2(state[name]));
    }
    const written = query.toString();
    return `#${parts.map(encodePart).join("/")}${written ? `?${written}` : ""}`;
  }
  function decodePart(part) {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  }
  var encodePart = (part) => encodeURIComponent(part).replace(/%3A/g, ":").replace(/%2B/g, "+");
  function findWorstDocument(data, isThere) {
    const count = (number) => data.errors.reduce((total, documents) => total + Object.values(documents[number]).reduce((a, b) => a + b, 0), 0);
    const there = listNumbers(data.documents.name).filter(isThere);
    return there.reduce((best, number) => count(number) > count(best) ? number : best, there[0] ?? (countDocuments(data) ? 0 : null));
  }

  // web/views/dom.js
  var one = (selector, root = document) => root.querySelector(selector);
  var all = (selector, root = document) => [...root.querySelectorAll(selector)];
  var make = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
  var draw = (tag, attributes = {}, ...children) => fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
  function fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
      if (value === void 0 || value === null || value === false) continue;
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else if (name === "style") for (const [property, each] of Object.entries(value)) element.style.setProperty(property, each);
      else element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.flat().filter((child) => child !== void 0 && child !== null && child !== ""));
    return element;
  }
  function setOptions(select, options, chosen) {
    select.replaceChildren(...options.map(([value, name, disabled = false]) => make("option", { value, disabled }, name)));
    select.value = String(chosen);
  }
  function whenSeen(element, more) {
    const watcher = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) more();
    }, { rootMargin: "600px" });
    watcher.observe(element);
    return watcher;
  }

  // web/views/report/loading.js
  function createLoader(data) {
    const held = new Set(data.held);
    const documents = createStock("d", data.inFolder ? "documents" : null);
    const lists = createStock("s", data.inFolder ? "systems" : null);
    window.corefevalDocument = documents.put;
    window.corefevalLists = lists.put;
    return { isThere: (number) => held.has(number) || data.inFolder, load: documents.load, loadLists: lists.load };
  }
  function createStock(letter, folder) {
    const promised = /* @__PURE__ */ new Map();
    const waiting = /* @__PURE__ */ new Map();
    const put = (number, record) => waiting.get(number)?.(record);
    function read(number) {
      const source = one(`#${letter}${number}`);
      if (source) {
        const record = JSON.parse(source.textContent);
        source.remove();
        return Promise.resolve(record);
      }
      if (!folder) return Promise.resolve(null);
      return new Promise((done) => {
        waiting.set(number, done);
        const script = make("script", { src: `${folder}/${number}.js` });
        script.addEventListener("error", () => {
          promised.delete(number);
          done(null);
        });
        document.head.append(script);
      });
    }
    function load(number) {
      if (!promised.has(number)) promised.set(number, read(number));
      return promised.get(number);
    }
    return { load, put };
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
  function writePlain(text, first, last) {
    return text.pieces(first, last).map((piece) => typeof piece === "string" ? piece : `∅${piece.zero}`).join("");
  }
  function findDirection(words) {
    const letter = /\p{L}/u.exec(words)?.[0] || "";
    return /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(letter) ? "rtl" : "ltr";
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
  function cutContext({ before, after }, letters) {
    const [ours, theirs] = [[...before], [...after]];
    const cutBefore = ours.slice(-letters).join("").replace(/^\S*\s(?=\S)/u, "");
    const cutAfter = theirs.slice(0, letters).join("").replace(/(?<=\S)\s\S*$/u, "");
    return { before: ours.length > letters ? `…${cutBefore}` : before, after: theirs.length > letters ? `${cutAfter}…` : after };
  }
  function findContext(text, first, last, width = text.context) {
    const start2 = Math.max(0, first - width);
    const end = Math.min(text.count - 1, last + width);
    const before = start2 < first ? writePlain(text, start2, first - 1) + text.gap(first) : "";
    const after = end > last ? text.gap(last + 1) + writePlain(text, last + 1, end) : "";
    return { before: (start2 > 0 ? "…" : "") + before, after: after + (end < text.count - 1 ? "…" : "") };
  }

  // web/model/document.js
  var GOLDEN_ANGLE = 137.508;
  var LONGEST_TITLE = 48;
  var getSide = (record, side) => side === "k" ? record.key : record.systems[side];
  var getRuns = (record, side, mention) => getSide(record, side).mentions[mention].slice(1);
  var getEntity = (record, side, mention) => getSide(record, side).mentions[mention][0];
  var getText = remember((record, number) => number === null ? null : readText(record.texts[number]));
  function findPlaces(record, side, mention, text) {
    const own = getSide(record, side);
    if (own.text === text) return getRuns(record, side, mention);
    if (side !== "k") return text === record.key.text && own.inKey?.[mention] || [];
    const other = record.systems.find((system) => system.text === text);
    return other?.missed?.[mention] || [];
  }
  function findCommonText(record, sides) {
    const texts = sides.map((side) => getSide(record, side).text);
    if (texts.includes(null)) return null;
    if (texts.every((text) => text === texts[0])) return texts[0];
    const carried = (side) => getSide(record, side).text === record.key.text || getSide(record, side).inKey;
    return sides.every(carried) ? record.key.text : null;
  }
  function nameMention(record, side, mention) {
    const { names, text } = getSide(record, side);
    if (names) return names[mention];
    const words = getText(record, text);
    const runs = getRuns(record, side, mention);
    const parts = [];
    for (let at = 0; at < runs.length; at += 2) parts.push(writePlain(words, runs[at], runs[at + 1]));
    return parts.join(" … ");
  }
  function nameEntity(record, side, entity) {
    const title = nameMention(record, side, getSide(record, side).titles[entity]);
    return title.length > LONGEST_TITLE ? `${title.slice(0, LONGEST_TITLE - 1)}…` : title;
  }
  function findMentionContext(record, side, mention, width) {
    const { names, text } = getSide(record, side);
    const runs = getRuns(record, side, mention);
    if (names || !runs.length) return { before: "", after: "" };
    return findContext(getText(record, text), runs[0], runs[runs.length - 1], width);
  }
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
  var identifyMention = (record, side, mention) => `${side}:${listMentionIds(record, side)[mention]}`;
  function findMention(record, id) {
    const [, name, rest] = /^(k|\d+):(.*)$/s.exec(id || "") || [];
    const side = name === "k" ? "k" : Number(name);
    if (name === void 0 || !getSide(record, side)) return null;
    const mention = listMentionIds(record, side).indexOf(rest);
    return mention < 0 ? null : [side, mention];
  }
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

  // web/model/errors.js
  var listErrors = remember((record, system) => {
    const { errors } = record.systems[system];
    return errors.kind.map((_, number) => getError(record, system, number)).sort((x, y) => x.place - y.place || x.number - y.number);
  });
  function getError(record, system, number) {
    const columns = record.systems[system].errors;
    const [key, response] = [columns.key[number], columns.response[number]];
    const marks = [...key.map((mention) => ["k", mention]), ...response.map((mention) => [system, mention])];
    return {
      system,
      number,
      marks,
      kind: columns.kind[number],
      beside: findBeside(columns.beside[number], system),
      same: columns.same[number],
      place: findPlace(record, ...marks[0]),
      response: response.length
    };
  }
  var findBeside = (numbers, system) => numbers ? numbers[0] >= 0 ? ["k", numbers[0]] : [system, numbers[1]] : null;
  function findPlace(record, side, mention) {
    const runs = getRuns(record, side, mention);
    return runs.length ? runs[0] : getEntity(record, side, mention);
  }
  var RELATIONS = {
    "span-error": " should be ",
    "conflated-entities": " together with ",
    "extra-mention": " together with ",
    "divided-entity": " apart from ",
    "missing-mention": ", which belongs to "
  };
  function describeError(error, kindName) {
    const sides = error.marks.map(([side]) => side);
    const told = kindName === "span-error" || !sides.includes("k") ? error.system : "k";
    return { mentions: error.marks.filter(([side]) => side === told), relation: RELATIONS[kindName] || " beside ", beside: error.beside };
  }
  function listOnlyIn(record, system, other) {
    const theirs = new Set(record.systems[other].errors.same);
    const seen = /* @__PURE__ */ new Set();
    return listErrors(record, system).filter(({ same }) => !theirs.has(same) && !seen.has(same) && seen.add(same));
  }
  function markErrors(errors, kinds) {
    const marks = /* @__PURE__ */ new Map();
    for (const error of errors) {
      if (kinds && !kinds.has(error.kind)) continue;
      for (const [side, mention] of error.marks) {
        const name = `${side}.${mention}`;
        marks.set(name, [...marks.get(name) || [], error]);
      }
    }
    return marks;
  }

  // web/model/lists.js
  function rankErrors({ errors }, measure, kinds = null) {
    const places = listNumbers(errors.kind).filter((at) => !kinds || kinds.has(errors.kind[at]));
    const cost = errors.costs[measure];
    return cost ? places.sort((x, y) => cost[y] - cost[x] || x - y) : places;
  }
  function rankEntities({ entities }, system, measure, order) {
    const cost = entities.costs[measure];
    return sortEntities(entities.entity.map((entity, at) => ({
      document: entities.document[at],
      side: entities.side[at] ? system : "k",
      entity,
      misplaced: entities.misplaced[at],
      cost: cost ? cost[at] : 0
    })), order);
  }
  function sortEntities(entities, order) {
    const other = order === "cost" ? "misplaced" : "cost";
    return [...entities].sort((x, y) => y[order] - x[order] || y[other] - x[other]);
  }
  function cutPage(count, size, asked) {
    const pages = Math.max(1, Math.ceil(count / size));
    const page = Math.min(asked, pages - 1);
    return { page, pages, from: page * size, to: Math.min(count, (page + 1) * size) };
  }

  // web/model/costs.js
  var MILLION = 1e6;
  function getFinding(data, system, measure) {
    const found = data.costs[system][measure];
    return found.unknown ? null : found;
  }
  function getCost(record, system, column, place, measure) {
    const { costs } = record.systems[system];
    return costs.lists[(costs[column][place] || 0) - 1]?.[measure] || 0;
  }
  function getMentionCost(record, system, side, mention, measure) {
    const inKey = side === "k" ? mention : record.systems[side].twins[mention];
    return inKey < 0 ? getCost(record, system, "own", mention, measure) : getCost(record, system, "key", inKey, measure);
  }
  function getEntityCost(record, system, side, entity, measure) {
    return getCost(record, system, side === "k" ? "keyEntities" : "ownEntities", entity, measure);
  }
  function listEntitiesOf(record, system, side, mention) {
    return ["k", system].flatMap((where) => {
      const there = findTwin(record, side, mention, where);
      return there === void 0 ? [] : [[where, getEntity(record, where, there)]];
    });
  }
  var sumDocumentLoss = remember((record, system, measure) => {
    const { lists, key, own } = record.systems[system].costs;
    return [...key, ...own].reduce((total, number) => total + (number ? lists[number - 1][measure] : 0), 0);
  });
  function writePoints(cost) {
    if (!cost) return "0";
    const value = Math.abs(cost) / MILLION;
    const digits = Math.min(6, Math.max(2, 1 - Math.floor(Math.log10(value))));
    return `${cost < 0 ? "−" : ""}${value.toFixed(digits)}`;
  }
  function writeShare(cost, whole) {
    if (!cost || whole <= 0) return "nothing";
    const share = Math.min(100, 100 * cost / whole);
    if (share < 0.01) return "under 0.01 %";
    return `${share.toFixed(share >= 10 ? 0 : share >= 1 ? 1 : 2)} %`;
  }

  // web/views/report/parts.js
  var colourOf = (system) => `var(--s${system % 6})`;
  var colourEntity = ({ hue }) => hue === null ? {} : { "--h": hue };
  var entityClass = ({ hue }) => hue === null ? "" : " hued";
  function linkTo(app, changes, attributes, ...children) {
    return make("a", {
      ...attributes,
      href: app.store.link(changes),
      onclick: (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
        event.preventDefault();
        app.store.change(changes);
      }
    }, ...children);
  }
  var makeSwatch = (system) => make("span", { class: "swatch", style: { "--colour": colourOf(system) } });
  var nameSystem = (app, system) => make("bdi", {}, nameSide(app.data, system));
  function linkDocument(app, number, changes = {}) {
    const name = make("bdi", {}, nameDocument(app.data, number));
    if (!app.isThere(number)) return make("span", { title: "its text is not in this file" }, name);
    return linkTo(app, { view: "text", document: number, mention: null, ...changes }, {}, name);
  }
  var makeSign = (kind) => make("span", { class: `sign ${kind.name}`, "aria-hidden": "true" }, kind.sign);
  function makeChip(record, side, entity) {
    const look = chooseLooks(record, side)[entity];
    return make("span", { class: `chip${entityClass(look)}`, style: colourEntity(look) }, look.label);
  }
  function makeFold(name, rest, produce) {
    rest.hidden = true;
    const button = make("button", {
      type: "button",
      class: "fold",
      "aria-expanded": "false",
      onclick: () => {
        if (!rest.hasChildNodes()) rest.append(...produce());
        rest.hidden = !rest.hidden;
        button.setAttribute("aria-expanded", String(!rest.hidden));
        button.textContent = rest.hidden ? name : "fewer";
      }
    }, name);
    return [rest, button];
  }
  function tellError(app, record, error, many = 6) {
    const { mentions, relation, beside } = describeError(error, app.data.kinds[error.kind].name);
    const name = (mark) => make("bdi", {}, nameMention(record, ...mark));
    const list = (marks) => marks.flatMap((mark, at) => at ? [", ", name(mark)] : [name(mark)]);
    const first = mentions.length > many + 1 ? many : mentions.length;
    const rest = mentions.slice(first);
    return [
      ...list(mentions.slice(0, first)),
      ...rest.length ? [", ", ...makeFold(`${rest.length} more`, make("span"), () => [...list(rest), " "])] : [],
      ...beside ? [relation, name(beside)] : []
    ];
  }
  var listMeasuresOfCosts = (data, system, chosen) => data.measures.map(({ title }, number) => [
    number,
    title,
    number !== chosen && getFinding(data, system, number) === null
  ]);
  var showError = (record, document2, error) => ({
    view: "text",
    document: document2,
    mention: identifyMention(record, ...error.marks[0]),
    left: "k",
    right: error.system
  });
  var LEAST = 12;
  function makeSnippet(app, record, document2, error, letters = Infinity) {
    const [side, mention] = error.marks[0];
    const words = nameMention(record, side, mention);
    const { before, after } = cutContext(findMentionContext(record, side, mention), Math.max(LEAST, Math.floor((letters - words.length) / 2)));
    return linkTo(app, showError(record, document2, error), { class: "snippet", dir: findDirection(words) }, before, make("mark", {}, words), after);
  }
  var makeBar = (share, system) => make(
    "span",
    { class: "rail", "aria-hidden": "true" },
    make("i", { style: { width: `${Math.max(0, Math.min(100, 100 * share)).toFixed(2)}%`, "--colour": colourOf(system) } })
  );
  function makeRange(value, interval, [low, high], system) {
    const place = (number) => Math.max(0, Math.min(100, 100 * (number - low) / (high - low)));
    const band = interval && make("i", { style: { left: `${place(interval[0])}%`, width: `${place(interval[1]) - place(interval[0])}%` } });
    const line = value === null ? null : make("b", { style: { left: `${place(value)}%` } });
    return make("span", { class: "range", "aria-hidden": "true", style: { "--colour": colourOf(system) } }, band, line);
  }
  function makeTable(attributes, caption, head, rows) {
    const title = (each, at) => Array.isArray(each) ? make("th", { scope: "col", ...each[1] }, each[0]) : make("th", { scope: "col", class: at ? "n" : void 0 }, each);
    return make(
      "table",
      attributes,
      make("caption", { class: "sr" }, caption),
      make("thead", {}, make("tr", {}, ...head.map(title))),
      make("tbody", {}, ...rows)
    );
  }

  // web/views/report/pager.js
  var write = (number) => number.toLocaleString("en");
  function createPager(app, box, { heading, size, word }) {
    const way = make("div", { class: "pages", role: "group", "aria-label": "Pages of the list" });
    box.after(way);
    let shown = null;
    async function show(items, asked, makeItem, { empty = null, end = null } = {}) {
      const wanted = {};
      shown = wanted;
      const { page, pages, from, to } = cutPage(items.length, size, asked);
      const made = (await Promise.all(items.slice(from, to).map(makeItem))).filter(Boolean);
      if (shown !== wanted) return;
      box.replaceChildren(...made.length || !empty ? made : [empty]);
      way.hidden = pages < 2 && !end;
      way.replaceChildren(...pages < 2 ? [] : makeWay(page, pages, from, to, items.length), ...end && page === pages - 1 ? [end] : []);
    }
    function makeWay(page, pages, from, to, count) {
      const go = (number) => {
        app.store.change({ page: number });
        arrive();
      };
      const arrive = () => {
        heading().scrollIntoView();
        heading().focus({ preventScroll: true });
      };
      const turn = (number, name) => {
        const link = linkTo(app, { page: number }, {}, name);
        link.addEventListener("click", (event) => {
          if (event.defaultPrevented) arrive();
        });
        return link;
      };
      return [
        page ? turn(page - 1, `‹ previous ${size}`) : null,
        make("span", { class: "part" }, `${write(from + 1)} to ${write(to)} of ${write(count)} ${word}`),
        page < pages - 1 ? turn(page + 1, `next ${write(Math.min(size, count - to))} ›`) : null,
        make("label", {}, "Page ", make("input", {
          type: "number",
          min: 1,
          max: pages,
          value: page + 1,
          onchange: (event) => go(Math.max(0, Math.min(pages, Math.trunc(Number(event.target.value)) || 1) - 1))
        }), ` of ${write(pages)}`)
      ].filter(Boolean);
    }
    return { show };
  }

  // web/views/report/compare.js
  var SIZE = 10;
  function createCompare(app) {
    const { data, store } = app;
    const systems = data.systems.map(({ name }, number) => [number, name]);
    for (const id of ["from", "to"]) {
      setOptions(one(`#${id}`), systems, store.state[id]);
      one(`#${id}`).addEventListener("change", (event) => store.change({ [id]: Number(event.target.value) }));
    }
    setOptions(one("#compare-by"), data.measures.map(({ title }, number) => [number, title]), store.state.measure);
    one("#compare-by").addEventListener("change", (event) => store.change({ measure: Number(event.target.value) }));
    let shown = null;
    let showPage = null;
    function show({ from: a, to: b, measure, kinds, page }) {
      const wanted = [a, b, measure, kinds ? [...kinds] : ""].join("/");
      if (shown !== wanted) {
        shown = wanted;
        showPage = showAll(a, b, measure, kinds);
      }
      showPage?.(page);
    }
    function showAll(a, b, measure, kinds) {
      one("#from").value = String(a);
      one("#to").value = String(b);
      one("#compare-by").value = String(measure);
      const box = one("#compared");
      if (a === b) {
        box.replaceChildren(make("p", { class: "notice" }, "Choose two different systems."));
        return null;
      }
      const gain = (number) => (data.scores[b][measure][number] ?? 0) - (data.scores[a][measure][number] ?? 0);
      const order = listNumbers(data.documents.name).sort((x, y) => Math.abs(gain(y)) - Math.abs(gain(x)));
      const changes = make("div", { class: "changes" });
      const only = kinds?.size ? [" ", make("span", { class: "small" }, [...kinds].map((kind) => data.kinds[kind].title).join(", "), " only; ", linkTo(app, { kinds: null }, {}, "all types"))] : [];
      box.replaceChildren(
        make("h2", {}, "Scores"),
        scroll("Differences of scores", makeDifferences(a, b)),
        make("h2", {}, "Errors by type"),
        make("p", { class: "hint" }, "From ", nameSystem(app, a), " to ", nameSystem(app, b), ": which errors are fixed, which stay, which are new. Choose a number to read them below."),
        scroll("Errors by type", makeFlow(a, b)),
        ...countDocuments(data) > 1 ? [make("h2", {}, "Documents"), make("p", { class: "hint" }, `${data.measures[measure].title}, points that `, nameSystem(app, b), " gains or loses, largest first."), makeMovers(order, gain, a, b, measure)] : [],
        make("h2", { id: "changes", tabindex: "-1" }, "What was fixed, what was broken", ...only),
        make("p", { class: "hint" }, "Errors of the one system that the other does not make", countDocuments(data) > 1 ? "; documents in the order above." : "."),
        changes
      );
      const left = order.filter((number) => app.isThere(number));
      const missing = order.length - left.length;
      const end = missing ? make("p", { class: "notice" }, `${countThings(missing, "document")} not listed: the text is not in this file. The numbers above count them.`) : null;
      const empty = make("p", {}, left.length > SIZE ? "Both make the same errors in these documents." : "Both make the same errors.");
      const pager = createPager(app, changes, { heading: () => one("#changes"), size: SIZE, word: "documents" });
      return (page) => pager.show(left, page, (number) => app.load(number).then((record) => record && makeChanges(record, number, a, b, kinds)), { empty, end });
    }
    const scroll = (label, ...children) => make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, ...children);
    const judge = (measure, points) => !points ? "" : isBetter(data, measure, points) ? "up" : "down";
    function makeDifferences(a, b) {
      const rows = data.measures.flatMap(({ title }, measure) => {
        const found = findDifference(data, a, b, measure);
        if (!found) return [];
        const { points, interval, p, significant, documents } = found;
        return [make(
          "tr",
          {},
          make("th", { scope: "row" }, title),
          ...[a, b].map((system) => make("td", { class: "n" }, writeScore(data.results[system][measure].main))),
          make("td", { class: `n ${judge(measure, points)}` }, writeSigned(points)),
          make("td", { class: "n" }, interval ? `${writeSigned(interval[0])} to ${writeSigned(interval[1])}` : ""),
          make("td", { class: "n" }, p === null ? "" : writeProbability(p), significant ? make("abbr", { title: "significant" }, "*") : null),
          make("td", { class: "n" }, documents.join(" / "))
        )];
      });
      return makeTable({}, "Differences of scores", [["measure", {}], [nameSystem(app, a), { class: "n" }], [nameSystem(app, b), { class: "n" }], "points", "interval", "p, corrected", "documents better / same / worse"], rows);
    }
    function makeFlow(a, b) {
      const read = (count, kind) => count ? linkTo(app, { kinds: /* @__PURE__ */ new Set([kind]) }, {}, count.toLocaleString("en")) : "0";
      const rows = data.kinds.map((each, kind) => {
        const { fixed, broken, both } = findChange(data, a, b, kind);
        const net = broken - fixed;
        return make(
          "tr",
          {},
          make("th", { scope: "row" }, makeSign(each), each.title),
          make("td", { class: "n" }, (both + fixed).toLocaleString("en")),
          make("td", { class: "n up" }, fixed ? "−" : "", read(fixed, kind)),
          make("td", { class: "n" }, both.toLocaleString("en")),
          make("td", { class: "n down" }, broken ? "+" : "", read(broken, kind)),
          make("td", { class: "n" }, (both + broken).toLocaleString("en")),
          make("td", { class: `n ${net < 0 ? "up" : net > 0 ? "down" : ""}` }, writeSigned(net, 0))
        );
      });
      return makeTable({ class: "flow" }, "Errors by type", [["type", {}], [nameSystem(app, a), { class: "n" }], "fixed", "in both", "new", [nameSystem(app, b), { class: "n" }], "change"], rows);
    }
    function makeMovers(order, gain, a, b, measure) {
      const most = Math.max(0.01, ...order.map((number) => Math.abs(gain(number))));
      const item = (number) => {
        const points = gain(number);
        const half = 50 * Math.abs(points) / most;
        return make(
          "li",
          {},
          linkDocument(app, number, { left: a, right: b }),
          make("span", { class: "mover", "aria-hidden": "true" }, make("i", { style: { left: `${points < 0 ? 50 - half : 50}%`, width: `${half}%`, "--colour": colourOf(isBetter(data, measure, points) ? b : a) } })),
          make("b", { class: "n" }, writeSigned(points))
        );
      };
      const list = make("ol", { class: "movers" }, ...order.slice(0, 30).map(item));
      const rest = order.slice(30);
      return rest.length ? make("div", {}, list, ...makeFold(`${rest.length} more`, make("ol", { class: "movers" }), () => rest.map(item))) : list;
    }
    function makeChanges(record, number, a, b, kinds) {
      const list = (system, other) => listOnlyIn(record, system, other).filter(({ kind }) => !kinds || kinds.has(kind));
      const [fixed, broken] = [list(a, b), list(b, a)];
      if (!fixed.length && !broken.length) return null;
      const column = (title, found, way) => make(
        "div",
        { class: way },
        make("h4", {}, `${title} ${found.length}`),
        make("ul", {}, ...found.map((error) => make(
          "li",
          {},
          make("p", {}, makeSign(data.kinds[error.kind]), make("b", {}, data.kinds[error.kind].title), ": ", ...tellError(app, record, error)),
          make("p", {}, makeSnippet(app, record, number, error)),
          make("p", { class: "small" }, ...tellSides(record, error, a, b))
        )))
      );
      return make(
        "section",
        { class: "change" },
        make("h3", {}, linkDocument(app, number, { left: a, right: b })),
        make("div", { class: "two" }, column("Fixed", fixed, "fixed"), column("Broken", broken, "broken"))
      );
    }
    function tellSides(record, error, a, b) {
      const [side, mention] = error.marks[0];
      return ["k", a, b].flatMap((other, at) => {
        const there = findTwin(record, side, mention, other);
        const entity = there === void 0 ? void 0 : getEntity(record, other, there);
        const told = entity === void 0 ? ["not there"] : [makeChip(record, other, entity), " ", make("bdi", {}, nameEntity(record, other, entity))];
        return [at ? " · " : "", make("bdi", {}, nameSide(data, other)), ": ", ...told];
      });
    }
    return { show };
  }

  // web/views/report/tables.js
  var ROWS_AT_ONCE = 150;
  function createSortedTable(table, columns, caption, sorted) {
    const body = make("tbody");
    const heads = columns.map((column) => makeHead(column));
    table.replaceChildren(make("caption", { class: "sr" }, caption), make("thead", {}, make("tr", {}, ...heads)), body);
    const end = make("span");
    table.after(end);
    let ordered = [];
    let by = null;
    let falling = false;
    whenSeen(end, more);
    window.addEventListener("beforeprint", () => {
      while (body.children.length < ordered.length) more();
    });
    function makeHead(column) {
      const cell = make("th", { scope: "col", class: column.number ? "n" : void 0 });
      if (!column.value) cell.append(make("span", {}, column.title));
      else {
        const title = column.kind ? [makeSign(column.kind), make("span", { class: "sr" }, column.title)] : [column.title];
        cell.append(make("button", { type: "button", class: "sort", title: column.title, onclick: () => sorted(turn(column)) }, ...title));
      }
      return cell;
    }
    function turn(column) {
      const down = by === column ? !falling : Boolean(column.number) && !column.rising;
      return `${down ? "-" : ""}${column.name}`;
    }
    function show(items, sort) {
      falling = sort.startsWith("-");
      by = columns.find((column) => column.name === sort.replace(/^-/, "")) || columns[0];
      heads.forEach((head, at) => {
        if (columns[at] === by) head.setAttribute("aria-sort", falling ? "descending" : "ascending");
        else head.removeAttribute("aria-sort");
      });
      ordered = orderItems(items, by.value, falling ? -1 : 1);
      body.replaceChildren();
      more();
    }
    function more() {
      const from = body.children.length;
      body.append(...ordered.slice(from, from + ROWS_AT_ONCE).map((item) => make("tr", {}, ...columns.map((column, at) => {
        const shade = column.shade?.(item);
        return make(at ? "td" : "th", {
          scope: at ? void 0 : "row",
          title: column.about?.(item),
          class: [column.number ? "n" : "", shade > 0 ? "shaded" : ""].join(" ").trim() || void 0,
          style: shade > 0 ? { "--shade": shade.toFixed(3) } : {}
        }, column.cell(item));
      }))));
    }
    return { show };
  }
  function orderItems(items, value, sign) {
    const keyed = items.map((item) => [value(item), item]);
    return keyed.sort(([a], [b]) => (a === null) - (b === null) || sign * compareValues(a, b)).map(([, item]) => item);
  }
  function compareValues(a, b) {
    if (typeof a === "string") return a.localeCompare(b, void 0, { numeric: true });
    return (a > b) - (a < b);
  }

  // web/views/report/documents.js
  function createDocuments(app) {
    const { data, store } = app;
    const numbers = listNumbers(data.documents.name);
    let state = store.state;
    setOptions(one("#by"), data.measures.map((measure, number) => [number, measure.title]), state.measure);
    setOptions(one("#of"), data.systems.map(({ name }, number) => [number, name]), state.system);
    one("#of").parentElement.hidden = data.systems.length === 1;
    one("#by").addEventListener("change", (event) => store.change({ measure: Number(event.target.value) }));
    one("#of").addEventListener("change", (event) => store.change({ system: Number(event.target.value) }));
    one("#find").addEventListener("input", (event) => store.change({ find: event.target.value }, { replace: true }));
    const score = (system, number) => data.scores[system][state.measure][number];
    const errors = (number) => countErrors(data, state.system, number);
    const kindCount = (kind, number) => data.errors[state.system][number][kind.name] || 0;
    let ends = /* @__PURE__ */ new Map();
    const findEnds = (value, from) => {
      const known = numbers.map(value).filter((each) => each !== null);
      return [Math.min(...known, ...from), Math.max(...known, ...from)];
    };
    const shadeBy = (name, value) => (number) => {
      const [low, high] = ends.get(name);
      return value(number) === null || high <= low ? 0 : (value(number) - low) / (high - low);
    };
    const lack = (system) => (number) => score(system, number) === null ? null : -sign() * score(system, number);
    const sign = () => data.measures[state.measure].better === "higher" ? 1 : -1;
    const size = (title, column) => ({
      name: title,
      title,
      number: true,
      value: (number) => data.documents[column][number],
      cell: (number) => data.documents[column][number]?.toLocaleString("en") ?? "–"
    });
    const columns = [
      { name: "document", title: "document", value: (number) => nameDocument(data, number), cell: (number) => linkDocument(app, number), about: (number) => nameDocument(data, number) },
      ...data.systems.map(({ name }, system) => ({
        name: `score-${system}`,
        title: data.systems.length === 1 ? "score" : name,
        number: true,
        rising: true,
        value: (number) => score(system, number),
        cell: (number) => writeScore(score(system, number)),
        shade: shadeBy(`score-${system}`, lack(system))
      })),
      { name: "profile", title: "all measures", cell: (number) => drawProfile(data, number) },
      { name: "errors", title: "errors", number: true, value: errors, cell: (number) => errors(number).toLocaleString("en"), shade: shadeBy("errors", errors) },
      ...data.kinds.map((kind) => ({
        name: kind.name,
        title: kind.title,
        kind,
        number: true,
        value: (number) => kindCount(kind, number),
        cell: (number) => String(kindCount(kind, number)),
        shade: shadeBy(kind.name, (each) => kindCount(kind, each))
      })),
      ...data.documents.words.some((words) => words !== null) ? [size(data.unit === "character" ? "characters" : "words", "words")] : [],
      size("mentions", "mentions"),
      size("entities", "entities")
    ];
    const table = createSortedTable(one("#documents-table"), columns, "Documents with their scores and errors", (sort) => store.change({ sort }));
    let shown = null;
    function show(now) {
      state = now;
      const usual = sign() > 0 ? "score-0" : "-score-0";
      const wanted = [state.measure, state.system, state.find, state.sort].join("/");
      if (shown === wanted) return;
      shown = wanted;
      ends = new Map([
        ...data.systems.map((_, system) => [`score-${system}`, findEnds(lack(system), [])]),
        ["errors", findEnds(errors, [0])],
        ...data.kinds.map((kind) => [kind.name, findEnds((number) => kindCount(kind, number), [0])])
      ]);
      one("#by").value = String(state.measure);
      one("#of").value = String(state.system);
      if (one("#find").value !== state.find) one("#find").value = state.find;
      const name = state.find.trim().toLowerCase();
      const found = numbers.filter((number) => nameDocument(data, number).toLowerCase().includes(name));
      const without = found.filter((number) => !app.isThere(number)).length;
      one("#listed").textContent = (found.length === numbers.length ? countThings(found.length, "document") : `${found.length} of ${countThings(numbers.length, "document")}`) + (without ? `; the text of ${without} is not in this file` : "");
      table.show(found, state.sort || usual);
    }
    return { show };
  }
  function drawProfile(data, document2) {
    const systems = data.systems.length;
    const step = systems * 4 + 4;
    const width = data.measures.length * step;
    const words = data.measures.map((measure, m) => `${measure.name} ${data.scores.map((s) => s[m][document2] ?? "–").join(" and ")}`);
    const picture = draw(
      "svg",
      { class: "profile", viewBox: `0 0 ${width} 22`, width, height: 22, role: "img", "aria-label": words.join(", ") },
      draw("title", {}, words.join("\n"))
    );
    data.measures.forEach((measure, m) => {
      picture.append(draw("rect", { class: "rail", x: m * step, y: 0, width: systems * 4, height: 22 }));
      data.scores.forEach((scores, system) => {
        const score = scores[m][document2];
        if (score === null) return;
        const height = Math.max(0.5, Math.min(100, Math.max(0, score)) * 0.22);
        picture.append(draw("rect", { x: m * step + system * 4, y: 22 - height, width: 3.2, height, style: { fill: colourOf(system) } }));
      });
    });
    return picture;
  }

  // web/model/entities.js
  function findNeighbours(record, side, entity, other) {
    const size = listMembers(record, side)[entity].length;
    const parts = countShared(record, side, other).filter(({ i }) => i === entity).map(({ j, n }) => {
      const members = listMembers(record, other)[j];
      const extra = members.filter((mention) => findTwin(record, other, mention, side) === void 0).length;
      return { entity: j, n, size: members.length, extra, foreign: members.length - n - extra };
    }).sort((x, y) => y.n - x.n || x.entity - y.entity);
    const shared = parts.reduce((total, { n }) => total + n, 0);
    return { size, parts, missing: size - shared, misplaced: size - (parts[0]?.n || 0) };
  }
  function listWrongEntities(record, system) {
    return [["k", system], [system, "k"]].flatMap(([side, other]) => {
      const largest = listMembers(record, side).map(() => 0);
      for (const { i, n } of countShared(record, side, other)) largest[i] = Math.max(largest[i], n);
      return listMembers(record, side).map((members, entity) => ({ side, entity, misplaced: members.length - largest[entity] }));
    }).filter(({ misplaced }) => misplaced > 0);
  }
  function listConcordance(record, side, entity, other, width) {
    const { parts } = findNeighbours(record, side, entity, other);
    const home = parts[0]?.entity;
    return listMembers(record, side)[entity].map((mention) => {
      const twin = findTwin(record, side, mention, other);
      const there = twin === void 0 ? void 0 : getEntity(record, other, twin);
      return {
        mention,
        twin,
        entity: there,
        right: there !== void 0 && there === home,
        words: nameMention(record, side, mention),
        ...findMentionContext(record, side, mention, width)
      };
    });
  }

  // web/views/report/bands.js
  var DRAWN = 14;
  var WIDTH = 720;
  var BARS = [210, 510];
  var BAR = 10;
  var GAP = 22;
  var [ISOLATE, END] = ["⁨", "⁩"];
  function drawBands(record, side, entity, other, { size, parts, missing }) {
    const bars = joinSmallest(parts);
    const heights = bars.map((bar) => bar.size);
    const unit = Math.max(0.5, Math.min(8, 180 / Math.max(1, size, sum(heights))));
    const tall = (mentions) => Math.max(2, mentions * unit);
    const height = Math.max(tall(size) + GAP, sum(heights.map((each) => tall(each) + GAP))) + 8;
    const look = chooseLooks(record, side)[entity];
    const picture = draw("svg", { class: "bands", viewBox: `0 0 ${WIDTH} ${height.toFixed(1)}`, role: "img", "aria-label": "the entity at the left, its neighbours at the right; described below" });
    let from = (height - tall(size)) / 2;
    const top = from;
    let y = (height - sum(heights.map((each) => tall(each) + GAP)) + GAP) / 2;
    for (const bar of bars) {
      picture.append(drawBand(from, y, bar.n * unit, look, countThings(bar.n, "mention")), ...drawBar(record, other, bar, y, unit));
      from += bar.n * unit;
      y += tall(bar.size) + GAP;
    }
    picture.append(
      drawTrunk(BARS[0], top, (size - missing) * unit, "trunk", look, countThings(size - missing, "mention")),
      ...missing ? [drawTrunk(BARS[0], from, missing * unit, "trunk absent", look, `${countThings(missing, "mention")} without a twin`)] : [],
      drawTitle(BARS[0] - 8, top + tall(size) / 2 + 4, "end", look.label, nameEntity(record, side, entity), size)
    );
    return make("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Picture" }, picture);
  }
  function joinSmallest(parts) {
    if (parts.length <= DRAWN) return parts;
    const rest = parts.slice(DRAWN - 1);
    const total = (field) => sum(rest.map((part) => part[field]));
    return [...parts.slice(0, DRAWN - 1), { entity: null, many: rest.length, n: total("n"), size: total("size"), foreign: total("foreign"), extra: total("extra") }];
  }
  function drawBand(a, b, thick, look, title) {
    const [left, right] = [BARS[0] + BAR, BARS[1]];
    const middle = (left + right) / 2;
    const path = `M${left},${a}C${middle},${a} ${middle},${b} ${right},${b}V${b + thick}C${middle},${b + thick} ${middle},${a + thick} ${left},${a + thick}Z`;
    return draw("path", { class: `band${entityClass(look)}`, d: path, style: colourEntity(look) }, draw("title", {}, title));
  }
  function drawBar(record, side, bar, y, unit) {
    const look = bar.entity === null ? { label: "", hue: null } : chooseLooks(record, side)[bar.entity];
    const title = bar.entity === null ? `${bar.many} smaller ones` : nameEntity(record, side, bar.entity);
    const segments = [["trunk", bar.n, "shared"], ["trunk foreign", bar.foreign, "of other entities"], ["trunk absent", bar.extra, "without a twin"]];
    let at = y;
    const drawn = segments.filter(([, mentions]) => mentions).map(([kind, mentions, what]) => {
      const element = drawTrunk(BARS[1], at, mentions * unit, kind, look, `${countThings(mentions, "mention")} ${what}`);
      at += mentions * unit;
      return element;
    });
    return [...drawn, drawTitle(BARS[1] + 18, y + Math.max(9, bar.size * unit / 2 + 4), "start", look.label, title, bar.size)];
  }
  function drawTrunk(x, y, height, kind, look, title) {
    return draw("rect", { class: `${kind}${entityClass(look)}`, x, y, width: BAR, height: Math.max(0.5, height), style: colourEntity(look) }, draw("title", {}, title));
  }
  function drawTitle(x, y, anchor, label, title, size) {
    const short = title.length > 22 ? `${title.slice(0, 21)}…` : title;
    return draw(
      "text",
      { class: "title", x, y, "text-anchor": anchor },
      draw("tspan", { class: "label" }, label ? `${label} ` : ""),
      `${ISOLATE}${short}${END} `,
      draw("tspan", { class: "count" }, String(size))
    );
  }

  // web/views/report/entities.js
  var SIZE2 = 25;
  function createEntities(app) {
    const { data, store } = app;
    setOptions(one("#entities-of"), data.systems.map(({ name }, number) => [number, name]), 0);
    one("#entities-of").parentElement.hidden = data.systems.length === 1;
    setOptions(one("#entities-in"), [["", "all documents"], ...data.documents.name.map((_, number) => [number, nameDocument(data, number)])], "");
    one("#entities-in").parentElement.hidden = countDocuments(data) === 1;
    const listen = (id, change) => one(id).addEventListener("change", (event) => store.change(change(event.target.value)));
    listen("#entities-of", (value) => ({ system: Number(value) }));
    listen("#entities-in", (value) => ({ within: value === "" ? null : Number(value) }));
    listen("#entities-by", (value) => ({ measure: Number(value) }));
    listen("#entities-order", (value) => ({ order: value }));
    const pager = createPager(app, one("#groups"), { heading: () => one("#entities h1"), size: SIZE2, word: "entities" });
    let shown = null;
    async function show(state) {
      const { system, within, measure, order, page } = state;
      const wanted = [system, within, measure, order, page].join("/");
      if (shown === wanted) return;
      shown = wanted;
      one("#entities-of").value = String(system);
      one("#entities-in").value = within === null ? "" : String(within);
      setOptions(one("#entities-by"), listMeasuresOfCosts(data, system, measure), measure);
      one("#entities-order").value = order;
      const found = within === null ? await listOverall(system, measure, order) : await listWithin(system, measure, order, within);
      if (shown !== wanted) return;
      one("#entities-count").textContent = tellCount(found, within);
      await pager.show(found?.listed || [], page, (each) => makeEntity(each, state), { end: found && tellEnd(found) });
    }
    async function listOverall(system, measure, order) {
      const lists = await app.loadLists(system);
      if (!lists) return null;
      const ranked = rankEntities(lists, system, measure, order);
      const there = ranked.filter(({ document: number }) => app.isThere(number));
      return { listed: there, ranked: ranked.length, total: lists.entities.total };
    }
    async function listWithin(system, measure, order, number) {
      const record = await app.load(number);
      if (!record) return null;
      const listed = sortEntities(listWrongEntities(record, system).map((each) => ({ ...each, document: number, cost: getEntityCost(record, system, each.side, each.entity, measure) })), order);
      return { listed, ranked: listed.length, total: listed.length };
    }
    const countEntities = (count) => `${count.toLocaleString("en")} ${count === 1 ? "entity" : "entities"}`;
    function tellCount(found, within) {
      if (!found) return within === null ? "the list could not be loaded" : `the text of ${nameDocument(data, within)} is not in this file`;
      return found.total ? `${countEntities(found.total)} with misplaced mentions` : "nothing is wrong here";
    }
    function tellEnd({ listed, ranked, total }) {
      const told = [];
      if (ranked > listed.length) told.push(make("p", { class: "notice" }, `Not listed: ${countEntities(ranked - listed.length)} of documents whose text is not in this file. A folder has all: `, make("code", {}, "corefeval report … -o report")));
      if (total > ranked) told.push(make("p", { class: "notice" }, `The list ends with the costliest ${ranked.toLocaleString("en")} of ${countEntities(total)} by ${data.measures[data.mainMeasure].title}. More of them: `, make("code", {}, "corefeval errors KEY RESPONSE --worst N")));
      return told.length ? make("div", {}, ...told) : null;
    }
    async function makeEntity({ document: number, side, entity, misplaced, cost }, { system, measure }) {
      const record = await app.load(number);
      if (!record) return null;
      const other = side === "k" ? system : "k";
      const found = findNeighbours(record, side, entity, other);
      const mention = identifyMention(record, side, listMembers(record, side)[entity][0]);
      const there = linkTo(app, { view: "text", document: number, mention, left: "k", right: system }, {}, countDocuments(data) > 1 ? make("bdi", {}, nameDocument(data, number)) : "in the text");
      return make(
        "article",
        { class: "group" },
        make("header", {}, make(
          "h2",
          {},
          makeChip(record, side, entity),
          " ",
          make("bdi", {}, nameEntity(record, side, entity)),
          make("span", { class: "small" }, ` ${side === "k" ? "key" : "response"} entity of ${countThings(found.size, "mention")}, ${misplaced} misplaced${tellCost2(record, system, measure, cost)}`)
        ), there),
        drawBands(record, side, entity, other, found),
        make("ul", { class: "told-groups" }, ...tellParts(record, side, other, found))
      );
    }
    function tellCost2(record, system, measure, cost) {
      const finding = getFinding(data, system, measure);
      if (!finding || !cost) return "";
      return finding.exact ? `; ${writeShare(cost, sumDocumentLoss(record, system, measure))} of what the document loses by ${data.measures[measure].title}` : `; ${writePoints(cost)} points of ${data.measures[measure].title} by leave-one-out`;
    }
    function tellParts(record, side, other, { parts, missing }) {
      const where = (each) => each === "k" ? "the key" : "the response";
      const besides = ({ foreign, extra }) => [foreign ? `${foreign} of other entities` : "", extra ? `${extra} not in ${where(side)}` : ""].filter(Boolean);
      const lines = parts.map((part) => make(
        "li",
        {},
        `${countThings(part.n, "mention")} in `,
        makeChip(record, other, part.entity),
        " ",
        make("bdi", {}, nameEntity(record, other, part.entity)),
        part.size === part.n ? "" : `, with ${besides(part).join(" and ")}`
      ));
      if (missing) lines.push(make("li", {}, `${countThings(missing, "mention")} not in ${where(other)}`));
      return lines;
    }
    return { show };
  }

  // web/views/report/errors.js
  var SIZE3 = 100;
  var FULL = { name: "error", named: 6 };
  var BRIEF = { name: "error brief", named: 1, letters: 70 };
  async function makeErrorItem(app, { errors }, system, at, measure, most, form = FULL) {
    const { data } = app;
    const [document2, kind, cost] = [errors.document[at], data.kinds[errors.kind[at]], errors.costs[measure]?.[at]];
    const record = await app.load(document2);
    const error = record && getError(record, system, errors.error[at]);
    return make(
      "li",
      { class: form.name, "data-kind": kind.name },
      make(
        "p",
        { class: "what" },
        makeSign(kind),
        make("b", {}, kind.title),
        record ? [": ", ...tellError(app, record, error, form.named)] : null
      ),
      record ? make("p", {}, makeSnippet(app, record, document2, error, form.letters)) : make("p", { class: "small" }, "Its text is not in this file."),
      make(
        "p",
        { class: "small where" },
        make("span", { class: "document", title: nameDocument(data, document2) }, linkDocument(app, document2)),
        cost === void 0 ? null : make("span", { class: "share" }, makeBar(cost / most, system), tellCost(data, record, system, measure, cost))
      )
    );
  }
  function tellCost(data, record, system, measure, cost) {
    const { exact, loss } = getFinding(data, system, measure);
    if (!exact) return `${writePoints(cost)} points`;
    const whole = writeShare(cost, 1e6 * loss);
    return record && data.documents.name.length > 1 ? `${writeShare(cost, sumDocumentLoss(record, system, measure))} of its document's loss, ${whole} of the whole` : `${whole} of the loss`;
  }
  function createErrors(app, box) {
    const { data, store } = app;
    setOptions(one("#errors-of"), data.systems.map(({ name }, number) => [number, name]), 0);
    one("#errors-of").parentElement.hidden = data.systems.length === 1;
    one("#errors-of").addEventListener("change", (event) => store.change({ system: Number(event.target.value) }));
    setOptions(one("#errors-kind"), [["", "all types"], ...data.kinds.map((kind, number) => [number, kind.title]), ["several", "several types"]], "");
    const several = one("#errors-kind [value=several]");
    one("#errors-kind").addEventListener("change", (event) => store.change({ kinds: event.target.value === "" ? null : /* @__PURE__ */ new Set([Number(event.target.value)]) }));
    one("#errors-by").addEventListener("change", (event) => store.change({ measure: Number(event.target.value) }));
    const pager = createPager(app, one(".error-list", box), { heading: () => one("h1", box), size: SIZE3, word: "errors" });
    let shown = null;
    async function show({ system, kinds, measure, page }) {
      const wanted = [system, kinds ? [...kinds] : "", measure, page].join("/");
      if (shown === wanted) return;
      shown = wanted;
      one("#errors-of").value = String(system);
      several.hidden = !kinds || kinds.size === 1;
      one("#errors-kind").value = !kinds ? "" : kinds.size === 1 ? String([...kinds][0]) : "several";
      setOptions(one("#errors-by"), listMeasuresOfCosts(data, system, measure), measure);
      one("#errors-order").textContent = tellOrder(system, measure);
      const lists = await app.loadLists(system);
      if (shown !== wanted) return;
      if (!lists) {
        one("#errors-count").textContent = "the list could not be loaded";
        return;
      }
      const ranked = rankErrors(lists, measure, kinds);
      const all2 = sum(data.kinds.filter((_, kind) => !kinds || kinds.has(kind)).flatMap(({ name }) => data.errors[system].map((counts) => counts[name] || 0)));
      one("#errors-count").textContent = countThings(all2, "error");
      const most = lists.errors.costs[measure]?.[ranked[0]] || 1;
      await pager.show(ranked, page, (at) => makeErrorItem(app, lists, system, at, measure, most), { end: tellEnd(ranked.length, all2) });
    }
    function tellOrder(system, measure) {
      const { title } = data.measures[measure];
      const found = getFinding(data, system, measure);
      if (!found) return `In the order in which they cost by another measure, or of types: what they cost by ${title} is not known, as ${data.costs[system][measure].unknown}.`;
      return `Those that cost most come first: what the mentions of an error cost, by ${title}. A mention may be part of several errors, so ${found.exact ? "shares" : "points"} do not add up to all that is lost.`;
    }
    function tellEnd(listed, all2) {
      if (listed >= all2) return null;
      return make(
        "p",
        { class: "notice" },
        `The list ends here, with the costliest ${listed.toLocaleString("en")} of ${countThings(all2, "error")} by ${data.measures[data.mainMeasure].title}. All of them: `,
        make("code", {}, "corefeval errors KEY RESPONSE --all --csv")
      );
    }
    return { show };
  }

  // web/views/report/findings.js
  var FIELDS = {
    "mention-type": "type of mention",
    "entity-type": "type of entity",
    size: "mentions in the entity",
    distance: "distance to the mention before it in its entity",
    nesting: "nesting"
  };
  function makeLinks(data, system) {
    const links = data.links[system];
    if (!links || !links.types.length) return [];
    const most = Math.max(1, ...["missed", "wrong"].flatMap((kind) => links[kind].flat()));
    const cell = (count) => make("td", { class: count ? "n shaded" : "n", style: count ? { "--shade": (count / most).toFixed(3) } : {} }, count.toLocaleString("en"));
    const table = (kind, title) => make("div", {}, make("h3", {}, `${title}: ${sum(links[kind].flat()).toLocaleString("en")}`), make(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": title },
      makeTable(
        { class: "links" },
        title,
        [["anaphor ↓, antecedent →", {}], ...links.types.map((type) => [type, { class: "n" }])],
        links.types.map((type, row) => make("tr", {}, make("th", { scope: "row" }, type), ...links[kind][row].map(cell)))
      )
    ));
    return [
      make("h2", {}, "Links"),
      make("p", { class: "hint" }, "By the types of a mention and of its antecedent: links of the key that are missed, and links of the response that are wrong."),
      make("div", { class: "side-by-side" }, table("missed", "Missed links"), table("wrong", "Wrong links"))
    ];
  }
  function makeBreakdowns(data, system, measure) {
    const fields = data.breakdowns[system];
    if (!fields.length) return [];
    const { title } = data.measures[measure];
    const table = ({ field, groups }) => make("div", {}, make("h3", {}, `By ${FIELDS[field] || field}`), make(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": `Scores by ${FIELDS[field] || field}` },
      makeTable(
        { class: "breakdown" },
        `Scores by ${FIELDS[field] || field}`,
        [["mentions", {}], "in key", "in response", title, "B³ recall", "precision", "F1"],
        groups.map((group) => make(
          "tr",
          {},
          make("th", { scope: "row" }, group.label),
          ...[group.key, group.response].map((count) => make("td", { class: "n" }, count.toLocaleString("en"))),
          make("td", { class: "n" }, writeScore(group.scores[measure])),
          ...group.bcub.map((value) => make("td", { class: "n" }, writeScore(value)))
        ))
      )
    ));
    return [
      make("h2", {}, "Groups of mentions"),
      make("p", { class: "hint" }, `${title}: as if key and response had these mentions only. B³: recall and precision of these mentions with all others there.`),
      make("div", { class: "side-by-side" }, ...fields.map(table))
    ];
  }

  // web/views/report/overview.js
  var COSTLIEST = 5;
  function createOverview(app, box) {
    const { data, store } = app;
    const several = data.systems.length > 1;
    one("#answer-of").parentElement.hidden = !several;
    setOptions(one("#answer-of"), data.systems.map(({ name }, number) => [number, name]), 0);
    one("#answer-of").addEventListener("change", (event) => store.change({ system: Number(event.target.value) }));
    setOptions(one("#answer-by"), data.measures.map(({ title }, number) => [number, title]), data.mainMeasure);
    one("#answer-by").addEventListener("change", (event) => store.change({ measure: Number(event.target.value) }));
    one("#matrix").replaceChildren(...makeMatrix(app));
    one("#scores").replaceChildren(makeScores(app));
    one("#notices").replaceChildren(...makeNotices(data));
    box.addEventListener("click", (event) => {
      const about = event.target.closest("[data-about]");
      if (about) {
        const row = document.getElementById(about.getAttribute("aria-controls"));
        row.hidden = !row.hidden;
        about.setAttribute("aria-expanded", String(!row.hidden));
      }
      const copy2 = event.target.closest("[data-copy]");
      if (copy2) app.copy(copy2, one(copy2.dataset.copy).textContent);
    });
    let shown = null;
    function show({ system, measure }) {
      const wanted = `${system}/${measure}`;
      if (shown === wanted) return;
      shown = wanted;
      one("#answer-of").value = String(system);
      one("#answer-by").value = String(measure);
      one("#headline").replaceChildren(...makeHeadline(app, system, measure));
      one("#kinds").replaceChildren(makeKinds(app, system, measure));
      fillCostliest(app, system, measure, () => shown === wanted);
      one("#findings").replaceChildren(...makeLinks(data, system), ...makeBreakdowns(data, system, measure));
    }
    return { show };
  }
  function makeHeadline(app, system, measure) {
    const { data } = app;
    const { title, main, better } = data.measures[measure];
    const { main: score, interval } = data.results[system][measure];
    const rates = findRates(data, system, measure);
    return [
      make(
        "div",
        { class: "score" },
        make("strong", {}, writeScore(score)),
        make(
          "p",
          {},
          title,
          main === "f1" && !/average/.test(title) ? " F1" : "",
          better === "lower" ? " (lower is better)" : "",
          interval ? make("span", { class: "interval" }, `, ${writePercent(data)} interval ${writeScore(interval[0])} to ${writeScore(interval[1])}`) : null
        ),
        rates ? make(
          "p",
          { class: "rates" },
          `recall ${writeScore(rates.recall)}, precision ${writeScore(rates.precision)}`,
          rates.of.length ? make("span", { class: "small" }, ` (means of ${rates.of.join("; ")})`) : null
        ) : null
      ),
      make("p", { class: "sentence" }, tellWorst(data, system, measure))
    ];
  }
  var writePercent = (data) => `${Math.round(100 * data.settings.confidence)} %`;
  function makeKinds(app, system, measure) {
    const { data } = app;
    const { kinds, total } = rankCorrections(data, system, measure);
    const systems = [system, ...listNumbers(data.systems).filter((other) => other !== system)];
    const ranked = systems.map((each) => new Map(rankCorrections(data, each, measure).kinds.map((entry) => [entry.kind, entry])));
    const amount = ({ points, count }) => total === null ? count : points;
    const most = Math.max(1e-9, ...kinds.map(amount));
    const rows = kinds.map(({ kind }) => make(
      "tr",
      {},
      make(
        "th",
        { scope: "row" },
        linkTo(app, { view: "errors", kinds: /* @__PURE__ */ new Set([kind]), system }, { title: data.kinds[kind].rule }, makeSign(data.kinds[kind]), data.kinds[kind].title),
        systems.length > 1 ? null : make("span", { class: "rule small" }, data.kinds[kind].rule)
      ),
      make("td", { class: "bar" }, makeBar(amount(ranked[0].get(kind)) / most, system)),
      ...total === null ? [] : [make("td", { class: "n points" }, writeScore(ranked[0].get(kind).points))],
      make("td", { class: "n" }, ranked[0].get(kind).count.toLocaleString("en")),
      ...systems.slice(1).map((_, at) => make("td", { class: "n other" }, total === null ? ranked[at + 1].get(kind).count.toLocaleString("en") : writeScore(ranked[at + 1].get(kind).points)))
    ));
    const name = (each, attributes) => [[makeSwatch(each), nameSystem(app, each)], { ...attributes, title: data.systems[each].name }];
    const titles = [
      systems.length > 1 ? name(system, { class: "name" }) : [make("span", { class: "sr" }, "picture"), { class: "name" }],
      ...total === null ? [] : [["points", { class: "n" }]],
      ["errors", { class: "n" }],
      ...systems.slice(1).map((each) => name(each, { class: "n" }))
    ];
    return makeTable({ class: systems.length > 2 ? "kinds several" : "kinds" }, "Types of errors, the costliest first", [["type", {}], ...titles], rows);
  }
  async function fillCostliest(app, system, measure, isWanted) {
    const lists = await app.loadLists(system);
    if (!lists) return;
    const ranked = rankErrors(lists, measure);
    const cost = lists.errors.costs[measure];
    const items = await Promise.all(ranked.slice(0, COSTLIEST).map((at) => makeErrorItem(app, lists, system, at, measure, cost?.[ranked[0]], BRIEF)));
    if (!isWanted()) return;
    one("#costliest ol").replaceChildren(...items);
    one("#costliest").hidden = !items.length;
    one("#costliest h2").textContent = !cost ? "Some errors" : items.length > 1 ? `The ${items.length} costliest errors` : "The costliest error";
    one("#all-errors").replaceChildren(linkTo(app, { view: "errors", system, kinds: null, measure }, {}, `All ${countThings(lists.errors.total, "error")}`));
  }
  var countMentions = ({ mentions, entities }) => `${mentions.toLocaleString("en")} mentions in ${entities.toLocaleString("en")} entities`;
  function makeMatrix(app) {
    const { data } = app;
    const axes = data.measures.map((_, measure) => zoomAxis(listDrawn(data, measure)));
    const head = [["system", {}], ...data.measures.map(({ title }, measure) => [
      [title, make("span", { class: "axis", "aria-hidden": "true" }, make("i", {}, String(axes[measure][0])), make("i", {}, String(axes[measure][1])))],
      { class: "n" }
    ])];
    const rows = data.systems.map((_, system) => make(
      "tr",
      {},
      make("th", { scope: "row", class: "name", title: data.systems[system].name }, make("span", { class: "who" }, makeSwatch(system), nameSystem(app, system)), make("span", { class: "size small" }, countMentions(data.systems[system]))),
      ...data.measures.map((_measure, measure) => {
        const { main, interval, best } = data.results[system][measure];
        const difference = system ? findDifference(data, 0, system, measure) : void 0;
        return make(
          "td",
          { class: "n" },
          best.includes("main") ? make("b", {}, writeScore(main)) : writeScore(main),
          makeSignificance(data, difference),
          makeRange(main, interval, axes[measure], system)
        );
      })
    ));
    return [
      make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Systems by measures" }, makeTable({ class: "matrix" }, "Systems by measures", head, rows)),
      make("p", { class: "hint" }, ...tellMatrix(app))
    ];
  }
  function tellMatrix(app) {
    const { data } = app;
    const [several, intervals] = [data.systems.length > 1, countDocuments(data) > 1];
    return [
      several ? "Bold is best. " : "",
      "Each column has the axis at its head",
      intervals ? `; bands are ${writePercent(data)} intervals.` : ".",
      ...several && intervals ? [" ▲ ▼ significantly better or worse than ", nameSystem(app, 0), "."] : []
    ];
  }
  function makeSignificance(data, difference) {
    if (!difference?.significant) return make("span", { class: "mark" }, "");
    const up = isBetter(data, difference.measure, difference.points);
    return make(
      "span",
      { class: `mark ${up ? "up" : "down"}`, title: `${writeSigned(difference.points)}, p ${writeProbability(difference.p)}` },
      make("span", { "aria-hidden": "true" }, up ? "▲" : "▼"),
      make("span", { class: "sr" }, `significantly ${up ? "better" : "worse"}`)
    );
  }
  function makeScores(app) {
    const { data } = app;
    const several = data.systems.length > 1;
    const intervals = countDocuments(data) > 1;
    const axis = zoomAxis(data.measures.flatMap((_, measure) => listDrawn(data, measure)));
    const head = [
      ["measure", {}],
      ...several ? [["system", {}]] : [],
      "recall",
      "precision",
      "F1 or score",
      [[make("span", { class: "sr" }, "picture"), make("span", { class: "axis", "aria-hidden": "true" }, make("i", {}, String(axis[0])), make("i", {}, String(axis[1])))], { class: "picture" }],
      ...intervals ? [["interval", { class: "n" }]] : [],
      ...several ? [[["difference from ", nameSystem(app, 0)], { class: "n wide" }]] : []
    ];
    const bodies = data.measures.map((_, measure) => makeMeasure(app, measure, axis, head.length));
    const table = makeTable({ class: "scores" }, "Scores by every measure", head, []);
    one("tbody", table).replaceWith(...bodies);
    return table;
  }
  function makeMeasure(app, measure, axis, width) {
    const { data } = app;
    const { title, name } = data.measures[measure];
    const several = data.systems.length > 1;
    const id = `about-${name.replace(/[^\w-]/g, "_")}`;
    const bold = (best, field, value) => best.includes(field) ? make("b", {}, writeScore(value)) : value === null && field !== "main" ? "" : writeScore(value);
    const rows = data.systems.map((_, system) => {
      const { recall, precision, main, interval, best } = data.results[system][measure];
      const difference = system ? findDifference(data, 0, system, measure) : void 0;
      return make(
        "tr",
        {},
        system ? null : make("th", { scope: "rowgroup", rowspan: data.systems.length }, make(
          "button",
          { type: "button", class: "measure", "aria-expanded": "false", "aria-controls": id, "data-about": true },
          title,
          " ",
          make("span", { class: "code" }, name)
        )),
        several ? make("td", { class: "name" }, makeSwatch(system), nameSystem(app, system)) : null,
        make("td", { class: "n" }, bold(best, "recall", recall)),
        make("td", { class: "n" }, bold(best, "precision", precision)),
        make("td", { class: "n main" }, bold(best, "main", main)),
        make("td", { class: "picture" }, makeRange(main, interval, axis, system)),
        countDocuments(data) > 1 ? make("td", { class: "n" }, interval ? `${writeScore(interval[0])} to ${writeScore(interval[1])}` : "") : null,
        several ? make("td", { class: "n wide" }, ...tellDifference(difference)) : null
      );
    });
    const row = make("tr", { class: "about", id, hidden: true }, make("td", { colspan: width }, makeAbout(app, measure)));
    return make("tbody", {}, ...rows, row);
  }
  function tellDifference(difference) {
    if (!difference) return [];
    const p = difference.p === null ? "" : ` p ${difference.p < 1e-3 ? "" : "= "}${writeProbability(difference.p)}`;
    return [writeSigned(difference.points), difference.significant ? make("abbr", { title: "significant" }, "*") : "", make("span", { class: "p" }, p)];
  }
  function makeAbout(app, measure) {
    const { data } = app;
    const { about, formula, citation, addsUp } = data.measures[measure];
    const paragraph = (pieces) => make("p", {}, ...pieces.map((piece, at) => at % 2 ? make("code", {}, piece) : piece));
    return make(
      "div",
      { class: "about" },
      make("div", {}, ...about.map(paragraph), make("p", { class: "formula" }, formula), make("p", { class: "small" }, `${citation.replace(/(?<![.?!])$/, ".")} Over documents: ${addsUp}.`)),
      make("div", {}, ...data.systems.flatMap((_, system) => tellLosses(app, system, measure))),
      ...data.systems.map((_, system) => makeCostliest(app, system, measure))
    );
  }
  var writeCount = (value) => Number.isInteger(value) ? value.toLocaleString("en") : value.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  var LOST = { recall: "not found", precision: "not right" };
  function tellLosses(app, system, measure) {
    const { data } = app;
    const { lost, worst } = data.results[system][measure];
    if (!lost.length && !worst.length) return [];
    const score = (number) => data.scores[system][measure][number];
    return [
      make("h3", {}, "What it missed", ...data.systems.length > 1 ? [" in ", nameSystem(app, system)] : []),
      make("ul", {}, ...lost.map(({ side, found, wanted }) => make("li", {}, `${side}: ${writeCount(found)} of ${writeCount(wanted)}, ${writeCount(Number((wanted - found).toFixed(4)))} ${LOST[side]}`))),
      worst.length ? make("p", {}, "Documents with the largest part of it: ", ...worst.flatMap((number, at) => [at ? ", " : "", linkDocument(app, number, { left: "k", right: system }), ` (${writeScore(score(number))})`]), ".") : null
    ];
  }
  function makeCostliest(app, system, measure) {
    const { data } = app;
    const title = (what) => make("h3", {}, what, ...data.systems.length > 1 ? [" in ", nameSystem(app, system)] : []);
    const found = getFinding(data, system, measure);
    if (!found) return make("section", { class: "costs" }, title("What it cost"), make("p", { class: "small" }, `What mentions and entities cost is not known here: ${data.costs[system][measure].unknown}.`));
    const { entities, mentions } = data.costliest[system][measure];
    if (!entities.length && !mentions.length) return make("section", { class: "costs" });
    const rest = found.rest > 5e-3 ? `, but for ${writeScore(found.rest)} that no mention costs, as a side has nothing to count (0/0)` : "";
    const told = found.exact ? `Shares of the ${writeScore(found.loss)} points that are lost. Exact: those of all entities add up to it, and so do those of all mentions${rest}.` : "Leave-one-out: points that the score would gain without it. They do not add up to what is lost.";
    return make(
      "section",
      { class: "costs" },
      title("What cost most"),
      make("p", { class: "small" }, told),
      make("div", { class: "pair-of-lists" }, makeCostly(app, "Entities", entities, system, measure), makeCostly(app, "Mentions", mentions, system, measure))
    );
  }
  function makeCostly(app, title, items, system, measure) {
    const whatOf = ({ side, size, found: found2 }) => size ? `${side} entity, ${countThings(size, "mention")}` : side === "response" ? "extra" : found2 ? "found" : "missing";
    const open = async (event, { document: number, side, mention }) => {
      event.preventDefault();
      const record = await app.load(number);
      app.store.change({ view: "text", document: number, mention: identifyMention(record, side === "key" ? "k" : system, mention), left: "k", right: system, measure });
    };
    const found = getFinding(app.data, system, measure);
    const shorten = (words) => words.length > 60 ? `${words.slice(0, 59)}…` : words;
    return make("div", {}, make("h4", {}, title), make("ol", { class: "costly" }, ...items.map((item) => make(
      "li",
      {},
      make(
        "span",
        { class: "words" },
        app.isThere(item.document) ? make("a", { href: app.store.link({ view: "text", document: item.document, mention: null, left: "k", right: system, measure }), onclick: (event) => open(event, item) }, make("bdi", {}, shorten(item.words))) : make("bdi", {}, shorten(item.words)),
        make("span", { class: "what" }, whatOf(item), ...countDocuments(app.data) > 1 ? [", ", make("bdi", {}, nameDocument(app.data, item.document))] : [])
      ),
      make("span", { class: "points" }, make("i", { style: { width: `${100 * item.cost / items[0].cost}%`, "--colour": colourOf(system) } }), make("b", {}, found.exact ? writeShare(item.cost, 1e6 * found.loss) : writePoints(item.cost)))
    ))));
  }
  function makeNotices(data) {
    const { notices } = data;
    for (const link of all(".to-notices")) link.hidden = !notices.length;
    if (!notices.length) return [];
    const listed = notices.map(({ kind, message }) => make("li", {}, make("span", { class: "code" }, kind), " ", make("span", { dir: "auto" }, message)));
    return [make("h2", { tabindex: "-1" }, "Warnings"), make(
      "details",
      { open: notices.length < 20 },
      make("summary", {}, `${countThings(notices.length, "thing")} to know about these numbers`),
      make("ul", { class: "warnings" }, ...listed)
    )];
  }

  // web/model/layout.js
  function layOut(text, items) {
    const parts = splitByBlock(items, text.blocks);
    return text.blocks.map(({ first, last }, block) => last < first ? [] : fill2(nest(parts[block], first, last), text));
  }
  function splitByBlock(items, blocks) {
    const found = blocks.map(() => []);
    for (const item of items) {
      const { runs } = item;
      for (let at = 0; at < runs.length; at += 2) {
        for (let block = findBlock(blocks, runs[at]); block < blocks.length && blocks[block].first <= runs[at + 1]; block += 1) {
          const { first, last } = blocks[block];
          if (last < first) continue;
          found[block].push({
            item,
            a: Math.max(runs[at], first),
            b: Math.min(runs[at + 1], last),
            opens: at === 0 && runs[at] >= first,
            closes: at === runs.length - 2 && runs[at + 1] <= last
          });
        }
      }
    }
    return found;
  }
  function nest(parts, first, last) {
    const order = (x, y) => x.a - y.a || y.b - x.b;
    const queue = parts.filter((part) => part.a <= part.b).sort(order);
    const root = { a: first, b: last, within: [] };
    const around = [root];
    for (let at = 0; at < queue.length; at += 1) {
      const part = queue[at];
      while (around[around.length - 1].b < part.a) around.pop();
      const parent = around[around.length - 1];
      if (part.b > parent.b) {
        const rest = { ...part, a: parent.b + 1, opens: false };
        let place = at + 1;
        while (place < queue.length && order(queue[place], rest) <= 0) place += 1;
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
  function fill2(node, text) {
    const children = [];
    let at = node.a;
    for (const { item, opens, closes, ...part } of node.within) {
      if (part.a > at) children.push(...at > node.a ? [text.gap(at)] : [], ...text.pieces(at, part.a - 1));
      if (part.a > node.a) children.push(text.gap(part.a));
      const own = fill2(part, text);
      const inner = Math.max(0, ...own.filter((child) => child.item).map((child) => child.inner + 1));
      children.push({ item, opens, closes, inner, children: own });
      at = part.b + 1;
    }
    if (at <= node.b) children.push(...at > node.a ? [text.gap(at)] : [], ...text.pieces(at, node.b));
    return children.filter((child) => child !== "");
  }

  // web/views/report/inspector.js
  var MENTIONS_LISTED = 60;
  var CONTEXT = 4;
  function createInspector(app, panel, { close }) {
    const { data } = app;
    let open = false;
    function show(record, state, mark, error) {
      panel.classList.toggle("empty", !mark);
      if (!mark) {
        one("#said").textContent = "";
        panel.replaceChildren(make(
          "p",
          { class: "hint" },
          "Point at a mention to see its entity on both sides; choose it to read more. ",
          make("kbd", {}, "n"),
          " and ",
          make("kbd", {}, "p"),
          " go to the next and previous error."
        ));
        return;
      }
      const [side, mention] = mark;
      const shown = [.../* @__PURE__ */ new Set([state.left, state.right])];
      const systems = side === "k" ? shown.filter((each) => each !== "k") : [side];
      const entity = getEntity(record, side, mention);
      const concerns = (each) => each.marks.some(([s, m]) => s === side && m === mention);
      const errors = error && concerns(error) ? [error] : systems.flatMap((system) => listErrors(record, system)).filter(concerns);
      panel.replaceChildren(
        make("p", { class: "small" }, make("bdi", {}, nameSide(data, side)), ...tellMissing(record, systems, side, mention)),
        make("h2", { dir: "auto" }, nameMention(record, side, mention)),
        ...errors.map((each) => make(
          "p",
          { class: "told" },
          makeSign(data.kinds[each.kind]),
          make("b", {}, data.kinds[each.kind].title),
          ...systems.length > 1 ? [" in ", nameSystem(app, each.system)] : [],
          ": ",
          ...tellError(app, record, each)
        )),
        ...systems.map((system) => tellCosts(record, state, system, side, mention)),
        make(
          "h3",
          {},
          "Entity ",
          makeChip(record, side, entity),
          " ",
          make("bdi", {}, nameEntity(record, side, entity)),
          make("span", { class: "small" }, ` ${countThings(listMembers(record, side)[entity].length, "mention")}, called `, make("bdi", {}, getSide(record, side).entities[entity]), " in the file")
        ),
        makeConcordance(record, state, mark, shown.filter((other) => other !== side)),
        ...shown.filter((other) => other !== side).map((other) => tellElsewhere(record, side, entity, other)),
        make(
          "p",
          {},
          make("button", { type: "button", class: "quiet", onclick: (event) => app.copy(event.target, location.href) }, "Copy link"),
          " ",
          make("button", { type: "button", class: "quiet", onclick: close }, "Close")
        )
      );
      one("#said").textContent = all(".told, .costs > p:first-child", panel).map((each) => each.textContent).join(" ");
    }
    function tellMissing(record, systems, side, mention) {
      const without = side === "k" ? systems.filter((each) => findTwin(record, "k", mention, each) === void 0) : [];
      return without.length ? ["; missing in ", ...without.flatMap((each, at) => [at ? " and " : "", nameSystem(app, each)])] : [];
    }
    function tellCosts(record, state, system, side, mention) {
      const { measure } = state;
      const { title } = data.measures[measure];
      const found = getFinding(data, system, measure);
      const entities = listEntitiesOf(record, system, side, mention);
      const amount = (cost, by = measure) => writeAmount(record, system, by, cost);
      const strong = (cost) => make("b", { class: "cost" }, amount(cost));
      const whose = side === "k" && data.systems.length > 1 ? [" in ", nameSystem(app, system)] : [];
      const told = found ? [
        strong(getMentionCost(record, system, side, mention, measure)),
        found.exact ? ` of what this document loses by ${title}` : ` of ${title}`,
        ...whose,
        "; its entity ",
        ...entities.flatMap(([where, each], at) => [at ? ", " : "", strong(getEntityCost(record, system, where, each, measure)), where === "k" ? " in the key" : " in the response"]),
        "."
      ] : [`an unknown part of ${title}.`];
      const table = () => make(
        "table",
        { class: "cost-table" },
        make("thead", {}, make("tr", {}, ...["measure", "mention", ...entities.map(([where]) => where === "k" ? "key entity" : "response entity")].map((each, at) => make("th", { scope: "col", class: at ? "n" : void 0 }, each)))),
        make("tbody", {}, ...data.measures.map(({ name, title: full }, by) => make(
          "tr",
          {},
          make("th", { scope: "row", title: full }, name),
          ...[getMentionCost(record, system, side, mention, by), ...entities.map(([where, each]) => getEntityCost(record, system, where, each, by))].map((cost) => make("td", { class: "n" }, getFinding(data, system, by) ? amount(cost, by) : "–"))
        )))
      );
      return make(
        "div",
        { class: "costs" },
        make("p", {}, "Costs ", ...told),
        make("p", { class: "small" }, `${tellHow(record, system, measure)}.`),
        make("details", { open, ontoggle: (event) => {
          open = event.target.open;
        } }, make("summary", { class: "small" }, "by all measures"), table())
      );
    }
    function writeAmount(record, system, measure, cost) {
      if (!cost) return "nothing";
      return getFinding(data, system, measure).exact ? writeShare(cost, sumDocumentLoss(record, system, measure)) : `${writePoints(cost)} points`;
    }
    function tellHow(record, system, measure) {
      const found = getFinding(data, system, measure);
      if (!found) return data.costs[system][measure].unknown;
      if (!found.exact) return "leave-one-out: what the score would gain without it";
      const lost = `${writeShare(sumDocumentLoss(record, system, measure), found.loss * 1e6)} of the ${writeScore(found.loss)} points that are lost`;
      const rest = found.rest > 5e-3 ? `; ${writeScore(found.rest)} are lost without any mention, as a side has nothing to count (0/0)` : "";
      return `exact: this document's mentions together cost ${lost}${rest}`;
    }
    function makeConcordance(record, state, [side, chosen], others) {
      const entity = getEntity(record, side, chosen);
      const lines = others.length ? others.map((other) => listConcordance(record, side, entity, other, CONTEXT)) : [listConcordance(record, side, entity, side, CONTEXT)];
      const mark = (other, { right, entity: there }) => make(
        "span",
        { class: right ? "right" : "amiss", title: `${nameSide(data, other)}: ${right ? "with most of the entity" : there === void 0 ? "missing" : "in another entity"}` },
        right ? "✓" : "✗",
        make("span", { class: "sr" }, right ? " right" : there === void 0 ? " missing" : " elsewhere"),
        right || there === void 0 ? null : makeChip(record, other, there)
      );
      const item = (_, at) => {
        const { mention, words, before, after } = lines[0][at];
        return make(
          "li",
          {},
          make("span", { class: "marks" }, ...others.map((other, place) => mark(other, lines[place][at]))),
          linkTo(app, { view: "text", document: state.document, mention: identifyMention(record, side, mention) }, { dir: findDirection(words), "aria-current": mention === chosen ? "true" : void 0 }, make("span", { class: "context" }, before), make("b", {}, words), make("span", { class: "context" }, after))
        );
      };
      const list = make("ol", { class: "concordance" }, ...lines[0].slice(0, MENTIONS_LISTED).map(item));
      const rest = lines[0].slice(MENTIONS_LISTED);
      if (!rest.length) return list;
      return make("div", {}, list, ...makeFold(`${rest.length} more`, make("ol", { class: "concordance" }), () => rest.map((each, at) => item(each, at + MENTIONS_LISTED))));
    }
    function tellElsewhere(record, side, entity, other) {
      const { parts, missing } = findNeighbours(record, side, entity, other);
      const items = parts.map((part) => make("li", {}, makeChip(record, other, part.entity), " ", make("bdi", {}, nameEntity(record, other, part.entity)), `: ${part.n} of its ${countThings(part.size, "mention")}`));
      if (missing) items.push(make("li", {}, `${countThings(missing, "mention")} missing there`));
      return make("div", {}, make("h3", {}, "In ", make("bdi", {}, nameSide(data, other))), make("ul", { class: "elsewhere" }, ...items));
    }
    return { show };
  }

  // web/views/report/reading.js
  var nameMark = (side, mention) => `${side}.${mention}`;
  var readMark = (name) => {
    const [side, mention] = name.split(".");
    return [side === "k" ? "k" : Number(side), Number(mention)];
  };
  var readSide2 = (text) => text === "k" ? "k" : Number(text);
  function createReading(app) {
    const { data, store } = app;
    const reading = {
      record: null,
      document: null,
      shown: null,
      elements: /* @__PURE__ */ new Map(),
      errors: [],
      at: -1,
      chosen: null,
      current: null
    };
    const inspector = createInspector(app, one("#inspector"), { close: () => unchoose() });
    const box = one("#sides");
    let state = store.state;
    setOptions(one("#document"), data.documents.name.map((_, number) => [number, nameDocument(data, number)]), 0);
    const sides = [["k", "key"], ...data.systems.map(({ name }, number) => [number, name])];
    for (const id of ["left", "right"]) {
      setOptions(one(`#${id}`), sides, state[id]);
      one(`#${id}`).addEventListener("change", (event) => store.change({ [id]: readSide2(event.target.value) }));
    }
    for (const id of ["overlaid", "signs"]) one(`#${id}`).addEventListener("change", (event) => store.change({ [id]: event.target.checked }));
    one("#cost-by").replaceChildren();
    setOptions(one("#cost-by"), data.measures.map(({ title }, number) => [number, title]), state.measure);
    one("#cost-by").addEventListener("change", (event) => store.change({ measure: Number(event.target.value) }));
    one("#document").addEventListener("change", (event) => openDocument(Number(event.target.value)));
    const turn = (step) => openDocument((state.document + step + countDocuments(data)) % countDocuments(data));
    const openDocument = (number) => store.change({ document: number, mention: null });
    one("#previous-document").addEventListener("click", () => turn(-1));
    one("#next-document").addEventListener("click", () => turn(1));
    one("#previous-error").addEventListener("click", () => toError(-1));
    one("#next-error").addEventListener("click", () => toError(1));
    one("#filter").append(...data.kinds.map((kind, number) => make(
      "label",
      { "data-kind": number, title: kind.rule },
      make("input", { type: "checkbox", checked: true, onchange: filter }),
      makeSign(kind),
      kind.title,
      " ",
      make("output")
    )));
    box.addEventListener("mouseover", (event) => point(event.target.closest(".m")));
    box.addEventListener("mouseleave", () => light(reading.chosen));
    box.addEventListener("focusin", (event) => point(event.target.closest(".m")));
    box.addEventListener("click", (event) => {
      const mark = event.target.closest(".m");
      if (mark) choose(mark.dataset.m.split(" ")[0], { at: mark });
      else unchoose();
    });
    function filter() {
      const chosen = new Set(all("#filter label").filter((label) => one("input", label).checked).map((label) => Number(label.dataset.kind)));
      store.change({ kinds: chosen.size === data.kinds.length ? null : chosen });
    }
    const shownSides = () => [.../* @__PURE__ */ new Set([state.left, state.right])];
    const shownSystems = () => shownSides().filter((side) => side !== "k");
    async function show(now, before) {
      state = now;
      const number = state.document;
      if (number === null) return;
      if (reading.document !== number) {
        const record = await app.load(number);
        if (state.document !== number) return;
        Object.assign(reading, { record, document: number, chosen: null, current: null, shown: null });
        if (!state.mention) window.scrollTo(0, 0);
      }
      const asked = reading.record ? findMention(reading.record, state.mention) : null;
      if (asked && !isVisible(...asked)) settleSides(asked[0], before);
      else {
        showSides(number);
        showChosen(asked && nameMark(...asked));
      }
    }
    function settleSides(side, before) {
      const stays = before?.mention === state.mention && before.document === state.document && before.view === "text";
      store.change(stays ? { mention: null } : side === "k" ? { left: "k" } : { right: side }, { replace: true });
    }
    function showChosen(name) {
      if (!name) forget();
      if (name && name !== reading.chosen) choose(name, { scroll: true });
      else inspect();
    }
    function showSides(number) {
      const wanted = [number, state.left, state.right, state.overlaid, state.kinds ? [...state.kinds] : "all"].join("/");
      if (reading.shown !== wanted) {
        reading.shown = wanted;
        showControls();
        showText();
      }
      box.classList.toggle("signed", state.signs);
      one("#signs").checked = state.signs;
      one("#cost-by").value = String(state.measure);
    }
    const isVisible = (side, mention) => shownSides().includes(side) || side === "k" && shownSystems().some((system) => findTwin(reading.record, "k", mention, system) === void 0);
    function showControls() {
      one("#document").value = String(state.document);
      one("#left").value = String(state.left);
      one("#right").value = String(state.right);
      one("#types summary").textContent = `Types of errors: ${state.kinds ? `${state.kinds.size} of ${data.kinds.length}` : "all"}`;
      const counts = (number) => shownSystems().map((system) => data.errors[system][state.document][data.kinds[number].name] || 0);
      for (const label of all("#filter label")) {
        const number = Number(label.dataset.kind);
        one("input", label).checked = !state.kinds || state.kinds.has(number);
        one("output", label).replaceChildren(...counts(number).flatMap((count, at) => [
          at ? " / " : "",
          shownSystems().length > 1 ? make("span", { class: "count", style: { "--colour": colourOf(shownSystems()[at]) } }, String(count)) : String(count)
        ]));
      }
    }
    function showText() {
      const { record } = reading;
      reading.elements.clear();
      reading.errors = record ? shownSystems().flatMap((system) => listErrors(record, system)).filter(({ kind }) => !state.kinds || state.kinds.has(kind)).sort((x, y) => x.place - y.place) : [];
      reading.at = -1;
      tellWhere();
      one("#text h1").textContent = nameDocument(data, state.document);
      if (!record) {
        const why = app.isThere(state.document) ? "could not be loaded" : "is not in this file: it has the documents with the costliest and with most errors only";
        box.className = "sides";
        box.replaceChildren(make("p", { class: "notice" }, "The text of ", make("bdi", {}, nameDocument(data, state.document)), ` ${why}.`));
        one("#overlaid").disabled = true;
        one("#no-overlay").textContent = "";
        forget();
        return;
      }
      const shown = shownSides();
      const overlaid = overlay(record, shown);
      const columns = overlaid ? [makeColumn(shown, findCommonText(record, shown))] : [state.left, state.right].map((side) => makeColumn([side], getSide(record, side).text));
      box.className = overlaid ? "sides overlaid" : "sides";
      for (const side of ["left", "right"]) box.style.setProperty(`--${side}`, JSON.stringify(nameSide(data, state[side])));
      const rows = Math.max(...columns.map(({ blocks }) => blocks.length));
      const body = [];
      for (let row = 0; row < rows; row += 1) {
        body.push(make("div", { class: "row" }, ...columns.map(({ blocks }) => blocks[row] || make("p", { class: "block", "aria-hidden": "true" }))));
      }
      box.replaceChildren(
        make("div", { class: "row heads" }, ...columns.map(({ sides: [side, other] }) => make(
          "h2",
          { class: "side" },
          make("bdi", {}, nameSide(data, side)),
          ...other === void 0 ? [] : [" and ", make("bdi", {}, nameSide(data, other))]
        ))),
        ...makeLegend(shown, overlaid),
        ...body,
        ...columns.some(({ rest }) => rest.length) ? [make("div", { class: "row rest" }, ...columns.map(({ rest }) => make("div", {}, ...rest)))] : []
      );
      const first = one(".m", box);
      if (first) first.tabIndex = 0;
      if (reading.chosen && reading.elements.has(reading.chosen)) choose(reading.chosen, { focus: false });
      else forget();
    }
    function overlay(record, shown) {
      const possible = shown.length > 1 && findCommonText(record, shown) !== null;
      one("#overlaid").disabled = !possible;
      one("#overlaid").checked = possible && state.overlaid;
      one("#no-overlay").textContent = possible ? "" : tellWhyNot(record, shown);
      return possible && state.overlaid;
    }
    function tellWhyNot(record, shown) {
      if (shown.length < 2) return "(one side only)";
      const without = shown.filter((side) => getSide(record, side).text === null).map((side) => nameSide(data, side));
      return without.length ? `(not possible: ${without.join(" and ")} ${without.length > 1 ? "have" : "has"} no text)` : "(not possible: the texts have nothing in common)";
    }
    function makeLegend(shown, overlaid) {
      const name = (side) => make("bdi", {}, nameSide(data, side));
      const lines = [];
      if (overlaid) lines.push(["Dashed: only ", name(shown[0]), " has it. Dotted: only ", name(shown[1]), " has it. "]);
      if (overlaid && shown.some((side) => getSide(reading.record, side).text !== getSide(reading.record, shown[0]).text)) lines.push(["Their texts differ; this is the key's. "]);
      if (shown.length > 1 && !shown.includes("k")) {
        lines.push([`In grey brackets: a mention of the key that ${overlaid ? "both miss" : "is missing here"}. `]);
        if (overlaid) lines.push(["Errors have the colour of their system: ", ...shown.flatMap((side, at) => [at ? ", " : "", make("span", { class: "count", style: { "--colour": colourOf(side) } }, name(side))]), "."]);
      }
      return lines.length ? [make("p", { class: "hint legend" }, ...lines.flat())] : [];
    }
    function makeColumn(own, text) {
      const { record } = reading;
      const systems = own.filter((side) => side !== "k");
      const marks = markErrors((systems.length ? systems : shownSystems()).flatMap((system) => listErrors(record, system)), state.kinds);
      const missing = findMissed(own).map((mention) => ({ marks: [["k", mention]], ghost: true, runs: text === null ? [] : findPlaces(record, "k", mention, text) }));
      if (text === null) {
        const blocks2 = listMembers(record, own[0]).map((mentions) => makeNames(mentions.map((mention) => ({ marks: [[own[0], mention]] })), marks));
        return { sides: own, blocks: blocks2, rest: makeRest("Missing here", missing, marks) };
      }
      const items = joinTwins(own, text);
      const standing = [...items, ...missing].filter((item) => item.runs.length);
      const blocks = layOut(getText(record, text), standing).map((children) => make("p", { class: "block", dir: "auto" }, ...children.map((child) => makePart(child, marks))));
      const without = (found) => found.filter((item) => !item.runs.length);
      return {
        sides: own,
        blocks,
        rest: [
          ...makeRest("These do not begin and end with words of this text", without(items), marks),
          ...makeRest("Missing here, and without a place in this text", without(missing), marks)
        ]
      };
    }
    function findMissed(systems) {
      if (shownSides().includes("k")) return [];
      const { record } = reading;
      return record.key.mentions.map((_, mention) => mention).filter((mention) => systems.every((system) => findTwin(record, "k", mention, system) === void 0));
    }
    function joinTwins([first, other], text) {
      const { record } = reading;
      const items = getSide(record, first).mentions.map((_, mention) => ({ marks: [[first, mention]], runs: findPlaces(record, first, mention, text) }));
      if (other === void 0) return items;
      const ours = [...items];
      getSide(record, other).mentions.forEach((_, mention) => {
        const runs = findPlaces(record, other, mention, text);
        const twin = ours[findTwin(record, other, mention, first)];
        if (twin && twin.runs.join() === runs.join()) twin.marks.push([other, mention]);
        else items.push({ marks: [[other, mention]], runs });
      });
      return items;
    }
    function makeRest(title, items, marks) {
      if (!items.length) return [];
      return [make("p", { class: "hint" }, `${title}: ${countThings(items.length, "mention")}.`), makeNames(items, marks)];
    }
    function makeNames(items, marks) {
      const part = (item) => makePart({ item, opens: true, closes: true, inner: 0, children: [{ name: nameMention(reading.record, ...item.marks[0]) }] }, marks);
      return make("p", { class: "block names", dir: "auto" }, ...items.flatMap((item) => [part(item), " "]));
    }
    function makePart(piece, marks) {
      if (typeof piece === "string") return piece;
      if (piece.zero !== void 0) return make("span", { class: "zero", title: "not written in the text" }, "∅", piece.zero ? make("i", {}, piece.zero) : null);
      if (piece.name !== void 0) return make("bdi", {}, piece.name);
      const owners = piece.item.marks;
      const { record } = reading;
      const looks = owners.map(([side, mention]) => chooseLooks(record, side)[getEntity(record, side, mention)]);
      const errors = owners.flatMap((owner) => marks.get(nameMark(...owner)) || []);
      const told = [...new Map(errors.map((error) => [`${error.kind}/${error.system}`, error])).values()];
      const element = make(
        "span",
        {
          class: listClasses(piece, told).join(" ") + entityClass(looks[0]),
          tabindex: "-1",
          style: { ...colourEntity(looks[0]), ...piece.inner ? { "--inner": piece.inner } : {} },
          "data-m": owners.map((owner) => nameMark(...owner)).join(" "),
          role: "group",
          "aria-roledescription": "mention",
          "aria-label": speak(piece.item, told)
        },
        ...piece.opens ? told.map((error) => makeWhoseSign(error)) : [],
        ...piece.children.map((child) => makePart(child, marks)),
        piece.closes ? makeLabel(owners, looks) : null
      );
      for (const owner of owners) {
        const name = nameMark(...owner);
        reading.elements.set(name, [...reading.elements.get(name) || [], element]);
      }
      return element;
    }
    function makeWhoseSign(error) {
      const kind = data.kinds[error.kind];
      const sign = makeSign(kind);
      sign.title = kind.title + tellWhose(error);
      if (shownSystems().length > 1) {
        sign.classList.add("owned");
        sign.style.setProperty("--colour", colourOf(error.system));
      }
      return sign;
    }
    const tellWhose = (error) => shownSystems().length > 1 ? ` (${nameSide(data, error.system)})` : "";
    function makeLabel(owners, looks) {
      const labels = [...new Set(looks.map(({ label }) => label))];
      const text = labels.length < 2 ? labels[0] : owners.map(([side], at) => `${looks[at].label} in ${nameSide(data, side)}`).join(", ");
      return make("sub", { class: "label", "aria-hidden": "true" }, text);
    }
    function speak({ marks: owners, ghost }, errors) {
      const { record } = reading;
      const entities = [...new Set(owners.map(([side, mention]) => chooseLooks(record, side)[getEntity(record, side, mention)].label))];
      const whose = owners.length > 1 ? "" : ghost ? ", missing here" : `, ${nameSide(data, owners[0][0])}`;
      return [`${nameMention(record, ...owners[0])}, entity ${entities.join(" or ")}${whose}`, ...errors.map((error) => data.kinds[error.kind].title + tellWhose(error))].join(", ");
    }
    function listClasses({ item: { marks: owners, ghost }, opens, closes }, errors) {
      const [side, mention] = owners[0];
      const classes = ["m", opens ? "opens" : "cut-left", closes ? "closes" : "cut-right"];
      if (ghost) classes.push("ghost");
      else if (owners.length > 1) classes.push("both");
      else classes.push(side === state.left ? "of-left" : "of-right", ...isTwinless(side, mention) ? ["alone"] : []);
      return errors.length ? [...classes, "wrong", ...new Set(errors.map((error) => data.kinds[error.kind].name))] : classes;
    }
    function isTwinless(side, mention) {
      const other = shownSides().find((each) => each !== side);
      return other !== void 0 && findTwin(reading.record, side, mention, other) === void 0;
    }
    function point(mark) {
      light(mark ? mark.dataset.m.split(" ")[0] : reading.chosen);
    }
    function light(name) {
      for (const element of all(".lit, .near", box)) element.classList.remove("lit", "near");
      box.classList.toggle("dimmed", Boolean(name));
      if (!name) return;
      const found = findRelated(...readMark(name));
      for (const each of found.near) for (const element of reading.elements.get(each) || []) element.classList.add("near");
      for (const each of found.lit) for (const element of reading.elements.get(each) || []) element.classList.add("lit");
    }
    function findRelated(side, mention) {
      const { record } = reading;
      const own = listMembers(record, side)[getEntity(record, side, mention)];
      const lit = new Set(own.map((each) => nameMark(side, each)));
      const near = /* @__PURE__ */ new Set();
      for (const other of /* @__PURE__ */ new Set([...shownSides(), "k"])) {
        if (other === side) continue;
        const twins = own.map((each) => findTwin(record, side, each, other)).filter((each) => each !== void 0);
        for (const twin of twins) lit.add(nameMark(other, twin));
        for (const entity of new Set(twins.map((twin) => getEntity(record, other, twin)))) {
          for (const each of listMembers(record, other)[entity]) near.add(nameMark(other, each));
        }
      }
      for (const each of lit) near.delete(each);
      return { lit, near };
    }
    function choose(name, { scroll = false, focus = true, error = null, at = null } = {}) {
      const elements = reading.elements.get(name) || [];
      if (!elements.length) return;
      const element = at || elements[0];
      Object.assign(reading, { chosen: name, current: element, error });
      markChosen(elements, element);
      if (focus) element.focus({ preventScroll: true });
      if (scroll) toMiddle(element);
      light(name);
      const id = identifyMention(reading.record, ...readMark(name));
      if (id === state.mention) inspect();
      else store.change({ mention: id }, { replace: true });
    }
    function markChosen(elements, element) {
      for (const other of all(".m[tabindex='0'], .m.chosen", box)) {
        other.tabIndex = -1;
        other.classList.remove("chosen");
      }
      for (const each of elements) each.classList.add("chosen");
      element.tabIndex = 0;
    }
    function forget() {
      Object.assign(reading, { chosen: null, current: null, error: null });
      for (const element of all(".m.chosen", box)) element.classList.remove("chosen");
      light(null);
    }
    function unchoose() {
      forget();
      if (state.mention) store.change({ mention: null }, { replace: true });
      else inspect();
    }
    function inspect() {
      const mark = reading.chosen ? readMark(reading.chosen) : null;
      inspector.show(reading.record, state, mark, reading.error);
    }
    function tellWhere() {
      const count = reading.record ? reading.errors.length : shownSystems().reduce((total, system) => total + countErrors(data, system, state.document, state.kinds), 0);
      one("#where").textContent = reading.at < 0 ? countThings(count, "error") : `${reading.at + 1} of ${count}`;
    }
    function toError(step) {
      const count = reading.errors.length;
      if (!count) return;
      reading.at = reading.at < 0 ? step > 0 ? 0 : count - 1 : (reading.at + step + count) % count;
      const error = reading.errors[reading.at];
      const mark = error.marks.find((each) => reading.elements.has(nameMark(...each)));
      if (mark) choose(nameMark(...mark), { scroll: true, error });
      tellWhere();
    }
    function nextMention(step) {
      const marks = all(".m.opens", box);
      if (!marks.length) return;
      const at = marks.indexOf(reading.current);
      const next = marks[at < 0 ? 0 : (at + step + marks.length) % marks.length];
      choose(next.dataset.m.split(" ")[0], { scroll: true, at: next });
    }
    const keys = {
      n: () => toError(1),
      j: () => toError(1),
      p: () => toError(-1),
      k: () => toError(-1),
      ArrowRight: () => nextMention(1),
      ArrowLeft: () => nextMention(-1),
      Escape: unchoose
    };
    return { show, keys };
  }
  function toMiddle(element) {
    element.scrollIntoView({ block: "center" });
    requestAnimationFrame(() => element.scrollIntoView({ block: "center" }));
    if (document.readyState !== "complete") window.addEventListener("load", () => setTimeout(() => toMiddle(element)), { once: true });
  }

  // web/views/report/page.js
  var CREATED = {
    overview: createOverview,
    errors: createErrors,
    text: createReading,
    entities: createEntities,
    documents: createDocuments,
    compare: createCompare
  };
  function start(data) {
    setTheme(THEMES.includes(keep("corefeval-theme")) ? keep("corefeval-theme") : "auto");
    one("#theme").addEventListener("click", changeTheme);
    if (!canRead(data)) {
      one("#overview").append(make("p", { class: "notice" }, `This page reads data of format ${FORMAT}, not ${data.format}.`));
      return;
    }
    const loader = createLoader(data);
    const settle = (state, last = null) => state.view === "text" && state.document === null ? { ...state, document: last ?? findWorstDocument(data, loader.isThere) } : state;
    const push = (address, place, replace) => history[replace ? "replaceState" : "pushState"]({ place }, "", address);
    const findPlace2 = () => history.state?.place;
    const store = createStore(settle(readState(location.hash, data)), {
      write: (state) => writeState(state, data),
      place: findPlace2(),
      push,
      travel: (step) => history.go(step),
      apply: applyChanges
    });
    push(location.hash, findPlace2() ?? 0, true);
    const app = { data, store, ...loader, copy };
    const views = {};
    const title = document.title;
    function show(state, before) {
      for (const section of all(".view")) section.hidden = section.id !== state.view;
      for (const link of all("nav a")) {
        if (link.hash === `#${state.view}`) link.setAttribute("aria-current", "page");
        else link.removeAttribute("aria-current");
      }
      const name = one(`nav a[href="#${state.view}"]`).textContent;
      one("#undo").setAttribute("aria-disabled", String(!store.canUndo));
      one("#redo").setAttribute("aria-disabled", String(!store.canRedo));
      document.title = state.view === "overview" ? title : `${state.view === "text" ? nameDocument(data, state.document) : name} – ${title}`;
      views[state.view] = views[state.view] || CREATED[state.view](app, one(`#${state.view}`));
      views[state.view].show(state, before);
      if (before && before.view !== state.view && !(state.view === "text" && state.mention)) {
        window.scrollTo(0, 0);
        one(`#${state.view} h1`).focus({ preventScroll: true });
      }
    }
    store.listen((state, before) => {
      const settled = settle(state, before.document);
      if (settled !== state) store.change(settled, { replace: true });
      else show(state, before);
    });
    const arrive = () => {
      const whole = settle(readState(location.hash, data), store.state.document);
      if (findPlace2() === void 0) store.visit(whole);
      else store.arrive(findPlace2(), whole);
    };
    for (const event of ["popstate", "hashchange"]) window.addEventListener(event, arrive);
    for (const link of all("nav a")) {
      link.addEventListener("click", (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
        event.preventDefault();
        store.change({ view: link.hash.slice(1) });
      });
    }
    for (const link of all(".to-notices")) link.addEventListener("click", (event) => {
      event.preventDefault();
      one("#notices h2").scrollIntoView();
      one("#notices h2").focus();
    });
    one(".skip").addEventListener("click", (event) => {
      event.preventDefault();
      one("main").focus();
    });
    one("#undo").addEventListener("click", store.undo);
    one("#redo").addEventListener("click", store.redo);
    document.addEventListener("keydown", (event) => {
      const act = findTurn(store, event) || findAct(views[store.state.view]?.keys, event);
      if (!act) return;
      event.preventDefault();
      act();
    });
    window.addEventListener("beforeprint", () => {
      for (const fold of all(`#${store.state.view} .fold[aria-expanded=false]`)) fold.click();
    });
    show(store.state, null);
  }
  function findTurn(store, { target, ctrlKey, metaKey, shiftKey, altKey, key }) {
    if (!(ctrlKey || metaKey) || altKey || target.closest("input:not([type=checkbox]), textarea")) return null;
    return { z: shiftKey ? store.redo : store.undo, y: store.redo }[key.toLowerCase()];
  }
  function findAct(keys, { target, ctrlKey, metaKey, altKey, key }) {
    return ctrlKey || metaKey || altKey || target.closest("input[type=search], select, textarea") ? null : keys?.[key];
  }
  function copy(button, text) {
    const before = button.textContent;
    const done = () => {
      button.textContent = "Copied";
      setTimeout(() => {
        button.textContent = before;
      }, 1200);
    };
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, () => window.prompt("Copy:", text));
    else window.prompt("Copy:", text);
  }
  function keep(name, value) {
    try {
      if (value !== void 0) localStorage.setItem(name, value);
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  }
  var THEMES = ["auto", "light", "dark"];
  function setTheme(theme) {
    document.documentElement.dataset.theme = theme;
    one("#theme").textContent = `Theme: ${theme}`;
  }
  function changeTheme() {
    const next = THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length];
    keep("corefeval-theme", next);
    setTheme(next);
  }

  // web/report.js
  start(JSON.parse(document.getElementById("data").textContent));
})();
