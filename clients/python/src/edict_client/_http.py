"""Requests and answers: what both services and both kinds of clients share."""

from __future__ import annotations

import json
import re
from typing import Any, Dict, List, Optional

import httpx

from ._errors import EdictError, Refused, UnknownServer, Unreachable

KNOWN_MAJOR = 0  # the newest major version of servers that this client was made for

TIMEOUT = httpx.Timeout(120.0, connect=10.0)


def unreachable(url: str, why: Exception) -> Unreachable:
    return Unreachable(f"{url} does not answer ({why}): is the server running there? `edict serve` starts one")


def unknown(url: str, what: str) -> UnknownServer:
    """The error of what answers a messaging client and cannot be messaging as this client knows it."""
    return UnknownServer(
        f"the server at {url} {what}: check the address, that the server does not run with --only simulation, and that this client is not older than the server (then install the wheel of that version)"
    )


def check_version(url: str, version: Optional[str]) -> None:
    """Raises UnknownServer if a server that calls itself by this version is none that this client knows."""
    if version is None:
        raise UnknownServer(f"the server at {url} has no simulation: check the address, and that it does not run with --only messaging")
    found = re.match(r"v?(\d+)\.\d+", version)
    if found and int(found.group(1)) > KNOWN_MAJOR:
        raise UnknownServer(
            f"the server at {url} is edict {version}, and this client knows versions up to {KNOWN_MAJOR}.x: install the wheel of the server's version, or use a server of this one"
        )


def sentences(tree: Any, place: str = "") -> List[str]:
    """The leaves of a tree of errors, each with its place."""
    if isinstance(tree, dict):
        return [s for key, below in tree.items() for s in sentences(below, f"{place}/{key}" if place else str(key))]
    if isinstance(tree, list):
        return [s for below in tree for s in sentences(below, place)]
    return [f"{place}: {tree}" if place else str(tree)]


def refusal(response: httpx.Response) -> EdictError:
    """The error of an answer that has been read."""
    if response.status_code < 400:  # only a proxy redirects
        return UnknownServer(f"{response.request.url} answers {response.status_code}: check the address of the server")
    try:
        body = json.loads(response.content)
    except ValueError:
        body = None
    if not isinstance(body, dict):
        what = response.text.strip()[:300] or f"the server answered {response.status_code}"
        return Refused(response.status_code, what)
    error = body.get("error")
    errors: Any = None
    code = body.get("code")
    if isinstance(error, dict):  # /api/1, /api/2
        errors = error.get("errors")
        message = "; ".join(sentences(errors)) if errors else error.get("message")
    else:
        message = body.get("message") or body.get("error_description")
        if message is None:  # /calculate mirrors the situation
            errors = body
            message = "; ".join(sentences(body))
    retry = response.headers.get("Retry-After", "")
    return Refused(response.status_code, str(message), errors, code if isinstance(code, int) else None, float(retry) if retry.isdigit() else None)


class Events:
    """A parser of Server-Sent Events: feed lines, get (event, id, data) where one is complete."""

    def __init__(self) -> None:
        self.retry: Optional[float] = None
        self.last_comment = ""
        self._fields: Dict[str, str] = {}

    def line(self, line: str) -> Optional[Dict[str, str]]:
        if line == "":
            done, self._fields = self._fields, {}
            return done if "event" in done else None
        name, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "":
            self.last_comment = value or self.last_comment
        elif name == "retry":
            self.retry = int(value) / 1000 if value.isdigit() else None
        elif name == "data" and "data" in self._fields:
            self._fields["data"] += "\n" + value
        else:
            self._fields[name] = value
        return None
