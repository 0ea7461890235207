"""The stream as httpx-sse reads it, which makes an event of every block, also of one without data."""

from __future__ import annotations

import threading
from typing import Any

import httpx
import pytest

import edict_client

httpx_sse = pytest.importorskip("httpx_sse")


@pytest.fixture
def beats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDICT_MESSAGING_HEARTBEAT", "1s")


def test_no_empty_events(beats: None, messaging: Any) -> None:
    """Neither the time to reconnect nor heartbeats are events."""
    token = messaging.token("ann")
    with edict_client.Client(messaging.url, token) as ann, httpx.Client(timeout=60) as http:
        ann.create_channel("news")
        ann.subscribe("news")
        with httpx_sse.connect_sse(http, "GET", f"{messaging.url}/message/api/v2/events", headers={"Authorization": f"Bearer {token}"}) as source:
            events = source.iter_sse()
            ready = next(events)
            assert (ready.event, ready.data) == ("ready", "{}")
            assert ready.retry >= 1000
            for n in range(2):
                later = threading.Timer(2.5, ann.publish, ["news", {"n": n}])  # heartbeats come first
                later.start()
                item = next(events)
                later.join()
                assert (item.event, item.json()["content"], item.retry) == ("item", {"n": n}, None)
