"""What operators do over HTTP: mute, ban, rename, close rooms; reports and the log of every act."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Annotated, Literal

from fastapi import APIRouter, HTTPException, Query, Request
from pydantic import Field, StringConstraints
from typing_extensions import TypedDict

from hanpan.server.http.services import services_of
from hanpan.server.http.session import logins_of, me, where_of
from hanpan.server.people.moderation import PROPOSED_DAYS, Detail
from hanpan.server.protocol.refusals import Refused
from hanpan.server.protocol.requests import ClientRequest, Name, Whole
from hanpan.server.storage.bans import new_ban_id
from hanpan.server.storage.models import DAY, Act, Ban, Person, Report

router = APIRouter(prefix="/api/operator")
MOST_MINUTES = 10 * 366 * 24 * 60
Reason = Annotated[str, StringConstraints(min_length=1, max_length=500, strip_whitespace=True)]


class WithReason(ClientRequest):
    """Why: it is written down."""

    reason: Reason


class ForMinutes(WithReason):
    """For how long; 0 ends it."""

    minutes: int = Field(ge=0, le=MOST_MINUTES)


class BanRequest(WithReason):
    """For how long; none: without an end, 0 ends it. Also the addresses and the browsers that they came from lately, if told so."""

    minutes: int | None = Field(ge=0, le=MOST_MINUTES)
    addresses: bool = False
    browsers: bool = False


class BarRequest(WithReason):
    """A range of addresses (one, or 203.0.113.0/24), or a browser as an operator sees it; for how long, none: without an end."""

    kind: Literal["address", "browser"]
    value: Annotated[str, StringConstraints(min_length=1, max_length=64, strip_whitespace=True)]
    minutes: int | None = Field(ge=1, le=MOST_MINUTES)


class OtherName(WithReason):
    """Another name."""

    name: Name


class OtherRole(WithReason):
    """A role, or none."""

    role: Literal["operator"] | None


# --- what is answered ---


@dataclass(frozen=True, slots=True, kw_only=True)
class BanLine(Ban):
    """A ban of addresses or of a browser; `by` and `about` are names."""

    by: str | None
    about: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedAct(Act):
    """What an operator did, or wants to do; `by` and `about` are names."""

    by: str | None
    about: str | None


class Place(TypedDict):
    """What was banned: addresses, or a browser."""

    kind: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLine(NamedAct):
    """An act, with what was banned by it."""

    places: list[Place]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportLine(Report):
    """A report, with names."""

    by: str
    about: str


class KnownPerson(TypedDict):
    """What operators know of someone."""

    id: str
    name: str
    kind: str
    role: str | None
    muted_until: int | None
    banned_until: int | None


class Seen(TypedDict):
    """Where someone came from."""

    address: str
    browser: str
    seen_at: int


class SeenPerson(KnownPerson):
    """The same, with where they came from."""

    places: list[Seen]


async def operator(request: Request) -> Person:
    """The operator who asks, as the storage knows them at this moment. Whoever can do so much to others proves themselves by more than a password."""
    found = await services_of(request).people.reload((await me(request)).id)
    if found.role != "operator":
        raise Refused("operators-only")
    if not (await logins_of(request).second.held(found.id)).any:
        raise Refused("two-factor-needed")
    return found


@router.post("/people/{id}/mute", summary="Mute someone")
async def mute(request: Request, id: str, body: ForMinutes) -> dict[str, bool]:
    """They can't speak anywhere; at once."""
    return await _act(request, "mute", id, body.reason, minutes=body.minutes)


@router.post("/people/{id}/ban", summary="Ban someone")
async def ban(request: Request, id: str, body: BanRequest) -> dict[str, bool]:
    """Their connections are closed at once, and they can't come in."""
    return await _act(request, "ban", id, body.reason, minutes=body.minutes, addresses=body.addresses, browsers=body.browsers)


@router.post("/bans", summary="Ban a range of addresses, or a browser", status_code=201)
async def bar(request: Request, body: BarRequest) -> dict[str, bool | str]:
    """Nobody but operators comes in from there; whoever is here is shown out."""
    id = new_ban_id()
    return {**await _act(request, "bar", id, body.reason, kind=body.kind, value=body.value, minutes=body.minutes), "id": id}


@router.post("/bans/{id}/lift", summary="End such a ban")
async def lift(request: Request, id: str, body: WithReason) -> dict[str, bool]:
    """People come in from there again."""
    return await _act(request, "lift", id, body.reason)


@router.get("/bans", summary="Bans of addresses and browsers, newest first")
async def bans(request: Request) -> list[BanLine]:
    """With who made them, and because of whom; addresses of those that were over long ago are shorter."""
    await operator(request)
    services = services_of(request)
    found = await services.people.bans.stored.bans()
    people = await services.store.people({id for each in found for id in (each.operator_id, each.person_id) if id})
    names = {id: person.name for id, person in people.items()}
    shown = [replace(each, value=services.people.bans.place(each)) for each in found]
    return [BanLine(**asdict(each), by=names.get(each.operator_id), about=names.get(each.person_id or "")) for each in shown]


@router.post("/people/{id}/rename", summary="Give someone another name")
async def rename(request: Request, id: str, body: OtherName) -> dict[str, bool]:
    """Everyone who sees them is told."""
    return await _act(request, "rename", id, body.reason, name=body.name)


@router.post("/people/{id}/role", summary="Make someone an operator, or not any more")
async def role(request: Request, id: str, body: OtherRole) -> dict[str, bool]:
    """The first one is made by `hanpan operator`."""
    return await _act(request, "role", id, body.reason, role=body.role)


@router.post("/rooms/{id}/close", summary="Close a room")
async def close(request: Request, id: str, body: WithReason) -> dict[str, bool]:
    """Everyone is shown out; a game that is played there ends without a result."""
    return await _act(request, "close", id, body.reason)


@router.get("/proposals", summary="What waits for a second operator, newest first")
async def proposals(request: Request) -> list[NamedAct]:
    """What one operator wants to do about another, or whom to make one; with names."""
    await operator(request)
    services = services_of(request)
    found = await services.store.moderation.proposals(services.now() - PROPOSED_DAYS * DAY)
    return await _named(request, found)


@router.post("/proposals/{id}/agree", summary="Agree with what another operator wants to do")
async def agree(request: Request, id: str, body: WithReason) -> dict[str, bool]:
    """It is done at once; neither the first operator nor whoever it is about can agree."""
    await services_of(request).moderation.decide(await operator(request), where_of(request), id, True, body.reason)
    return {"ok": True}


@router.post("/proposals/{id}/decline", summary="Do not agree; or take back what one wanted to do")
async def decline(request: Request, id: str, body: WithReason) -> dict[str, bool]:
    """Nothing is done."""
    await services_of(request).moderation.decide(await operator(request), where_of(request), id, False, body.reason)
    return {"ok": True}


@router.get("/reports", summary="What people have reported, newest first")
async def reports(request: Request, closed: bool = False, limit: Annotated[Whole, Query(ge=1, le=500)] = 100) -> list[ReportLine]:
    """Those still open, or those dealt with; with names."""
    await operator(request)
    found = await services_of(request).store.moderation.reports(not closed, limit)
    people = await services_of(request).store.people({id for row in found for id in (row.person_id, row.about_id)})
    return [ReportLine(**asdict(row), by=people[row.person_id].name, about=people[row.about_id].name) for row in found]


@router.post("/reports/{id}/close", summary="A report has been dealt with")
async def close_report(request: Request, id: str, body: WithReason) -> dict[str, bool]:
    """It is written down, too."""
    doer = await operator(request)
    if not await services_of(request).store.moderation.close_report(id):
        raise HTTPException(404, "no such open report")
    await services_of(request).store.moderation.log(doer.id, "report", id, body.reason, {})
    return {"ok": True}


@router.get("/log", summary="Everything that operators did, newest first")
async def acts(request: Request, limit: Annotated[Whole, Query(ge=1, le=500)] = 100) -> list[LogLine]:
    """Who, what, to whom, why; with names, and with the addresses and browsers that were banned: those are kept in one place, where they become shorter."""
    await operator(request)
    bans, found = services_of(request).people.bans, await _named(request, await services_of(request).store.moderation.acts(limit))
    meant = {row.id: _bans(row.document) or [row.target] for row in found if row.verb in ("ban", "bar", "lift")}
    kept = await bans.stored.these({id for ids in meant.values() for id in ids})
    places = {act: [Place(kind=kept[id].kind, value=bans.place(kept[id])) for id in ids if id in kept] for act, ids in meant.items()}
    return [LogLine(**asdict(row), places=places.get(row.id, [])) for row in found]


def _bans(document: dict[str, object]) -> list[str]:
    """The bans that came of an act: taken out of what is told of it, since they are told by what they ban."""
    made = document.pop("bans", None)
    return [str(id) for id in made] if isinstance(made, list) else []


async def _named(request: Request, found: list[Act]) -> list[NamedAct]:
    people = await services_of(request).store.people({id for row in found for id in (row.operator_id, row.target)})
    names = {id: person.name for id, person in people.items()}
    return [NamedAct(**asdict(row), by=names.get(row.operator_id), about=names.get(row.target)) for row in found]


@router.get("/people", summary="Find people by their name")
async def find(request: Request, name: Annotated[str, Query(min_length=1, max_length=40)]) -> list[KnownPerson]:
    """With what operators know of them."""
    await operator(request)
    found = await services_of(request).store.accounts.find(name)
    return [_known(person) for person in found]


@router.get("/people/{id}", summary="What operators know of someone")
async def one(request: Request, id: str) -> SeenPerson:
    """As in the list, and where they came from: the address (shorter, once that was long ago) and the browser."""
    await operator(request)
    services = services_of(request)
    found = await services.store.person(id)
    if found is None:
        raise Refused("no-such-person")
    traces = await services.people.bans.stored.traces(id)
    seen = [Seen(address=services.people.bans.shown(each.address, each.seen_at), browser=each.browser, seen_at=each.seen_at) for each in traces]
    return SeenPerson(**_known(found), places=seen)


def _known(p: Person) -> KnownPerson:
    return {"id": p.id, "name": p.name, "kind": p.kind, "role": p.role, "muted_until": p.muted_until, "banned_until": p.banned_until}


async def _act(request: Request, verb: str, target: str, reason: str, **more: Detail) -> dict[str, bool]:
    done = await services_of(request).moderation.act(await operator(request), where_of(request), verb, target, reason, **more)
    return {"ok": True} | ({} if done else {"proposed": True})
