// Files in and out, examples, studies.
import { addressOf } from "../../../store/requests.js";
import { fill, make, makeButton, makeOptions } from "../dom.js";

export function drawFiles(element, { lists, project, side, notices, study }, handlers) {
  const formats = Object.keys(lists.formats.write).map((name) => [name, name]);
  fill(element,
    make("h3", {}, "Open"),
    make("div", { class: "row" }, make("label", {}, "Project ", make("select", { onchange: handlers.open, data: { key: "project" } }, makeOptions(lists.projects.map((name) => [name, name]), project)))),
    make("div", { class: "row" }, make("label", {}, "Example of a paper ", make("select", { onchange: handlers.openExample, data: { key: "example" } }, makeOptions([["", "…"], ...Object.entries(lists.examples).map(([name, source]) => [name, `${name}: ${source}`])], "")))),
    make("form", { onsubmit: handlers.upload },
      make("label", {}, "Files, the key first ", make("input", { type: "file", name: "files", multiple: true, data: { key: "files" } })),
      make("label", {}, make("input", { type: "checkbox", name: "adjudicate" }), " all are annotators'"), makeButton("Open files", null, { type: "submit" })),
    make("h3", {}, "Save"),
    make("form", { class: "row", onsubmit: handlers.save },
      make("input", { name: "file", "aria-label": "file name", placeholder: "name.conll", required: true, data: { key: "file-name" } }), make("label", {}, make("input", { type: "checkbox", name: "force" }), " overwrite"), makeButton(`Save ${side}`, null, { type: "submit" })),
    make("form", { class: "row", onsubmit: handlers.download }, make("label", {}, "Format ", make("select", { name: "format" }, makeOptions(formats, "conll"))), makeButton("Download", null, { type: "submit" })),
    make("p", {}, make("a", { href: addressOf(project, "/patch"), download: `${project}.json` }, "All edits as a JSON patch")),
    make("h3", {}, "Studies of the papers"),
    make("label", {}, "Study ", make("select", { onchange: handlers.chooseStudy, data: { key: "study" } }, makeOptions([["", "…"], ...lists.studies.map(([name, title]) => [name, `${name}: ${title}`])], study))),
    make("div", { class: "row" },
      makeButton("Show its findings", () => handlers.runStudy(study), { disabled: !study }),
      makeButton("Open its partitions", () => handlers.openStudy(study), { disabled: !lists.studies.some(([name, , , opens]) => name === study && opens) }),
      make("span", { class: "soft" }, lists.studies.some(([name, , , opens]) => name === study && !opens) ? "a study of printed numbers: it has no partitions" : "")),
    notices.length ? make("details", {}, make("summary", {}, `Notices of the files: ${notices.length}`), make("ul", {}, notices.map((text) => make("li", {}, text)))) : null);
}
