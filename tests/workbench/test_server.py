"""The server: who is let in, what it answers, that nothing it is sent breaks it, and that many may work at once."""

from __future__ import annotations

import base64
import json
import random
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import corefeval
from corefeval.agreement.annotators import measure_pairs
from corefeval.lab.papers import load_papers
from corefeval.workbench import api
from corefeval.workbench.annotations import build_corpus
from corefeval.workbench.project import Project
from corefeval.workbench.resolvers import RESOLVERS
from tests.data import EXAMPLES
from tests.rounds import few_or_many
from tests.workbench.made import KEY, RESPONSE, STORY, annotate, make_project, partition
from tests.workbench.serving import TOKEN, make_client
from tests.workbench.test_project import apply_patch

PAIR = {"key": "key", "response": "response"}
STORY_PATH = "/api/projects/story"


@pytest.fixture
def client(tmp_path: Path) -> Any:
    make_project(tmp_path).close()
    return make_client(tmp_path)


def get(client: Any, path: str, **query: Any) -> Any:
    answer = client.get(f"{STORY_PATH}{path}", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def post(client: Any, path: str, status: Any = 200, **body: Any) -> Any:
    answer = client.post(f"{STORY_PATH}{path}", json=body)
    assert answer.status_code == status, answer.text
    return answer.json()


def edit(client: Any, side: str, status: Any = 200, **what: Any) -> Any:
    outer = {name: what.pop(name) for name in ("author", "revision") if name in what}
    return post(client, "/edits", status, side=side, document=0, edit=what, **PAIR, **outer)


# Who is let in


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"authorization": ""}, 401),
        ({"authorization": "Bearer another"}, 401),
        ({"host": "evil.example"}, 421),
        ({"host": "127.0.0.1:9"}, 421),
        ({"host": "localhost:8123"}, 200),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://127.0.0.1:8123"}, 200),
        ({"sec-fetch-site": "cross-site"}, 403),
    ],
)
def test_only_its_own_page_with_the_token_is_answered(client: Any, headers: dict[str, str], status: int) -> None:
    answer = client.get("/api/projects", headers=headers)
    assert answer.status_code == status
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["cache-control"] == "no-store"


def test_the_token_of_the_address_becomes_a_cookie(client: Any) -> None:
    client.headers.pop("authorization")
    assert client.get("/").status_code == 401
    assert client.get("/?token=wrong").status_code == 401
    let_in = client.get(f"/?token={TOKEN}", follow_redirects=False)
    assert (let_in.status_code, let_in.headers["location"]) == (303, "/")
    cookie = let_in.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert client.get("/").status_code == 200
    assert client.get("/workbench.js").status_code == 200
    assert client.get("/api/projects").json()["projects"] == ["story"]
    assert client.get("/nothing").status_code == 404


# What it answers


def test_scores_are_those_of_the_engine_and_tell_what_has_changed(client: Any) -> None:
    start = corefeval.score(build_corpus(STORY, KEY), build_corpus(STORY, RESPONSE), measures="muc,bcub,ceafe,conll")
    before = get(client, "/scores", document=0, **PAIR)
    assert before["signature"] == start.signature
    by_name = {each["name"]: each for each in before["measures"]}
    assert by_name["bcub"]["values"] == {name: start["bcub"].values[name] for name in ("recall", "precision", "f1")}
    assert by_name["bcub"]["since_last"] == {"recall": 0, "precision": 0, "f1": 0}
    asked = {"kind": "move", "mentions": ["m6"], "entity": "e1"}
    preview = post(client, "/preview", side="response", document=0, edit=asked, **PAIR)
    made = edit(client, "response", **asked)
    now = {each["name"]: each for each in made["scores"]["measures"]}
    then = corefeval.score(
        build_corpus(STORY, KEY), build_corpus(STORY, annotate("0 16 7", "2 9", "4-5 18-19", "11")), measures="bcub"
    )["bcub"]
    assert now["bcub"]["values"]["recall"] == then.recall
    assert now["bcub"]["since_last"]["recall"] == then.recall - start["bcub"].recall
    cells = {(c["key"], c["response"]): (c["before"], c["after"]) for c in made["scores"]["cells"]["cells"]}
    assert cells == {("e1", "e1"): (2, 3), ("e1", "e4"): (1, 0)}
    assert preview["scores"]["cells"] == made["scores"]["cells"]
    assert [each["values"] for each in preview["scores"]["measures"]] == [
        each["values"] for each in made["scores"]["measures"]
    ]
    second = edit(client, "key", kind="delete", mentions=["m10"])["scores"]["measures"][1]
    assert second["since_last"]["recall"] != second["since_start"]["recall"]
    assert get(client, "/scores", **PAIR)["measures"][1]["values"] == second["values"]


def test_a_preview_changes_nothing(client: Any) -> None:
    before = get(client, "/document", document=0)
    post(client, "/preview", side="key", document=0, edit={"kind": "delete", "entities": ["e1"]}, **PAIR)
    assert get(client, "/document", document=0) == before


def test_two_browsers_see_each_other_and_conflicts_are_shown(client: Any) -> None:
    edit(client, "key", author="ann", revision=0, kind="move", mentions=["m3"], entity="e5")
    conflict = edit(client, "key", 409, author="bob", revision=0, kind="delete", mentions=["m3"])
    assert conflict["kind"] == "conflict"
    assert "ann" in conflict["error"]
    assert "m3" in conflict["ids"]
    events = get(client, "/events", since=0)
    assert [(entry["author"], entry["kind"]) for entry in events["entries"]] == [("ann", "move")]
    waiting: list[Any] = []
    thread = threading.Thread(target=lambda: waiting.append(get(client, "/events", since=1, wait=5)))
    thread.start()
    time.sleep(0.2)
    edit(client, "key", author="bob", revision=1, kind="delete", mentions=["m3"])
    thread.join(10)
    assert [entry["author"] for entry in waiting[0]["entries"]] == ["bob"]


def test_edits_are_undone_and_redone_without_limit(client: Any) -> None:
    start = get(client, "/document", document=0)["sides"]
    for place in range(6):
        edit(client, "key", author="ann", kind="make", runs=[[place, place + 2]])
    turns = [post(client, "/undo", author="ann")["turns"] for _ in range(6)]
    assert turns[-1] == [0, 6]
    assert get(client, "/document", document=0)["sides"] == start
    assert post(client, "/undo", author="ann")["entry"] is None
    for _ in range(6):
        post(client, "/redo", author="ann", **PAIR)
    assert len(get(client, "/document", document=0)["sides"]["key"]["mentions"]) == 14
    exported = get(client, "/patch")
    assert (
        apply_patch(exported["start"], exported["patch"])["sides"]["key"]["story"]
        == (get(client, "/document", document=0)["sides"]["key"])
    )


@pytest.mark.parametrize("match", ["partial", "min", "overlap"])
def test_scores_follow_the_rules_of_the_command(tmp_path: Path, match: str) -> None:
    make_project(tmp_path).close()
    client = make_client(tmp_path, ("bcub",), match=match)
    found = get(client, "/scores", document=0, **PAIR)
    sides = build_corpus(STORY, KEY), build_corpus(STORY, RESPONSE)
    expected = corefeval.score(*sides, measures="bcub", match=match)
    assert found["signature"] == expected.signature
    assert found["measures"][0]["values"]["f1"] == expected["bcub"].f1
    edit(client, "response", kind="respan", mention="m9", runs=[[5, 5]])


def test_an_edit_is_confirmed_even_if_it_cannot_be_scored(tmp_path: Path) -> None:
    make_project(tmp_path).close()
    client = make_client(tmp_path, ("bcub",), match="head")
    answer = edit(client, "response", kind="delete", mentions=["m9"])
    assert answer["entry"]["revision"] == 1
    assert "compares heads, but" in answer["scores_error"]
    assert client.get(f"{STORY_PATH}/scores", params={"document": 0, **PAIR}).status_code == 400


def test_a_measure_is_explained(client: Any) -> None:
    found = get(client, "/explain", measure="muc", document=0, **PAIR)
    assert any(line.startswith("Recall =") for line in found["lines"])


def test_every_example_of_the_papers_opens_with_its_printed_scores(tmp_path: Path) -> None:
    client = make_client(tmp_path, "all")
    for case in load_papers()["cases"]:
        project = client.post("/api/projects", json={"example": case["id"]}).json()["project"]
        found = client.get(f"/api/projects/{project}/scores", params={"document": 0, **PAIR}).json()
        values = {each["name"]: each["values"] for each in found["measures"]}
        for path, printed in case["expected"].items():
            measure, _, field = path.rpartition(".")
            if measure in values and field in values[measure] and not case.get("truncated"):
                assert abs(values[measure][field] - printed) <= 0.5 * 10 ** -case["digits"] + 1e-9, (case["id"], path)


def test_files_are_sent_edited_and_received_in_any_format(tmp_path: Path) -> None:
    client = make_client(tmp_path)
    files = [
        {"name": name, "data": base64.b64encode((EXAMPLES / name).read_bytes()).decode()}
        for name in ("key.conll", "response-a.conll")
    ]
    project = client.post("/api/projects", json={"name": "shop", "files": files}).json()["project"]
    shown = client.get(f"/api/projects/{project}").json()
    assert (shown["sides"], len(shown["documents"])) == (["key", "response-a.conll"], 2)
    expected = corefeval.read(EXAMPLES / "key.conll")
    for name, suffix in client.get("/api/projects").json()["formats"]["write"].items():
        if name in ("brat", "gap", "pairs", "table", "typed"):
            continue
        answer = client.get(f"/api/projects/{project}/download", params={"side": "key", "format": name})
        if answer.status_code == 400:
            assert "several files" in answer.json()["error"]
            continue
        assert answer.status_code == 200, (name, answer.text)
        assert suffix in answer.headers["content-disposition"]
        path = tmp_path / f"again{suffix}"
        path.write_bytes(answer.content)
        assert len(corefeval.read(path, name)) == len(expected), name
    saved = client.post(f"/api/projects/{project}/save", json={"side": "key", "file": "saved.conllu"})
    assert saved.json()["file"] == "saved.conllu"
    assert corefeval.score(expected, corefeval.read(tmp_path / "saved.conllu"))["conll"].f1 == 1
    again = {"side": "key", "file": "saved.conllu"}
    assert "is there already" in client.post(f"/api/projects/{project}/save", json=again).json()["error"]
    assert client.post(f"/api/projects/{project}/save", json=again | {"force": True}).status_code == 200
    for name in ("../x.conll", "/x.conll", ".x", "shop.corefeval", "", "a\\b.conll"):
        assert client.post(f"/api/projects/{project}/save", json={"side": "key", "file": name}).status_code == 400


def test_bad_files_are_refused_with_their_lines(tmp_path: Path) -> None:
    data = base64.b64encode(b"#begin document (x);\nx 0 0 a (1\n\n#end document\n").decode()
    answer = make_client(tmp_path).post("/api/projects", json={"files": [{"name": "bad.conll", "data": data}]})
    assert answer.status_code == 422
    assert answer.json()["error"].startswith("bad.conll:")
    assert str(tmp_path) not in answer.text


def test_annotators_are_adjudicated(tmp_path: Path) -> None:
    sides: dict[str, Any] = {
        "key": annotate(),
        "ann": annotate("0 7 16", "2 9", "4-5 11 18-19"),
        "bob": annotate("0 16", "2 7 9", "4-5 11 18-19"),
        "cy": annotate("0 7 16", "2 9", "4-5 18-19"),
    }
    make_project(tmp_path, **sides).close()
    client = make_client(tmp_path)
    found = get(client, "/agreement", document=0, sides=["ann", "bob", "cy"])
    expected = corefeval.agree({name: build_corpus(STORY, sides[name]) for name in ("ann", "bob", "cy")}, draws=2)
    assert {tuple(pair["names"]): pair["values"]["muc"] for pair in found["pairs"]} == {
        (pair.a, pair.b): pair.measures["muc"] for pair in expected.pairs
    }
    assert [each["value"] for each in found["alpha"]] == [each.alpha.value for each in expected.alpha]
    assert [each["runs"] for each in found["disagreements"]] == [
        [[0, 0]], [[2, 2]], [[4, 5]], [[7, 7]], [[9, 9]], [[11, 11]], [[16, 16]], [[18, 19]],
    ]  # fmt: skip
    assert found["disagreements"][5]["mentions"]["cy"] is None
    post(client, "/majority", side="key", document=0, sides=["ann", "bob", "cy"])
    assert now(client, "key") == partition(sides["ann"])
    post(client, "/take", side="key", document=0, source="bob", entity="e4")
    assert now(client, "key") == partition(sides["bob"])
    post(client, "/take", side="key", document=0, source="ann", mention="m3")
    assert now(client, "key") == partition(sides["ann"])
    post(client, "/undo")
    assert now(client, "key") == partition(sides["bob"])
    post(client, "/take", 409, side="key", document=0, source="ann", mention="m99")
    post(client, "/take", 400, side="key", document=0, source="ann")


def test_agreement_above_chance_is_that_of_the_command(tmp_path: Path) -> None:
    sides: dict[str, Any] = {
        "ann": annotate("0 7 16", "2 9", "4-5 11"),
        "bob": annotate("0 16", "2 7 9", "4-5 18-19"),
        "cy": RESPONSE,
    }
    make_project(tmp_path, **sides).close()
    found = get(make_client(tmp_path), "/chance", document=0)
    expected = corefeval.agree({name: build_corpus(STORY, side) for name, side in sides.items()})
    assert found["draws"] == expected.draws
    assert found["measures"] == {
        name: {"chance": None if each.fixed else each.chance.mean, "above_chance": each.above_chance}
        for name, each in expected.summary.items()
    }


def test_chance_is_given_up_once_there_is_an_edit(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def edit_meanwhile(*given: Any) -> Any:
        edit(client, "response", kind="delete", mentions=["m2"])
        return measure_pairs(*given)

    monkeypatch.setattr("corefeval.workbench.adjudication.measure_pairs", edit_meanwhile)
    assert get(client, "/chance", document=0) == {"outdated": True}


def now(client: Any, side: str) -> set[frozenset[Any]]:
    """The entities of a side as sets of runs."""
    found: dict[str, set[Any]] = {}
    for mention in get(client, "/document", document=0)["sides"][side]["mentions"].values():
        found.setdefault(mention["entity"], set()).add(tuple(map(tuple, mention["runs"])))
    return {frozenset(runs) for runs in found.values()}


def test_every_browser_gets_a_name_of_its_own(client: Any) -> None:
    def ask(browser: str, known: str | None = None) -> str:
        return str(client.post("/api/authors", json={"browser": browser, "known": known}).json()["author"])

    assert [ask("a"), ask("b"), ask("a")] == ["browser 1", "browser 2", "browser 3"], "a page each"
    assert [ask("b", "browser 2"), ask("b", "ann")] == ["browser 2", "ann"], "one that is opened again has its own"
    assert [ask("c", "browser 1"), ask("c", "ann")] == ["browser 4", "browser 5"], "but not that of another browser"
    assert client.post("/api/authors", json={}).status_code == 400


@pytest.mark.parametrize("resolver", RESOLVERS)
def test_a_resolver_answers_on_the_mentions_of_the_key(client: Any, resolver: str) -> None:
    post(client, "/resolve", side="response", document=0, key="key", resolver=resolver)
    found = now(client, "response")
    assert {runs for entity in found for runs in entity} == {runs for entity in partition(KEY) for runs in entity}
    if resolver == "one-entity":
        assert len(found) == 1
    post(client, "/undo")
    assert now(client, "response") == partition(RESPONSE)


def test_rules_are_switched_off_singly_and_in_pairs(client: Any) -> None:
    rows = get(client, "/rules", key="key", document=0, measures=["muc", "bcub"])["rows"]
    assert [len(row["off"]) for row in rows] == [0] + [1] * 5 + [2] * 10
    assert rows[0]["mean"] == pytest.approx((rows[0]["values"]["muc"] + rows[0]["values"]["bcub"]) / 2)


def test_studies_of_the_laboratory_run(client: Any) -> None:
    assert [name for name, *_ in client.get("/api/studies").json()["studies"]] == [
        name for name, _, _, takes in corefeval.lab.list_studies().studies if not takes
    ]
    assert "claims" in client.get("/api/studies/luo-table-1").json()["text"]
    assert client.get("/api/studies/none").status_code == 400


# That nothing it is sent breaks it

scalars = st.none() | st.booleans() | st.integers(-3, 30) | st.integers() | st.floats() | st.text(max_size=5)
scalars |= st.sampled_from(["key", "response", "story", "m2", "m3", "e1", "e5", "muc", "salience", "conll", "x.conll"])
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
fields = st.sampled_from([
    "side", "document", "edit", "revision", "author", "key", "response", "measure", "since", "sides", "source", "mention",
    "entity", "resolver", "off", "seed", "name", "file", "format", "files", "example", "measures", "skip", "force",
])  # fmt: skip
edits = st.fixed_dictionaries(
    {"kind": st.sampled_from(["make", "move", "merge", "delete", "respan", "rename", "add_matches", "link"]) | scalars},
    optional=dict.fromkeys(
        ("runs", "entity", "head", "minimum", "mentions", "entities", "mention", "name", "text", "links"), values
    ),
)
bodies = st.dictionaries(fields, values, max_size=6).flatmap(
    lambda body: st.fixed_dictionaries(
        {},
        optional={
            "side": st.just("key"),
            "document": st.just(0),
            "edit": edits,
            "key": st.just("key"),
            "response": st.just("response"),
        },
    ).map(lambda more: body | more)
)
methods = st.sampled_from(sorted(api.ROUTES))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(calls=st.lists(st.tuples(methods, bodies), min_size=1, max_size=6))
def test_whatever_is_asked_gets_an_answer(client: Any, calls: list[Any]) -> None:
    for (method, path), body in calls:
        address = path.format(project="story", name="luo-table-1")
        text = json.dumps(body)
        if method == "POST":
            answer = client.post(address, content=text, headers={"content-type": "application/json"})
        else:
            answer = client.get(address, params={k: v if isinstance(v, list) else str(v) for k, v in body.items()})
        assert answer.status_code < 500, (method, path, body, answer.text)
        assert "Traceback" not in answer.text
        assert 'File "' not in answer.text


@given(data=st.binary(max_size=200))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_bytes_are_sent_get_an_answer(client: Any, data: bytes) -> None:
    for address in (f"{STORY_PATH}/edits", "/api/projects"):
        answer = client.post(address, content=data, headers={"content-type": "application/json"})
        assert answer.status_code in (200, 400, 422)
    sent = {"files": [{"name": "x.conll", "data": base64.b64encode(data).decode()}]}
    assert client.post("/api/projects", json=sent).status_code in (200, 400, 422)


def test_sizes_are_limited(client: Any) -> None:
    large = b'{"author": "' + b"x" * 3_000_000 + b'"}'
    json_type = {"content-type": "application/json"}
    assert client.post(f"{STORY_PATH}/edits", content=large, headers=json_type).status_code == 413
    assert client.post(f"{STORY_PATH}/edits", content=b"{}").status_code == 415
    assert client.post(f"{STORY_PATH}/edits", content=b"[" * 100_000, headers=json_type).status_code == 400
    assert client.post(f"{STORY_PATH}/undo", json={"author": "x" * 201}).status_code == 400
    assert client.get("/api/projects/..%2Fx").status_code in (400, 404)
    assert client.get("/api/projects/none").status_code == 404


# That many may work at once


def draw_edits(draw: random.Random) -> Iterator[dict[str, Any]]:
    while True:
        first = draw.randrange(20)
        yield draw.choice([
            {"kind": "make", "runs": [[first, draw.randrange(first, 21)]]},
            {"kind": "move", "mentions": [f"m{draw.randrange(1, 40)}"], "entity": None},
            {"kind": "delete", "mentions": [f"m{draw.randrange(1, 40)}"]},
        ])  # fmt: skip


@few_or_many(2, 60)
def test_twenty_clients_at_once_lose_nothing(tmp_path: Path, rounds: int) -> None:
    """For so many seconds."""
    make_project(tmp_path).close()
    shared = make_client(tmp_path)
    confirmed: list[tuple[int, str, Any]] = []
    failures: list[Any] = []
    end = time.monotonic() + rounds

    def work(number: int) -> None:
        edits = draw_edits(random.Random(number))
        revision = 0
        while time.monotonic() < end:
            asked = next(edits)
            body = {"side": "key", "document": 0, "edit": asked, "revision": revision, "author": f"client {number}"}
            answer = shared.post(f"{STORY_PATH}/edits", json=body)
            if answer.status_code == 200:
                revision = answer.json()["revision"]
                confirmed.append((answer.json()["entry"]["revision"], f"client {number}", asked))
            elif answer.status_code == 409:
                revision = get(shared, "/events", since=revision)["revision"]
            else:
                failures.append(answer.text)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(confirmed) > 20
    project = Project(str(tmp_path / "story.corefeval"))
    written = [(entry.revision, entry.author, entry.edit) for entry in project.entries]
    assert written == sorted(confirmed, key=lambda each: each[0])
    project.close()
