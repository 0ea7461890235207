"""Messaging: publish, send, follow; in two shapes that share everything but the waiting."""

from __future__ import annotations

import asyncio
import json
import random
import time
from dataclasses import dataclass
from types import TracebackType
from typing import Any, AsyncIterator, Dict, Iterator, List, Mapping, Optional, Sequence, Type
from urllib.parse import quote

import httpx

from ._errors import EdictError, Refused, StreamEnded
from ._http import TIMEOUT, Events, refusal, unknown, unreachable

_API = "/message/api/v2"
_FINAL = {1002, 1009, 4001, 4002, 4003, 4004, 4010}  # the next connection would end alike
_SILENCE = 70.0  # more than two heartbeats: the connection is dead
_LONGEST = 10.0  # seconds between attempts, unless the server asks for more: a server that is back has all its clients back after this time
_PATIENCE = 300.0  # bounds Retry-After: later is too late, whatever a proxy asks for


def _pause(first: float, failures: int, least: float, drawn: float) -> float:
    """Seconds before the next attempt: full jitter over a window that doubles up to 10 s, so that clients neither return at the same moment nor long after
    their server. `first` is the server's retry field, `failures` counts the failed attempts since the last event, `least` is Retry-After, `drawn` is in
    [0, 1). The Go and TypeScript clients compute the same; clients/reconnect.json has the cases that hold for all three."""
    least = min(least, _PATIENCE)
    return least + drawn * min(first * 2.0 ** min(failures, 30), max(_LONGEST - least, least / 2))


@dataclass(frozen=True)
class Event:
    """An event of a stream: "ready", "item", "message", "receipt", "channel", "read" or "gap". `id` is the cursor to go on behind it."""

    event: str
    id: Optional[str]
    data: Dict[str, Any]


@dataclass(frozen=True)
class _Call:
    method: str
    path: str
    body: Any = None
    params: Optional[Mapping[str, Any]] = None
    key: Optional[str] = None

    def kwargs(self) -> Dict[str, Any]:
        how: Dict[str, Any] = {"headers": {"Idempotency-Key": self.key} if self.key else {}}
        if self.body is not None:
            how["json"] = self.body
        if self.params:
            how["params"] = {name: value for name, value in self.params.items() if value is not None}
        return how


def _channel(name: str, rest: str = "") -> str:
    return f"{_API}/channels/{quote(name, safe='')}{rest}"


def _publish(channel: str, content: Mapping[str, Any], key: Optional[str]) -> _Call:
    return _Call("POST", _channel(channel, "/items"), {"content": dict(content)}, key=key)


def _send(users: Sequence[str], content: Mapping[str, Any], receipt: bool, ttl: Optional[int], key: Optional[str]) -> _Call:
    body: Dict[str, Any] = {"recipientUserIds": list(users), "content": dict(content), "receipt": receipt}
    if ttl is not None:
        body["ttl"] = ttl
    return _Call("POST", f"{_API}/messages/send_to_user_ids", body, key=key)


def _create(channel: str, description: Optional[str], private: bool, more: Mapping[str, Any]) -> _Call:
    body: Dict[str, Any] = {"channelName": channel, "privateChannel": private, **more}
    if description is not None:
        body["description"] = description
    return _Call("POST", f"{_API}/channels", body)


def _items(channel: str, size: int, newest_first: bool) -> _Call:
    return _Call("GET", _channel(channel, "/items/fetch"), params={"size": size, "sort_order": "DESC" if newest_first else "ASC"})


def _correct(channel: str, item_id: str, content: Mapping[str, Any], key: Optional[str]) -> _Call:
    return _Call("PUT", _channel(channel, f"/items/{quote(item_id, safe='')}"), {"content": dict(content)}, key=key)


def _mark_read(channel: str, item_id: str) -> _Call:
    return _Call("PUT", _channel(channel, "/read"), {"upTo": item_id})


def _acknowledge(message_id: str, delivered_only: bool) -> _Call:
    return _Call("POST", f"{_API}/messages/{quote(message_id, safe='')}/ack", {"state": "DELIVERED" if delivered_only else "RECEIVED"})


def _message_id(answer: Any) -> str:
    sent = answer.get("sentList") or []
    unsent = answer.get("unsentList") or []
    if not sent:
        reasons = "; ".join(f"{u.get('recipientUserId')}: {u.get('message')}" for u in unsent)
        raise Refused(404, f"the message was sent to nobody: {reasons}")
    return str(sent[0]["messageId"])


def _type(response: httpx.Response) -> str:
    return str(response.headers.get("Content-Type", "something"))


def _refusal(url: str, response: httpx.Response) -> EdictError:
    """The error of an answer that has been read. The version of messaging is part of its paths, and whatever it has not, it says with a code."""
    error = refusal(response)
    if isinstance(error, Refused) and error.status == 404 and error.code is None and response.request.url.path.startswith(_API):
        return unknown(url, f"has no {response.request.url.path} ({error})")
    return error


def _answer(url: str, response: httpx.Response) -> Any:
    if not response.is_success:
        raise _refusal(url, response)
    if not response.content:
        return None
    if "json" not in _type(response):
        raise unknown(url, f"answers {_type(response)} where messaging answers JSON")
    return response.json()


def _stream_refusal(url: str, response: httpx.Response) -> EdictError:
    """The error of an answer that has been read and is no stream."""
    if response.status_code == 200:
        return unknown(url, f"answers {_type(response)} where a stream should be")
    return _refusal(url, response)


def _is_stream(response: httpx.Response) -> bool:
    return response.status_code == 200 and _type(response).startswith("text/event-stream")


class _Following:
    """Where a stream is, over its connections."""

    def __init__(self, url: str, cursor: Optional[str], patience: Optional[float]) -> None:
        self.url = url
        self.cursor = cursor
        self.patience = patience
        self.events = Events()
        self.failures = 0
        self.first = 1.0
        self.least = 0.0
        self.away: Optional[float] = None  # since when nobody answers

    def headers(self) -> Dict[str, str]:
        self.events = Events()
        self.least = 0.0
        headers = {"Accept": "text/event-stream"}
        if self.cursor is not None:
            headers["Last-Event-ID"] = self.cursor
        return headers

    def line(self, line: str) -> Optional[Event]:
        fields = self.events.line(line)
        if self.events.retry:
            self.first = self.events.retry
        if fields is None:
            return None
        self.failures, self.away = 0, None
        return Event(fields["event"], fields.get("id"), json.loads(fields.get("data", "{}")))

    def ended(self) -> None:
        """Looks at the last comment of a connection, which says why it ended."""
        code, _, reason = self.events.last_comment.partition(" ")
        if code.isdigit() and int(code) in _FINAL:
            raise StreamEnded(int(code), reason)

    def refused(self, error: EdictError) -> None:
        if not isinstance(error, Refused) or (error.status < 500 and error.status != 429):
            raise error
        if error.retry_after is not None:
            self.least = error.retry_after

    def lost(self, why: httpx.TransportError) -> None:
        """Notes that nobody answers, and raises if that has lasted for too long."""
        now = time.monotonic()
        self.away = now if self.away is None else self.away
        if self.patience is not None and now - self.away >= self.patience:
            raise unreachable(self.url, why) from why

    def pause(self) -> float:
        """Returns the seconds before the next connection."""
        seconds = _pause(self.first, self.failures, self.least, random.random())
        self.failures += 1
        if self.patience is not None and self.away is not None:
            seconds = min(seconds, max(0.0, self.away + self.patience - time.monotonic()))
        return seconds


class Client:
    """One user at one server. Calls that have a `key` may be repeated: the server takes each once."""

    def __init__(self, url: str, token: str) -> None:
        self.url = url.rstrip("/")
        self._http = httpx.Client(base_url=self.url, headers={"Authorization": f"Bearer {token}"}, timeout=TIMEOUT)

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def publish(self, channel: str, content: Mapping[str, Any], *, key: Optional[str] = None) -> str:
        """Publishes an item and returns its id; it is on the server's disk then."""
        return str(self._do(_publish(channel, content, key))["messageId"])

    def send(self, users: Sequence[str], content: Mapping[str, Any], *, receipt: bool = False, ttl: Optional[int] = None, key: Optional[str] = None) -> str:
        """Sends users a message and returns its id."""
        return _message_id(self._do(_send(users, content, receipt, ttl, key)))

    def create_channel(self, channel: str, *, description: Optional[str] = None, private: bool = False, **more: Any) -> None:
        """Makes a channel, which the caller owns and is subscribed to; `more` are members of the API such as maxItems."""
        self._do(_create(channel, description, private, more))

    def subscribe(self, channel: str) -> None:
        self._do(_Call("PUT", _channel(channel, "/subscribe")))

    def unsubscribe(self, channel: str) -> None:
        self._do(_Call("PUT", _channel(channel, "/unsubscribe")))

    def correct(self, channel: str, item_id: str, content: Mapping[str, Any], *, key: Optional[str] = None) -> None:
        """Replaces the content of an item that the caller published. Streams carry the item again, with `edited` true."""
        self._do(_correct(channel, item_id, content, key))

    def mark_read(self, channel: str, item_id: str) -> None:
        """Marks a channel as read up to an item, on all of the caller's devices. An earlier item changes nothing."""
        self._do(_mark_read(channel, item_id))

    def acknowledge(self, message_id: str, *, delivered_only: bool = False) -> None:
        """Acknowledges a message as received by the user, or only as delivered to the device. May be repeated."""
        self._do(_acknowledge(message_id, delivered_only))

    def items(self, channel: str, *, size: int = 100, newest_first: bool = True) -> List[Dict[str, Any]]:
        found: List[Dict[str, Any]] = self._do(_items(channel, size, newest_first))["items"]
        return found

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """Any other request of /docs of the server."""
        return self._do(_Call(method, path, body))

    def _do(self, call: _Call) -> Any:
        try:
            return _answer(self.url, self._http.request(call.method, call.path, **call.kwargs()))
        except httpx.TransportError as lost:
            raise unreachable(self.url, lost) from lost

    def stream(self, cursor: Optional[str] = None, *, patience: Optional[float] = None) -> Iterator[Event]:
        """Everything for the user as it happens, without end: connections that are lost are made again, and the loop gets every event once, in order.

        Keep `event.id` to go on there later. It raises when going on is in vain: StreamEnded, Refused (409: the cursor is of other data), UnknownServer.
        A server that is away is waited for; with `patience`, for so many seconds, and then it raises Unreachable."""
        at = _Following(self.url, cursor, patience)
        timeout = httpx.Timeout(_SILENCE, connect=10.0)
        while True:
            try:
                with self._http.stream("GET", f"{_API}/events", headers=at.headers(), timeout=timeout) as response:
                    if not _is_stream(response):
                        response.read()
                        at.refused(_stream_refusal(self.url, response))
                    else:
                        for line in response.iter_lines():
                            event = at.line(line)
                            if event is not None:
                                yield event
                                at.cursor = event.id or at.cursor  # its consumer has it now
                        at.ended()
            except httpx.TransportError as lost:
                at.lost(lost)
            time.sleep(at.pause())


class AsyncClient:
    """Client for asyncio, call by call the same."""

    def __init__(self, url: str, token: str) -> None:
        self.url = url.rstrip("/")
        self._http = httpx.AsyncClient(base_url=self.url, headers={"Authorization": f"Bearer {token}"}, timeout=TIMEOUT)

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        await self.close()

    async def close(self) -> None:
        await self._http.aclose()

    async def publish(self, channel: str, content: Mapping[str, Any], *, key: Optional[str] = None) -> str:
        return str((await self._do(_publish(channel, content, key)))["messageId"])

    async def send(self, users: Sequence[str], content: Mapping[str, Any], *, receipt: bool = False, ttl: Optional[int] = None, key: Optional[str] = None) -> str:
        return _message_id(await self._do(_send(users, content, receipt, ttl, key)))

    async def create_channel(self, channel: str, *, description: Optional[str] = None, private: bool = False, **more: Any) -> None:
        await self._do(_create(channel, description, private, more))

    async def subscribe(self, channel: str) -> None:
        await self._do(_Call("PUT", _channel(channel, "/subscribe")))

    async def unsubscribe(self, channel: str) -> None:
        await self._do(_Call("PUT", _channel(channel, "/unsubscribe")))

    async def correct(self, channel: str, item_id: str, content: Mapping[str, Any], *, key: Optional[str] = None) -> None:
        await self._do(_correct(channel, item_id, content, key))

    async def mark_read(self, channel: str, item_id: str) -> None:
        await self._do(_mark_read(channel, item_id))

    async def acknowledge(self, message_id: str, *, delivered_only: bool = False) -> None:
        await self._do(_acknowledge(message_id, delivered_only))

    async def items(self, channel: str, *, size: int = 100, newest_first: bool = True) -> List[Dict[str, Any]]:
        found: List[Dict[str, Any]] = (await self._do(_items(channel, size, newest_first)))["items"]
        return found

    async def call(self, method: str, path: str, body: Any = None) -> Any:
        return await self._do(_Call(method, path, body))

    async def _do(self, call: _Call) -> Any:
        try:
            return _answer(self.url, await self._http.request(call.method, call.path, **call.kwargs()))
        except httpx.TransportError as lost:
            raise unreachable(self.url, lost) from lost

    async def stream(self, cursor: Optional[str] = None, *, patience: Optional[float] = None) -> AsyncIterator[Event]:
        at = _Following(self.url, cursor, patience)
        timeout = httpx.Timeout(_SILENCE, connect=10.0)
        while True:
            try:
                async with self._http.stream("GET", f"{_API}/events", headers=at.headers(), timeout=timeout) as response:
                    if not _is_stream(response):
                        await response.aread()
                        at.refused(_stream_refusal(self.url, response))
                    else:
                        async for line in response.aiter_lines():
                            event = at.line(line)
                            if event is not None:
                                yield event
                                at.cursor = event.id or at.cursor
                        at.ended()
            except httpx.TransportError as lost:
                at.lost(lost)
            await asyncio.sleep(at.pause())
