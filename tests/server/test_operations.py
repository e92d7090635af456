"""Operations: health, metrics, logs, a graceful stop, finished games in bulk, operators by command."""

import asyncio
import json
import logging
import os
import signal
import socket
from itertools import islice

import aiohttp
import pyarrow.parquet as parquet
import pytest
from clients import Guest, guests, play_on, sit_down
from prometheus_client.parser import text_string_to_metric_families
from serving import PATIENT, free_port
from typer.testing import CliRunner

from hanpan.cli import app
from hanpan.record import GameRecord
from hanpan.replay import check_file
from hanpan.server.logs import JsonLines
from hanpan.server.storage.models import StorageError


async def command(*words):
    """What a command of `hanpan` does while the server runs."""
    return await asyncio.to_thread(CliRunner().invoke, app, list(words))


async def ask(url, headers=None):
    async with aiohttp.ClientSession() as session, session.get(url, headers=headers) as answer:
        return answer.status, await answer.text()


async def test_metrics_tell_what_goes_on(local_server):
    server, token = local_server(metrics_token="let me see"), {"Authorization": "Bearer let me see"}
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "tictactoe")
        await play_on(rooms, plies=3)
        status, text = await ask(f"{server.url}/metrics", token)
        assert status == 200
        found = {(sample.name, *sample.labels.values()): sample.value for family in text_string_to_metric_families(text) for sample in family.samples}
        assert found["hanpan_connections", "/room"] == 2
        assert found["hanpan_rooms",] == 1
        assert found["hanpan_games", "tictactoe"] == 1
        assert found["hanpan_action_seconds_count",] == 3
        assert found["hanpan_commit_seconds_count",] >= 3
        assert found["hanpan_bot_queue",] == 0
        assert (await ask(f"{server.url}/healthz"))[0] == 200
        assert (await ask(f"{server.url}/readyz"))[0] == 200
        assert (await ask(f"{server.url}/metrics"))[0] == 401


async def test_metrics_may_need_a_token(local_server):
    server = local_server(metrics_token="let me see")
    assert (await ask(f"{server.url}/metrics"))[0] == 401
    assert (await ask(f"{server.url}/metrics", {"Authorization": "Bearer let me look"}))[0] == 401
    assert (await ask(f"{server.url}/metrics", {"Authorization": "Bearer let me see", "X-Forwarded-For": "203.0.113.1"}))[0] == 200


async def test_metrics_name_nobody(local_server):
    server = local_server(metrics_token="let me see")
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "tictactoe")
        await play_on(rooms, plies=3)
        _, text = await ask(f"{server.url}/metrics", {"Authorization": "Bearer let me see"})
        known = [*(person.id for person in people), *(person.person["name"] for person in people), *server.services.registry.rooms, "127.0.0.1"]
    assert [word for word in known if word in text] == []
    labels = {label for family in text_string_to_metric_families(text) for sample in family.samples for label in sample.labels}
    assert labels == {"namespace", "game", "le"}


async def test_not_ready_while_stopping_and_requests_are_refused(local_server):
    server = local_server()
    async with Guest(server.url) as me:
        lobby = await me.enter_lobby()
        await server.do(server.services.shutdown.begin)
        assert (await lobby.hears("come back"))["after_ms"] > 0
        assert (await ask(f"{server.url}/readyz"))[0] == 503
        assert (await ask(f"{server.url}/healthz"))[0] == 200
        with pytest.raises(Exception, match="closing"):
            await lobby.call("send msg", msg="too late")


@pytest.mark.slow
async def test_a_graceful_stop_keeps_what_was_acknowledged_and_clients_come_back(own_server):
    server = own_server(log_format="json")
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "tictactoe")
        await play_on(rooms, plies=4)
        played = rooms[0].board["position"]
        server.process.send_signal(signal.SIGTERM)
        for room in rooms:
            await room.hears("come back")
        assert await asyncio.to_thread(server.process.wait, PATIENT) in (0, -signal.SIGTERM)
        await asyncio.to_thread(server.start)
        for room in rooms:
            await room.until(lambda room=room: room.connected and room.board.get("ply") == 4)
        assert rooms[0].board["position"] == played
        await play_on(rooms)
    lines = [json.loads(line) for line in server.log.read_text().splitlines()]
    assert [line["text"] for line in lines if line["logger"] == "hanpan.server"] == ["open", "closed", "open"]


async def test_where_nothing_can_be_written_the_log_says_why_and_the_server_is_not_ready(local_server, caplog):
    server = local_server()
    writer = server.services.store._writer
    transact = writer._transactions.transact

    async def full(work):
        def fill(db):
            db.exec_driver_sql("PRAGMA max_page_count=1")  # no more than there are
            db.exec_driver_sql("CREATE TABLE much (text)")
            db.exec_driver_sql("INSERT INTO much VALUES (zeroblob(1000000))")

        await transact(fill)

    async with aiohttp.ClientSession() as someone:
        writer._transactions.transact = full
        async with someone.post(f"{server.url}/api/guest", headers={"Accept-Language": "ko"}) as answer:
            assert (answer.status, (await answer.json())["code"]) == (500, "our-fault")
        assert (await ask(f"{server.url}/readyz"))[0] == 503
        assert "POST /api/guest: StorageError (SQLITE_FULL)\n" in caplog.text
        assert "much" not in caplog.text, "what a fault says is nobody's business"
        writer._transactions.transact = transact
        assert (await ask(f"{server.url}/readyz"))[0] == 200, "there is room again, and nobody need have come for it to be noticed"
        async with someone.post(f"{server.url}/api/guest") as answer:
            assert answer.status == 200


async def test_an_embedded_database_has_one_server_at_a_time(own_server):
    server = own_server()
    second = await command("serve", "--data", str(server.data), "--port", str(free_port()))
    assert isinstance(second.exception, StorageError)
    assert f"another server uses {server.data} already" in str(second.exception)
    assert (await command("backup", str(server.data / "copy"), "--data", str(server.data))).exit_code == 0, "commands work beside it"
    await asyncio.to_thread(server.kill)
    await asyncio.to_thread(server.start)  # at once


def test_json_log_lines_have_fields_and_quote_no_fault():
    record = logging.makeLogRecord({"name": "hanpan.x", "levelno": 20, "levelname": "INFO", "msg": "%s sat down", "args": ("Ann",), "room": "abc"})
    try:
        raise ValueError("the hand is 1234")
    except ValueError as wrong:
        record.exc_info = (type(wrong), wrong, None)
    line = json.loads(JsonLines().format(record))
    assert (line["text"], line["level"], line["room"], line["fault"]) == ("Ann sat down", "info", "abc", "ValueError")
    assert "1234" not in str(line)


@pytest.mark.parametrize("abstract", [False, True])
def test_systemd_is_told_when_people_can_come_in_and_that_it_lives_wherever_the_server_listens(own_server, tmp_path, monkeypatch, abstract):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        name = f"hanpan-{os.getpid()}-{tmp_path.name}" if abstract else str(tmp_path / "notify")
        systemd.bind(f"\0{name}" if abstract else name)
        systemd.settimeout(PATIENT)
        monkeypatch.setenv("NOTIFY_SOCKET", f"@{name}" if abstract else name)
        own_server(host="127.0.0.2")
        assert [systemd.recv(100) for _ in range(3)] == [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1"]


def test_a_server_that_hangs_tells_systemd_no_more_that_it_lives(own_server, tmp_path, monkeypatch):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        server = own_server()
        server.process.send_signal(signal.SIGSTOP)
        systemd.settimeout(3)
        with pytest.raises(TimeoutError):
            list(islice(iter(lambda: systemd.recv(100), b""), 60))  # what it had said before
        server.process.send_signal(signal.SIGCONT)
        systemd.settimeout(PATIENT)
        assert systemd.recv(100) == b"WATCHDOG=1"


async def test_finished_games_are_written_in_bulk(local_server, tmp_path):
    server = local_server()
    async with guests(server.url, 2) as people:
        rooms = await sit_down(people, "tictactoe")
        for number in range(3):
            await play_on(rooms)
            over = rooms[0].board["game_id"]
            if number < 2:
                for room in rooms:
                    await room.call("rematch")
                for room in rooms:
                    await room.until(lambda room=room, over=over: room.board["game_id"] != over)
        names = {person.person["name"] for person in people}
    data = str(server.app.other_asgi_app.state.settings.data)
    kinds = {}
    for kind in ("jsonl", "parquet"):
        told = await command("archive", str(tmp_path / f"games.{kind}"), "--data", data)
        assert told.exit_code == 0, told.output
        assert "3 games" in told.output
        kinds[kind] = tmp_path / f"games.{kind}"
    lines = [json.loads(line) for line in kinds["jsonl"].read_text().splitlines()]
    assert [line["ended_at"] for line in lines] == sorted(line["ended_at"] for line in lines)
    assert lines[-1]["id"] == over
    for line in lines:
        last = GameRecord.from_json(json.dumps(line["record"])).final()
        assert last.over
        assert line["result"]["winner"] == last.winner
        assert len(line["times"]) == len(line["record"]["actions"])
        assert [seat["kind"] for seat in line["seats"]] == ["guest", "guest"]
        assert not any(name in str(line) for name in names)
    rows = parquet.read_table(kinds["parquet"]).to_pylist()
    assert [(row["id"], row["actions"], row["winner"]) for row in rows] == [(line["id"], line["record"]["actions"], line["result"]["winner"]) for line in lines]
    assert check_file(kinds["jsonl"]) == (3, None)
    again = await command("archive", str(kinds["jsonl"]), "--data", data)
    assert isinstance(again.exception, ValueError)
    named = await command("archive", str(tmp_path / "named.jsonl"), "--names", "--data", data)
    assert named.exit_code == 0
    assert all(name in (tmp_path / "named.jsonl").read_text() for name in names)


async def test_the_first_operator_is_made_by_command_while_the_server_runs(local_server):
    server = local_server()
    data = str(server.app.other_asgi_app.state.settings.data)
    async with Guest(server.url) as me:
        with pytest.raises(Exception, match="403"):
            await me.http("GET", "/api/operator/log")
        told = await command("operator", me.id, "--data", data)
        assert told.exit_code == 0, told.output
        assert "need two-factor login" in told.output
        with pytest.raises(Exception, match="two-factor"):
            await me.http("GET", "/api/operator/log")
        await server.do(server.services.store.factors.add_totp, me.id, "sealed", 0, [])
        assert await me.http("GET", "/api/operator/log") == []
        wrong = await command("operator", "nobody", "--data", data)
        assert "no person 'nobody'" in str(wrong.exception)
