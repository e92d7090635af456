"""The AsyncAPI document of the sockets, made from the same schemas that check them."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel, TypeAdapter

from hanpan import __version__
from hanpan.server.protocol.messages import OUTBOUND, Outgoing


def asyncapi(heard: Mapping[str, Mapping[str, type[BaseModel]]]) -> dict[str, object]:
    """AsyncAPI 3.0: one channel a namespace, one message an event. `heard`: what the server takes, by namespace and event."""
    models: set[type[BaseModel] | type[Outgoing]] = {model for table in (heard, OUTBOUND) for events in table.values() for model in events.values()}
    ordered = sorted(models, key=lambda model: model.__name__)
    _, schema = TypeAdapter.json_schemas(((model.__name__, "validation", TypeAdapter(model)) for model in ordered), ref_template="#/components/schemas/{model}")
    channels: dict[str, object] = {}
    operations: dict[str, object] = {}
    messages: dict[str, object] = {}
    for namespace in heard:
        key = namespace.strip("/") or "root"
        carried: dict[str, object] = {}
        channels[key] = {"address": namespace, "messages": carried}
        for direction, table in (("receive", heard), ("send", OUTBOUND)):
            for event, model in table[namespace].items():
                id = f"{key}.{direction}.{event.replace(' ', '-')}"
                messages[id] = {
                    "name": event,
                    "summary": " ".join((model.__doc__ or "").split()),
                    "payload": {"$ref": f"#/components/schemas/{model.__name__}"},
                }
                carried[id] = {"$ref": f"#/components/messages/{id}"}
                operations[id] = {"action": direction, "channel": {"$ref": f"#/channels/{key}"}, "messages": [{"$ref": f"#/channels/{key}/messages/{id}"}]}
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Hanpan events",
            "version": __version__,
            "description": "Socket.IO events by namespace. `receive`: what the server takes; `send`: what it tells. Whatever it takes is acknowledged with "
            "`{ok: true, …}` or `{ok: false, code, text, …}`.",
        },
        "channels": channels,
        "operations": operations,
        "components": {"messages": messages, "schemas": schema.get("$defs", {})},
    }
