// All keys.
import { fill, make } from "../dom.js";

export function drawKeys(element, actions) {
  fill(element, make("table", { class: "keys" }, make("caption", {}, "Keys"), make("tbody", {}, actions.filter(({ keys }) => keys.length).map(({ keys, text }) =>
    make("tr", {}, make("td", {}, keys.map((key) => make("kbd", {}, key))), make("td", {}, text))))));
}
