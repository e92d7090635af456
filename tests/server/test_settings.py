"""Settings: from the environment, a file or the command line; explained; wrong ones named; secrets never shown."""

import pytest
from rich.console import Console
from typer.testing import CliRunner

from hanpan.cli import app, hosting
from hanpan.server.settings import PREFIX, Settings, read_settings, unknown_variables

SECRET = "a secret that nobody may ever see printed"


def test_the_command_line_comes_before_the_environment_and_that_before_the_file(tmp_path):
    file = tmp_path / "hanpan.toml"
    file.write_text('port = 1111\nthinkers = 3\nfilter_words = ["ugh", "bah"]\npatience = 5')
    environment = {"HANPAN_PORT": "2222", "HANPAN_THINKERS": "4", "HANPAN_SETTINGS": str(file), "HANPAN_ORIGINS": "https://a.example, https://b.example"}
    found = read_settings(environment=environment, port=3333)
    assert (found.port, found.thinkers, found.patience) == (3333, 4, 5)
    assert found.filter_words == ("ugh", "bah")
    assert found.origins == ("https://a.example", "https://b.example")


def test_a_data_folder_named_by_hand_is_where_the_database_is_whatever_else_is_set(tmp_path):
    file = tmp_path / "hanpan.toml"
    file.write_text('database = "sqlite:///in-the-file.db"')
    for environment in ({"HANPAN_DATABASE": "sqlite:///live.db", "HANPAN_DATA": "live"}, {"HANPAN_SETTINGS": str(file)}):
        assert read_settings(environment=environment, data=tmp_path).database_url == f"sqlite+aiosqlite:///{tmp_path}/hanpan.db"
        assert read_settings(environment=environment, data=tmp_path, database="sqlite:///x.db").database_url == "sqlite:///x.db"
        assert read_settings(environment=environment).database is not None


@pytest.mark.parametrize(
    ("environment", "named"),
    [
        ({"HANPAN_PORT": "many"}, "HANPAN_PORT: "),
        ({"HANPAN_PORT": "70000"}, "HANPAN_PORT: .*65535"),
        ({"HANPAN_URL": "games.example.org"}, "HANPAN_URL: an address begins"),
        ({"HANPAN_URL": "https://"}, "HANPAN_URL: an address begins"),
        ({"HANPAN_URL": "https://games.example.org:many"}, "HANPAN_URL: an address begins"),
        ({"HANPAN_TOKEN_SITE": "https:///login"}, "HANPAN_TOKEN_SITE: an address begins"),
        ({"HANPAN_URL": "https://example.org/club"}, "HANPAN_URL: .*without a path"),
        ({"HANPAN_URL": "https://example.org?club"}, "HANPAN_URL: .*without a path"),
        ({"HANPAN_ORIGINS": "nonsense"}, "HANPAN_ORIGINS: .*https://example.org"),
        ({"HANPAN_ORIGINS": "https://a.example, b.example"}, "HANPAN_ORIGINS: .*https://example.org"),
        ({"HANPAN_ORIGINS": "https://a.example/page"}, "HANPAN_ORIGINS: .*https://example.org"),
        ({"HANPAN_PROXIES": "nonsense"}, "HANPAN_PROXIES: .*10.0.0.0/8"),
        ({"HANPAN_PROXIES": "127.0.0.1, 10.0.0.1/8"}, "HANPAN_PROXIES: .*10.0.0.0/8"),
        ({"HANPAN_SMTP": "mail.example.org"}, "HANPAN_SMTP: .*smtp://"),
        ({"HANPAN_SMTP": "ftp://mail.example.org"}, "HANPAN_SMTP: .*smtp://"),
        ({"HANPAN_SMTP": "smtp://"}, "HANPAN_SMTP: .*smtp://"),
        ({"HANPAN_SMTP": "smtp://me:short/@mail.example.org"}, "HANPAN_SMTP: .*smtp://"),
        ({"HANPAN_SMTP": "smtp://me:25/short@mail.example.org"}, "HANPAN_SMTP: .*smtp://"),
        ({"HANPAN_PROXIES": "*, 127.0.0.1"}, "HANPAN_PROXIES: .*10.0.0.0/8"),
        ({"HANPAN_MAIL_FROM": "nonsense"}, "HANPAN_MAIL_FROM: .*games@example.org"),
        ({"HANPAN_MAIL_FROM": "Games <games>"}, "HANPAN_MAIL_FROM: .*games@example.org"),
        ({"HANPAN_TOKEN_SECRET": "short"}, "HANPAN_TOKEN_SECRET: at least 32"),
        ({"HANPAN_GOOGLE_CLIENT_ID": "abc"}, "google_client_secret: needed"),
        ({"HANPAN_LOG_FORMAT": "poem"}, "HANPAN_LOG_FORMAT: "),
    ],
)
def test_a_wrong_value_is_named(environment, named):
    with pytest.raises(ValueError, match=named) as refused:
        read_settings(environment=environment)
    assert "short" not in str(refused.value)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("url", ["https://games.example.org", "https://games.example.org/", "http://localhost:8000", "http://[::1]:8000"]),
        ("token_site", ["https://example.org/login?to=games"]),
        ("origins", ["https://a.example", "https://a.example/, http://b.example:8080"]),
        ("proxies", ["127.0.0.1", "192.0.2.1, 2001:db8::1", "10.0.0.0/8,2001:db8::/32", "*"]),
        ("smtp", ["smtp://mail", "smtps://me:p%40ss@mail.example.org", "smtp+starttls://user:password@mail.example.org:587"]),
        ("mail_from", ["games@example.org", "Games <games@example.org>", "한판 <hanpan@localhost>", '"Games, all of them" <games@example.org>']),
    ],
)
def test_a_right_value_is_taken(name, values):
    for value in values:
        assert read_settings(environment={PREFIX + name.upper(): value})
    assert read_settings(environment={"HANPAN_ORIGINS": "https://a.example/"}).origins == ("https://a.example",)  # as browsers write it


@pytest.mark.parametrize(("text", "named"), [("prot = 1", "no setting 'prot'"), ("port = ", "not a TOML file"), ("port = 'x'", "port in ")])
def test_a_wrong_file_is_named(tmp_path, text, named):
    file = tmp_path / "wrong.toml"
    file.write_text(text)
    with pytest.raises(ValueError, match=named) as refused:
        read_settings(file, environment={})
    assert "wrong.toml" in str(refused.value)


def test_every_setting_is_explained_and_no_secret_is_shown():
    secrets = {name for name, field in Settings.model_fields.items() if "SecretStr" in str(field.annotation)}
    assert {"smtp", "token_secret", "google_client_secret", "metrics_token"} <= secrets
    environment = {PREFIX + name.upper(): SECRET for name in secrets} | {f"HANPAN_{p}_CLIENT_ID": "id" for p in ("GOOGLE", "X", "FACEBOOK", "YAHOOJP")}
    environment["HANPAN_SMTP"] = f"smtp://me:{SECRET}@mail.example.org"
    environment["HANPAN_DATABASE"] = "postgresql://me:hunter2@host/games"
    told = CliRunner().invoke(app, ["settings"], env={**environment, "COLUMNS": "300"})
    assert told.exit_code == 0, told.output
    assert SECRET not in told.output
    assert "hunter2" not in told.output
    for name, field in Settings.model_fields.items():
        assert PREFIX + name.upper() in told.output
        assert field.description
    assert SECRET not in repr(read_settings(environment=environment))


def test_each_value_says_what_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(hosting, "marked", Console(width=1000))  # one line each, however long a path is
    file = tmp_path / "hanpan.toml"
    file.write_text("patience = 5\nthinkers = 2\n")
    environment = {"HANPAN_PORT": "8123", "HANPAN_THINKERS": "3", "HANPAN_METRICS_TOKEN": SECRET}
    told = CliRunner().invoke(app, ["settings", "--settings", str(file)], env=environment)
    lines = {line.split()[0]: " ".join(line.split()) for line in told.output.splitlines() if line.startswith(PREFIX)}
    assert "HANPAN_PORT 8123 (environment) The port" in lines["HANPAN_PORT"]
    assert "HANPAN_THINKERS 3 (environment) Computer" in lines["HANPAN_THINKERS"]
    assert "HANPAN_METRICS_TOKEN (set) (environment) Who" in lines["HANPAN_METRICS_TOKEN"]
    assert f"HANPAN_PATIENCE 5.0 (patience in {file}) Seconds" in lines["HANPAN_PATIENCE"]
    assert "HANPAN_CLAIM_SECONDS 300.0 Seconds" in lines["HANPAN_CLAIM_SECONDS"]


def test_a_variable_that_is_no_setting_is_named_and_stops_nothing():
    others = {"HANPAN_THINKER": "3", "HANPAN_CACHE": "/tmp", "HANPAN_SETTINGS": "", "OTHER": "1"}
    told = CliRunner().invoke(app, ["settings"], env=others)
    assert told.exit_code == 0
    assert told.output.splitlines()[-1] == "HANPAN_THINKER is set in the environment, and is no setting"
    assert unknown_variables(others) == ["HANPAN_THINKER"]
