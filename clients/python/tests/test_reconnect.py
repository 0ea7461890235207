"""How streams come back after an outage, on a clock of the test: pauses take no time."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any, Callable

import httpx
import pytest

import edict_client
from edict_client import _messaging

BACK = 30.0
CLIENTS = 50
SHARED = json.loads((Path(__file__).parents[2] / "reconnect.json").read_text())["cases"]


@pytest.mark.parametrize("case", SHARED, ids=[case["name"] for case in SHARED])
def test_pauses(case: Any) -> None:
    """Pauses are those that all clients share."""
    assert _messaging._pause(case["first"], case["failures"], case["least"], case["random"]) == pytest.approx(case["pause"])


class Outage:
    """A server that is away for 30 s, and the clock of one client at a time. Counts attempts by second."""

    def __init__(self, attempts: "Counter[int]", refusal: Callable[[], httpx.Response]) -> None:
        self.now = 0.0
        self.attempts = attempts
        self.refusal = refusal

    def answer(self, request: httpx.Request) -> httpx.Response:
        self.attempts[int(self.now)] += 1
        if self.now < BACK:
            return self.refusal()
        return httpx.Response(200, headers={"Content-Type": "text/event-stream"}, content=b"event: ready\nid: c0\ndata: {}\n\n")

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    async def sleep_async(self, seconds: float) -> None:
        self.now += seconds


def unreachable() -> httpx.Response:
    raise httpx.ConnectError("connection refused")


def busy() -> httpx.Response:
    return httpx.Response(503, headers={"Retry-After": "5"}, json={"message": "later"})


@pytest.mark.parametrize("refusal", [unreachable, busy])
@pytest.mark.parametrize("is_async", [False, True], ids=["Client", "AsyncClient"])
def test_returns(monkeypatch: pytest.MonkeyPatch, refusal: Callable[[], httpx.Response], is_async: bool) -> None:
    """All of 50 clients are live within 10 s of the server's return, and never attempt all at once."""
    attempts: "Counter[int]" = Counter()

    outage = Outage(attempts, refusal)
    transport = httpx.MockTransport(outage.answer)

    async def follow_all() -> None:
        monkeypatch.setattr(asyncio, "sleep", outage.sleep_async)
        async with edict_client.AsyncClient("http://edict.example", "t") as client:
            client._http = httpx.AsyncClient(base_url=client.url, transport=transport)
            for _ in range(CLIENTS):
                outage.now = 0.0
                async for event in client.stream():
                    assert event.event == "ready" and outage.now - BACK <= 10.0
                    break

    if is_async:
        asyncio.run(follow_all())
    else:
        monkeypatch.setattr(_messaging.time, "sleep", outage.sleep)
        with edict_client.Client("http://edict.example", "t") as client:
            client._http = httpx.Client(base_url=client.url, transport=transport)
            for _ in range(CLIENTS):
                outage.now = 0.0
                assert next(client.stream()).event == "ready" and outage.now - BACK <= 10.0
    for second, count in attempts.items():
        assert count <= 3 * CLIENTS and (second <= 15 or count <= CLIENTS * 4 / 5), f"{count} attempts in second {second}"
    if refusal is busy:  # one attempt each, and one every 5 s
        assert sum(count for second, count in attempts.items() if second < BACK) <= 7 * CLIENTS
