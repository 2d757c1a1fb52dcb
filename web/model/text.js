// Texts of words and running texts, by the places (of words, or of characters) that mentions refer to.

const CLOSES = /^([.,;:!?%)\]}»”’…、。，；：？！]+|['’](s|S|re|ve|ll|d|m)|n['’]t)$/;
const OPENS = /^[([{«“‘¿¡$£€#]+$/;
const UNSPACED = /[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]/;

/** Whether two words stand together without a blank, which files of words do not say. */
export function standTogether(before, after) {
  if (CLOSES.test(after) || OPENS.test(before)) return true;
  return UNSPACED.test(before.slice(-1)) && UNSPACED.test(after[0] || "");
}

/**
 * A text as places: `blocks` are {first, last} of each sentence or line, `count` is how many places there are,
 * `gap(place)` is the blank before a place, and `pieces(first, last)` are strings and {zero: form}.
 */
export function readText(text) {
  return text.sentences ? readWords(text) : readCharacters(text.running);
}

function readWords({ sentences, zeros }) {
  const words = sentences.flat();
  const unwritten = new Set(zeros);
  let end = -1;
  const blocks = sentences.map((sentence) => ({ first: end + 1, last: (end += sentence.length) }));
  const gap = (place) => (place > 0 && !standTogether(words[place - 1], words[place]) ? " " : "");
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

/** The places from first to last as plain text; zeros are ∅ and their form. */
export function writePlain(text, first, last) {
  return text.pieces(first, last).map((piece) => (typeof piece === "string" ? piece : `∅${piece.zero}`)).join("");
}

/** The direction in which words run, "rtl" or "ltr", by their first letter. */
export function findDirection(words) {
  const letter = /\p{L}/u.exec(words)?.[0] || "";
  return /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(letter) ? "rtl" : "ltr";
}

/** The number of the first block that ends at a place or behind it, by halving. */
export function findBlock(blocks, place) {
  let low = 0;
  let high = blocks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (blocks[middle].last < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A context of at most some letters on each side of what it is of, in whole words where it has some. */
export function cutContext({ before, after }, letters) {
  const [ours, theirs] = [[...before], [...after]];
  const cutBefore = ours.slice(-letters).join("").replace(/^\S*\s(?=\S)/u, "");
  const cutAfter = theirs.slice(0, letters).join("").replace(/(?<=\S)\s\S*$/u, "");
  return { before: ours.length > letters ? `…${cutBefore}` : before, after: theirs.length > letters ? `${cutAfter}…` : after };
}

/** What stands before and behind the places from first to last, a few words of each: {before, after}. */
export function findContext(text, first, last, width = text.context) {
  const start = Math.max(0, first - width);
  const end = Math.min(text.count - 1, last + width);
  const before = start < first ? writePlain(text, start, first - 1) + text.gap(first) : "";
  const after = end > last ? text.gap(last + 1) + writePlain(text, last + 1, end) : "";
  return { before: (start > 0 ? "…" : "") + before, after: after + (end < text.count - 1 ? "…" : "") };
}
