// The model without a browser: texts, layout, mentions, errors, costs, entities, report.

import assert from "node:assert/strict";
import test from "node:test";

import { chooseLooks, countShared, findCommonText, findMention, findPlaces, findTwin, identifyMention, listMembers, listMentionIds, makeLetters, nameEntity, nameMention } from "../model/document.js";
import { describeError, listErrors, listOnlyIn, markErrors } from "../model/errors.js";
import { findNeighbours, listConcordance, listWrongEntities } from "../model/entities.js";
import { writeNumber, writeSigned } from "../model/numbers.js";
import { getMentionCost, sumDocumentLoss, writePoints, writeShare } from "../model/costs.js";
import { cutPage, rankEntities, rankErrors, sortEntities } from "../model/lists.js";
import { layOut } from "../model/layout.js";
import { cutContext, findContext, findDirection, readText, standTogether, writePlain } from "../model/text.js";
import { findDifference, findDocument, addressDocument, isBetter, rankCorrections, tellWorst, writeScore, zoomAxis } from "../model/report.js";

const NONE = { kind: [], key: [], response: [], beside: [], same: [] };

// "Ann met her dog . She ran" with Ann, her, [her dog], She; the response has she apart, and "ran" besides.
function makeRecord() {
  return {
    texts: [{ sentences: [["Ann", "met", "her", "dog", "."], ["She", "ran"]], zeros: [] }],
    key: { text: 0, entities: ["A", "D"], titles: [0, 1], mentions: [[0, 0, 0], [1, 2, 3], [0, 2, 2], [0, 5, 5]] },
    systems: [{
      text: 0, entities: ["1", "2"], titles: [0, 2], mentions: [[0, 0, 0], [0, 2, 2], [1, 5, 5], [1, 6, 6]], twins: [0, 2, 3, -1],
      errors: { kind: [4, 5, 2], key: [[3], [1], []], response: [[2], [], [3]], beside: [[0, 0], null, [-1, 2]], same: [0, 1, 2] },
      costs: { lists: [[100], [300]], key: [0, 1, 0, 2], own: [0, 0, 0, 1], keyEntities: [2, 1], ownEntities: [0, 2] },
    }, {
      text: 0, entities: ["1"], titles: [0], mentions: [[0, 0, 0]], twins: [0], errors: { ...NONE, kind: [5, 4], key: [[1], [3]], response: [[], []], beside: [null, null], same: [1, 5] },
      costs: { lists: [], key: [], own: [], keyEntities: [], ownEntities: [] },
    }],
  };
}

test("words stand together as in print", () => {
  assert.ok(standTogether("dog", "."));
  assert.ok(standTogether("(", "a"));
  assert.ok(standTogether("中", "文"));
  assert.ok(!standTogether("Ann", "met"));
});

test("a text is read by places, zeros apart", () => {
  const text = readText({ sentences: [["_", "Ha", "ido", "."]], zeros: [0] });
  assert.deepEqual(text.blocks, [{ first: 0, last: 3 }]);
  assert.deepEqual(text.pieces(0, 3), [{ zero: "" }, " Ha ido."]);
  assert.equal(writePlain(text, 0, 1), "∅ Ha");
  const running = readText({ running: "😀 a\n\nb" });
  assert.deepEqual(running.blocks, [{ first: 0, last: 2 }, { first: 5, last: 5 }]);
  assert.equal(writePlain(running, 0, 2), "😀 a");
});

test("words run in the direction of their first letter", () => {
  assert.deepEqual(["“مريم", "12 שלום", "Ann مريم", "…", ""].map(findDirection), ["rtl", "rtl", "ltr", "ltr", "ltr"]);
});

test("a context says where the text goes on", () => {
  const text = readText({ sentences: [["a", "b", "c", "d", "e"]], zeros: [] });
  assert.deepEqual(findContext(text, 2, 2, 1), { before: "…b ", after: " d…" });
  assert.deepEqual(findContext(text, 0, 3, 9), { before: "", after: " e" });
});

test("a context is cut at words, and within one that is too long", () => {
  assert.deepEqual(cutContext({ before: "…one two three ", after: ", four five…" }, 10), { before: "…three ", after: ", four…" });
  assert.deepEqual(cutContext({ before: "one ", after: " two" }, 4), { before: "one ", after: " two" });
  assert.deepEqual(cutContext({ before: "abcdefgh ", after: " abcdefgh" }, 5), { before: "…efgh ", after: " abcd…" });
  assert.deepEqual(cutContext({ before: "前後左右", after: "前後左右" }, 2), { before: "…左右", after: "前後…" });
});

const flatten = (children) => children.map((child) => (child.item ? `${child.opens ? "[" : "("}${flatten(child.children)}${child.closes ? "]" : ")"}` : child)).join("");

test("mentions lie within each other, cross, and have gaps", () => {
  const text = readText({ sentences: [["a", "b", "c", "d"]], zeros: [] });
  const lay = (...runs) => flatten(layOut(text, runs.map((each) => ({ runs: each })))[0]);
  assert.equal(lay([0, 3], [1, 2], [1, 1]), "[a [[b] c] d]");
  assert.equal(lay([0, 1], [1, 2]), "[a [b)] (c] d");
  assert.equal(lay([0, 0, 2, 2]), "[a) b (c] d");
  assert.equal(lay([0, 0], [0, 0]), "[[a]] b c d");
});

test("a part knows how deep others lie within it", () => {
  const text = readText({ sentences: [[..."abcdefgh"]], zeros: [] });
  const items = Array.from({ length: 8 }, (_, last) => ({ runs: [0, last] }));
  let node = layOut(text, items)[0][0];
  for (let depth = 7; depth >= 0; depth -= 1) {
    assert.equal(node.inner, depth);
    node = node.children[0];
  }
});

test("mentions have ids of their places, and are found by them", () => {
  const record = makeRecord();
  assert.deepEqual(listMentionIds(record, "k"), ["0-0", "2-3", "2-2", "5-5"]);
  assert.equal(identifyMention(record, 0, 3), "0:6-6");
  assert.deepEqual(findMention(record, "0:6-6"), [0, 3]);
  assert.equal(findMention(record, "0:7-7"), null);
  assert.equal(findMention(record, "9:6-6"), null);
  assert.equal(findMention(record, "nonsense"), null);
  const repeated = { texts: [], key: { text: null, entities: ["x", "y"], titles: [0, 1], mentions: [[0], [1]], names: ["a", "a"] }, systems: [] };
  assert.deepEqual(listMentionIds(repeated, "k"), ["a", "a~2"]);
});

test("entities, twins and places of a document", () => {
  const record = makeRecord();
  assert.deepEqual(listMembers(record, "k"), [[0, 2, 3], [1]]);
  assert.equal(nameMention(record, "k", 1), "her dog");
  assert.equal(nameEntity(record, 0, 1), "She");
  assert.equal(findTwin(record, "k", 3, 0), 2);
  assert.equal(findTwin(record, 0, 3, "k"), undefined);
  assert.equal(findTwin(record, 0, 0, 1), 0);
  assert.deepEqual(countShared(record, "k", 0), [{ i: 0, j: 0, n: 2 }, { i: 0, j: 1, n: 1 }]);
  assert.equal(findCommonText(record, ["k", 0]), 0);
  assert.deepEqual(findPlaces(record, "k", 1, 0), [2, 3]);
  assert.deepEqual(record, makeRecord(), "nothing is written into the data");
});

test("a response entity looks like the key entity that it shares most with", () => {
  const record = makeRecord();
  const [ours, theirs] = [chooseLooks(record, "k"), chooseLooks(record, 0)];
  assert.deepEqual(ours.map(({ label }) => label), ["1", "2"]);
  assert.equal(ours[1].hue, null, "singletons are grey");
  assert.deepEqual(theirs[0], ours[0]);
  assert.equal(theirs[1].label, "a");
  assert.notEqual(theirs[1].hue, null);
  assert.deepEqual([0, 25, 26, 27, 701, 702].map(makeLetters), ["a", "z", "aa", "ab", "zz", "aaa"]);
});

test("errors are structures in the order of the text", () => {
  const record = makeRecord();
  const errors = listErrors(record, 0);
  assert.deepEqual(errors.map(({ kind }) => kind), [5, 4, 2]);
  assert.deepEqual(describeError(errors[1], "divided-entity"), { mentions: [["k", 3]], relation: " apart from ", beside: ["k", 0] });
  assert.deepEqual(describeError(errors[2], "extra-mention"), { mentions: [[0, 3]], relation: " together with ", beside: [0, 2] });
  assert.deepEqual(describeError(errors[0], "missing-entity"), { mentions: [["k", 1]], relation: " beside ", beside: null });
  assert.deepEqual([...markErrors(errors, new Set([4])).keys()], ["k.3", "0.2"]);
  assert.deepEqual(listOnlyIn(record, 0, 1).map(({ same }) => same), [0, 2]);
  assert.deepEqual(listOnlyIn(record, 1, 0).map(({ same }) => same), [5]);
});

test("lists are ranked by the measure that is asked for, and read page by page", () => {
  const lists = {
    errors: { kind: [0, 1, 0, 1], costs: [[9, 9, 5, 1], [1, 2, 3, 3], null] },
    entities: { document: [0, 0, 1], side: [0, 1, 1], entity: [4, 5, 6], misplaced: [1, 2, 3], costs: [[7, 7, 1], null] },
  };
  assert.deepEqual(rankErrors(lists, 0), [0, 1, 2, 3]);
  assert.deepEqual(rankErrors(lists, 1), [2, 3, 1, 0]);
  assert.deepEqual(rankErrors(lists, 1, new Set([1])), [3, 1]);
  assert.deepEqual(rankErrors(lists, 2), [0, 1, 2, 3], "in the order given, where costs are unknown");
  assert.deepEqual(rankEntities(lists, 3, 0, "cost").map(({ side, entity }) => [side, entity]), [[3, 5], ["k", 4], [3, 6]]);
  assert.deepEqual(rankEntities(lists, 3, 1, "cost").map(({ cost, misplaced }) => [cost, misplaced]), [[0, 3], [0, 2], [0, 1]]);
  assert.deepEqual(sortEntities([{ cost: 1, misplaced: 2 }, { cost: 2, misplaced: 2 }], "misplaced").map(({ cost }) => cost), [2, 1]);
  assert.deepEqual(cutPage(250, 100, 2), { page: 2, pages: 3, from: 200, to: 250 });
  assert.deepEqual(cutPage(250, 100, 9), { page: 2, pages: 3, from: 200, to: 250 });
  assert.deepEqual(cutPage(0, 100, 0), { page: 0, pages: 1, from: 0, to: 0 });
});

test("an entity has neighbours, and a concordance says what is right", () => {
  const record = makeRecord();
  const found = findNeighbours(record, "k", 0, 0);
  assert.deepEqual(found, {
    size: 3, missing: 0, misplaced: 1,
    parts: [{ entity: 0, n: 2, size: 2, extra: 0, foreign: 0 }, { entity: 1, n: 1, size: 2, extra: 1, foreign: 0 }],
  });
  assert.equal(findNeighbours(record, "k", 1, 0).missing, 1);
  assert.deepEqual(listWrongEntities(record, 0).map(({ side, entity, misplaced }) => [side, entity, misplaced]), [["k", 0, 1], ["k", 1, 1], [0, 1, 1]]);
  const lines = listConcordance(record, "k", 0, 0, 1);
  assert.deepEqual(lines.map(({ words, right, entity }) => [words, right, entity]), [["Ann", true, 0], ["her", true, 0], ["She", false, 1]]);
  assert.equal(lines[1].before, "…met ");
});

test("costs are of twins once, and shares are of what the document loses", () => {
  const record = makeRecord();
  assert.equal(getMentionCost(record, 0, "k", 3, 0), 300);
  assert.equal(getMentionCost(record, 0, 0, 2, 0), 300);
  assert.equal(getMentionCost(record, 0, 0, 3, 0), 100);
  assert.equal(sumDocumentLoss(record, 0, 0), 500);
  assert.equal(writeShare(100, 500), "20 %");
  assert.equal(writeShare(1, 500), "0.20 %");
  assert.equal(writeShare(1, 5e6), "under 0.01 %");
  assert.equal(writeShare(0, 500), "nothing");
  assert.equal(writePoints(-123_000), "−0.12");
  assert.equal(writePoints(360), "0.00036");
});

const DATA = {
  measures: [{ title: "M", better: "higher" }], kinds: [{ name: "divided-entity", title: "divided entity" }, { name: "span-error", title: "span error" }],
  corrections: [[{ kind: "span-error", count: 9, points: [24.3] }, { kind: "divided-entity", count: 2, points: [13.1] }], [{ kind: "span-error", count: 0, points: [0] }, { kind: "divided-entity", count: 0, points: [0] }]],
  differences: [{ a: 0, b: 1, measure: 0, points: 2, interval: [1, 3], p: 0.01, significant: true, documents: [5, 1, 2] }],
  documents: { name: ["x", "7", "", "x"] },
};

test("corrections are ranked by points, and told in a sentence", () => {
  assert.deepEqual(rankCorrections(DATA, 0, 0).kinds.map(({ kind }) => kind), [1, 0]);
  assert.equal(tellWorst(DATA, 0, 0), "Span errors cost most: 24.3 of 37.4 points.");
  assert.equal(tellWorst(DATA, 1, 0), "There are no errors: the response is the key.");
});

test("a difference is turned about with its interval and documents", () => {
  const turned = findDifference(DATA, 1, 0, 0);
  assert.deepEqual([turned.points, turned.interval, turned.documents], [-2, [-3, -1], [2, 1, 5]]);
});

test("what is better depends on the measure", () => {
  const data = { measures: [{ better: "higher" }, { better: "lower" }] };
  assert.deepEqual([[0, 1], [0, -1], [1, 1], [1, -1], [0, 0]].map(([measure, points]) => isBetter(data, measure, points)), [true, false, false, true, false]);
});

test("documents are addressed by name where that is their own", () => {
  assert.deepEqual([0, 1, 2, 3].map((number) => addressDocument(DATA, number)), ["x", "7", "2", "3"]);
  assert.deepEqual(["x", "7", "2", "3", "9", ""].map((name) => findDocument(DATA, name)), [0, 1, 2, 3, null, 2]);
});

test("an axis has room for all values and round ends", () => {
  assert.deepEqual(zoomAxis([72.7, 73.3, 77.9, null]), [72, 78]);
  assert.deepEqual(zoomAxis([50]), [49, 51]);
  assert.deepEqual([zoomAxis([100, 100]), zoomAxis([0]), zoomAxis([120])], [[99, 100], [0, 1], [119, 121]]);
  assert.deepEqual(zoomAxis([]), [0, 100]);
});

test("a score is written with a minus, and nothing without one", () => {
  assert.deepEqual([76.004, -3.741, -0.001, 0, null, undefined].map(writeScore), ["76.00", "−3.74", "0.00", "0.00", "–", "–"]);
  // As Python's format has them: 53.125 lies halfway between two.
  assert.deepEqual([53.125, 53.375, -53.125, 70.775, 49.50495049504951].map(writeScore), ["53.12", "53.38", "−53.12", "70.78", "49.50"]);
  assert.deepEqual([[1.25, 1], [1.75, 1], [-1.34999, 1]].map(([value, digits]) => writeNumber(value, digits)), ["1.2", "1.8", "−1.3"]);
  assert.deepEqual([0.125, -2.5, 0].map((value) => writeSigned(value)), ["+0.12", "−2.50", "0.00"]);
  assert.equal(writeSigned(-1340, 0), "−1,340");
});
