// Everything that can be done, as one table: its keys, its words, and what it does. Buttons and keys come from here.

// Each: {name, keys, text, button, group: what the button stands with, edit: name of the edit it means (previewed on hover), run(app)}.
export const ACTIONS = [
  { name: "newEntity", keys: ["n"], text: "a new entity of the selected words or mentions", button: "New entity", group: "Entities", edit: "newEntity" },
  { name: "join", keys: ["j"], text: "put the selected words or mentions into the current entity", button: "Join", group: "Entities", edit: "join" },
  { name: "split", keys: ["s"], text: "split the selected mentions off as an entity of their own", button: "Split off", group: "Entities", edit: "split" },
  { name: "merge", keys: ["g"], text: "merge the entities of the selected mentions", button: "Merge", group: "Entities", edit: "merge" },
  { name: "delete", keys: ["x", "Delete"], text: "delete the selected mentions", button: "Delete", group: "Mention", edit: "delete" },
  { name: "respan", keys: ["r"], text: "give the selected mention the selected words", button: "Re-span", group: "Mention", edit: "respan" },
  { name: "addPiece", keys: ["p"], text: "add the selected words to the selected mention, with a gap", button: "Add piece", group: "Mention", edit: "addPiece" },
  { name: "head", keys: ["h"], text: "the selected words are the head of the selected mention; without words, it has none", button: "Head", group: "Mention", edit: "head" },
  { name: "minimum", keys: ["i"], text: "the selected words are the minimum (MIN) of the selected mention; without words, it has none", button: "MIN", group: "Mention", edit: "minimum" },
  { name: "move", keys: ["v"], text: "move the selected mentions to an entity: then click it, or a mention of it", button: "Move to …", group: "Entities", run: (app) => app.selection.startMove() },
  { name: "link", keys: ["l"], text: "draw a link from the selected mention: then click others, see the closure, and press Enter", button: "Link", group: "Entities", run: (app) => app.selection.startLink() },
  { name: "apply", keys: ["Enter"], text: "make the links drawn; select the mention at the cursor", run: (app) => app.selection.pressEnter() },
  { name: "cancel", keys: ["Escape"], text: "select nothing", run: (app) => app.selection.cancel() },
  { name: "unlinked", keys: ["u"], text: "the next mention that is alone in its entity", button: "Next unlinked", group: "Mention", run: (app) => app.selection.goUnlinked(1) },
  { name: "unlinkedBack", keys: ["U"], text: "the one before", run: (app) => app.selection.goUnlinked(-1) },
  { name: "next", keys: ["."], text: "the next mention", run: (app) => app.selection.goNeighbour(1) },
  { name: "previous", keys: [","], text: "the mention before", run: (app) => app.selection.goNeighbour(-1) },
  { name: "current", keys: ["c"], text: "make the selected mention's entity the current one", button: "Make current", group: "Entities", run: (app) => app.selection.makeCurrent() },
  { name: "all", keys: ["a"], text: "select all mentions of the entity", button: "Select entity", group: "Entities", run: (app) => app.selection.selectEntity() },
  { name: "rename", keys: ["e"], text: "rename the current entity", button: "Rename", group: "Entities", run: (app) => app.editing.rename() },
  { name: "search", keys: ["/"], text: "search words; Enter marks all matches in the current entity, or in a new one", run: (app) => app.selection.focusSearch() },
  { name: "take", keys: ["t"], text: "take the mention at the cursor as the side beside has it", button: "Take mention", group: "Side beside", run: (app) => app.editing.takeBeside("mention") },
  { name: "takeAll", keys: ["T"], text: "take its whole entity as the side beside has it", button: "Take entity", group: "Side beside", run: (app) => app.editing.takeBeside("entity") },
  { name: "undo", keys: ["Ctrl+z"], text: "undo", button: "Undo", group: "History", run: (app) => app.editing.turn("undo") },
  { name: "redo", keys: ["Ctrl+y", "Ctrl+Z"], text: "redo", button: "Redo", group: "History", run: (app) => app.editing.turn("redo") },
  { name: "right", keys: ["ArrowRight"], text: "the cursor a word on", run: (app) => app.selection.moveCursor(1, false) },
  { name: "left", keys: ["ArrowLeft"], text: "the cursor a word back", run: (app) => app.selection.moveCursor(-1, false) },
  { name: "extendRight", keys: ["Shift+ArrowRight"], text: "select a word more", run: (app) => app.selection.moveCursor(1, true) },
  { name: "extendLeft", keys: ["Shift+ArrowLeft"], text: "select a word less, or more to the left", run: (app) => app.selection.moveCursor(-1, true) },
  { name: "nextDocument", keys: ["]"], text: "the next document", run: (app) => app.projects.stepDocument(1) },
  { name: "previousDocument", keys: ["["], text: "the document before", run: (app) => app.projects.stepDocument(-1) },
  { name: "otherSide", keys: ["o"], text: "edit the next side", run: (app) => app.projects.stepSide() },
  { name: "keys", keys: ["?"], text: "all keys", button: "Keys", group: "History", run: (app) => app.showPanel("keys") },
];

const BY_KEY = new Map(ACTIONS.flatMap((action) => action.keys.map((key) => [key, action])));

// The action that a key means; none while somebody types into a field, or a dialog is open.
export function findAction(event) {
  const typing = event.target.closest("input:not([type=checkbox]), select, textarea");
  const control = event.ctrlKey || event.metaKey;
  if (event.altKey || event.target.closest("dialog") || (typing && !(control && /^[zy]$/iu.test(event.key) && !typing.value))) return undefined;
  const arrows = event.shiftKey && event.key.startsWith("Arrow") ? "Shift+" : "";
  return BY_KEY.get(`${control ? "Ctrl+" : ""}${arrows}${event.key}`);
}
