// The state and its address are one: each is made of the other, whatever was typed.

import assert from "node:assert/strict";
import test from "node:test";

import { createStore } from "../store/store.js";
import { applyChanges, findWorstDocument, makeState, readState, writeState } from "../store/state.js";

const DATA = {
  mainMeasure: 1, systems: [{ name: "a" }, { name: "b" }], measures: [{ name: "muc" }, { name: "conll" }],
  kinds: [{ name: "span-error" }, { name: "divided-entity" }], documents: { name: ["one", "a/b?c", "%"] }, errors: [[{ "span-error": 1 }, { "span-error": 3 }, {}]],
};

test("every state goes into an address and back", () => {
  const states = [
    {}, { view: "errors", kinds: new Set([1]) }, { view: "text", document: 1, mention: "k:16-16+18-18", left: 0, right: 1, overlaid: true, signs: true },
    { view: "text", document: 2, mention: "0:a name/with % and ?" }, { view: "entities", system: 1, within: 1, measure: 0, order: "misplaced" },
    { view: "documents", find: "x&y=1", sort: "-errors" }, { view: "compare", from: 1, to: 0 }, { view: "errors", page: 4 },
  ];
  for (const changes of states) {
    const state = { ...makeState(DATA), ...changes };
    assert.deepEqual(readState(writeState(state, DATA), DATA), state);
  }
});

test("an address is short, and says only what is not usual", () => {
  assert.equal(writeState(makeState(DATA), DATA), "#overview");
  assert.equal(writeState({ ...makeState(DATA), view: "text", document: 0, mention: "k:0-1" }, DATA), "#text/one/k:0-1");
});

test("nonsense in an address is as if it were not there", () => {
  for (const hash of ["", "#", "#nothing", "#text/no-such/k:1", "#overview?system=9&measure=x&left=-1&within=q&foo=1", "#%E0%A4%A"]) {
    const state = readState(hash, DATA);
    assert.deepEqual(state, { ...makeState(DATA), view: state.view });
  }
});

test("another list is read from its first page on", () => {
  const state = { ...makeState(DATA), view: "errors", page: 3 };
  assert.equal(applyChanges(state, { measure: 0 }).page, 0);
  assert.equal(applyChanges(state, { page: 4 }).page, 4);
  assert.equal(writeState(state, DATA), "#errors?page=4");
});

test("a store tells its listeners, and writes the address", () => {
  const addresses = [];
  const store = createStore({ a: 1, b: 2 }, { write: JSON.stringify, push: (address, replace) => addresses.push([address, replace]) });
  const told = [];
  store.listen((state, before) => told.push([before.a, state.a]));
  store.change({ a: 3 });
  store.change({ a: 4 }, { replace: true });
  store.restore({ a: 1, b: 2 });
  assert.deepEqual(told, [[1, 3], [3, 4], [4, 1]]);
  assert.deepEqual(addresses, [['{"a":3,"b":2}', false], ['{"a":4,"b":2}', true]]);
  assert.equal(store.link({ b: 9 }), '{"a":1,"b":9}');
});

test("a reader begins where most is wrong, of what is there", () => {
  assert.equal(findWorstDocument(DATA, () => true), 1);
  assert.equal(findWorstDocument(DATA, (number) => number !== 1), 0);
});
