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
