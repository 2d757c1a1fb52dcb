// A long list, a page at a time: all of it can be come to, by keyboard and by address, and none of it slows the browser.

import { cutPage } from "../../model/lists.js";
import { make } from "../dom.js";
import { linkTo } from "./parts.js";

const write = (number) => number.toLocaleString("en");

/** A pager that fills `box`; `heading()` is the element that a reader comes to with each page, `size` how many items one has. */
export function createPager(app, box, { heading, size, word }) {
  const way = make("div", { class: "pages", role: "group", "aria-label": "Pages of the list" });
  box.after(way);
  let shown = null; // what was asked for last: answers to what was asked before come too late

  /** Show a page of items, each made by `makeItem` (which may promise an element, or null); `end` is said below the last. */
  async function show(items, asked, makeItem, { empty = null, end = null } = {}) {
    const wanted = {};
    shown = wanted;
    const { page, pages, from, to } = cutPage(items.length, size, asked);
    const made = (await Promise.all(items.slice(from, to).map(makeItem))).filter(Boolean);
    if (shown !== wanted) return;
    box.replaceChildren(...made.length || !empty ? made : [empty]);
    way.hidden = pages < 2 && !end;
    way.replaceChildren(...(pages < 2 ? [] : makeWay(page, pages, from, to, items.length)), ...(end && page === pages - 1 ? [end] : []));
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
      link.addEventListener("click", (event) => { if (event.defaultPrevented) arrive(); });
      return link;
    };
    return [
      page ? turn(page - 1, `‹ previous ${size}`) : null,
      make("span", { class: "part" }, `${write(from + 1)} to ${write(to)} of ${write(count)} ${word}`),
      page < pages - 1 ? turn(page + 1, `next ${write(Math.min(size, count - to))} ›`) : null,
      make("label", {}, "Page ", make("input", {
        type: "number", min: 1, max: pages, value: page + 1,
        onchange: (event) => go(Math.max(0, Math.min(pages, Math.trunc(Number(event.target.value)) || 1) - 1)),
      }), ` of ${write(pages)}`),
    ].filter(Boolean);
  }

  return { show };
}
