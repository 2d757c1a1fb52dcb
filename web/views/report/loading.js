// Documents and lists, parsed when they are wanted: from the page, or from scripts in folders beside it.

import { one, make } from "../dom.js";

/**
 * {isThere(number), load(number), loadLists(system)}; `load` promises a document's record, `loadLists` a system's lists,
 * and both null where there are none.
 */
export function createLoader(data) {
  const held = new Set(data.held);
  // A folder's scripts call these: a page opened from a disk may not read other files.
  const documents = createStock("d", data.inFolder ? "documents" : null);
  const lists = createStock("s", data.inFolder ? "systems" : null);
  window.corefevalDocument = documents.put;
  window.corefevalLists = lists.put;
  return { isThere: (number) => held.has(number) || data.inFolder, load: documents.load, loadLists: lists.load };
}

// Records by number: elements of the page with ids of a letter and a number, or scripts in a folder.
function createStock(letter, folder) {
  const promised = new Map();
  const waiting = new Map();
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
      // What could not be loaded may be asked for again.
      script.addEventListener("error", () => { promised.delete(number); done(null); });
      document.head.append(script);
    });
  }

  function load(number) {
    if (!promised.has(number)) promised.set(number, read(number));
    return promised.get(number);
  }

  return { load, put };
}
