// Tables whose heads are buttons that sort them, and which are made row by row as they come into sight.

const ROWS_AT_ONCE = 150;

class SortedTable {
  // columns: {title, number, value(item), cell(item)}; a column with a value can be sorted by it.
  constructor(table, columns, caption) {
    this.table = table;
    this.columns = columns;
    this.items = [];
    this.by = null;
    this.rising = true;
    this.head = make("tr");
    this.body = make("tbody");
    table.replaceChildren(make("caption", { class: "sr" }, caption), make("thead", {}, this.head), this.body);
    this.heads = columns.map((column, place) => this.headOf(column, place));
    this.head.append(...this.heads);
    this.end = make("span");
    table.after(this.end);
    whenSeen(this.end, () => this.more());
  }

  headOf(column, place) {
    const cell = make("th", { scope: "col", class: column.number ? "n" : undefined });
    if (!column.value) cell.append(make("span", {}, column.title));
    else {
      const title = column.sign ? [make("span", { class: `sign ${column.sign.name}`, "aria-hidden": "true" }, column.sign.sign), make("span", { class: "sr" }, column.title)] : [column.title];
      cell.append(make("button", { type: "button", class: "sort", title: column.title, onclick: () => this.sort(place) }, ...title));
    }
    return cell;
  }

  sort(place, rising = this.by === place ? !this.rising : !this.columns[place].number) {
    this.by = place;
    this.rising = rising;
    this.heads.forEach((head, at) => {
      if (at === place) head.setAttribute("aria-sort", rising ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
    });
    this.show(this.items);
  }

  show(items) {
    this.items = items;
    this.ordered = this.by === null ? items : this.inOrder(items);
    this.body.replaceChildren();
    this.more();
  }

  inOrder(items) {
    const { value } = this.columns[this.by];
    const keyed = items.map((item) => [value(item), item]);
    const sign = this.rising ? 1 : -1;
    // What has no value comes last, whichever way.
    const order = ([a], [b]) => (a === null) - (b === null) || sign * compared(a, b);
    return keyed.sort(order).map(([, item]) => item);
  }

  more() {
    const from = this.body.children.length;
    const next = (this.ordered || []).slice(from, from + ROWS_AT_ONCE);
    this.body.append(...next.map((item) => make("tr", {}, ...this.columns.map((column) =>
      make("td", { class: column.number ? "n" : undefined }, column.cell(item))))));
  }
}

function compared(a, b) {
  if (typeof a === "string") return a.localeCompare(b, undefined, { numeric: true });
  return (a > b) - (a < b);
}

// A bar for every measure, one beside the other for several systems.
function profile(document) {
  const systems = data.systems.length;
  const step = systems * 4 + 4;
  const width = data.measures.length * step;
  const words = data.measures.map((measure, m) => `${measure.name} ${data.scores.map((s) => s[m][document] ?? "–").join(" and ")}`);
  const picture = draw("svg", { class: "profile", viewBox: `0 0 ${width} 22`, width, height: 22, role: "img", "aria-label": words.join(", ") },
    draw("title", {}, words.join("\n")));
  data.measures.forEach((measure, m) => {
    picture.append(draw("rect", { class: "rail", x: m * step, y: 0, width: systems * 4, height: 22 }));
    data.scores.forEach((scores, system) => {
      const score = scores[m][document];
      if (score === null) return;
      const height = Math.max(0.5, Math.min(100, Math.max(0, score)) * 0.22);
      picture.append(draw("rect", { x: m * step + system * 4, y: 22 - height, width: 3.2, height, style: `fill: ${colourOf(system)}` }));
    });
  });
  return picture;
}
