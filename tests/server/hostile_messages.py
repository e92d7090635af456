"""Malformed and hostile messages, made from the schemas that they break; and requests made from the HTTP API's own document."""

import json
import random
import string
from collections import Counter

import schemathesis
import socketio
from hypothesis import HealthCheck, Phase, given, settings

from hanpan.server.transport.dispatch import CONNECT, INBOUND

NASTY = [
    None, True, -1, 0, (1 << 63) - 1, -(1 << 63), 1e308, "", " ", "\x00", "\ud7ff\ufffe", "‮gnp.exe", "<script>alert(1)</script>",
    "'; DROP TABLE game;--", "../../etc/passwd",
    "{0.__class__}", "%s%n", "a" * 5000, "한" * 2000, [], {}, [[]] * 50, {"__proto__": {}}, {"a": {"b": {"c": [None]}}}, "e5", "0", ["x"] * 200,
]  # fmt: skip


class Hostile(random.Random):
    """Someone who means no good, in a way that can be repeated."""

    def text(self):
        letters = string.printable + "é한日本中🤖\u202e\u0000"
        return "".join(self.choice(letters) for _ in range(self.choice([0, 1, 5, 30, 600])))

    def deep(self):
        value = "end"
        for _ in range(self.choice([5, 60, 300])):
            value = [value] if self.random() < 0.5 else {"a": value}
        return value

    def nasty(self):
        kind = self.random()
        return self.choice(NASTY) if kind < 0.7 else self.text() if kind < 0.95 else self.deep()

    def value(self, schema, root):
        """Something that could be what a schema wants."""
        if "$ref" in schema:
            return self.value(root["$defs"][schema["$ref"].rsplit("/", 1)[1]], root)
        if "anyOf" in schema:
            return self.value(self.choice(schema["anyOf"]), root)
        if "enum" in schema:
            return self.choice(schema["enum"])
        kind = schema.get("type")
        if kind == "object":
            return {name: self.value(field, root) for name, field in schema.get("properties", {}).items() if self.random() < 0.8}
        if kind == "array":
            return [self.value(schema.get("items", {}), root) for _ in range(self.randrange(4))]
        if kind == "integer":
            return self.choice([0, 1, 2, 3, 7, -1, 9999])
        if kind == "boolean":
            return self.random() < 0.5
        if kind == "string":
            return self.choice(["tictactoe", "a1", "b2", "hello", "x", self.text()])
        return self.nasty()

    def payload(self, model):
        """A payload of an event's schema, broken in one way or another, or not at all."""
        schema = model.model_json_schema()
        value = self.value(schema, schema)
        broken = self.random()
        if broken < 0.25 and value:
            value[self.choice(list(value))] = self.nasty()
        elif broken < 0.35:
            value[self.text()[:40]] = self.nasty()
        elif broken < 0.45:
            value = self.nasty()
        return value

    def request(self, namespace):
        """An event and its payloads (usually one)."""
        known = INBOUND[namespace]
        if not known or self.random() < 0.15:
            return self.choice(["connect", "disconnect", "message", "", "__init__", "emit", self.text()[:80]]), [self.nasty() for _ in range(self.randrange(3))]
        event = self.choice(list(known))
        return event, [self.payload(known[event])] + ([self.nasty()] if self.random() < 0.05 else [])

    def connect(self, namespace):
        """A connect payload."""
        return self.payload(CONNECT[namespace])


async def attack_sockets(url, token, room, seed, number):
    """So many hostile messages into the lobby and a room; how often each code was answered."""
    bad, codes = Hostile(seed), Counter()
    io = socketio.AsyncClient(reconnection=False, handle_sigint=False, json=json)
    for namespace in ("/lobby", "/room"):
        io.on("invalid action", lambda told: codes.update([told["code"]]), namespace=namespace)
    await io.connect(url, auth={"token": token}, namespaces=["/lobby"], transports=["websocket"], wait_timeout=600)
    there = socketio.AsyncClient(reconnection=False, handle_sigint=False, json=json)
    there.on("invalid action", lambda told: codes.update([told["code"]]), namespace="/room")
    await there.connect(url, auth={"token": token, "room": room}, namespaces=["/room"], transports=["websocket"], wait_timeout=600)
    for count in range(1, number + 1):
        line, namespace = bad.choice([(io, "/lobby"), (there, "/room")])
        event, payloads = bad.request(namespace)
        await line.emit("new rooms" if event in ("new room", "send msg") else event, tuple(payloads) if payloads else None, namespace=namespace)
        if count % 50 == 0:  # one client's messages are handled in their order: when this is answered, all before it were
            await io.call("req info", namespace="/lobby", timeout=600)
            await there.call("req info", namespace="/room", timeout=600)
    for line in (io, there):
        await line.disconnect()
    return codes


def attack_http(url, token, examples):
    """Ask for everything in the HTTP API's document, rightly and wrongly; how many requests, and which were answered with a fault of the server's."""
    faults, asked = [], 0
    for found in schemathesis.openapi.from_url(f"{url}/openapi.json", timeout=600).get_all_operations():
        operation = found.ok()
        if operation.path in ("/api/logout/everywhere", "/api/me") and operation.method.upper() != "GET":
            continue  # that is granted to whoever asks rightly, and would be the end of this person
        asked += _ask(operation, {} if operation.path == "/api/bot/events" else {"Authorization": f"Bearer {token}"}, examples, faults)
    return asked, faults


def _ask(operation, headers, examples, faults):
    asked = 0

    @settings(max_examples=examples, database=None, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate])
    @given(case=operation.as_strategy())
    def ask(case):
        nonlocal asked
        answer = case.call(headers=headers, timeout=600)
        asked += 1
        if answer.status_code >= 500:
            faults.append((case.method, operation.path, answer.status_code, answer.text[:200]))

    ask()
    return asked
