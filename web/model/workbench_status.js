// What is said in one line: of a row of the log, of what is selected, of the agreement of sides.
import { closeLinks, countMatches } from "./workbench_text.js";

const count = (number, thing) => `${number} ${thing}${number === 1 ? "" : "s"}`;

export function describeEntry(entry) {
  return `${entry.author}: ${entry.kind.replace("_", " ")} in ${entry.side}, ${count(Object.keys(entry.change.mentions).length, "mention")} (revision ${entry.revision})`;
}

// What there is, what is selected, and what a click would do.
export function describeStatus({ current, selected, mode, links, filter, content }, annotation) {
  const { mentions, entities } = annotation;
  const linked = () => ` (${closeLinks(annotation, links).flat().length} mentions become one entity)`;
  const modes = { move: () => "move: click an entity or a mention of it", link: () => `link: click mentions, then Enter${links.length ? linked() : ""}` };
  return [
    `${count(Object.keys(mentions).length, "mention")} in ${Object.keys(entities).length === 1 ? "1 entity" : `${Object.keys(entities).length} entities`}`,
    current ? `current: ${entities[current]?.name}` : "no current entity",
    selected.length ? `${selected.length} selected` : "",
    modes[mode]?.() ?? "",
    filter && content ? countFound(countMatches(content, filter)) : "",
  ].filter(Boolean).join(" · ");
}

const countFound = (number) => (number === 1 ? "1 match" : `${number} matches`);

// The mean of each measure over all pairs of annotators, with what chance makes of it, if that is known: [{name, value, chance, above}].
export function averagePairs(pairs, chance) {
  return Object.keys(pairs[0]?.values ?? {}).map((name) => {
    const isUndefined = pairs.every((pair) => pair.undefined.includes(name));
    const value = pairs.reduce((sum, pair) => sum + pair.values[name], 0) / pairs.length;
    const { chance: byChance, above_chance: above } = chance?.measures[name] ?? {};
    return { name, value: isUndefined ? null : value, chance: byChance, above };
  });
}
