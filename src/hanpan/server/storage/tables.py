"""The tables of the database."""

from __future__ import annotations

from sqlalchemy import JSON, BigInteger, Boolean, Column, Double, ForeignKey, Index, Integer, MetaData, String, Table, Text, select

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)

ID = String(64)
NAME = String(64)  # of a game
DOCUMENT = JSON(none_as_null=True)

# Someone. kind: guest, account, bot, moved (into an account) or deleted. token_version belongs to the signed tokens that people came back with before
# there were sessions: raising it makes them worthless.
person = Table(
    "person",
    metadata,
    Column("id", ID, primary_key=True),
    Column("name", Text, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("token_version", Integer, nullable=False),
    Column("owner_id", ID),  # whose bot this is
    Column("role", String(16)),  # operator, or none
    Column("muted_until", BigInteger),
    Column("banned_until", BigInteger),
    Column("scopes", Text),  # what a bot's token may do; none: everything
    Index(None, "owner_id"),
    Index(None, "name"),
)

LEFT = select(person.c.id).where(person.c.kind == "deleted")  # whoever has left for good

# Which names are taken, look-alikes folded into one, and by whom. People who were called alike before this was kept still are; one of them is here.
called = Table(
    "called",
    metadata,
    Column("folded", String(200), primary_key=True),
    Column("person_id", ID, ForeignKey("person.id"), nullable=False),
    Index(None, "person_id"),
)

# A room as its server wants to find it again after a restart. Nothing is asked about its parts, so it is one document.
room = Table(
    "room",
    metadata,
    Column("id", ID, primary_key=True),
    Column("document", DOCUMENT, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
)

# Which processes there are: each lives until some moment of the database's time, unless it says more before then.
node = Table(
    "node",
    metadata,
    Column("id", ID, primary_key=True),
    Column("started_at", BigInteger, nullable=False),
    Column("alive_until", BigInteger, nullable=False),
    Column("document", DOCUMENT, nullable=False),  # what it wants the others to know
)

# Whose a room is (none: nobody's), and how often it has changed hands. It may be taken before the room is kept, so room_id refers to nothing.
lease = Table(
    "lease",
    metadata,
    Column("room_id", ID, primary_key=True),
    Column("owner", ID),
    Column("fence", BigInteger, nullable=False),
    Index(None, "owner"),
)

# A game, running or in the archive. It outlives its room, so room_id refers to nothing.
game = Table(
    "game",
    metadata,
    Column("id", ID, primary_key=True),
    Column("room_id", ID, nullable=False),
    Column("name", NAME, nullable=False),
    Column("options", DOCUMENT, nullable=False),
    Column("settings", DOCUMENT, nullable=False),
    Column("people", DOCUMENT, nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("started_at", BigInteger, nullable=False),
    Column("ended_at", BigInteger),
    Column("result", DOCUMENT),
    Column("among", ID),  # a hash of the game's name and the people at the table, where it counts for ratings: those who play again and again are found by it
    Column("counted", Double),  # how much of the usual points it moved; none: it moved nothing
    Column("private", Boolean),  # played behind a password: only those who played it find it in a list
    Index(None, "among", "ended_at"),
    Index(None, "ended_at", "id"),  # running games, and the archive newest first
    Index(None, "name", "ended_at", "id"),  # the archive of one game
)

# Who held a seat of a game at any time: a person's games are found without reading everyone's.
player = Table(
    "player",
    metadata,
    Column("game_id", ID, ForeignKey("game.id"), primary_key=True),
    Column("person_id", ID, ForeignKey("person.id"), primary_key=True),
    Column("started_at", BigInteger, nullable=False),
    Index(None, "person_id", "started_at", "game_id"),
)

# What was played, with the ledger of the clock. The key is the compare-and-set: a ply exists once.
action = Table(
    "action",
    metadata,
    Column("game_id", ID, ForeignKey("game.id"), primary_key=True),
    Column("ply", Integer, primary_key=True, autoincrement=False),
    Column("text", Text, nullable=False),
    Column("seat", Integer),
    Column("at", BigInteger, nullable=False),
    Column("started_at", BigInteger, nullable=False),
    Column("charged", BigInteger, nullable=False),
    Column("forgiven", BigInteger, nullable=False),
    Column("forced", Boolean, nullable=False),
)

# How strong a person is now, at one game: what leaderboards are sorted by.
rating = Table(
    "rating",
    metadata,
    Column("person_id", ID, ForeignKey("person.id"), primary_key=True),
    Column("name", NAME, primary_key=True),
    Column("value", Double, nullable=False),
    Column("games", Integer, nullable=False),
    Index(None, "name", "value"),
)

# Each step of a rating: the history, and the proof that a game moved it once.
rating_change = Table(
    "rating_change",
    metadata,
    Column("game_id", ID, ForeignKey("game.id"), primary_key=True),
    Column("person_id", ID, ForeignKey("person.id"), primary_key=True),
    Column("name", NAME, nullable=False),
    Column("before", Double, nullable=False),
    Column("after", Double, nullable=False),
    Column("at", BigInteger, nullable=False),
    Index(None, "person_id", "name", "at"),
)


# The ways into an account: who someone is elsewhere (their subject there), an e-mail address with a password's hash, or the hash of a bot's token.
login = Table(
    "login",
    metadata,
    Column("provider", String(16), primary_key=True),
    Column("subject", String(320), primary_key=True),
    Column("person_id", ID, ForeignKey("person.id"), nullable=False),
    Column("email", Text),
    Column("secret", Text),
    Column("created_at", BigInteger, nullable=False),
    Index(None, "person_id"),
)

# Who is logged in where. The id is the hash of what the browser keeps, so reading this table opens nothing; of the address only the beginning is kept.
session = Table(
    "session",
    metadata,
    Column("id", ID, primary_key=True),
    Column("person_id", ID, ForeignKey("person.id"), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("seen_at", BigInteger, nullable=False),  # to the hour, so that looking at a page writes nothing
    Column("ends_at", BigInteger, nullable=False),
    Column("proved_at", BigInteger),  # when they last showed who they are; never, for a guest
    Column("place", String(64), nullable=False),
    Column("browser", String(64), nullable=False),
    Index(None, "person_id"),
    Index(None, "ends_at"),
)

# What works once and not for long: the state of a login that is under way, the links in mails. The id is a hash, so reading this table opens nothing.
ticket = Table(
    "ticket",
    metadata,
    Column("id", ID, primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("document", DOCUMENT, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Index(None, "expires_at"),
)

# The secret of someone's code app, sealed; `step`: of the newest code that was used, since each works once.
totp = Table(
    "totp",
    metadata,
    Column("person_id", ID, ForeignKey("person.id"), primary_key=True),
    Column("secret", Text, nullable=False),
    Column("step", BigInteger, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("used_at", BigInteger),
)

# Someone's passkeys. The id is a hash of the credential's own, which may be long; `counter`: as the device counted when it was last used.
passkey = Table(
    "passkey",
    metadata,
    Column("id", ID, primary_key=True),
    Column("person_id", ID, ForeignKey("person.id"), nullable=False),
    Column("credential", Text, nullable=False),
    Column("public_key", Text, nullable=False),
    Column("counter", BigInteger, nullable=False),
    Column("name", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("used_at", BigInteger),
    Index(None, "person_id"),
)

# Recovery codes that have not been used: their hashes.
recovery = Table(
    "recovery",
    metadata,
    Column("person_id", ID, ForeignKey("person.id"), primary_key=True),
    Column("digest", ID, primary_key=True),
)

# Whose messages and invitations someone does not want.
block = Table(
    "block",
    metadata,
    Column("person_id", ID, ForeignKey("person.id"), primary_key=True),
    Column("blocked_id", ID, ForeignKey("person.id"), primary_key=True),
    Column("created_at", BigInteger, nullable=False),
)

# What people tell the operators about each other. Of whoever has left, only what is still open stays.
report = Table(
    "report",
    metadata,
    Column("id", ID, primary_key=True),
    Column("person_id", ID, ForeignKey("person.id"), nullable=False),
    Column("about_id", ID, ForeignKey("person.id"), nullable=False),
    Column("text", Text, nullable=False),
    Column("message", Text),
    Column("room_id", ID),
    Column("at", BigInteger, nullable=False),
    Column("closed_at", BigInteger),
    Column("message_id", ID),  # of `said`: the message is quoted from there, not told by whoever reports it
    Index(None, "closed_at", "at"),
)

# What was said in rooms. `game_id`: by a spectator of a game with secrets, so it stays among spectators until that game is over.
said = Table(
    "said",
    metadata,
    Column("id", ID, primary_key=True),
    Column("room_id", ID, nullable=False),
    Column("person_id", ID, ForeignKey("person.id"), nullable=False),
    Column("text", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("spectator", Boolean, nullable=False),
    Column("game_id", ID),
    Index(None, "room_id", "at"),
    Index(None, "person_id"),
    Index(None, "at"),
)

# Everything that operators did: what, to whom (or which room), why.
act = Table(
    "act",
    metadata,
    Column("id", ID, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("operator_id", ID, ForeignKey("person.id"), nullable=False),
    Column("verb", String(16), nullable=False),
    Column("target", ID, nullable=False),
    Column("reason", Text, nullable=False),
    Column("document", DOCUMENT, nullable=False),
    Index(None, "at"),
)


# Where people came from: an address (shorter, once that was long ago) and a hash of their browser's own cookie.
trace = Table(
    "trace",
    metadata,
    Column("person_id", ID, ForeignKey("person.id"), primary_key=True),
    Column("address", String(64), primary_key=True),
    Column("browser", String(16), primary_key=True),
    Column("seen_at", BigInteger, nullable=False),
    Index(None, "seen_at"),
)

# From where nobody may come in: a range of addresses or a browser, until some moment (none: without an end). `person_id`: because of whom.
ban = Table(
    "ban",
    metadata,
    Column("id", ID, primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("value", String(64), nullable=False),
    Column("until", BigInteger),
    Column("reason", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("operator_id", ID, ForeignKey("person.id"), nullable=False),
    Column("person_id", ID),
    Column("lifted_at", BigInteger),
    Index(None, "at"),
)

# What one operator wants to do about another: a second one must agree.
proposal = Table(
    "proposal",
    metadata,
    Column("id", ID, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("operator_id", ID, ForeignKey("person.id"), nullable=False),
    Column("verb", String(16), nullable=False),
    Column("target", ID, nullable=False),
    Column("reason", Text, nullable=False),
    Column("document", DOCUMENT, nullable=False),
    Index(None, "at"),
)
