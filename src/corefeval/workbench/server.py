"""The server: on this machine only, for those who have the token; requests in, JSON out, nothing from elsewhere."""

from __future__ import annotations

import asyncio
import json
import logging
import math
import secrets
from collections.abc import Awaitable, Callable, Mapping
from importlib.resources import files
from typing import Any
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request as HttpRequest
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from corefeval.errors import CorefevalError, InputError, MissingFileError
from corefeval.notices import hold_announcements
from corefeval.workbench import api
from corefeval.workbench.edits import EditConflictError
from corefeval.workbench.workspace import Workspace

_LOG = logging.getLogger(__name__)

HOSTS = ("127.0.0.1", "localhost", "[::1]")
LARGEST = {"/api/projects": 64_000_000}
_LARGEST_BODY = 2_000_000
LONGEST_WAIT = 25.0  # seconds that a request for events may wait for some
_POLL = 0.1
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
_STATIC = {
    "/": ("workbench.html", "text/html; charset=utf-8"),
    "/workbench.js": ("workbench.js", "text/javascript; charset=utf-8"),
    "/workbench.css": ("workbench.css", "text/css; charset=utf-8"),
}
_FIELDS_OF_NUMBERS = frozenset({"document", "since", "seed"})
_FIELDS_OF_LISTS = frozenset({"sides", "measures", "off"})


class RefusedError(Exception):
    """A request that is not answered: the status, and why."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


def make_token() -> str:
    """Return a new secret that nobody can guess."""
    return secrets.token_urlsafe(24)


def build_application(
    workspace: Workspace, token: str, port: int, is_stopping: Callable[[], bool] = lambda: False
) -> Starlette:
    """Return the application that serves a workspace at a port to those who have the token.

    is_stopping: whether the server is about to end, so that nobody should wait for events any longer.
    """
    api.load_everything(workspace)
    guard = _Guard(token, port)
    routes = [Route(path, guard.wrap(_make_static(*file)), methods=["GET"]) for path, file in _STATIC.items()]
    by_path: dict[str, dict[str, Callable[[api.Request], Any]]] = {}
    for (method, path), action in api.ROUTES.items():
        by_path.setdefault(path, {})[method] = action
    routes += [
        Route(path, guard.wrap(_make_endpoint(workspace, path, actions, is_stopping)), methods=list(actions))
        for path, actions in by_path.items()
    ]
    routes.append(Route("/{rest:path}", guard.wrap(_answer_nothing), methods=["GET", "POST", "PUT", "DELETE", "PATCH"]))
    return Starlette(routes=routes)


Endpoint = Callable[[HttpRequest], Awaitable[Response]]


class _Guard:
    """Lets requests pass that are for this server, come from its own page or from no page, and have the token."""

    def __init__(self, token: str, port: int) -> None:
        self._token = token
        self._hosts = {f"{host}:{port}" for host in HOSTS}
        self._origins = {f"http://{host}" for host in self._hosts}
        self._cookie = f"corefeval-{port}"

    def wrap(self, endpoint: Endpoint) -> Endpoint:
        """Return an endpoint that checks a request first, and makes answers of what goes wrong."""

        async def answer(request: HttpRequest) -> Response:
            """Return the endpoint's answer, or one that says why there is none."""
            try:
                self._check_place(request)
                given = request.query_params.get("token")
                if given is not None and request.url.path == "/" and self._is_token(given):
                    return self._let_in()
                self._check_token(request)
                response = await endpoint(request)
            except RefusedError as error:
                response = _write_answer({"error": str(error)}, error.status)
            except Exception as error:  # noqa: BLE001 - no answer shows what is inside, but the terminal may
                if not isinstance(error, CorefevalError):
                    _LOG.exception("%s %s", request.method, request.url.path)
                response = _write_answer(*_describe_error(error))
            response.headers.update(_HEADERS)
            return response

        return answer

    def _check_place(self, request: HttpRequest) -> None:
        """Raise a RefusedError if a request is for another host, or comes from another site's page."""
        if request.headers.get("host", "").lower() not in self._hosts:
            raise RefusedError(421, "this server answers on its own machine only")
        origin = request.headers.get("origin")
        if origin is not None and origin.lower() not in self._origins:
            raise RefusedError(403, "the request comes from another site")
        if request.headers.get("sec-fetch-site", "none") not in ("none", "same-origin") and request.url.path != "/":
            raise RefusedError(403, "the request comes from another site")

    def _check_token(self, request: HttpRequest) -> None:
        """Raise a RefusedError if a request has the token neither in its cookie nor in its header."""
        bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
        if not self._is_token(bearer) and not self._is_token(request.cookies.get(self._cookie, "")):
            raise RefusedError(401, "open the address that corefeval serve has printed, with its token")

    def _is_token(self, given: str) -> bool:
        """Return whether a text is the token, in the same time for all."""
        return secrets.compare_digest(given.encode("utf-8", "replace"), self._token.encode())

    def _let_in(self) -> Response:
        """Return an answer that keeps the token in a cookie, and leads to the page without it in the address."""
        response = RedirectResponse("/", 303, headers=_HEADERS)
        response.set_cookie(self._cookie, self._token, httponly=True, samesite="strict", path="/")
        return response


def _describe_error(error: Exception) -> tuple[dict[str, Any], int]:
    """Return what an answer says of an error, and its status."""
    if isinstance(error, EditConflictError):
        return api.describe_conflict(error), 409
    if isinstance(error, CorefevalError):
        status = 404 if isinstance(error, MissingFileError) else 422 if isinstance(error, InputError) else 400
        return {"error": str(error), "kind": type(error).__name__}, status
    return {"error": f"a fault of the workbench: {type(error).__name__}", "kind": "fault"}, 500


def _make_endpoint(
    workspace: Workspace,
    path: str,
    actions: Mapping[str, Callable[[api.Request], Any]],
    is_stopping: Callable[[], bool],
) -> Endpoint:
    """Return the endpoint that answers with what a function of the API returns."""
    waits = path.endswith("/events")

    async def answer(http: HttpRequest) -> Response:
        """Return the answer to one request."""
        method = "GET" if http.method == "HEAD" else http.method
        body = await _read_body(http, LARGEST.get(path, _LARGEST_BODY)) if method == "POST" else _read_query(http)
        request = api.Request(workspace, http.path_params, body)
        found = await run_in_threadpool(_call, actions[method], request)
        if waits and not found["entries"]:
            found = await _wait_for_events(request, found, is_stopping)
        if isinstance(found, api.Download):
            disposition = f"attachment; filename*=UTF-8''{quote(found.name)}"
            return Response(
                found.data, media_type="application/octet-stream", headers={"content-disposition": disposition}
            )
        return _write_answer(found, 200)

    return answer


def _call(action: Callable[[api.Request], Any], request: api.Request) -> Any:
    """Return an action's result; notices that it makes go into answers, not to the terminal."""
    with hold_announcements():
        return action(request)


async def _wait_for_events(
    request: api.Request, found: dict[str, Any], is_stopping: Callable[[], bool]
) -> dict[str, Any]:
    """Return the first events that come within the time that a request would wait, or none."""
    wait = min(LONGEST_WAIT, max(0.0, float(request.body.get("wait", 0))))
    known = found["revision"], found["sides"]
    for _ in range(int(wait / _POLL)):
        if is_stopping():
            break
        await asyncio.sleep(_POLL)
        found = await run_in_threadpool(_call, api.list_events, request)
        if (found["revision"], found["sides"]) != known:
            break
    return found


def _read_query(http: HttpRequest) -> dict[str, Any]:
    """Return what stands behind the question mark: texts, numbers, and lists with commas, by the fields' names."""
    fields: dict[str, Any] = {}
    for name, text in http.query_params.items():
        if name in _FIELDS_OF_LISTS:
            fields[name] = http.query_params.getlist(name)
        elif name in _FIELDS_OF_NUMBERS:
            fields[name] = int(text) if text.isascii() and text.isdigit() and len(text) < 16 else text
        elif name == "wait":
            fields[name] = int(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0
        else:
            fields[name] = text
    return fields


async def _read_body(http: HttpRequest, largest: int) -> dict[str, Any]:
    """Return the object of JSON that a request holds; RefusedError if it is too large or none."""
    if http.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise RefusedError(415, "expected application/json")
    data = bytearray()
    async for part in http.stream():
        data += part
        if len(data) > largest:
            raise RefusedError(413, f"expected at most {largest:,} bytes")
    try:
        body = json.loads(data.decode("utf-8"), parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        raise RefusedError(400, "expected JSON") from None
    if not isinstance(body, dict):
        raise RefusedError(400, "expected an object")
    return body


def _write_answer(content: Any, status: int) -> Response:
    """Return an answer in JSON; numbers that JSON does not have are null."""
    try:
        text = json.dumps(content, ensure_ascii=False, allow_nan=False)
    except ValueError:
        text = json.dumps(_replace_odd_numbers(content), ensure_ascii=False)
    return Response(text.encode("utf-8", "replace"), status, media_type="application/json")


def _replace_odd_numbers(value: Any) -> Any:
    """Return plain objects with null for infinities and for what is not a number."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {name: _replace_odd_numbers(each) for name, each in value.items()}
    return [_replace_odd_numbers(each) for each in value] if isinstance(value, list | tuple) else value


def _make_static(name: str, kind: str) -> Endpoint:
    """Return the endpoint of a file of the page."""

    async def answer(http: HttpRequest) -> Response:  # noqa: ARG001 - as all endpoints
        """Return the file."""
        data = files("corefeval.workbench").joinpath("static", name).read_bytes()
        return Response(data, headers={"content-type": kind})

    return answer


async def _answer_nothing(http: HttpRequest) -> Response:  # noqa: ARG001
    """Say that there is nothing at this address."""
    raise RefusedError(404, "there is nothing at this address")
