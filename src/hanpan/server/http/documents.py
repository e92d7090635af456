"""The documents of what the server takes and tells, over HTTP and by events. They take the better part of a second, so they are made in a process apart."""

from __future__ import annotations

from html import escape
from typing import Any, TypedDict

import orjson
from fastapi import FastAPI

from hanpan import __version__
from hanpan.server.http import archive, bots, drawing, engines, health, login, me, network, operators, own_records, pictures, prove, records, second_factor
from hanpan.server.protocol.asyncapi import asyncapi
from hanpan.server.transport.dispatch import CONNECT, INBOUND

# of what is documented
ROUTERS = [
    part.router for part in (records, own_records, archive, drawing, bots, login, second_factor, prove, me, operators, health, pictures, engines, network)
]


def made() -> dict[str, bytes]:
    """All of them, by their address: what they need to be loaded takes longer than they do."""
    http, events = _openapi(), _asyncapi()
    links = '<p><a href="/openapi.json">openapi.json</a> · <a href="/asyncapi.json">asyncapi.json</a></p>'
    shown = _page("Hanpan: documentation", f"<h1>Hanpan</h1>{links}{_http(http['paths'])}{_events(events)}")
    return {"/openapi.json": orjson.dumps(http), "/asyncapi.json": orjson.dumps(events), "/docs": shown.encode()}


def _openapi() -> dict[str, Any]:
    """What can be asked over HTTP."""
    described = FastAPI(title="Hanpan", version=__version__, openapi_url=None)
    for router in ROUTERS:
        described.include_router(router)
    return described.openapi()


def _asyncapi() -> dict[str, Any]:
    """The sockets' events, connecting too: it has a payload."""
    return asyncapi({namespace: {"connect": CONNECT[namespace], **events} for namespace, events in INBOUND.items()})


def _page(title: str, body: str, language: str = "en") -> str:
    """A page with this body."""
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><link rel="stylesheet" href="/plain.css">'
    return f'<!doctype html><html lang="{language}">{head}<title>{escape(title)}</title>{body}</html>'


class _Parameter(TypedDict):
    name: str


class _Operation(TypedDict, total=False):
    summary: str
    description: str
    parameters: list[_Parameter]


_Schema = TypedDict(
    "_Schema",
    {
        "$ref": str, "anyOf": list["_Schema"], "enum": list[object], "type": str, "items": "_Schema", "required": list[str],
        "properties": dict[str, "_Schema"],
    },
    total=False,
)  # fmt: skip


def _http(paths: dict[str, dict[str, _Operation]]) -> str:
    lines = ["<h2>HTTP (OpenAPI)</h2><dl>"]
    for path, methods in paths.items():
        for method, operation in methods.items():
            asked = ", ".join(f"<code>{escape(field['name'])}</code>" for field in operation.get("parameters", ()))
            says = f"{escape(operation.get('summary', ''))}. {escape(operation.get('description', ''))}"
            lines.append(f"<dt><code>{method.upper()} {escape(path)}</code></dt><dd>{says} {asked}</dd>")
    return "".join(lines) + "</dl>"


def _events(document: dict[str, Any]) -> str:
    schemas, lines = document["components"]["schemas"], ["<h2>Socket.IO events (AsyncAPI)</h2>"]
    for channel in document["channels"].values():
        lines.append(f"<h3>Namespace <code>{escape(channel['address'])}</code></h3><dl>")
        for id in channel["messages"]:
            message = document["components"]["messages"][id]
            way = "to the server" if document["operations"][id]["action"] == "receive" else "to clients"
            lines.append(f"<dt><code>{escape(message['name'])}</code> <small>{way}</small></dt><dd>{escape(message['summary'])} ")
            lines.append(_fields(schemas[message["payload"]["$ref"].rsplit("/", 1)[1]]) + "</dd>")
        lines.append("</dl>")
    return "".join(lines)


def _fields(schema: _Schema) -> str:
    needed = schema.get("required", [])
    named = (f"<code>{escape(name)}: {escape(_type(field))}{'' if name in needed else '?'}</code>" for name, field in schema.get("properties", {}).items())
    return ", ".join(named)


def _type(field: _Schema) -> str:
    """A JSON schema in a word or two."""
    if "$ref" in field:
        return field["$ref"].rsplit("/", 1)[1]
    if "anyOf" in field:
        return " or ".join(_type(one) for one in field["anyOf"])
    if "enum" in field:
        return " or ".join(map(str, field["enum"]))
    if field.get("type") == "array":
        return f"list of {_type(field.get('items', {}))}"
    return field.get("type", "anything")
