"""The AsyncAPI document of the sockets, made from the same schemas that check them."""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from hanpan import __version__
from hanpan.server.protocol.messages import CONNECT, INBOUND, OUTBOUND


@cache
def asyncapi() -> dict[str, Any]:
    """AsyncAPI 3.0: one channel a namespace, one message an event."""
    heard = {namespace: {"connect": CONNECT[namespace], **events} for namespace, events in INBOUND.items()}  # connecting has a payload too
    models: set[type[BaseModel]] = {model for table in (heard, OUTBOUND) for events in table.values() for model in events.values()}
    ordered = sorted(models, key=lambda model: model.__name__)
    _, schema = models_json_schema([(model, "validation") for model in ordered], ref_template="#/components/schemas/{model}")
    channels: dict[str, Any] = {}
    operations: dict[str, Any] = {}
    messages: dict[str, Any] = {}
    for namespace in heard:
        key = namespace.strip("/") or "root"
        channels[key] = {"address": namespace, "messages": {}}
        for direction, table in (("receive", heard), ("send", OUTBOUND)):
            for event, model in table[namespace].items():
                id = f"{key}.{direction}.{event.replace(' ', '-')}"
                messages[id] = {
                    "name": event,
                    "summary": (model.__doc__ or "").strip().split("\n")[0],
                    "payload": {"$ref": f"#/components/schemas/{model.__name__}"},
                }
                channels[key]["messages"][id] = {"$ref": f"#/components/messages/{id}"}
                operations[id] = {"action": direction, "channel": {"$ref": f"#/channels/{key}"}, "messages": [{"$ref": f"#/channels/{key}/messages/{id}"}]}
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Hanpan events",
            "version": __version__,
            "description": "Socket.IO events by namespace. `receive`: what the server takes; `send`: what it tells.",
        },
        "channels": channels,
        "operations": operations,
        "components": {"messages": messages, "schemas": schema.get("$defs", {})},
    }
