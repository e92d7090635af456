"""The documents of what the server takes and tells, over HTTP and by events. They take the better part of a second, so they are made in a process apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any, TypedDict

import orjson
from fastapi import FastAPI

from hanpan import __version__
from hanpan.server.http import archive, bots, drawing, engines, health, login, me, network, operators, own_records, pictures, prove, records, second_factor
from hanpan.server.protocol.asyncapi import asyncapi
from hanpan.server.protocol.messages import Refusal
from hanpan.server.transport.dispatch import CONNECT, INBOUND

# of what is documented
ROUTERS = [
    part.router for part in (records, own_records, archive, drawing, bots, login, second_factor, prove, me, operators, health, pictures, engines, network)
]

_HTTP = """Who asks is told by `Authorization: Bearer TOKEN` (a bot's token, or the one that `login info` tells), or by the cookie that
`POST /api/guest` and logins set. A refusal has a status from 400 on, and as JSON a `code` that is stable, a `text` that is a sentence, and
the same to be put into words as `phrase`; where what was sent can't be read, `detail` says where."""


def made() -> dict[str, bytes]:
    """All of them, by their address: what they need to be loaded takes longer than they do."""
    http, events = _openapi(), _asyncapi()
    links = '<p><a href="/openapi.json">openapi.json</a> · <a href="/asyncapi.json">asyncapi.json</a></p>'
    shown = _page("Hanpan: documentation", f"<h1>Hanpan</h1>{links}{_http(http)}{_events(events)}{_parts(http, events)}")
    return {"/openapi.json": orjson.dumps(http), "/asyncapi.json": orjson.dumps(events), "/docs": shown.encode()}


def _openapi() -> dict[str, Any]:
    """What can be asked over HTTP."""
    refused: dict[int | str, dict[str, Any]] = {"4XX": {"description": "Refused", "model": Refusal}}
    described = FastAPI(title="Hanpan", version=__version__, description=_HTTP, openapi_url=None, responses=refused)
    for router in ROUTERS:
        described.include_router(router)
    document = described.openapi()
    for methods in document["paths"].values():
        for operation in methods.values():  # a refusal is JSON also where a picture was asked for
            operation["responses"]["4XX"]["content"] = {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}
    document["components"]["securitySchemes"] = {
        "token": {"type": "http", "scheme": "bearer"},
        "cookie": {"type": "apiKey", "in": "cookie", "name": "hanpan", "description": "Over https its name is __Host-hanpan."},
    }
    document["security"] = [{"token": []}, {"cookie": []}, {}]
    return document


def _asyncapi() -> dict[str, Any]:
    """The sockets' events, connecting too: it has a payload."""
    return asyncapi({namespace: {"connect": CONNECT[namespace], **events} for namespace, events in INBOUND.items()})


def _page(title: str, body: str, language: str = "en") -> str:
    """A page with this body."""
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><link rel="stylesheet" href="/plain.css">'
    return f'<!doctype html><html lang="{language}">{head}<title>{escape(title)}</title>{body}</html>'


_Schema = TypedDict(
    "_Schema",
    {
        "$ref": str, "anyOf": list["_Schema"], "enum": list[object], "const": object, "type": str, "items": "_Schema", "required": list[str],
        "properties": dict[str, "_Schema"], "description": str,
    },
    total=False,
)  # fmt: skip


def _http(document: dict[str, Any]) -> str:
    lines = [f"<h2>HTTP (OpenAPI)</h2><p>{escape(document['info']['description'])}</p><dl>"]
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            asked = [f"<code>{escape(field['name'])}</code>" for field in operation.get("parameters", ())]
            body = _body(operation)
            asked += [_fields(document["components"]["schemas"][_name(body)])] if "$ref" in body else []
            says = f"{escape(operation.get('summary', ''))}. {escape(operation.get('description', ''))}"
            lines.append(f"<dt><code>{method.upper()} {escape(path)}</code></dt><dd>{says} {', '.join(filter(None, asked))}</dd>")
    return "".join(lines) + "</dl>"


def _body(operation: Mapping[str, Any]) -> _Schema:
    """The schema of what a request carries."""
    schema: _Schema = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    return schema


def _name(schema: _Schema) -> str:
    """The name of the schema that this one refers to."""
    return schema["$ref"].rsplit("/", 1)[1]


def _events(document: dict[str, Any]) -> str:
    schemas, lines = document["components"]["schemas"], [f"<h2>Socket.IO events (AsyncAPI)</h2><p>{escape(document['info']['description'])}</p>"]
    for channel in document["channels"].values():
        lines.append(f"<h3>Namespace <code>{escape(channel['address'])}</code></h3><dl>")
        for id in channel["messages"]:
            message = document["components"]["messages"][id]
            way = "to the server" if document["operations"][id]["action"] == "receive" else "to clients"
            lines.append(f"<dt><code>{escape(message['name'])}</code> <small>{way}</small></dt><dd>{escape(message['summary'])} ")
            lines.append(_fields(schemas[_name(message["payload"])]) + "</dd>")
        lines.append("</dl>")
    return "".join(lines)


def _parts(http: dict[str, Any], events: dict[str, Any]) -> str:
    """What the types are that the fields above are said to have."""
    schemas: dict[str, _Schema] = http["components"]["schemas"] | events["components"]["schemas"]
    bodies = [_body(operation) for methods in http["paths"].values() for operation in methods.values()]
    payloads = [message["payload"] for message in events["components"]["messages"].values()]
    found, left = set[str](), [_name(schema) for schema in [*bodies, *payloads] if "$ref" in schema]
    while left:
        new = set(_named(schemas[left.pop()])) - found
        found |= new
        left += new
    lines = (f"<dt><code>{name}</code></dt><dd>{_said(schemas[name])} {_fields(schemas[name])}</dd>" for name in sorted(found))
    return f"<h2>Types</h2><dl>{''.join(lines)}</dl>"


def _named(schema: Any) -> Iterator[str]:
    """The names of all schemas that one refers to."""
    for key, part in schema.items() if isinstance(schema, dict) else enumerate(schema) if isinstance(schema, list) else ():
        if key == "$ref":
            yield _name(schema)
        yield from _named(part)


def _said(schema: _Schema) -> str:
    return escape(" ".join(schema.get("description", "").split()))


def _fields(schema: _Schema) -> str:
    needed = schema.get("required", [])
    return ", ".join(
        f"<code>{escape(name)}: {escape(_type(field))}{'' if name in needed else '?'}</code>" + (f" ({said})" if (said := _said(field)) else "")
        for name, field in schema.get("properties", {}).items()
    )


def _type(field: _Schema) -> str:
    """A JSON schema in a word or two."""
    if "$ref" in field:
        return _name(field)
    if "anyOf" in field:
        return " or ".join(_type(one) for one in field["anyOf"])
    if "const" in field:
        return str(field["const"])
    if "enum" in field:
        return " or ".join(map(str, field["enum"]))
    if field.get("type") == "array":
        return f"list of {_type(field.get('items', {}))}"
    return field.get("type", "anything")
