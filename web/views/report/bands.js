// The picture of one entity: its bar, a band to every neighbour as thick as they share many mentions, and what else is there.

import { chooseLooks, nameEntity } from "../../model/document.js";
import { countThings, sum } from "../../model/report.js";
import { draw, make } from "../dom.js";
import { colourEntity, entityClass } from "./parts.js";

const DRAWN = 14; // neighbours with a bar of their own; the rest share one
const WIDTH = 720;
const BARS = [210, 510]; // where the entity's bar and those of its neighbours stand
const BAR = 10;
const GAP = 22;
const [ISOLATE, END] = ["\u2068", "\u2069"]; // SVG has no <bdi>

export function drawBands(record, side, entity, other, { size, parts, missing }) {
  const bars = joinSmallest(parts);
  const heights = bars.map((bar) => bar.size);
  const unit = Math.max(0.5, Math.min(8, 180 / Math.max(1, size, sum(heights))));
  const tall = (mentions) => Math.max(2, mentions * unit);
  const height = Math.max(tall(size) + GAP, sum(heights.map((each) => tall(each) + GAP))) + 8;
  const look = chooseLooks(record, side)[entity];
  const picture = draw("svg", { class: "bands", viewBox: `0 0 ${WIDTH} ${height.toFixed(1)}`, role: "img", "aria-label": "the entity at the left, its neighbours at the right; described below" });
  let from = (height - tall(size)) / 2;
  const top = from;
  let y = (height - sum(heights.map((each) => tall(each) + GAP)) + GAP) / 2;
  for (const bar of bars) {
    picture.append(drawBand(from, y, bar.n * unit, look, countThings(bar.n, "mention")), ...drawBar(record, other, bar, y, unit));
    from += bar.n * unit;
    y += tall(bar.size) + GAP;
  }
  picture.append(drawTrunk(BARS[0], top, (size - missing) * unit, "trunk", look, countThings(size - missing, "mention")),
    ...(missing ? [drawTrunk(BARS[0], from, missing * unit, "trunk absent", look, `${countThings(missing, "mention")} without a twin`)] : []),
    drawTitle(BARS[0] - 8, top + tall(size) / 2 + 4, "end", look.label, nameEntity(record, side, entity), size));
  return make("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Picture" }, picture);
}

// Beyond some neighbours, the smallest are one bar: no band is ever left out.
function joinSmallest(parts) {
  if (parts.length <= DRAWN) return parts;
  const rest = parts.slice(DRAWN - 1);
  const total = (field) => sum(rest.map((part) => part[field]));
  return [...parts.slice(0, DRAWN - 1), { entity: null, many: rest.length, n: total("n"), size: total("size"), foreign: total("foreign"), extra: total("extra") }];
}

function drawBand(a, b, thick, look, title) {
  const [left, right] = [BARS[0] + BAR, BARS[1]];
  const middle = (left + right) / 2;
  const path = `M${left},${a}C${middle},${a} ${middle},${b} ${right},${b}V${b + thick}C${middle},${b + thick} ${middle},${a + thick} ${left},${a + thick}Z`;
  return draw("path", { class: `band${entityClass(look)}`, d: path, style: colourEntity(look) }, draw("title", {}, title));
}

// A neighbour's bar: what it shares with the entity, what is of other entities, what has no twin.
function drawBar(record, side, bar, y, unit) {
  const look = bar.entity === null ? { label: "", hue: null } : chooseLooks(record, side)[bar.entity];
  const title = bar.entity === null ? `${bar.many} smaller ones` : nameEntity(record, side, bar.entity);
  const segments = [["trunk", bar.n, "shared"], ["trunk foreign", bar.foreign, "of other entities"], ["trunk absent", bar.extra, "without a twin"]];
  let at = y;
  const drawn = segments.filter(([, mentions]) => mentions).map(([kind, mentions, what]) => {
    const element = drawTrunk(BARS[1], at, mentions * unit, kind, look, `${countThings(mentions, "mention")} ${what}`);
    at += mentions * unit;
    return element;
  });
  return [...drawn, drawTitle(BARS[1] + 18, y + Math.max(9, (bar.size * unit) / 2 + 4), "start", look.label, title, bar.size)];
}

function drawTrunk(x, y, height, kind, look, title) {
  return draw("rect", { class: `${kind}${entityClass(look)}`, x, y, width: BAR, height: Math.max(0.5, height), style: colourEntity(look) }, draw("title", {}, title));
}

function drawTitle(x, y, anchor, label, title, size) {
  const short = title.length > 22 ? `${title.slice(0, 21)}…` : title;
  return draw("text", { class: "title", x, y, "text-anchor": anchor }, draw("tspan", { class: "label" }, label ? `${label} ` : ""),
    `${ISOLATE}${short}${END} `, draw("tspan", { class: "count" }, String(size)));
}
