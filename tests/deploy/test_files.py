"""The other files of the deploy folder: units, compose file, settings, what Prometheus asks and Grafana shows. Where the real programs are here, they judge."""

import json
import logging
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from hanpan.server.logs import JsonLines
from hanpan.server.metrics import Holdings, Metrics
from hanpan.server.people.mail import Mail
from hanpan.server.settings import PREFIX, Settings, read_settings

ROOT = Path(__file__).parents[2]
SHIPPED = ROOT / "deploy"
COMPOSE = yaml.safe_load((SHIPPED / "compose.yaml").read_text("utf-8"))
ALERTS = [rule for group in yaml.safe_load((SHIPPED / "alerts.yml").read_text("utf-8"))["groups"] for rule in group["rules"]]
BOARD = json.loads((SHIPPED / "grafana.json").read_text("utf-8"))


def measured():
    """The names of all metrics, as a server tells them."""
    metrics = Metrics()
    metrics.watch(lambda: Holdings({"/room": 1}, 1, 1, {"kulami": 1}, 0, 1))
    metrics.action.observe(0.01)
    metrics.commit.observe(0.01)
    return {sample.name for family in text_string_to_metric_families(metrics.text().decode()) for sample in family.samples} | {"up"}


def named(expression):
    """The metrics that an expression of Prometheus names."""
    plain = re.sub(r"\{[^}]*\}|\[[^\]]*\]|\b(by|without|offset)\s*(\([^)]*\)|\w+)", " ", expression)
    return {word for word in re.findall(r"\b[a-z]\w*\b(?!\s*\()", plain) if word not in ("and", "or", "unless")}


def test_what_the_alerts_and_the_dashboard_ask_for_is_measured():
    asked = [rule["expr"] for rule in ALERTS] + [target["expr"] for panel in BOARD["panels"] for target in panel["targets"]]
    asked += [note["expr"] for note in BOARD["annotations"]["list"]]
    assert all(named(expression) for expression in asked)
    assert {name for expression in asked for name in named(expression)} - measured() == set()
    own = {name for name in measured() if name.startswith("hanpan_") and not name.endswith(("_created", "_sum"))}
    assert own - {name for expression in asked for name in named(expression)} == set()  # nothing is measured that nobody looks at


def test_a_metric_that_nobody_measures_would_be_noticed():
    assert named('sum by (le) (rate(hanpan_nothing_bucket{job="hanpan"}[5m])) > 0.5 * sum(up offset 10m)') == {"hanpan_nothing_bucket", "up"}


def test_every_alert_is_explained():
    explained = re.findall(r"^\| `(\w+)`", (ROOT / "docs" / "operate.md").read_text("utf-8"), re.M)
    assert sorted(explained) == sorted(rule["alert"] for rule in ALERTS)
    for panel in BOARD["panels"]:
        for name in re.findall(r"^(\w+) (?:at|when)", panel.get("description", "")):
            assert name in explained


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not installed: the alerts are not checked by Prometheus itself")
def test_prometheus_accepts_its_files(tmp_path):
    for name in ("prometheus.yml", "alerts.yml", "targets.yml"):
        shutil.copy(SHIPPED / name, tmp_path)
    (tmp_path / "metrics-token").write_text("secret")
    checked = subprocess.run(["promtool", "check", "config", "prometheus.yml"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_example_settings_are_settings(tmp_path):
    settings = read_settings(SHIPPED / "settings.toml", {})
    assert settings.cookie.startswith("__Host-")
    assert set(tomllib.loads((SHIPPED / "settings.toml").read_text("utf-8"))) <= set(Settings.model_fields)
    assert not any("secret" in name or "token" in name or name in ("smtp", "database") for name in settings.model_fields_set)


def test_the_compose_file_names_settings_files_and_networks_that_are_there():
    servers = {name: service for name, service in COMPOSE["services"].items() if service.get("image") == "hanpan"}
    assert len(servers) > 1
    lists = [(SHIPPED / "compose" / name).read_text("utf-8") for name in ("nginx-servers.conf", "targets.yml")]
    given = set(re.findall(r"^(\w+)=", (SHIPPED / "compose" / "example.env").read_text("utf-8"), re.M))
    for name, service in servers.items():
        assert all(f"{name}:8000" in listed for listed in lists)
        assert {variable.removeprefix(PREFIX).lower() for variable in service["environment"]} <= set(Settings.model_fields)
        assert service["environment"]["HANPAN_PROXIES"] == COMPOSE["services"]["nginx"]["networks"]["front"]["ipv4_address"]
        assert (SHIPPED / service["build"]["context"] / service["build"]["dockerfile"]).is_file()
    assert set(re.findall(r"\$\{(\w+):\?", (SHIPPED / "compose.yaml").read_text("utf-8"))) == given
    ours = {".env", "tls", "acme", "metrics-token"}  # whoever runs it brings these
    for service in COMPOSE["services"].values():
        assert set(service["networks"]) <= set(COMPOSE["networks"])
        for volume in service.get("volumes", ()):
            source = volume.split(":")[0]
            assert source in COMPOSE["volumes"] or source.removeprefix("./") in ours or (SHIPPED / source).is_file(), source
    for name in ("postgres", "redis"):
        assert COMPOSE["services"][name]["networks"] == ["back"]
        assert "ports" not in COMPOSE["services"][name]
    assert COMPOSE["networks"]["back"]["internal"]


def test_servers_in_containers_share_what_they_keep_and_lose_it_with_none():
    recipe = (SHIPPED / "Dockerfile").read_text("utf-8")
    image = dict(re.findall(r"(HANPAN_\w+)=(/\S+)", recipe))
    servers = [service for service in COMPOSE["services"].values() if service.get("image") == "hanpan"]
    for folder in (image["HANPAN_DATA"], image["HANPAN_CACHE"]):
        assert re.search(rf"install --directory --owner hanpan .*{folder}\b", recipe)  # a new volume is as the image's folder
        kept = {volume.split(":")[0] for service in servers for volume in service["volumes"] if volume.split(":")[1] == folder}
        assert len(kept) == 1
        assert kept <= set(COMPOSE["volumes"])
        assert not any(mount.split(":")[0] == folder for service in servers for mount in service["tmpfs"])


def test_what_a_host_brings_along_is_kept_out_of_git():
    for name in (".env", "tls/privkey.pem", "metrics-token"):
        assert subprocess.run(["git", "check-ignore", "--quiet", f"deploy/{name}"], cwd=ROOT, check=False).returncode == 0, name


def test_the_command_runs_with_what_the_server_has(tmp_path):
    script = (SHIPPED / "hanpan").read_text("utf-8")
    unit = (SHIPPED / "systemd" / "hanpan@.service").read_text("utf-8")
    assert re.search(r"^export (.*)", script, re.M).group(1) == re.search(r"^Environment=(.*)", unit, re.M).group(1)
    for shared in ("User=hanpan", "Group=hanpan", "UMask=0077", "EnvironmentFile=-/etc/hanpan/secrets.env", "ExecStart=/opt/hanpan/bin/hanpan serve"):
        assert shared in unit
    database = "postgresql+asyncpg://hanpan:a$HOME&b;c d@127.0.0.1/hanpan"
    (tmp_path / "secrets.env").write_text(f'# ours\nHANPAN_DATABASE={database}\nHANPAN_SMTP=\'smtp://a"b\'\nHANPAN_REDIS="redis://127.0.0.1/0"')
    (tmp_path / "command").write_text('#!/bin/sh\nprintf "%s\\n" "$HANPAN_DATA" "$HANPAN_DATABASE" "$HANPAN_REDIS" "$HANPAN_SMTP" "$@"\n')
    (tmp_path / "command").chmod(0o700)
    exchanged = {
        "/etc/hanpan/secrets.env": f"{tmp_path}/secrets.env",
        "setpriv --reuid=hanpan --regid=hanpan --clear-groups /opt/hanpan/bin/hanpan": f"{tmp_path}/command",
    }
    for old, new in exchanged.items():
        assert old in script
        script = script.replace(old, new)
    done = subprocess.run(["sh", "-c", script, "hanpan", "backup", "a file"], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["/var/lib/hanpan", database, "redis://127.0.0.1/0", 'smtp://a"b', "backup", "a file"]


def test_the_docs_name_files_that_are_there():
    text = (ROOT / "docs" / "operate.md").read_text("utf-8")
    named = set(re.findall(r"\bdeploy/([\w@.*/-]*\w)", text))
    assert {"hanpan", "nginx.conf", "nginx-servers.conf", "postgresql-backup.conf"} <= named
    assert [name for name in named if not (SHIPPED / name).exists()] == []


@pytest.mark.parametrize("lines", [logging.Formatter("%(asctime)s %(message)s"), JsonLines()])
async def test_the_link_for_someone_who_has_forgotten_their_password_is_found_in_the_log(caplog, lines):
    found = re.search(r"`journalctl -o cat -u 'hanpan@\*' \\\| (grep .*?)`", (ROOT / "docs" / "operate.md").read_text("utf-8")).group(1)
    link, mail = "https://games.example.org/login/password?ticket=a-_9&language=en", Mail(Settings())
    mail.send("ann@example.org", "Hanpan: a new password", f"Choose it here:\n\n{link}\n\nNot you?")
    await mail.close()
    log = "".join(f"{lines.format(record)}\n" for record in caplog.records)
    assert subprocess.run(["sh", "-c", found], input=log, capture_output=True, text=True, check=True).stdout == f"{link}\n"


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed: the units are not checked by it")
class TestUnits:
    @pytest.fixture
    def units(self, tmp_path):
        for shipped in (SHIPPED / "systemd").iterdir():
            text = shipped.read_text("utf-8").replace("/opt/hanpan/bin/hanpan", sys.executable)
            (tmp_path / shipped.name.replace("@", "@8001")).write_text(text.replace("User=hanpan", "User=daemon").replace("Group=hanpan", "Group=daemon"))
        return sorted(tmp_path.iterdir())

    def test_systemd_accepts_a_backup_of_postgresql(self, units, tmp_path):
        beside = tmp_path / "hanpan-backup.service.d"
        beside.mkdir()
        (beside / "postgresql.conf").write_text((SHIPPED / "postgresql-backup.conf").read_text("utf-8").replace("=postgres\n", "=daemon\n"))
        self.test_systemd_accepts_them(units)

    def test_systemd_accepts_them(self, units):
        checked = subprocess.run(["systemd-analyze", "verify", "--man=no", *units], capture_output=True, text=True, check=False)
        ours = [line for line in checked.stderr.splitlines() if "hanpan" in line]  # not what it says of the units of this machine
        assert ours == []

    def test_a_server_may_do_little_beside_its_work(self, units):
        server = next(unit for unit in units if "8001" in unit.name)
        weighed = ["systemd-analyze", "security", "--no-pager", "--offline=true", "--threshold=25", server]
        checked = subprocess.run(weighed, capture_output=True, text=True, check=False)
        assert checked.returncode == 0, checked.stdout + checked.stderr
