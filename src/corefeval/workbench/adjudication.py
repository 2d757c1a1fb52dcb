"""Adjudication: how far sides agree now, what they split on, and what taking one side's view changes in another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from corefeval.agreement.adjudication import draft_majority
from corefeval.agreement.agreement import (
    DEFAULT,
    DUPLICATES,
    AnnotatorComparison,
    compare_annotators,
    compute_coefficients,
)
from corefeval.agreement.annotators import measure_pairs, summarise_pairs
from corefeval.baselines.chance import DRAWS
from corefeval.corpus.mentions import Pieces
from corefeval.measures import select_measures
from corefeval.notices import hold_announcements
from corefeval.profiles.registry import resolve_options
from corefeval.workbench.annotations import (
    Annotation,
    Content,
    EntityState,
    MentionState,
    join_documents,
    list_members,
    read_annotations,
)
from corefeval.workbench.edits import Change, EditConflictError, finish_change, make_entity, plan_replacement

MEASURES = select_measures(DEFAULT)
OPTIONS = resolve_options(duplicates=DUPLICATES[0])
SEED = 0
_MOST_DISAGREEMENTS = 500


def compare_sides(contents: Sequence[Content], sides: Mapping[str, Sequence[Annotation]]) -> AnnotatorComparison:
    """Return sides, two or more, compared on some documents as `corefeval agree` compares annotators."""
    corpora = {name: join_documents(contents, annotations, name) for name, annotations in sides.items()}
    with hold_announcements():
        return compare_annotators(corpora, MEASURES, OPTIONS)


def describe_agreement(content: Content, sides: Mapping[str, Annotation]) -> dict[str, Any]:
    """Return the agreement of sides on one document as plain objects: pairs, α, and the mentions they differ on."""
    comparison = compare_sides([content], {name: [annotation] for name, annotation in sides.items()})
    names = comparison.aligned.names
    differing = list_disagreements(sides)
    return {
        "pairs": [
            {
                "names": [names[pair.a], names[pair.b]],
                "values": pair.compute_values(MEASURES),
                "undefined": pair.list_undefined(MEASURES),
            }
            for pair in comparison.pairs
        ],
        "alpha": [
            {"distance": each.distance, "itself": each.itself, "value": each.alpha.value}
            for each in compute_coefficients(comparison.annotations)
        ],
        "signature": comparison.pairs[0].directions[0].signature,
        "disagreements": differing[:_MOST_DISAGREEMENTS],
        "disagreement_count": len(differing),
    }


def describe_chance(
    content: Content, sides: Mapping[str, Annotation], advance: Callable[[int], None]
) -> dict[str, Any]:
    """Return for each measure the mean agreement of all pairs, that of random partitions, and the share above chance.

    advance: called after each random partition of a pair; what it raises ends the work.
    """
    comparison = compare_sides([content], {name: [annotation] for name, annotation in sides.items()})
    pairs = measure_pairs(comparison.pairs, comparison.aligned.names, MEASURES, DRAWS, SEED, advance)
    of_measures = {str(measure): summarise_pairs(pairs, measure) for measure in MEASURES}
    return {
        "draws": DRAWS,
        "seed": SEED,
        "measures": {
            name: {"chance": None if each.fixed else each.chance.mean, "above_chance": each.above_chance}
            for name, each in of_measures.items()
        },
    }


def list_disagreements(sides: Mapping[str, Annotation]) -> list[dict[str, Any]]:
    """Return the mentions, in the order of the text, that some sides lack or whose entities have other mentions."""
    views = {name: _view_by_runs(annotation) for name, annotation in sides.items()}
    ids = {name: _number_by_runs(annotation) for name, annotation in sides.items()}
    every = sorted({runs for view in views.values() for runs in view})
    found = []
    for runs in every:
        here = {name: view.get(runs) for name, view in views.items()}
        known = [members for members in here.values() if members is not None]
        if len(known) < len(here) or any(members != known[0] for members in known):
            marks = {name: of_side.get(runs) for name, of_side in ids.items()}
            found.append({"runs": [list(run) for run in runs], "mentions": marks})
    return found


def _view_by_runs(annotation: Annotation) -> dict[Pieces, frozenset[Pieces]]:
    """Return for each mention, by its runs, those of all mentions of its entity."""
    members: dict[str, set[Pieces]] = {}
    for mention in annotation.mentions.values():
        members.setdefault(mention.entity, set()).add(mention.runs)
    frozen = {entity: frozenset(runs) for entity, runs in members.items()}
    return {mention.runs: frozen[mention.entity] for mention in annotation.mentions.values()}


def _number_by_runs(annotation: Annotation) -> dict[Pieces, str]:
    """Return for each mention, by its runs, its id; of several with the same runs that of the first."""
    found: dict[Pieces, str] = {}
    for key, mention in annotation.mentions.items():
        found.setdefault(mention.runs, key)
    return found


def draft_by_majority(content: Content, target: Annotation, sides: Mapping[str, Annotation]) -> Change:
    """Return the change of a side to what more than half of the sides agree on."""
    comparison = compare_sides([content], {name: [annotation] for name, annotation in sides.items()})
    (draft,), _ = read_annotations(draft_majority(comparison), [content])
    return plan_replacement(target, group_mentions_by_entity(draft))


def group_mentions_by_entity(annotation: Annotation) -> list[list[MentionState]]:
    """Return the mentions of each entity."""
    groups: dict[str, list[MentionState]] = {entity: [] for entity in annotation.entities}
    for mention in annotation.mentions.values():
        groups[mention.entity].append(mention)
    return list(groups.values())


def take_mention(target: Annotation, source: Annotation, key: str) -> Change:
    """Return the change that marks a mention of the source in the target, in the entity that is most like its own."""
    mention = _get_state(source, key)
    others = [source.mentions[each] for each in list_members(source, mention.entity) if each != key]
    found = _number_by_runs(target).get(mention.runs)
    votes = _count_votes(target, others)
    number = target.next
    made: dict[str, EntityState] = {}
    if votes:
        entity = votes.most_common(1)[0][0]
    else:
        entity, state = make_entity(target, number)
        made, number = {entity: state}, number + 1
    if found is None:
        return finish_change(target, {f"m{number}": mention._replace(entity=entity)}, made)
    return finish_change(target, {found: target.mentions[found]._replace(entity=entity)}, made)


def take_entity(target: Annotation, source: Annotation, entity: str) -> Change:
    """Return the change that gives the target an entity of just the source's mentions; what it loses is set apart."""
    if entity not in source.entities:
        raise EditConflictError(f"there is no such entity: {entity[:20]}", [entity])
    wanted = [source.mentions[key] for key in list_members(source, entity)]
    votes = _count_votes(target, wanted)
    number = target.next
    made: dict[str, EntityState] = {}

    def make() -> str:
        """Return the id of a new entity of the target."""
        nonlocal number
        key, state = make_entity(target, number, (each.name for each in made.values()))
        made[key] = state
        number += 1
        return key

    home = votes.most_common(1)[0][0] if votes else make()
    runs = {mention.runs for mention in wanted}
    surplus = [key for key in list_members(target, home) if target.mentions[key].runs not in runs]
    known = _number_by_runs(target)
    states: dict[str, MentionState | None] = {}
    if surplus:
        apart = make()
        states |= {key: target.mentions[key]._replace(entity=apart) for key in surplus}
    for mention in wanted:
        found = known.get(mention.runs)
        if found is None:
            states[f"m{number}"] = mention._replace(entity=home)
            number += 1
        else:
            states[found] = target.mentions[found]._replace(entity=home)
    return finish_change(target, states, made)


def _get_state(annotation: Annotation, key: str) -> MentionState:
    """Return a mention by its id; EditConflictError if there is none."""
    if key not in annotation.mentions:
        raise EditConflictError(f"there is no such mention: {key[:20]}", [key])
    return annotation.mentions[key]


def _count_votes(target: Annotation, mentions: Sequence[MentionState]) -> Counter[str]:
    """Return how many of these mentions, by their runs, each entity of the target has, the earliest first."""
    wanted = {mention.runs for mention in mentions}
    return Counter(mention.entity for mention in target.mentions.values() if mention.runs in wanted)
