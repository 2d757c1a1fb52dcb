import assert from "node:assert/strict";
import { test } from "node:test";

import {
  applyChange, chooseHue, closeLinks, countMatches, divideText, findAround, findNeighbour, findUnlinked, judgeChange, listEntities, assignRuns,
  nestMentions, sortMentions, writeChange, writeText,
} from "../model/workbench_text.js";
import { describeRelations, findDifferences, findRelationsOf, listLayerRuns, listLayers } from "../model/workbench_beyond.js";
import { averagePairs, describeEntry, describeStatus } from "../model/workbench_status.js";
import { EDITS, makeStore, moveCursor, readPlace, toggleMention, writePlace } from "../store/workbench.js";

const content = { words: "Kim saw the old shop near the sea".split(" "), sentence: [0, 0, 0, 0, 0, 1, 1, 1] };
const annotation = {
  mentions: {
    m2: { runs: [[0, 0]], entity: "e1" },
    m4: { runs: [[2, 4]], entity: "e3" },
    m5: { runs: [[4, 7]], entity: "e3" },
    m7: { runs: [[3, 3], [7, 7]], entity: "e6" },
  },
  entities: { e1: { name: "Kim" }, e3: { name: "shop" }, e6: { name: "x" } },
};

function draw(tree) {
  return tree.parts.map((part) => (part.parts ? `[${part.id} ${draw(part)}]` : part.text)).join(" ");
}

test("mentions are nested, and what crosses is continued", () => {
  const blocks = divideText(content);
  assert.deepEqual(blocks.map(({ first, last }) => [first, last]), [[0, 4], [5, 7]]);
  const runs = assignRuns(blocks, annotation.mentions);
  const drawn = blocks.map((block, place) => draw(nestMentions(block, runs[place])));
  assert.deepEqual(drawn, ["[m2 Kim] saw [m4 the [m7 old] [m5 shop]]", "[m5 near the [m7 sea]]"]);
});

test("characters are cut where mentions begin and end", () => {
  const blocks = divideText({ text: "Kim's shop\n" });
  const [runs] = assignRuns(blocks, { m1: { runs: [[0, 2]], entity: "e2" }, m3: { runs: [[0, 9]], entity: "e4" } });
  assert.equal(draw(nestMentions(blocks[0], runs)), "[m3 [m1 Kim] 's shop] \n");
});

test("every word is drawn once, whatever crosses whatever", () => {
  let seed = 1;
  const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
  for (let round = 0; round < 200; round += 1) {
    const mentions = {};
    for (let number = 0; number < 8; number += 1) {
      const first = random(8);
      mentions[`m${number}`] = { runs: [[first, first + random(8 - first)]], entity: "e1" };
    }
    const sorted = sortMentions(mentions);
    const seen = {};
    const visit = (tree, around) => {
      for (const part of tree.parts) {
        if (part.parts) visit(part, [...around, part.id]);
        else seen[part.first] = around;
      }
    };
    const blocks = divideText(content);
    const runs = assignRuns(blocks, mentions);
    blocks.forEach((block, place) => visit(nestMentions(block, runs[place]), []));
    for (let word = 0; word < 8; word += 1) {
      const expected = sorted.filter(({ runs: [[first, last]] }) => first <= word && word <= last).map(({ id }) => id);
      assert.deepEqual([...seen[word]].sort(), expected.sort());
    }
  }
});

test("entities, texts, neighbours and what is alone", () => {
  assert.deepEqual(listEntities(annotation).map(({ id, mentions }) => [id, mentions]), [["e3", ["m4", "m5"]], ["e1", ["m2"]], ["e6", ["m7"]]]);
  assert.equal(writeText(content, [[3, 3], [7, 7]]), "old … sea");
  assert.deepEqual([0, 1, 3, 6, null].map((place) => findAround(annotation, place)), ["m2", null, "m4", "m5", null]);
  assert.equal(findNeighbour(annotation, "m2", 1), "m4");
  assert.equal(findNeighbour(annotation, "m2", -1), "m5");
  assert.equal(findNeighbour(annotation, null, 1), "m2");
  assert.equal(findUnlinked(annotation, "m2", 1), "m7");
  assert.equal(findUnlinked(annotation, null, -1), "m7");
  assert.equal(findUnlinked({ mentions: {}, entities: {} }, null, 1), null);
});

test("links close over whole entities", () => {
  assert.deepEqual(closeLinks(annotation, [["m2", "m5"]]), [["m2", "m4", "m5"]]);
  assert.deepEqual(closeLinks(annotation, [["m2", "m5"], ["m7", "m4"]]).flat().sort(), ["m2", "m4", "m5", "m7"]);
});

test("changes, matches, hues, numbers", () => {
  const after = applyChange(annotation, { mentions: { m2: [annotation.mentions.m2, null], m9: [null, { runs: [[1, 1]], entity: "e3" }] }, entities: { e1: [{ name: "Kim" }, null] } });
  assert.deepEqual(Object.keys(after.mentions), ["m4", "m5", "m7", "m9"]);
  assert.deepEqual(Object.keys(after.entities), ["e3", "e6"]);
  assert.equal(countMatches(content, "THE"), 2);
  assert.equal(countMatches({ text: "Kim saw Kimmy; KIM left." }, "kim"), 2);
  assert.ok(chooseHue("e1") !== chooseHue("e2"));
  assert.deepEqual([0.0123, -0.5, 0].map(writeChange), ["+1.23", "−50.00", "·"]);
  assert.deepEqual([judgeChange(0.1, false), judgeChange(0.1, true), judgeChange(0, true)], ["better", "worse", "same"]);
});

test("the place is in the address", () => {
  const place = { project: "a b/c", document: 2, side: "key", beside: ["ann", "b&b"], key: "key", response: "r&d" };
  assert.deepEqual(readPlace(writePlace(place)), place);
  assert.equal(writePlace({ project: "p", document: 0, beside: [] }), "#p");
  assert.deepEqual(readPlace(""), { project: "" });
});

test("the cursor moves and takes words along", () => {
  const start = { cursor: null, anchor: null, length: 5 };
  assert.equal(moveCursor({ ...start, length: 0 }, 1, false), null);
  const steps = [[1, false], [1, false], [1, true], [1, true], [-1, true], [-1, true], [-1, true], [-1, true], [1, false]];
  const ranges = [];
  let state = start;
  for (const [step, extending] of steps) {
    state = { ...state, ...moveCursor(state, step, extending) };
    ranges.push(state.range.join("-"));
  }
  assert.deepEqual(ranges, ["0-0", "1-1", "1-2", "1-3", "1-2", "1-1", "0-1", "0-1", "1-1"]);
});

test("actions mean edits", () => {
  const nothing = { range: null, selected: [], current: null, annotation, links: [] };
  for (const make of Object.values(EDITS)) assert.equal(make(nothing), null);
  assert.deepEqual(EDITS.newEntity({ ...nothing, range: [1, 2] }), { kind: "make", runs: [[1, 2]] });
  assert.deepEqual(EDITS.join({ ...nothing, selected: ["m2"], current: "e3" }), { kind: "move", mentions: ["m2"], entity: "e3" });
  assert.deepEqual(EDITS.merge({ ...nothing, selected: ["m2", "m5", "m4"] }), { kind: "merge", entities: ["e1", "e3"] });
  assert.deepEqual(EDITS.addPiece({ ...nothing, selected: ["m4"], range: [0, 1] }).runs, [[0, 1], [2, 4]]);
  assert.deepEqual(toggleMention(["m2"], "m4", true), ["m2", "m4"]);
  assert.deepEqual(toggleMention(["m2", "m4"], "m2", true), ["m4"]);
});

test("a head is given, and taken away again", () => {
  const context = { range: null, selected: ["m4"], current: null, annotation, links: [] };
  const marked = { ...annotation, mentions: { ...annotation.mentions, m4: { ...annotation.mentions.m4, head: [4, 4] } } };
  assert.deepEqual(EDITS.head({ ...context, range: [3, 3] }), { kind: "respan", mention: "m4", head: [3, 3] });
  assert.equal(EDITS.head(context), null);
  assert.deepEqual(EDITS.head({ ...context, annotation: marked }), { kind: "respan", mention: "m4", head: null });
});

test("relations follow entities that were merged, and layers are listed", () => {
  const relations = [
    { kind: "bridge", label: "part", source: { id: "m7" }, targets: [{ id: "e9", members: ["m4", "m5", "m2"] }] },
    { kind: "split", source: { id: "e1", members: ["m2"] }, targets: [{ id: "e8", members: ["m99"] }, { written: "x-Pseudo" }] },
    { kind: "bridge", source: { written: [5, 6] }, targets: [] },
  ];
  const layers = { discourse_deixis: { mentions: { m2: { runs: [[0, 4]], entity: "e1" } }, entities: { e1: { name: "1-DD" } } } };
  const whole = { ...annotation, relations, layers };
  assert.deepEqual(describeRelations(content, whole), [
    { kind: "bridge", label: "part", source: "old … sea", targets: ["entity shop"], runs: [[3, 3], [7, 7]] },
    { kind: "split", label: "", source: "entity Kim", targets: ["(gone)", "x-Pseudo"], runs: [[0, 0]] },
    { kind: "bridge", label: "", source: "near the", targets: [], runs: [[5, 6]] },
  ]);
  assert.deepEqual(["m7", "m5", "m2"].map((id) => findRelationsOf(whole, id)), [[0], [0], [1]]);
  assert.deepEqual(listLayers(whole), [{ name: "discourse_deixis", entities: [{ name: "1-DD", mentions: [[[0, 4]]] }] }]);
  assert.deepEqual(listLayerRuns(whole), [[0, 4]]);
  assert.deepEqual([describeRelations(content, annotation), listLayers(annotation)], [[], []]);
});

test("sides differ where one lacks a mention, or has it in an entity of others", () => {
  const other = { mentions: { m1: { runs: [[0, 0]], entity: "e9" }, m3: { runs: [[2, 4]], entity: "e7" } }, entities: {} };
  assert.deepEqual(findDifferences(annotation, other), ["m4", "m5", "m7"]);
  assert.deepEqual(findDifferences(other, annotation), ["m3"]);
  assert.deepEqual(findDifferences(annotation, annotation), []);
});

test("what is said in one line", () => {
  const state = { current: "e1", selected: ["m2"], mode: "link", links: [["m2", "m5"]], filter: "the", content };
  assert.equal(describeStatus(state, annotation), "4 mentions in 3 entities · current: Kim · 1 selected · link: click mentions, then Enter (3 mentions become one entity) · 2 matches");
  const entry = { author: "ann", kind: "add_matches", side: "key", revision: 3, change: { mentions: { m2: [null, {}] } } };
  assert.equal(describeEntry(entry), "ann: add matches in key, 1 mention (revision 3)");
});

test("agreement is the mean of pairs, undefined only where it is so for all", () => {
  const pairs = [{ values: { muc: 0, kappa: 0.5 }, undefined: ["muc"] }, { values: { muc: 1, kappa: 1 }, undefined: [] }];
  const chance = { measures: { muc: { chance: 0.25, above_chance: 1 / 3 } } };
  assert.deepEqual(averagePairs(pairs, chance), [
    { name: "muc", value: 0.5, chance: 0.25, above: 1 / 3 }, { name: "kappa", value: 0.75, chance: undefined, above: undefined },
  ]);
  assert.equal(averagePairs([pairs[0]], null)[0].value, null);
});

test("a store tells those who listen", () => {
  const store = makeStore({ a: 1 });
  const told = [];
  const stop = store.subscribe((now, before) => told.push([before.a, now.a]));
  store.set({ a: 2 });
  stop();
  store.set({ a: 3 });
  assert.deepEqual(told, [[1, 2]]);
});
