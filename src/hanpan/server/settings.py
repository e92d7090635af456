"""How a server is run: every setting and its meaning. Values come from the command line, from HANPAN_… variables or from a TOML file."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from email.utils import parseaddr
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from platformdirs import user_data_path
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator, model_validator

from hanpan.core.reading import quoted

PREFIX = "HANPAN_"
FILE = "HANPAN_SETTINGS"  # names the TOML file
_OTHERS = (FILE, "HANPAN_CACHE", "HANPAN_INTERPRET", "HANPAN_QUIET", "HANPAN_BOT_TOKEN")  # variables that are no settings, but mean something here
# An address in which it is sure where a password may stand: before its only @, or after its ?.
_ADDRESS = re.compile(r"(?P<kind>[\w+]+://)(?P<who>[^@/?#]*@)?(?P<where>(?:[\w.-]*|\[[\da-fA-F:.]+\])(?::\d+)?(?:/[^@?#]*)?)(?:\?[^@#]*)?")
Words = Annotated[tuple[str, ...], Field(default=())]


class Settings(BaseModel):
    """All settings of a server."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    # --- where ---
    data: Path = Field(default_factory=lambda: user_data_path("hanpan"), description="The folder in which the server keeps its data.")
    database: str | None = Field(None, description="An SQLAlchemy address (sqlite:///FILE, postgresql://…), instead of SQLite in the data folder.")
    redis: str | None = Field(None, description="Redis's address (redis://HOST:PORT): many processes on one PostgreSQL are one server then.")
    workers: int = Field(1, ge=1, le=64, description="Processes of this machine; more than one need PostgreSQL and Redis.")
    host: str = Field("127.0.0.1", description="The address to listen on; 0.0.0.0 lets other machines in.")
    port: int = Field(8000, ge=1, le=65535, description="The port to listen on.")
    url: str | None = Field(
        None, description="The public address (https://games.example.org): links in mails and logins lead there; left out, links lead to what others open."
    )
    origins: Words = Field((), description="Other sites whose pages may talk to this server, separated by commas (https://example.org).")
    proxies: str = Field("127.0.0.1", description="Reverse proxies whose X-Forwarded-… headers are believed, separated by commas.")
    offline: bool = Field(True, description="Whether browsers keep the page, to open it without a network; if not, those that have kept it forget it.")

    # --- play ---
    thinkers: int = Field(1, ge=1, le=64, description="Computer players that think at the same time.")
    patience: float = Field(30.0, ge=0, le=3600, description="Seconds until someone who lost the connection counts as gone; before that no seat is free.")
    claim_seconds: float = Field(300.0, ge=0, le=86400, description="Seconds that someone must be away before the others may claim, where no clock runs.")
    abandoned_seconds: float = Field(1800.0, ge=0, le=86400, description="Seconds until a game ends without a result that all its people have left.")
    ready_seconds: float = Field(60.0, gt=0, le=3600, description="Seconds until a game starts although not everyone has said that they are ready.")
    quick_bots: bool = Field(False, description="Computer players answer at once, without a pause like a person's.")

    # --- logins ---
    email_login: bool = Field(True, description="Whether people may log in by e-mail and password.")
    smtp: SecretStr | None = Field(
        None, description="The mail server: smtp://USER:PASSWORD@HOST:PORT, smtps://… (TLS) or smtp+starttls://…; mails go to the log if left out."
    )
    contact: str | None = Field(None, max_length=200, description="Whom people may ask, an address or a name: shown where this server can't help them itself.")
    mail_from: str = Field("Hanpan <hanpan@localhost>", description="Who mails are from.")
    google_client_id: str | None = Field(None, description="Google's client id; with its secret, people may log in with Google.")
    google_client_secret: SecretStr | None = Field(None, description="Google's client secret.")
    google_server: str | None = Field(None, description="Another address to reach Google at, for a trial.")
    x_client_id: str | None = Field(None, description="X's (Twitter's) OAuth 2.0 client id; with its secret, people may log in with X.")
    x_client_secret: SecretStr | None = Field(None, description="X's client secret.")
    x_server: str | None = Field(None, description="Another address to reach X at, for a trial.")
    facebook_client_id: str | None = Field(None, description="Facebook's app id; with its secret, people may log in with Facebook.")
    facebook_client_secret: SecretStr | None = Field(None, description="Facebook's app secret.")
    facebook_server: str | None = Field(None, description="Another address to reach Facebook at, for a trial.")
    yahoojp_client_id: str | None = Field(None, description="Yahoo! JAPAN's client id; with its secret, people may log in with Yahoo! JAPAN.")
    yahoojp_client_secret: SecretStr | None = Field(None, description="Yahoo! JAPAN's client secret.")
    yahoojp_server: str | None = Field(None, description="Another address to reach Yahoo! JAPAN at, for a trial.")
    secret: SecretStr | None = Field(
        None, description="What seals second factors; a file in the data folder if left out. All machines of one server need the same."
    )
    token_secret: SecretStr | None = Field(
        None, description="A secret of at least 32 letters shared with your own site, which signs custom tokens with it (HS256)."
    )
    token_key: str | None = Field(None, description="Your own site's public key (PEM, or a file with it); it signs custom tokens with its private one (RS256).")
    token_audience: str = Field("hanpan", description="The `aud` that custom tokens must have.")
    token_site: str | None = Field(None, description="Where people get a custom token: the page links there.")

    # --- living together ---
    chat: bool = Field(True, description="Whether people may write to each other, in the lobby, in rooms and directly; if not, only operators may.")
    filter: str | None = Field(None, description="MODULE:FUNCTION that is given each text and gives back what is shown; the filter below if left out.")
    chat_days: int = Field(30, ge=0, le=3650, description="Days for which what is said in rooms is kept; 0: it is not kept.")
    address_days: int = Field(30, ge=0, le=3650, description="Days after which the addresses that people came from are made shorter (/24, /48).")
    trace_days: int = Field(365, ge=0, le=36500, description="Days after which it is forgotten where people came from; 0: never.")
    log_days: int = Field(0, ge=0, le=36500, description="Days after which operators' acts, closed reports and bans that are over are forgotten; 0: never.")
    guest_days: int = Field(
        90, ge=0, le=36500, description="Days without coming back after which guests are forgotten who have neither played nor said anything; 0: never."
    )
    games_days: int = Field(
        0, ge=0, le=36500, description="Days after their end when games move from the database into files (`archive` in the data folder); 0: never."
    )
    filter_words: Words = Field((), description="Words that are masked in names and messages, separated by commas.")

    # --- limits ---
    messages_per_minute: int = Field(40, ge=1, description="Messages that one person may send in the long run; short bursts are free.")
    rename_minutes: float = Field(10.0, gt=0, le=100_000, description="Minutes until someone may change their name again; the first two times are free.")
    events_per_second: int = Field(50, ge=1, description="Requests that one person may send over sockets in the long run.")
    events_per_address: int = Field(300, ge=1, description="Messages a second that all sockets of one address may send together; coming in counts as four.")
    requests_per_minute: int = Field(
        600, ge=1, description="HTTP requests that one person may send in the long run, or all strangers of an address; ten files of the page count as one."
    )
    guests_per_hour: int = Field(120, ge=1, description="New guests from one address.")
    tries_per_hour: int = Field(30, ge=1, description="Passwords, codes and tokens that one address may try; ten that are right count as one.")
    connections_per_address: int = Field(600, ge=1, description="Socket connections that one address may have open; a page has one, and one more in a room.")
    rooms_per_person: int = Field(10, ge=1, description="Rooms that one person may have open.")
    rooms_per_address: int = Field(60, ge=1, description="Rooms that people of one address may have open.")
    unlimited_local: bool = Field(False, description="Whether the limits by address are lifted for this machine itself, for trials and measurements.")

    # --- operations ---
    metrics_token: SecretStr | None = Field(None, description="Who asks for /metrics must have this bearer token; if left out, nobody may ask.")
    log_format: Literal["text", "json"] = Field("text", description="Log lines for people, or JSON for programs.")
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="The least that is logged.")

    @field_validator("origins", "filter_words", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value

    @field_validator("url", "google_server", "x_server", "facebook_server", "yahoojp_server", "token_site")
    @classmethod
    def _address(cls, value: str | None) -> str | None:
        if value is not None and not _names_host(value, "http", "https"):
            raise ValueError("an address begins with https:// or http://, and a host follows")
        return value.rstrip("/") if value else None

    @field_validator("url")
    @classmethod
    def _whole_site(cls, value: str | None) -> str | None:
        if value is not None and not _is_site(value):
            raise ValueError("expected: an address without a path, such as https://games.example.org: the server has a host name to itself")
        return value

    @field_validator("origins")
    @classmethod
    def _sites(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        sites = tuple(site.rstrip("/") for site in value)
        if not all(map(_is_site, sites)):
            raise ValueError("expected: sites without a path, such as https://example.org, separated by commas")
        return sites

    @field_validator("proxies")
    @classmethod
    def _networks(cls, value: str) -> str:
        try:
            for part in filter(None, value.split(",") if value != "*" else ()):
                ip_network(part.strip())
        except ValueError:
            raise ValueError("expected: addresses or networks, such as 127.0.0.1 or 10.0.0.0/8, separated by commas") from None
        return value

    @field_validator("smtp")
    @classmethod
    def _mail_server(cls, value: SecretStr | None) -> SecretStr | None:
        text = "" if value is None else value.get_secret_value()
        if value is not None and not (_names_host(text, "smtp", "smtps", "smtp+starttls") and re.fullmatch(r"[^/]+//[^/?#]+/?", text)):
            raise ValueError("expected: smtp://USER:PASSWORD@HOST:PORT, smtps://… or smtp+starttls://…; in a password / ? # are written as %2F %3F %23")
        return value

    @field_validator("mail_from")
    @classmethod
    def _mail_address(cls, value: str) -> str:
        name, _, host = parseaddr(value)[1].rpartition("@")
        if not name or not host or not value.isprintable():
            raise ValueError("expected: a mail address, such as Games <games@example.org>")
        return value

    @field_validator("token_secret", "secret")
    @classmethod
    def _long(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and len(value.get_secret_value()) < 32:
            raise ValueError("at least 32 letters, please")
        return value

    @model_validator(mode="after")
    def _pairs(self) -> Settings:
        for name in ("google", "x", "facebook", "yahoojp"):
            id, secret = getattr(self, f"{name}_client_id"), getattr(self, f"{name}_client_secret")
            if (id is None) != (secret is None):
                raise ValueError(f"{name}_client_{'secret' if secret is None else 'id'}: needed, because its other half is set")
        return self

    @model_validator(mode="after")
    def _many(self) -> Settings:
        if self.redis is not None and not self.redis.startswith(("redis://", "rediss://", "unix://")):
            raise ValueError("redis: an address begins with redis://, rediss:// or unix://")
        if self.redis is not None and _ADDRESS.fullmatch(self.redis) is None:
            raise ValueError("redis: not an address such as redis://:PASSWORD@HOST:PORT/0; in a password write @ / ? # as %40 %2F %3F %23")
        if self.redis is not None and not self.database_url.startswith("postgresql"):
            raise ValueError("database: many processes (redis is set) need PostgreSQL, postgresql://…")
        if self.workers > 1 and self.redis is None:
            raise ValueError("workers: more than one process need Redis and PostgreSQL; set redis and database")
        return self

    @property
    def database_url(self) -> str:
        """The database's address."""
        return self.database or f"sqlite+aiosqlite:///{self.data / 'hanpan.db'}"

    @property
    def cookie(self) -> str:
        """The name of the cookie that brings people back. Over https browsers themselves see to it that no other host or page at http can set it."""
        return "__Host-hanpan" if self.public.startswith("https:") else "hanpan"

    @property
    def public(self) -> str:
        """The public address; without one, where the server listens."""
        return self.url or self.own

    @property
    def own(self) -> str:
        """Where the server is found on its own machine."""
        host = "localhost" if self.host == "127.0.0.1" or self.everywhere else self.host
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"

    @property
    def everywhere(self) -> bool:
        """Whether other machines can reach it by any address of this one."""
        return self.host in ("0.0.0.0", "::")


def _names_host(address: str, *schemes: str) -> bool:
    """Whether an address begins in one of these ways, and a host follows, with a port that is one if there is any."""
    try:
        found = urlsplit(address)
        return address.startswith(tuple(f"{scheme}://" for scheme in schemes)) and bool(found.hostname) and found.port != 0
    except ValueError:
        return False


def _is_site(address: str) -> bool:
    """Whether it is what browsers call the origin of a page: how, where, and nothing more."""
    return _names_host(address, "http", "https") and re.fullmatch(r"https?://[^\s/?#@]+", address) is not None


def read_settings(file: Path | None = None, environment: Mapping[str, str] = os.environ, **given: object) -> Settings:
    """The settings, each from the first place that has it: what is given here, the environment, the file. ValueError names what is wrong and where."""
    values, came_from = gather(file, environment, **given)
    try:
        return Settings.model_validate(values)
    except ValidationError as wrong:
        first = wrong.errors(include_url=False, include_input=False)[0]  # never what was given: it may be a secret
        name = str(first["loc"][0]) if first["loc"] else first["msg"].removeprefix("Value error, ").partition(":")[0]
        reason = first["msg"].removeprefix("Value error, ").removeprefix(f"{name}: ")
        raise ValueError(f"{came_from.get(name, name)}: {reason[:1].lower()}{reason[1:]}") from None


def gather(file: Path | None = None, environment: Mapping[str, str] = os.environ, **given: object) -> tuple[dict[str, object], dict[str, str]]:
    """What is set, and for each value where it came from."""
    path = file or (Path(environment[FILE]) if environment.get(FILE) else None)
    values: dict[str, object] = {}
    came_from: dict[str, str] = {}
    for name, value in (_in_file(path) if path else {}).items():
        if name not in Settings.model_fields:
            raise ValueError(f"{path}: there is no setting {quoted(name)}; `hanpan settings` lists all")
        values[name], came_from[name] = value, f"{name} in {path}"
    for name in Settings.model_fields:
        variable = PREFIX + name.upper()
        if environment.get(variable):
            values[name], came_from[name] = environment[variable], variable
    for name, value in given.items():
        if value is not None:
            values[name], came_from[name] = value, f"--{name.replace('_', '-')}"
    if given.get("data") is not None and given.get("database") is None:  # a folder named by hand means the database in it, not one that is set elsewhere
        values.pop("database", None)
        came_from.pop("database", None)
    return values, came_from


def unknown_variables(environment: Mapping[str, str] = os.environ) -> list[str]:
    """Variables that look like settings and are none. They stop nothing, as a word in the file does: an environment may have them from elsewhere."""
    known = {PREFIX + name.upper() for name in Settings.model_fields}.union(_OTHERS)
    return sorted(name for name in environment if name.startswith(PREFIX) and name not in known)


def _in_file(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as wrong:
        raise ValueError(f"{path}: can't be read ({wrong.strerror})") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise ValueError(f"{path}: not a TOML file ({wrong})") from None


def shown(settings: Settings, name: str) -> str:
    """A setting's value for people; a secret is never shown, and neither is a password inside an address."""
    value = getattr(settings, name)
    if isinstance(value, SecretStr):
        return "(set)"
    if name in ("database", "redis") and value is not None and not value.startswith("sqlite"):
        known = _ADDRESS.fullmatch(value)
        return "(set)" if known is None else f"{known['kind']}{'…@' if known['who'] else ''}{known['where']}"
    if isinstance(value, tuple):
        return ", ".join(value)
    return "" if value is None else str(value)
