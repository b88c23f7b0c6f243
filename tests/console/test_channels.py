"""Versions instead of queues: whatever a page has missed, one message brings it up to date."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.console.channels import Channel


def _channel() -> Channel:
    return Channel("boot", lambda: 5)


def _told(channel: Channel, version: int) -> dict[str, Any]:
    message = channel.since(version)
    assert message is not None
    told: dict[str, Any] = json.loads(message.body)
    return told


def test_a_page_that_knows_nothing_gets_everything() -> None:
    channel = _channel()
    channel.put({"a": 1})
    channel.put({"b": 2})
    told = _told(channel, 0)
    assert (told["a"], told["b"], told["whole"], told["now"]) == (1, 2, True, 5)


def test_a_page_gets_only_what_is_newer() -> None:
    channel = _channel()
    channel.put({"a": 1, "b": 1})
    channel.put({"a": 1, "b": 2})
    told = _told(channel, 1)
    assert "a" not in told
    assert told["b"] == 2
    assert told["whole"] is False


def test_nothing_new_is_no_message() -> None:
    channel = _channel()
    assert channel.put({"a": 1}) is True
    assert channel.put({"a": 1}) is False
    assert channel.since(channel.version) is None


def test_log_lines_come_once_and_in_order() -> None:
    channel = _channel()
    channel.put({}, [{"n": 1}])
    channel.put({"a": 0}, [{"n": 2}, {"n": 3}])
    assert [line["n"] for line in _told(channel, 1)["log"]] == [2, 3]
    assert [line["n"] for line in _told(channel, 0)["log"]] == [1, 2, 3]
    assert [json.loads(line)["n"] for line in channel.log_before(3, 10)] == [1, 2]
    assert [json.loads(line)["n"] for line in channel.log_before(3, 1)] == [2]


def test_pages_at_the_same_version_share_their_bytes() -> None:
    channel = _channel()
    channel.put({"a": [1] * 100})
    one, other = channel.since(0), channel.since(0)
    assert one is not None
    assert other is not None
    assert one.body == other.body


@pytest.mark.parametrize(
    "word", ["", "boot", "boot-", "other-1", "boot--1", "boot-x", "boot-²", "boot-" + "9" * 40]
)
def test_nonsense_in_last_event_id_means_everything(word: str) -> None:
    assert _channel().resume(word) == 0


def test_last_event_id_names_the_version() -> None:
    channel = _channel()
    channel.put({"a": 1})
    channel.put({"a": 2})
    assert channel.resume("boot-1") == 1
    assert _told(channel, channel.resume("boot-77777"))["whole"] is True


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 2)), max_size=30), st.data())
def test_any_page_at_any_time_ends_up_with_the_whole_state(
    puts: list[tuple[str, int]], data: st.DataObject
) -> None:
    channel = _channel()
    truth: dict[str, int] = {}
    page: dict[str, Any] = {}
    version = 0
    for name, value in puts:
        channel.put({name: value})
        truth[name] = value
        if data.draw(st.booleans()):
            message = channel.since(version)
            if message is not None:
                page.update(json.loads(message.body))
                version = message.version
    message = channel.since(version)
    if message is not None:
        page.update(json.loads(message.body))
    assert {name: page[name] for name in truth} == truth


def test_whoever_waits_is_woken_by_the_next_version() -> None:
    async def waiting() -> None:
        channel = _channel()
        waiters = [asyncio.ensure_future(channel.change()) for _ in range(3)]
        await asyncio.sleep(0)
        channel.put({"a": 1})
        await asyncio.wait_for(asyncio.gather(*waiters), 1)

    asyncio.run(waiting())


def test_a_change_between_the_look_and_the_waiting_is_not_missed() -> None:
    async def waiting() -> None:
        channel = _channel()
        waiter = asyncio.ensure_future(channel.change())
        channel.put({"a": 1})
        await asyncio.wait_for(waiter, 1)

    asyncio.run(waiting())
