// The state of the workbench at its start, and that of a document in which nothing is selected.

export const NOTHING = { range: null, selected: [], links: [], mode: null, conflict: [], hovered: null, preview: null };
export const EMPTY = { mentions: {}, entities: {} };

export function makeState() {
  return {
    ...NOTHING, project: "", document: 0, side: "", beside: [], source: "", key: "", response: "", sides: [], documents: [], content: null, annotations: {},
    revision: 0, current: null, scores: null, showAll: false, scope: "document", panel: "scores", filter: "", cursor: null, anchor: null, author: "", gone: {},
    turns: [0, 0], notices: [], title: "", agreement: null, agreementError: "", chance: null, compared: [],
    resolver: "salience", off: [], table: null, averaged: "muc, bcub, ceafe", study: "",
  };
}

export function pause(milliseconds) {
  return new Promise((done) => {
    setTimeout(done, milliseconds);
  });
}
