// Documents, parsed when they are wanted: from the page, or from scripts in a folder beside it.

import { one, make } from "../dom.js";

/** {isThere(number), load(number)}; load promises the document's record, or null where it is not there. */
export function createLoader(data) {
  const held = new Set(data.held);
  const parsed = new Map();
  const waiting = new Map();
  const isThere = (number) => held.has(number) || data.folder !== "";
  // A folder's documents are scripts that call this: a page opened from a disk may not read other files.
  window.corefevalDocument = (number, record) => {
    parsed.set(number, record);
    for (const done of waiting.get(number) || []) done(record);
    waiting.delete(number);
  };

  function load(number) {
    if (parsed.has(number)) return Promise.resolve(parsed.get(number));
    if (held.has(number)) {
      const source = one(`#d${number}`);
      parsed.set(number, JSON.parse(source.textContent));
      source.remove();
      return Promise.resolve(parsed.get(number));
    }
    if (data.folder === "") return Promise.resolve(null);
    return new Promise((done) => {
      const first = !waiting.has(number);
      waiting.set(number, [...(waiting.get(number) || []), done]);
      if (!first) return;
      const script = make("script", { src: `${data.folder}${number}.js` });
      script.addEventListener("error", () => { waiting.delete(number); done(null); });
      document.head.append(script);
    });
  }

  return { isThere, load };
}
