// Tables whose heads are buttons that sort them, and which are made row by row as they come into sight.

import { make, whenSeen } from "../dom.js";
import { makeSign } from "./parts.js";

const ROWS_AT_ONCE = 150;

/**
 * A table with `columns` {name, title, number, value(item), cell(item), shade(item), about(item)}; one with a value can be sorted by
 * it, one with a shade is the darker the worse (0 to 1). `sort` is "name" or "-name" (falling); `sorted(sort)` is called
 * when a head is chosen.
 */
export function createSortedTable(table, columns, caption, sorted) {
  const body = make("tbody");
  const heads = columns.map((column) => makeHead(column));
  table.replaceChildren(make("caption", { class: "sr" }, caption), make("thead", {}, make("tr", {}, ...heads)), body);
  const end = make("span");
  table.after(end);
  let ordered = [];
  let by = null;
  let falling = false;
  whenSeen(end, more);
  // On paper all rows are in sight.
  window.addEventListener("beforeprint", () => { while (body.children.length < ordered.length) more(); });

  function makeHead(column) {
    const cell = make("th", { scope: "col", class: column.number ? "n" : undefined });
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
        scope: at ? undefined : "row", title: column.about?.(item), class: [column.number ? "n" : "", shade > 0 ? "shaded" : ""].join(" ").trim() || undefined,
        style: shade > 0 ? { "--shade": shade.toFixed(3) } : {},
      }, column.cell(item));
    }))));
  }

  return { show };
}

/** Items by a value, those without one (null) last whichever way. */
export function orderItems(items, value, sign) {
  const keyed = items.map((item) => [value(item), item]);
  return keyed.sort(([a], [b]) => (a === null) - (b === null) || sign * compareValues(a, b)).map(([, item]) => item);
}

function compareValues(a, b) {
  if (typeof a === "string") return a.localeCompare(b, undefined, { numeric: true });
  return (a > b) - (a < b);
}
