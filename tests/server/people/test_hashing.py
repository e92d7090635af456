"""What is kept of a password is hard to guess it from."""

import importlib.util

import pytest

from hanpan.server.people import hashing


@pytest.mark.slow
async def test_a_password_is_kept_as_a_hash_that_costs_time_and_memory(monkeypatch):
    found = importlib.util.find_spec("hanpan.server.people.hashing")
    own = importlib.util.module_from_spec(found)  # as it is outside of the tests, which make theirs in no time
    found.loader.exec_module(own)
    monkeypatch.setattr(hashing, "HASHER", own.HASHER)
    kept = await hashing.hash_of("correct horse")
    kind, cost = kept.split("$")[1], dict(part.split("=") for part in kept.split("$")[3].split(","))
    assert kind == "argon2id"
    assert int(cost["m"]) >= 65536, "kilobytes"
    assert int(cost["t"]) >= 3, "times over all of them"
    assert await hashing.matches("correct horse", kept)
    assert not await hashing.matches("correct house", kept)
