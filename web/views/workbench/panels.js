// The panels beside the text: which is drawn when, and what its controls do.
import { ACTIONS } from "./actions.js";
import { find } from "./dom.js";
import { drawAdjudication } from "./panels/adjudication.js";
import { drawDetails } from "./panels/details.js";
import { drawEntities } from "./panels/entities.js";
import { drawFiles } from "./panels/files.js";
import { drawKeys } from "./panels/keys.js";
import { drawResolvers } from "./panels/resolvers.js";
import { drawScores } from "./panels/scores.js";

const SIDES = ["annotations", "side", "sides", "project"];

// Each panel: which fields of the state it shows, and how it is drawn.
const PANELS = {
  scores: {
    fields: [...SIDES, "scores", "preview", "showAll"],
    draw: (body, { app, now }) => drawScores(body, { ...now, names: nameEntities(now) }, {
      toggleAll: () => app.store.set({ showAll: !app.state.showAll }), explain: (measure) => app.results.explain(measure),
    }),
  },
  entities: {
    fields: [...SIDES, "current", "filter"],
    draw: (body, { app, now }) => drawEntities(body, { ...now, annotation: app.annotation }, {
      choose: (id, adds) => app.selection.chooseEntity(id, adds), describe: (runs) => app.drawing.describe(runs),
      preview: (id) => app.editing.preview(id && app.state.selected.length ? { kind: "move", mentions: app.state.selected, entity: id } : null),
    }),
  },
  details: {
    fields: [...SIDES, "selected", "content"],
    draw: (body, { app, now }) => now.content && drawDetails(body, { ...now, annotation: app.annotation }, {
      show: (runs) => app.selection.showRuns(runs), describe: (runs) => app.drawing.describe(runs),
    }),
  },
  adjudicate: {
    fields: [...SIDES, "agreement", "agreementError", "chance", "compared"],
    draw: (body, { app, now }) => drawAdjudication(body, { ...now, error: now.agreementError }, {
      compare: () => app.results.compareSides(listChecked(body)), addSide: (event) => app.projects.addSide(event),
      majority: () => app.editing.send("/majority", { sides: app.state.compared }),
      take: (source, what) => app.editing.send("/take", { source, ...what }), takeEntity: (source, mention) => app.editing.takeEntity(source, mention),
      show: (runs) => app.selection.showRuns(runs), describe: (runs) => app.drawing.describe(runs),
    }),
  },
  resolve: {
    fields: [...SIDES, "resolver", "off", "table", "key"],
    draw: (body, { app, now }) => drawResolvers(body, { ...app.lists, ...now }, {
      choose: (event) => app.store.set({ resolver: event.target.value }), tabulate: (event) => app.results.tabulate(event),
      toggleRule: (event) => app.results.toggleRule(event.target.value),
      resolve: () => app.editing.send("/resolve", { resolver: app.state.resolver, off: app.state.resolver === "salience" ? app.state.off : [] }),
    }),
  },
  files: {
    fields: ["project", "side", "sides", "notices", "study"],
    draw: (body, { app, now }) => drawFiles(body, { lists: app.lists, ...now }, {
      open: (event) => app.projects.open({ project: event.target.value }).catch((error) => app.messages.complain(error)),
      openExample: (event) => event.target.value && app.projects.create({ example: event.target.value }),
      upload: (event) => app.projects.upload(event), save: (event) => app.projects.save(event), download: (event) => app.projects.download(event),
      chooseStudy: (event) => app.store.set({ study: event.target.value }),
      runStudy: (name) => app.results.runStudy(name), openStudy: (name) => app.projects.create({ example: name }),
    }),
  },
  keys: { fields: [], draw: (body) => drawKeys(body, ACTIONS) },
};

// Draw the panel that is shown, if it shows something that has changed.
export function drawPanel(app, now, changed) {
  const { fields, draw } = PANELS[now.panel];
  if (changed("panel", ...fields)) draw(find(`panel-${now.panel}`).querySelector(".body"), { app, now });
}

// Entities by name: those that are gone by the one they had; a preview may have one that there is not yet.
function nameEntities(now) {
  const name = (side) => (id) => now.annotations[side]?.entities[id]?.name ?? now.gone[`${side}/${id}`] ?? (now.preview ? "new" : id);
  return { key: name(now.key), response: name(now.response) };
}

function listChecked(body) {
  return [...body.querySelectorAll("input[type=checkbox]")].filter((box) => box.checked).map((box) => box.value);
}
