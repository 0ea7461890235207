from __future__ import annotations

import asyncio
import threading
from typing import Any, Iterator, List

import pytest

import edict_client


def until_ready(events: Iterator[edict_client.Event]) -> edict_client.Event:
    for event in events:
        if event.event == "ready":
            return event
    raise AssertionError("the stream ended")


def test_publish_and_follow(messaging: Any) -> None:
    with edict_client.Client(messaging.url, messaging.token("ann")) as ann, edict_client.Client(messaging.url, messaging.token("bob")) as bob:
        ann.create_channel("news", description="What is new")
        bob.subscribe("news")
        events = bob.stream()
        ready = until_ready(events)
        first = ann.publish("news", {"n": 1}, key="one")
        assert ann.publish("news", {"n": 1}, key="one") == first, "a key makes it once"
        item = next(events)
        assert (item.event, item.data["itemId"], item.data["content"]) == ("item", first, {"n": 1})
        message = ann.send(["bob"], {"text": "Hi"})
        assert next(events).data["messageId"] == message
        assert [i["itemId"] for i in ann.items("news")] == [first]
        again = bob.stream(cursor=ready.id)
        assert next(again).data["itemId"] == first
        bob.unsubscribe("news")


def test_correct_read_acknowledge(messaging: Any) -> None:
    """An author corrects an item, a reader marks a channel as read and acknowledges a message; streams and receipts show it."""
    with edict_client.Client(messaging.url, messaging.token("ann")) as ann, edict_client.Client(messaging.url, messaging.token("bob")) as bob:
        ann.create_channel("news")
        bob.subscribe("news")
        first, last = ann.publish("news", {"n": 1}), ann.publish("news", {"n": 2})
        of_ann, of_bob = ann.stream(), bob.stream()
        until_ready(of_ann)
        until_ready(of_bob)
        ann.correct("news", first, {"n": 10}, key="once")
        edited = next(of_bob)
        assert (edited.data["itemId"], edited.data["content"], edited.data["edited"]) == (first, {"n": 10}, True)
        bob.mark_read("news", last)
        read = next(of_bob)
        assert (read.event, read.data["readUpTo"]) == ("read", last)
        assert next(of_ann).data["edited"], "an author who is subscribed gets the correction too"
        for delivered_only, state in ((True, "DELIVERED"), (False, "RECEIVED")):
            message = ann.send(["bob"], {"text": "Hi"}, receipt=True)
            assert next(of_bob).data["messageId"] == message
            bob.acknowledge(message, delivered_only=delivered_only)
            receipt = next(of_ann)
            assert (receipt.event, receipt.data["messageId"], receipt.data["state"]) == ("receipt", message, state)
        with pytest.raises(edict_client.Refused) as foreign:
            bob.correct("news", first, {"n": 11})
        assert foreign.value.status == 403

    async def talk(token: str) -> None:
        async with edict_client.AsyncClient(messaging.url, token) as ann:
            await ann.correct("news", first, {"n": 12})
            await ann.mark_read("news", first)
            message = await ann.send(["ann"], {"text": "note to self"})
            await ann.acknowledge(message)
            assert (await ann.items("news"))[-1]["content"] == {"n": 12}

    asyncio.run(asyncio.wait_for(talk(messaging.token("ann", again=True)), 60))


def test_resume_over_a_restart(messaging: Any) -> None:
    """Every item comes once, in order, although the server ends twice under the stream."""
    with edict_client.Client(messaging.url, messaging.token("ann")) as ann, edict_client.Client(messaging.url, messaging.token("bob")) as bob:
        ann.create_channel("news")
        bob.subscribe("news")
        events = bob.stream()
        until_ready(events)
        got: List[int] = []

        def read() -> None:
            for event in events:
                if event.event == "item":
                    got.append(event.data["content"]["n"])
                if len(got) == 6:
                    return

        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        for n in range(6):
            ann.publish("news", {"n": n})
            if n in (1, 3):
                messaging.restart()
        reader.join(timeout=120)
        assert got == [0, 1, 2, 3, 4, 5]


def test_async(messaging: Any) -> None:
    ann_token, bob_token = messaging.token("ann"), messaging.token("bob")

    async def talk() -> List[Any]:
        async with edict_client.AsyncClient(messaging.url, ann_token) as ann, edict_client.AsyncClient(messaging.url, bob_token) as bob:
            await ann.create_channel("news")
            await bob.subscribe("news")
            got: List[Any] = []
            async for event in bob.stream():
                if event.event == "ready":
                    if not got:
                        await ann.publish("news", {"n": 0})
                elif event.event == "item":
                    got.append(event.data["content"]["n"])
                    if len(got) == 1:
                        messaging.restart()
                        await ann.publish("news", {"n": 1})
                    else:
                        return got
            return got

    assert asyncio.run(asyncio.wait_for(talk(), 120)) == [0, 1]


def test_refused(messaging: Any) -> None:
    with edict_client.Client(messaging.url, messaging.token("ann")) as ann:
        with pytest.raises(edict_client.Refused) as refused:
            ann.publish("nowhere", {"n": 1})
        assert refused.value.status == 404 and refused.value.code is not None
        with pytest.raises(edict_client.Refused, match="sent to nobody: zoe"):
            ann.send(["zoe"], {"n": 1})
        with pytest.raises(edict_client.Refused) as cursor:
            next(ann.stream(cursor="nonsense"))
        assert cursor.value.status == 400
    with edict_client.Client(messaging.url, "forged") as nobody:
        with pytest.raises(edict_client.Refused) as unknown:
            next(nobody.stream())
        assert unknown.value.status == 401


def test_unreachable() -> None:
    with edict_client.Client("http://127.0.0.1:1", "t") as client:
        with pytest.raises(edict_client.Unreachable, match="is the server running there"):
            client.publish("news", {})


def test_server_dies(messaging: Any) -> None:
    """A server that ends under the client: calls say so at once, a stream after its patience."""
    token = messaging.token("ann")
    with edict_client.Client(messaging.url, token) as ann:
        events = ann.stream(patience=0.5)
        until_ready(events)
        messaging.server.stop()
        with pytest.raises(edict_client.Unreachable, match="is the server running there\\? `edict serve` starts one"):
            ann.publish("news", {})
        with pytest.raises(edict_client.Unreachable, match="is the server running there"):
            next(events)

    async def ask() -> None:
        async with edict_client.AsyncClient(messaging.url, token) as ann:
            with pytest.raises(edict_client.Unreachable, match="is the server running there"):
                await ann.publish("news", {})
            with pytest.raises(edict_client.Unreachable, match="is the server running there"):
                async for _ in ann.stream(patience=0.5):
                    pass

    asyncio.run(asyncio.wait_for(ask(), 60))


STRANGERS = [
    ({"body": "<html>", "type": "text/html", "status": "200"}, "answers text/html"),
    ({"body": '{"error": "not found", "message": "there is nothing at /message/api/v2"}', "type": "application/json", "status": "404"}, "has no /message/api/v2"),
]


@pytest.mark.parametrize("answer, what", STRANGERS, ids=["no edict", "another version"])
def test_unknown_messaging(stranger: Any, answer: Any, what: str) -> None:
    """What is no edict server, or has another version of messaging, is said; a stream does not ask it for ever."""
    url, answers = stranger
    answers.update(answer)
    match = f"the server at {url} {what}.*--only simulation.*install the wheel of that version"
    with edict_client.Client(url, "t") as client:
        with pytest.raises(edict_client.UnknownServer, match=match):
            client.publish("news", {})
        with pytest.raises(edict_client.UnknownServer, match=match):
            next(client.stream())

    async def ask() -> None:
        async with edict_client.AsyncClient(url, "t") as client:
            with pytest.raises(edict_client.UnknownServer, match=match):
                await client.publish("news", {})
            with pytest.raises(edict_client.UnknownServer, match=match):
                async for _ in client.stream():
                    pass

    asyncio.run(asyncio.wait_for(ask(), 60))


LATER = (
    'retry: 10\nlater: x\n\nevent: ready\nid: c0\ndata: {"later": 1}\n\nevent: later\nid: c1\ndata: {"x": [1]}\n\n'
    'event: item\nid: c2\ndata: {"channelName": "news", "content": {"n": 1}, "later": {"x": [1]}}\n\n'
)


def test_later_server(stranger: Any) -> None:
    """Members of answers and events of streams that this client does not know disturb nothing."""
    url, answers = stranger
    with edict_client.Client(url, "t") as client:
        answers.update(status="200", type="application/json", body='{"messageId": "m1", "later": {"x": [1]}, "items": [{"itemId": "i1", "later": 1}]}')
        assert client.publish("news", {}) == "m1"
        assert [item["itemId"] for item in client.items("news")] == ["i1"]
        answers.update(type="text/event-stream", body=LATER)
        events = client.stream()
        assert [(next(events).event, next(events).event, next(events).data["content"]["n"]) for _ in range(2)] == [("ready", "later", 1)] * 2
        answers.update(status="403", type="application/json", body='{"code": 4711, "message": "not on Sundays", "later": {"x": [1]}}')
        with pytest.raises(edict_client.Refused, match="not on Sundays"):
            client.publish("news", {})
