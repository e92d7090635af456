"""deploy/nginx.conf, in a real nginx with TLS before real servers: what a browser, a player and a stranger get through it."""

import asyncio
import ipaddress
import json
import re
import socket
import ssl
import subprocess
import threading
import time
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import aiohttp
import pytest
from clients import CheckedLobby, CheckedRoom, Guest, play_on, sit_down
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from kept import Kept
from local import LocalServer
from programs import program
from serving import PATIENT, free_port

from hanpan.server.http.page import FOLDER
from hanpan.server.protocol.refusals import Refused

SHIPPED = Path(__file__).parents[2] / "deploy"


class Front:
    """nginx with the shipped configuration, its ports and folders exchanged, before some servers."""

    def __init__(self, folder):
        self.folder, self.port, self.plain = folder, free_port(), free_port()
        self.url = f"https://127.0.0.1:{self.port}"
        self._certify()
        self.trust = ssl.create_default_context(cafile=folder / "fullchain.pem")

    def _certify(self):
        key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
        here, now = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), datetime.now(UTC)
        begun = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(x509.random_serial_number())
        signed = begun.not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1)).add_extension(here, critical=False)
        (self.folder / "fullchain.pem").write_bytes(signed.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
        (self.folder / "privkey.pem").write_bytes(
            key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        )

    def write(self, *servers):
        """The configuration for these servers."""
        folder, shipped = self.folder, (SHIPPED / "nginx.conf").read_text("utf-8")
        temporary = "".join(f"    {kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        exchanged = {
            "user www-data;": "user root;",  # the temporary folder is open to its owner alone
            "worker_processes auto;": "worker_processes 1;",
            "/run/nginx.pid": f"{folder}/pid",
            "/var/log/nginx": f"{folder}",
            "http {\n": f"http {{\n{temporary}",
            "/var/cache/hanpan-page": f"{folder}/page",
            "/etc/hanpan/tls": f"{folder}",
            "listen 80 ": f"listen 127.0.0.1:{self.plain} ",
            "        listen [::]:80 default_server;\n": "",
            "listen 443 ": f"listen 127.0.0.1:{self.port} ",
            "        listen [::]:443 ssl http2 default_server;\n": "",
            "games.example.org": f"127.0.0.1:{self.port}",
        }
        for old, new in exchanged.items():
            assert old in shipped, old
            shipped = shipped.replace(old, new)
        (folder / "nginx.conf").write_text(shipped.replace(f"server_name 127.0.0.1:{self.port}", "server_name 127.0.0.1"), "utf-8")
        lines = [f"server 127.0.0.1:{server.port} max_fails=0;\n" for server in servers]
        assert lines[0].replace(str(servers[0].port), "8001") in (SHIPPED / "nginx-servers.conf").read_text("utf-8")
        (folder / "nginx-servers.conf").write_text("".join(lines), "utf-8")

    def command(self, *words):
        return [program("nginx"), "-p", str(self.folder), "-c", str(self.folder / "nginx.conf"), *words]

    def start(self):
        self._process = Kept(self.command("-e", f"{self.folder}/begin.log", "-g", "daemon off;"), stdin=subprocess.DEVNULL)
        until = time.monotonic() + PATIENT
        while True:
            assert self._process.poll() is None, (self.folder / "begin.log").read_text()
            try:
                socket.create_connection(("127.0.0.1", self.port), 5).close()
                return self
            except OSError:
                assert time.monotonic() < until
                time.sleep(0.05)

    def stop(self):
        self._process.terminate()
        self._process.wait(PATIENT)

    @asynccontextmanager
    async def caller(self, address="127.0.0.1"):
        """Someone at an address of this machine's own; the certificate is checked."""
        connector = aiohttp.TCPConnector(ssl=self.trust, local_addr=(address, 0))
        async with aiohttp.ClientSession(self.url, connector=connector, cookie_jar=aiohttp.DummyCookieJar()) as session:
            yield session


@pytest.fixture
def front(tmp_path):
    """`front(server, …)` starts nginx before servers that it has made: `front.server(…)`, which know their public address."""
    program("nginx")
    made, running = Front(tmp_path), []

    def server(**settings):
        running.append(LocalServer(tmp_path / f"server{len(running)}", url=made.url, **settings).start())
        return running[-1]

    made.server = server
    try:
        yield made
    finally:
        if hasattr(made, "_process"):
            made.stop()
        for one in running:
            one.stop()


def test_nginx_accepts_the_configuration(front):
    front.write(front.server())
    checked = subprocess.run(front.command("-t"), capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
    assert "warn" not in checked.stderr


def test_it_starts_before_there_is_a_certificate_by_what_the_docs_say(front):
    front.write(front.server())
    for name in ("fullchain.pem", "privkey.pem"):
        (front.folder / name).unlink()
    docs = (SHIPPED.parent / "docs" / "operate.md").read_text("utf-8")
    command = re.search(r"^openssl req .*?(?=  #|$)", docs, re.M).group()
    subprocess.run(command.replace("/etc/hanpan/tls", str(front.folder)), shell=True, capture_output=True, check=True)
    checked = subprocess.run(front.command("-t"), capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
    assert (front.folder / "privkey.pem").stat().st_mode & 0o077 == 0


async def test_the_page_comes_over_tls_and_its_files_are_kept(front):
    server = front.server()
    front.write(server)
    front.start()
    with socket.create_connection(("127.0.0.1", front.port)) as line:
        context = ssl.create_default_context(cafile=front.folder / "fullchain.pem")
        context.set_alpn_protocols(["h2", "http/1.1"])
        with context.wrap_socket(line, server_hostname="127.0.0.1") as secured:
            assert secured.selected_alpn_protocol() == "h2"
    async with front.caller() as me:
        async with me.get("/lobby") as answer:
            page = await answer.text()
            assert answer.status == 200
            assert answer.headers["Strict-Transport-Security"]
        script = re.search(r'src="(/page/[^"]+\.js)"', page)[1]
        async with me.get(script) as answer:
            assert await answer.read() == (FOLDER / Path(script).name).read_bytes()
        async with me.get("/metrics") as answer:
            assert answer.status == 404
        async with me.get("/readyz", headers={"Host": "evil.example"}) as answer:
            assert answer.status == 200
        async with me.get("/api/rooms", headers={"Host": "evil.example"}) as answer:
            assert answer.status == 421
        async with me.get(f"http://127.0.0.1:{front.plain}/r/abc?d", allow_redirects=False) as answer:
            assert (answer.status, answer.headers["Location"]) == (308, f"{front.url}/r/abc?d")
        server.stop()
        async with me.get(script) as answer:  # nobody is there to ask
            assert (answer.status, len(await answer.read())) == (200, (FOLDER / Path(script).name).stat().st_size)
        async with me.get("/lobby") as answer:
            assert (answer.status, answer.headers["Retry-After"]) == (503, "2")
            assert "Back in a moment" in await answer.text()


async def test_two_play_through_it_also_while_it_reads_its_configuration_anew(front):
    server = front.server()
    front.write(server)
    front.start()

    class Through:
        def session(self):
            return aiohttp.ClientSession(connector=aiohttp.TCPConnector(ssl=front.trust))

    class Room(Through, CheckedRoom):
        pass

    class Lobby(Through, CheckedLobby):
        pass

    class Someone(Through, Guest):
        room_class, lobby_class = Room, Lobby

    async with Someone(front.url) as one, Someone(front.url) as other:
        rooms = await sit_down([one, other], "tictactoe")
        await play_on(rooms, plies=3)
        assert all(line.upgraded for line in server.sockets())
        subprocess.run(front.command("-s", "reload"), check=True, capture_output=True)
        await play_on(rooms)


async def test_callers_are_counted_by_their_own_address_whatever_they_claim(front):
    front.write(front.server(unlimited_local=False, guests_per_hour=3))
    front.start()

    async def guest(session, **claims):
        async with session.post("/api/guest", headers={name.replace("_", "-"): value for name, value in claims.items()}) as answer:
            return answer.status, answer.cookies

    async with front.caller("127.0.0.2") as me, front.caller("127.0.0.3") as other:
        told = [(await guest(me, X_Forwarded_For=f"203.0.113.{n}", X_Real_IP=f"203.0.113.{n}", Forwarded=f"for=203.0.113.{n}"))[0] for n in range(12)]
        assert (told[0], told[-1]) == (200, 429)
        assert told == sorted(told)  # once refused, always refused
        status, cookies = await guest(other)
        assert status == 200
        assert cookies["__Host-hanpan"]["secure"]


async def test_an_upload_that_is_too_big_is_refused_in_the_servers_own_words(front):
    front.write(front.server())
    front.start()
    async with front.caller() as me:
        for size, path in ((5_000_000, "/api/records"), (100_000, "/api/guest")):  # the first by nginx, the second by the server
            async with me.post(path, data=b"x" * size) as answer:
                assert answer.status == 413
                assert await answer.json() == Refused("too-big").body()


async def test_a_process_that_is_gone_is_not_noticed(front):
    gone, here = front.server(), front.server()
    front.write(gone, here)
    front.start()
    await asyncio.to_thread(gone.stop)
    async with front.caller() as me:
        for _ in range(8):
            async with me.get("/api/games") as answer:
                assert answer.status == 200


async def test_when_one_process_after_the_other_is_restarted_everyone_in_rooms_comes_back_at_once(front):
    one, other = front.server(), front.server()
    front.write(one, other)
    front.start()
    async with front.caller() as me:

        async def come(room):
            socket = await me.ws_connect("/socket.io/", params={"EIO": "4", "transport": "websocket", "room": room})
            assert (await socket.receive_str()).startswith("0")
            return socket

        open_ones = []
        for stopped in (one, other):
            stopped.stop()
            open_ones += [await come(f"room{number}") for number in range(8)]  # none of them ends, as people stay at a table
            front.server(port=stopped.port)
        for open_one in open_ones:
            await open_one.close()


async def test_the_people_of_a_room_reach_one_process(front):
    one, other = servers = front.server(), front.server()
    front.write(*servers)
    front.start()

    async def reached(me, room):
        """The server at which a socket arrives."""
        async with me.ws_connect(f"/socket.io/?EIO=4&transport=websocket&room={room}") as line:
            sid = (await line.receive_json(loads=lambda text: json.loads(text[1:])))["sid"]
            return next(server for server in servers if sid in [socket.sid for socket in server.sockets()])

    async with front.caller() as me, front.caller("127.0.0.2") as too:
        rooms = {f"room{number}": await reached(me, f"room{number}") for number in range(64)}
        assert set(rooms.values()) == {one, other}
        assert {room: await reached(too, room) for room in rooms} == rooms
        assert {await reached(me, "") for _ in range(4)} == {one, other}  # whoever goes to none comes to one after the other
        await asyncio.to_thread(one.stop)
        assert {await reached(me, room) for room in rooms} == {other}


class Older(BaseHTTPRequestHandler):
    """A process of another version, which has none of the files that the page has now."""

    asked = []

    def do_GET(self):
        self.asked.append(self.path)
        self.send_error(404)

    def log_message(self, *_):
        pass


async def test_during_an_upgrade_each_file_of_the_page_is_found_where_it_is(front):
    with ThreadingHTTPServer(("127.0.0.1", 0), Older) as older:
        older.port = older.server_address[1]
        threading.Thread(target=older.serve_forever, daemon=True).start()
        front.write(front.server(), older)
        front.start()
        async with front.caller() as me:
            for name in sorted(file.name for file in FOLDER.glob("*-*")):
                async with me.get(f"/page/{name}") as answer:
                    assert answer.status == 200, name
            async with me.get("/page/nobody-has-it.js") as answer:
                assert answer.status == 404
        older.shutdown()
    assert any("-" in path for path in Older.asked)  # it was asked, and the other one after it
