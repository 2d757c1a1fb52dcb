// Everything that can be done, as one table: its keys, its words, and what it does. Buttons and keys come from here.

// Each: {name, keys, text, button, edit: name of the edit it means (previewed on hover), run(app, event)}.
export const ACTIONS = [
  { name: "newEntity", keys: ["n"], text: "a new entity of the selected words or mentions", button: "New entity", edit: "newEntity" },
  { name: "join", keys: ["j"], text: "put the selected words or mentions into the current entity", button: "Join", edit: "join" },
  { name: "split", keys: ["s"], text: "split the selected mentions off as an entity of their own", button: "Split off", edit: "split" },
  { name: "merge", keys: ["g"], text: "merge the entities of the selected mentions", button: "Merge", edit: "merge" },
  { name: "delete", keys: ["Delete", "x"], text: "delete the selected mentions", button: "Delete", edit: "delete" },
  { name: "respan", keys: ["r"], text: "give the selected mention the selected words", button: "Re-span", edit: "respan" },
  { name: "addPiece", keys: ["p"], text: "add the selected words to the selected mention, with a gap", button: "Add piece", edit: "addPiece" },
  { name: "head", keys: ["h"], text: "the selected words are the head of the selected mention", button: "Head", edit: "head" },
  { name: "minimum", keys: ["i"], text: "the selected words are the minimum of the selected mention", button: "Minimum", edit: "minimum" },
  { name: "move", keys: ["v"], text: "move the selected mentions to an entity: then click it, or a mention of it", button: "Move to …", run: (app) => app.startMove() },
  { name: "link", keys: ["l"], text: "draw a link from the selected mention: then click others, see the closure, and press Enter", button: "Link", run: (app) => app.startLink() },
  { name: "apply", keys: ["Enter"], text: "make the links drawn; select the mention at the cursor", run: (app) => app.pressEnter() },
  { name: "cancel", keys: ["Escape"], text: "let go of what is selected", run: (app) => app.cancel() },
  { name: "unlinked", keys: ["u"], text: "the next mention that is alone in its entity", button: "Next unlinked", run: (app) => app.goUnlinked(1) },
  { name: "unlinkedBack", keys: ["U"], text: "the one before", run: (app) => app.goUnlinked(-1) },
  { name: "next", keys: ["."], text: "the next mention", run: (app) => app.goNeighbour(1) },
  { name: "previous", keys: [","], text: "the mention before", run: (app) => app.goNeighbour(-1) },
  { name: "current", keys: ["c"], text: "make the selected mention's entity the current one", button: "Make current", run: (app) => app.makeCurrent() },
  { name: "all", keys: ["a"], text: "select all mentions of the entity", button: "Select entity", run: (app) => app.selectEntity() },
  { name: "rename", keys: ["e"], text: "rename the current entity", button: "Rename", run: (app) => app.rename() },
  { name: "search", keys: ["/"], text: "search words; Enter marks all matches in the current entity, or in a new one", run: (app) => app.focusSearch() },
  { name: "take", keys: ["t"], text: "take the mention at the cursor as the side beside has it", button: "Take mention", run: (app) => app.takeBeside("mention") },
  { name: "takeAll", keys: ["T"], text: "take its whole entity as the side beside has it", button: "Take entity", run: (app) => app.takeBeside("entity") },
  { name: "undo", keys: ["Ctrl+z"], text: "undo", button: "Undo", run: (app) => app.turn("undo") },
  { name: "redo", keys: ["Ctrl+y", "Ctrl+Z"], text: "redo", button: "Redo", run: (app) => app.turn("redo") },
  { name: "right", keys: ["ArrowRight"], text: "the cursor a word on", run: (app) => app.moveCursor(1, false) },
  { name: "left", keys: ["ArrowLeft"], text: "the cursor a word back", run: (app) => app.moveCursor(-1, false) },
  { name: "extendRight", keys: ["Shift+ArrowRight"], text: "select a word more", run: (app) => app.moveCursor(1, true) },
  { name: "extendLeft", keys: ["Shift+ArrowLeft"], text: "select a word less, or more to the left", run: (app) => app.moveCursor(-1, true) },
  { name: "nextDocument", keys: ["]"], text: "the next document", run: (app) => app.stepDocument(1) },
  { name: "previousDocument", keys: ["["], text: "the document before", run: (app) => app.stepDocument(-1) },
  { name: "otherSide", keys: ["o"], text: "edit the next side", run: (app) => app.stepSide() },
  { name: "keys", keys: ["?"], text: "all keys", button: "Keys", run: (app) => app.showPanel("keys") },
];

const BY_KEY = new Map(ACTIONS.flatMap((action) => action.keys.map((key) => [key, action])));

// The action that a key means; none while somebody types into a field.
export function findAction(event) {
  const typing = event.target.closest("input:not([type=checkbox]), select, textarea");
  const control = event.ctrlKey || event.metaKey;
  if (event.altKey || (typing && !(control && /^[zy]$/iu.test(event.key) && !typing.value))) return undefined;
  const arrows = event.shiftKey && event.key.startsWith("Arrow") ? "Shift+" : "";
  return BY_KEY.get(`${control ? "Ctrl+" : ""}${arrows}${event.key}`);
}
