"""The client as docs/server.md shows it."""

import re
from pathlib import Path
from textwrap import indent

import pytest

DOCS = Path(__file__).parents[2] / "docs" / "server.md"


@pytest.mark.slow
async def test_the_client_of_the_docs_plays_a_whole_game(local_server):
    (code,) = re.findall(r"```python\n(from hanpan\.client import Client\n.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    assert "http://localhost:8000" in code
    known = {}
    exec(f"async def shown():\n{indent(code, '    ')}    return room".replace("http://localhost:8000", local_server(quick_bots=True).url), known)
    room = await known["shown"]()
    assert room.board["over"]
