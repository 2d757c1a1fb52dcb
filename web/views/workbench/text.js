// The text with its mentions: drawn block by block, only those again that have changed; where the pointer and the cursor are.
import { assignRuns, chooseHue, divideText, findBlock, nestMentions, writeText } from "../../model/workbench_text.js";
import { make } from "./dom.js";

export function makeTextView(element, handlers) {
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
    const drawTree = (tree) =>
      tree.parts.flatMap((part, place) => {
        if (part.parts) return [drawMention(part, drawTree(part), state), needsSpace(tree.parts, place) ? " " : null];
        const unit = make("span", { class: part.empty ? "w empty" : "w", data: { i: part.first } }, part.text);
        return [unit, part.space && needsSpace(tree.parts, place) ? " " : null];
      });
    return make("p", { class: "block", dir: "auto" }, drawTree(nestMentions(block, runs)));
  }

  function needsSpace(parts, place) {
    return content.words !== undefined && place < parts.length - 1;
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
        for (const unit of element.children[place].querySelectorAll(".w")) found.push(makePart(unit, first, last, content.words === undefined));
      }
      return found.filter(Boolean);
    },
    show(place) {
      element.children[findBlock(blocks, place)]?.scrollIntoView({ block: "nearest" });
    },
    describe(runs) {
      return writeText(content, runs);
    },
  };
}

// The places that the browser's selection goes from and to, whole words; null if it is empty or elsewhere.
export function readSelection(element) {
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

// Whether a range has some letters of a unit, and does not only touch its end.
function covers(range, unit) {
  const [text] = unit.childNodes;
  if (range.startContainer === text && range.startOffset === text.length) return false;
  return !(range.endContainer === text && range.endOffset === 0);
}

// The part of a unit between two places of the text; null if it lies outside.
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

// Highlight parts of texts under a name that the style sheet knows.
export function showHighlights(name, parts) {
  if (!CSS.highlights) return;
  if (parts.length) CSS.highlights.set(name, new Highlight(...parts));
  else CSS.highlights.delete(name);
}
