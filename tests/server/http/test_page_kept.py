"""The page as browsers keep it: how it is installed, and the script that keeps it, which names every file of its version by its digest."""

import base64
import hashlib
import json
import re

import aiohttp


async def fetched(session, address):
    async with session.get(address) as answer:
        return answer.status, answer.headers, await answer.read()


async def kept(session, server):
    """What is kept of the page: the name of its version, and the digest of each address."""
    status, headers, body = await fetched(session, f"{server.url}/service-worker.js")
    assert (status, headers["cache-control"]) == (200, "no-cache"), "a newer one is never missed"
    assert headers["content-type"].startswith("text/javascript")
    told = re.match(rb"const VERSION=(.*);\n", body)
    return json.loads(told[1])


async def test_a_version_that_is_kept_is_every_file_of_the_page_by_its_digest(server):
    async with aiohttp.ClientSession() as session:
        version = await kept(session, server)
        assert len(version["files"]) > 10
        for path, digest in version["files"].items():
            status, headers, body = await fetched(session, server.url + path)
            assert status == 200, path
            assert digest == f"sha256-{base64.b64encode(hashlib.sha256(body).digest()).decode()}", path
            assert headers["cache-control"] == ("no-cache" if path == "/" else "public, max-age=31536000, immutable")
        _, _, document = await fetched(session, f"{server.url}/lobby")
        assert f'<meta name="page-version" content="{version["name"]}">' in document.decode()
        named = set(re.findall(r"/page/[\w.-]+", document.decode()))
        assert named <= set(version["files"])


async def test_the_page_can_be_installed(server):
    async with aiohttp.ClientSession() as session:
        _, _, document = await fetched(session, f"{server.url}/")
        address = re.search(r'rel="manifest" href="([^"]+)"', document.decode())[1]
        _, headers, body = await fetched(session, server.url + address)
        assert headers["content-type"].startswith("application/manifest+json")
        manifest = json.loads(body)
        assert [manifest[field] for field in ("id", "scope", "start_url", "display")] == ["/", "/", "/", "standalone"]
        sizes = set()
        for icon in manifest["icons"]:
            _, headers, picture = await fetched(session, server.url + icon["src"])
            assert headers["content-type"] == icon["type"]
            if icon["type"] == "image/png":
                wide, high = (int.from_bytes(picture[at : at + 4], "big") for at in (16, 20))
                assert icon["sizes"] == f"{wide}x{high}"
                sizes.add((wide, icon.get("purpose", "any")))
        assert sizes == {(192, "any"), (512, "any"), (512, "maskable")}


async def test_a_server_can_have_browsers_forget_the_page(local_server):
    server = local_server(offline=False)
    async with aiohttp.ClientSession() as session:
        _, headers, body = await fetched(session, f"{server.url}/service-worker.js")
    assert (headers["cache-control"], "unregister" in body.decode(), "VERSION" in body.decode()) == ("no-cache", True, False)
