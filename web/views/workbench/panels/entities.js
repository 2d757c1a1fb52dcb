// The list of entities, the largest first.
import { chooseHue, listEntities } from "../../../model/workbench_text.js";
import { fill, make } from "../dom.js";

export function drawEntities(element, state, handlers) {
  const { annotation, current, filter } = state;
  const wanted = filter.toLowerCase();
  const rows = listEntities(annotation).filter(({ name, mentions }) =>
    !wanted || name.toLowerCase().includes(wanted) || mentions.some((id) => handlers.describe(annotation.mentions[id].runs).toLowerCase().includes(wanted)));
  fill(element, make("ul", { class: "entities" }, rows.slice(0, 400).map((entity) => drawEntity(entity, state, handlers))),
    rows.length > 400 ? make("p", { class: "soft" }, `and ${rows.length - 400} more: narrow them down above`) : null,
    rows.length || current ? null : make("p", { class: "soft" }, "No entities yet: select words in the text and press n."));
}

function drawEntity({ id, name, mentions }, { annotation, current }, handlers) {
  const texts = mentions.slice(0, 4).map((mention) => handlers.describe(annotation.mentions[mention].runs));
  const more = mentions.length > 4 ? ` + ${mentions.length - 4}` : "";
  return make("li", {},
    make("button", {
      type: "button", class: "entity", hue: chooseHue(id), data: { key: id, e: id }, "aria-pressed": String(id === current),
      onclick: (event) => handlers.choose(id, event.ctrlKey || event.shiftKey || event.metaKey),
      onpointerenter: () => handlers.preview(id), onpointerleave: () => handlers.preview(null), onfocus: () => handlers.preview(id), onblur: () => handlers.preview(null),
    }, make("span", { class: "count" }, String(mentions.length)), make("b", {}, make("bdi", {}, name)), " ", make("bdi", {}, texts.join(" · ") + more)));
}
