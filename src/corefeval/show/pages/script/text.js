// A document's text with its mentions as elements within each other, however they lie.

const CLOSES = /^([.,;:!?%)\]}»”’…、。，；：？！]+|['’](s|S|re|ve|ll|d|m)|n['’]t)$/;
const OPENS = /^[([{«“‘¿¡$£€#]+$/;
const UNSPACED = /[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]/;

// Whether two words stand together without a blank: what files of words no longer say.
function together(before, after) {
  if (CLOSES.test(after) || OPENS.test(before)) return true;
  return UNSPACED.test(before.slice(-1)) && UNSPACED.test(after[0] || "");
}

// Both kinds of text: blocks [first, last] of places, and a way to write the places of a part of one.
class Words {
  constructor(text) {
    this.words = text.sentences.flat();
    this.zeros = new Set(text.zeros);
    let end = -1;
    this.blocks = text.sentences.map((sentence) => [end + 1, (end += sentence.length)]);
  }

  space(into, place) {
    if (!together(this.words[place - 1], this.words[place])) into.append(" ");
  }

  write(into, first, last, lead) {
    let run = "";
    for (let place = first; place <= last; place += 1) {
      const space = place !== lead && !together(this.words[place - 1], this.words[place]) ? " " : "";
      if (this.zeros.has(place)) {
        into.append(run + space, zero(this.words[place]));
        run = "";
      } else run += space + this.words[place];
    }
    into.append(run);
  }

  plain(first, last) {
    const element = document.createElement("span");
    this.write(element, first, last, first);
    return element.textContent;
  }
}

class Running {
  constructor(text) {
    this.text = text.running;
    this.characters = [...this.text];
    this.blocks = [];
    let first = 0;
    this.characters.forEach((character, place) => {
      if (character !== "\n") return;
      if (place > first) this.blocks.push([first, place - 1]);
      first = place + 1;
    });
    if (first < this.characters.length) this.blocks.push([first, this.characters.length - 1]);
  }

  space() {}

  write(into, first, last) {
    into.append(this.plain(first, last));
  }

  plain(first, last) {
    return this.characters.slice(first, last + 1).join("");
  }
}

function zero(form) {
  const name = form && form !== "_" ? form : "";
  return make("span", { class: "zero", title: "not written in the text" }, "∅", name ? make("i", {}, name) : null);
}

function textOf(record, number) {
  if (number === null) return null;
  record.read = record.read || [];
  record.read[number] = record.read[number] || (record.texts[number].sentences ? new Words(record.texts[number]) : new Running(record.texts[number]));
  return record.read[number];
}

// The parts of mentions in every block: a part ends with its block, and with a gap. `items` are {marks, runs}.
function byBlock(items, blocks) {
  const found = blocks.map(() => []);
  for (const item of items) {
    const { runs } = item;
    for (let at = 0; at < runs.length; at += 2) {
      for (let block = blockOf(blocks, runs[at]); block < blocks.length && blocks[block][0] <= runs[at + 1]; block += 1) {
        const [first, last] = blocks[block];
        if (last < first) continue;
        found[block].push({
          item,
          a: Math.max(runs[at], first),
          b: Math.min(runs[at + 1], last),
          opens: at === 0 && runs[at] >= first,
          closes: at === runs.length - 2 && runs[at + 1] <= last,
        });
      }
    }
  }
  return found;
}

function blockOf(blocks, place) {
  let low = 0;
  let high = blocks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (blocks[middle][1] < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

// A tree of the parts; one that crosses another is cut in two at its end.
function nested(parts, first, last) {
  const order = (x, y) => x.a - y.a || y.b - x.b;
  const queue = parts.filter((part) => part.a <= part.b).sort(order);
  const root = { a: first, b: last, children: [] };
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
    part.children = [];
    parent.children.push(part);
    around.push(part);
  }
  return root;
}

function fill(node, element, text, marked) {
  let at = node.a;
  for (const child of node.children) {
    if (child.a > at) text.write(element, at, child.a - 1, node.a);
    if (child.a > node.a) text.space(element, child.a);
    const inner = marked.open(child);
    fill(child, inner, text, marked);
    marked.close(child, inner);
    element.append(inner);
    at = child.b + 1;
  }
  if (at <= node.b) text.write(element, at, node.b, node.a);
}
