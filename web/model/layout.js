// Mentions within each other on a text, however they lie: a tree for every block.

import { findBlock } from "./text.js";

/**
 * The blocks of a text with mentions in them. `items` are {runs: [first, last, first, last, ...], ...}; a block is a
 * list of strings, {zero: form}, and {item, opens, closes, inner, children}: a part of an item, whether the item begins
 * and ends with it, how many levels of others are within it, and what it contains.
 */
export function layOut(text, items) {
  const parts = splitByBlock(items, text.blocks);
  return text.blocks.map(({ first, last }, block) => (last < first ? [] : fill(nest(parts[block], first, last), text)));
}

// A part ends with its block, and with a gap.
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
          closes: at === runs.length - 2 && runs[at + 1] <= last,
        });
      }
    }
  }
  return found;
}

/**
 * A tree of parts {a, b, opens, closes, ...} between two places: each with those `within` it. One that crosses another is
 * cut in two at its end.
 */
export function nest(parts, first, last) {
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

function fill(node, text) {
  const children = [];
  let at = node.a;
  for (const { item, opens, closes, ...part } of node.within) {
    if (part.a > at) children.push(...(at > node.a ? [text.gap(at)] : []), ...text.pieces(at, part.a - 1));
    if (part.a > node.a) children.push(text.gap(part.a));
    const own = fill(part, text);
    const inner = Math.max(0, ...own.filter((child) => child.item).map((child) => child.inner + 1));
    children.push({ item, opens, closes, inner, children: own });
    at = part.b + 1;
  }
  if (at <= node.b) children.push(...(at > node.a ? [text.gap(at)] : []), ...text.pieces(at, node.b));
  return children.filter((child) => child !== "");
}
