"""Whether the libraries under the sockets are those whose insides we know: only then do messages take the short way of fast_engineio and fast_websockets."""

from __future__ import annotations

from importlib.metadata import version

KNOWN = {"python-engineio": "4.15", "python-socketio": "5.18", "uvicorn": "0.54", "websockets": "17"}  # looked through, and tested with


def unknown() -> list[str]:
    """Those that are of another version, and which one is known."""
    found = {name: version(name) for name in KNOWN}
    return [f"{name} {found[name]} (known: {ours})" for name, ours in KNOWN.items() if not f"{found[name]}.".startswith(f"{ours}.")]
