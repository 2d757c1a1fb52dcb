// The one state of the workbench, what changes it, and who is told. The place (project, document, sides) is in the address.

const PLACE = ["project", "document", "side", "beside", "key", "response"];

export function makeStore(initial) {
  let state = { ...initial };
  const listeners = new Set();
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
    },
  };
}

const READERS = { document: (fields) => Number(fields.get("document")) || 0, beside: (fields) => fields.getAll("beside") };

// "#story?document=2&side=key&beside=ann&beside=bob" and back; what is not said is left to the project.
export function readPlace(hash) {
  const [project, query = ""] = hash.replace(/^#/u, "").split("?");
  const fields = new URLSearchParams(query);
  const place = { project: decode(project) };
  for (const name of PLACE.slice(1)) if (fields.has(name)) place[name] = READERS[name]?.(fields) ?? fields.get(name);
  return place;
}

export function writePlace(state) {
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

// A selection of mentions after a click: alone, or added and taken away again.
export function toggleMention(selected, id, adds) {
  if (!adds) return [id];
  return selected.includes(id) ? selected.filter((each) => each !== id) : [...selected, id];
}

// The cursor a step on, by keys, and the words between it and its anchor; null in an empty text.
export function moveCursor({ cursor, anchor, length }, step, extending) {
  if (!length) return null;
  const place = cursor === null ? 0 : Math.min(length - 1, Math.max(0, cursor + step));
  const from = extending ? (anchor ?? cursor ?? place) : place;
  return { cursor: place, anchor: from, range: [Math.min(from, place), Math.max(from, place)] };
}

// The edit that an action means, given what is selected; null where it means nothing. `range` is a pair of places.
export const EDITS = {
  newEntity: ({ range, selected }) => {
    if (range) return { kind: "make", runs: [range] };
    return selected.length ? { kind: "move", mentions: selected, entity: null } : null;
  },
  join: ({ range, selected, current }) => {
    if (!current) return null;
    if (range) return { kind: "make", runs: [range], entity: current };
    return selected.length ? { kind: "move", mentions: selected, entity: current } : null;
  },
  split: ({ selected }) => (selected.length ? { kind: "move", mentions: selected, entity: null } : null),
  merge: ({ selected, annotation }) => {
    const entities = [...new Set(selected.map((id) => annotation.mentions[id].entity))];
    return entities.length > 1 ? { kind: "merge", entities } : null;
  },
  delete: ({ selected }) => (selected.length ? { kind: "delete", mentions: selected } : null),
  respan: ({ range, selected }) => (range && selected.length === 1 ? { kind: "respan", mention: selected[0], runs: [range] } : null),
  addPiece: ({ range, selected, annotation }) => {
    if (!range || selected.length !== 1) return null;
    const runs = [...annotation.mentions[selected[0]].runs, range].sort((one, other) => one[0] - other[0]);
    return { kind: "respan", mention: selected[0], runs };
  },
  head: (context) => markPart(context, "head"),
  minimum: (context) => markPart(context, "minimum"),
  link: ({ links }) => (links.length ? { kind: "link", links } : null),
};

// The selected words are the head or the minimum of the selected mention; without words it has none any more.
function markPart({ range, selected, annotation }, name) {
  if (selected.length !== 1 || (!range && !annotation.mentions[selected[0]][name])) return null;
  return { kind: "respan", mention: selected[0], [name]: range };
}
