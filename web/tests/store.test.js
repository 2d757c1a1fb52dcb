// The state and its address are one: each is made of the other, whatever was typed.

import assert from "node:assert/strict";
import test from "node:test";

import { addState, canRedo, canUndo, createStore, getState, goTo, replaceState, startHistory } from "../store/store.js";
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
  const store = createStore({ a: 1, b: 2 }, { write: JSON.stringify, push: (...said) => addresses.push(said) });
  const told = [];
  store.listen((state, before) => told.push([before.a, state.a]));
  store.change({ a: 3 });
  store.change({ a: 4 }, { replace: true });
  store.undo();
  assert.deepEqual(told, [[1, 3], [3, 4], [4, 1]]);
  assert.deepEqual(addresses, [['{"a":3,"b":2}', 1, false], ['{"a":4,"b":2}', 1, true]]);
  assert.equal(store.link({ b: 9 }), '{"a":1,"b":9}');
});

test("a history is gone through both ways, and a step on ends what was undone", () => {
  const begun = startHistory("a");
  const on = addState(addState(begun, "b"), "c");
  assert.deepEqual([on.states, on.place, canUndo(on), canRedo(on)], [["a", "b", "c"], 2, true, false]);
  const back = goTo(on, 1);
  assert.deepEqual([getState(back), canUndo(back), canRedo(back)], ["b", true, true]);
  assert.deepEqual(replaceState(back, "B").states, ["a", "B", "c"]);
  assert.deepEqual(addState(back, "d"), { states: ["a", "b", "d"], place: 2 });
  // Nothing of what a history was is changed.
  assert.deepEqual([begun, on.states], [{ states: ["a"], place: 0 }, ["a", "b", "c"]]);
});

test("undo and redo go through all steps, and no further", () => {
  const store = createStore({ a: 0 }, { write: JSON.stringify });
  for (const a of [1, 2, 3]) store.change({ a });
  store.change({ a: 3 }); // says nothing new: no step
  const seen = [];
  for (let step = 0; step < 5; step += 1) { store.undo(); seen.push(store.state.a); }
  assert.deepEqual([...seen, store.canUndo, store.canRedo], [2, 1, 0, 0, 0, false, true]);
  store.redo();
  store.redo();
  assert.equal(store.state.a, 2);
  store.change({ a: 9 });
  store.redo();
  assert.deepEqual([store.state.a, store.canRedo], [9, false]);
  store.undo();
  assert.equal(store.state.a, 2);
});

// A browser: addresses with the places that were told of them, and where it is.
function open(write, read) {
  const browser = { entries: [[write({ a: 0 }), 0]], at: 0 };
  const tell = () => {
    const [address, place] = browser.entries[browser.at];
    if (place === null) browser.store.visit(read(address));
    else browser.store.arrive(place, read(address));
  };
  browser.load = () => {
    const [address, place] = browser.entries[browser.at];
    browser.store = createStore(read(address), {
      write, place, travel: browser.go,
      push: (...[now, there, replace]) => {
        if (!replace) browser.entries.splice((browser.at += 1));
        browser.entries[browser.at] = [now, there];
      },
    });
  };
  browser.go = (step) => {
    browser.at = Math.max(0, Math.min(browser.entries.length - 1, browser.at + step));
    tell();
  };
  browser.type = (address) => {
    // Browsers replace an entry by the same address.
    if (browser.entries[browser.at][0] !== address) browser.entries.splice((browser.at += 1));
    browser.entries[browser.at] = [address, null];
    tell();
  };
  browser.load();
  return browser;
}

test("whatever is done in whatever order, the store is where the browser is", () => {
  let seed = 7;
  const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
  const browser = open(({ a }) => String(a), (address) => ({ a: Number(address) }));
  const deeds = [
    () => browser.store.change({ a: random(50) }), () => browser.store.change({ a: random(50) }, { replace: true }), () => browser.store.undo(),
    () => browser.store.redo(), () => browser.go(-1 - random(3)), () => browser.go(1), () => browser.type(String(100 + random(50))), () => browser.load(),
  ];
  let undone = 0;
  for (let round = 0; round < 2000; round += 1) {
    const [deed, before] = [deeds[random(deeds.length)], browser.at];
    deed();
    undone += deed === deeds[2] && browser.at < before;
    const [address, place] = browser.entries[browser.at];
    assert.deepEqual([String(browser.store.state.a), place, browser.store.canUndo], [address, browser.at, browser.at > 0]);
    if (browser.store.canRedo) assert.ok(browser.at < browser.entries.length - 1);
  }
  assert.ok(undone > 100);
});

test("a reader begins where most is wrong, of what is there", () => {
  assert.equal(findWorstDocument(DATA, () => true), 1);
  assert.equal(findWorstDocument(DATA, (number) => number !== 1), 0);
});
