"""What the server says of itself: the documentation of HTTP and events, for people and for programs."""

from __future__ import annotations

from html import escape
from typing import Any, TypedDict

import orjson
from fastapi import APIRouter, Request
from fastapi.responses import Response

from hanpan.server.http.packed import constant
from hanpan.server.protocol.asyncapi import asyncapi
from hanpan.server.transport.dispatch import CONNECT, INBOUND

router = APIRouter(include_in_schema=False)

_STYLE = """
body{font-family:system-ui,sans-serif;background:#f7f3ea;color:#22252b;max-width:60rem;margin:2rem auto;padding:0 1rem;line-height:1.45}
main{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:0}a{color:#1f5fa8}code,pre{font-family:ui-monospace,monospace;font-size:.9em}
dt{margin-top:.6rem}dd{margin:0 0 0 1.5rem}pre{background:#fffdf7;border:1px solid #e4dcc8;padding:.5rem;overflow:auto}
@media(prefers-color-scheme:dark){body{background:#1d1f24;color:#e9e6df}a{color:#8fbdf2}pre{background:#26292f;border-color:#3a3e46}}
"""


def page(title: str, body: str, language: str = "en") -> str:
    """A page with this body."""
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><link rel="stylesheet" href="/plain.css">'
    return f'<!doctype html><html lang="{language}">{head}<title>{escape(title)}</title>{body}</html>'


@router.get("/plain.css")
async def style() -> Response:
    """How these pages look. A file of its own, because nothing inline is allowed."""
    return Response(_STYLE, media_type="text/css")


@router.get("/docs")
async def docs(request: Request) -> Response:
    """The HTTP API and the events, each from the document that programs read."""
    links = '<p><a href="/openapi.json">openapi.json</a> · <a href="/asyncapi.json">asyncapi.json</a></p>'

    def made() -> bytes:
        return page("Hanpan: documentation", f"<h1>Hanpan</h1>{links}{_http(request.app.openapi())}{_events(_asyncapi())}").encode()

    return await constant(request, made, "text/html")


@router.get("/openapi.json")
async def http_document(request: Request) -> Response:
    """What can be asked over HTTP."""
    return await constant(request, lambda: orjson.dumps(request.app.openapi()), "application/json")


@router.get("/asyncapi.json")
async def events_document(request: Request) -> Response:
    """The sockets' events, made from the same schemas that check them."""
    return await constant(request, lambda: orjson.dumps(_asyncapi()), "application/json")


def _asyncapi() -> dict[str, Any]:
    """The sockets' events, connecting too: it has a payload."""
    return asyncapi({namespace: {"connect": CONNECT[namespace], **events} for namespace, events in INBOUND.items()})


class _Parameter(TypedDict):
    name: str


class _Operation(TypedDict, total=False):
    summary: str
    description: str
    parameters: list[_Parameter]


class _OpenApi(TypedDict):
    """What is read here of that document."""

    paths: dict[str, dict[str, _Operation]]


_Schema = TypedDict(
    "_Schema",
    {
        "$ref": str, "anyOf": list["_Schema"], "enum": list[object], "type": str, "items": "_Schema", "required": list[str],
        "properties": dict[str, "_Schema"],
    },
    total=False,
)  # fmt: skip


def _http(document: _OpenApi) -> str:
    lines = ["<h2>HTTP (OpenAPI)</h2><dl>"]
    for path, methods in document["paths"].items():
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
