// The operators' page: reports, people, rooms, and the log of everything that operators did.

import { useState } from "preact/hooks";
import { DOT, dotted } from "../../lib/dot";
import { isOperator, mine } from "../../net/account";
import { gameName, t } from "../../net/i18n";
import { rooms } from "../../net/lobby";
import type { Act, Ban, Known, Proposal, Report } from "../../net/types";
import { Chips } from "../../ui/Chips";
import { Empty } from "../../ui/Empty";
import { LoadFailed } from "../../ui/LoadFailed";
import { useLoaded } from "../../ui/load";
import { Name, playerName } from "../../ui/Name";
import { NotFound } from "../../ui/NotFound";
import { Skeleton } from "../../ui/Skeleton";
import { TabLinks } from "../../ui/TabLinks";
import { useTitle } from "../../ui/title";
import { CloseRoom, HowLong, Marks, moment, ReasonDialog, span } from "./ModerationTools";

const PARTS = { "": Reports, people: FindPeople, rooms: Rooms, bans: Bans, proposals: Proposals, log: Log };
type Part = keyof typeof PARTS;

export function Operator({ part }: { part: string }) {
  useTitle(t("operator.title"));
  if (!(part in PARTS)) return <NotFound />;
  if (!mine.value)
    return (
      <main id="main" class="page narrow" aria-busy="true">
        <h1>{t("operator.title")}</h1>
        <Skeleton />
      </main>
    );
  if (mine.value.role === "operator" && !mine.value.second.on)
    return (
      <main id="main" class="page narrow">
        <div class="card stack">
          <h1>{t("operator.title")}</h1>
          <p role="alert">{t("second.needed")}</p>
          <div class="row wrap">
            {mine.value.kind === "account" ? (
              <a class="button main" href="/me">
                {t("second.set_up")}
              </a>
            ) : (
              <a class="button main" href="/login">
                {t("login.title")}
              </a>
            )}
          </div>
        </div>
      </main>
    );
  if (!isOperator())
    return (
      <main id="main" class="page narrow">
        <div class="card stack">
          <h1>{t("operator.title")}</h1>
          <p role="alert">{t("operator.not_you")}</p>
          <div class="row wrap">
            <a class="button main" href="/">
              {t("lost.home")}
            </a>
            <a class="button quiet" href="/login">
              {t("login.title")}
            </a>
          </div>
        </div>
      </main>
    );
  const Shown = PARTS[part as Part];
  const where = (each: string): string => `/operator/${each}`.replace(/\/$/, "");
  const links: [Part, string][] = [
    ["", t("operator.reports")],
    ["people", t("operator.people")],
    ["rooms", t("operator.rooms")],
    ["bans", t("operator.bans")],
    ["proposals", t("operator.proposals")],
    ["log", t("operator.log")],
  ];
  return (
    <main id="main" class="page narrow">
      <h1>{t("operator.title")}</h1>
      <TabLinks label={t("operator.title")} links={links.map(([each, name]) => [where(each), name])} at={where(part)} />
      <Shown />
    </main>
  );
}

function Reports() {
  const [closed, setClosed] = useState("open");
  const [reports, again] = useLoaded<Report[]>(`/api/operator/reports?closed=${closed === "closed"}`);
  const [closing, setClosing] = useState<Report | null>(null);
  return (
    <>
      <Chips
        label={t("operator.which")}
        value={closed}
        choose={setClosed}
        chips={[
          { value: "open", label: t("operator.waiting") },
          { value: "closed", label: t("operator.closed") },
        ]}
      />
      {reports === undefined ? (
        <Skeleton />
      ) : reports === null ? (
        <LoadFailed again={again} />
      ) : !reports.length ? (
        <Empty icon="flag" text={t("operator.no_reports")} />
      ) : (
        <ul class="stack">
          {reports.map((report) => (
            <li class="card stack report" key={report.id}>
              <p>
                <b>{report.about}</b>{" "}
                <span class="hint">
                  {t("operator.by", { name: report.by })}
                  {DOT}
                  <time dateTime={new Date(report.at).toISOString()}>{moment(report.at)}</time>
                </span>
              </p>
              {report.message && (
                <blockquote class="quote">
                  {report.message}
                  {!report.message_id && <small class="hint"> {t("operator.unkept")}</small>}
                </blockquote>
              )}
              {report.text && <p>{report.text}</p>}
              <div class="row wrap">
                <a class="button quiet" href={`/people/${report.about_id}`}>
                  {t("operator.look")}
                </a>
                {report.room_id && (
                  <a class="button quiet" href={`/r/${report.room_id}`}>
                    {t("operator.room", { id: report.room_id })}
                  </a>
                )}
                {report.closed_at === null && (
                  <button type="button" class="main" onClick={() => setClosing(report)}>
                    {t("operator.close_report")}
                  </button>
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
      {closing && (
        <ReasonDialog
          title={t("operator.close_report")}
          button={t("operator.close_report")}
          path={`/api/operator/reports/${closing.id}/close`}
          close={() => setClosing(null)}
          done={again}
        />
      )}
    </>
  );
}

function FindPeople() {
  const [text, setText] = useState("");
  const [name, setName] = useState("");
  return (
    <>
      <form
        class="row"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          setName(text.trim());
        }}
      >
        <input
          type="search"
          value={text}
          maxLength={40}
          placeholder={t("operator.name")}
          aria-label={t("operator.name")}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit" class="main" disabled={!text.trim()}>
          {t("operator.find")}
        </button>
      </form>
      {name ? <Found name={name} /> : <p class="hint">{t("operator.find_help")}</p>}
    </>
  );
}

function Found({ name }: { name: string }) {
  const [found, again] = useLoaded<Known[]>(`/api/operator/people?name=${encodeURIComponent(name)}`);
  if (found === undefined) return <Skeleton />;
  if (found === null) return <LoadFailed again={again} />;
  if (!found.length) return <Empty icon="people" text={t("operator.nobody", { name })} />;
  return (
    <ul class="lines card">
      {found.map((person) => (
        <li key={person.id}>
          <a class="line-text" href={`/people/${person.id}`}>
            <Name person={{ ...person, bot: person.kind === "bot" }} />
            <small>
              {t(`kinds.${person.kind}` as "kinds.guest")}
              {DOT}
              {person.id}
            </small>
          </a>
          <Marks known={person} />
        </li>
      ))}
    </ul>
  );
}

function Rooms() {
  const open = rooms.value ?? [];
  if (!open.length) return <Empty icon="list" text={t("operator.no_rooms")} />;
  return (
    <ul class="lines card">
      {open.map((room) => (
        <li key={room.id}>
          <a class="line-text" href={room.link}>
            <b>
              {gameName(room.game)}
              {DOT}
              {room.id}
            </b>
            <small>
              {room.seats
                .filter((seat) => seat !== null)
                .map(playerName)
                .join(" – ") || room.master}
            </small>
          </a>
          <CloseRoom id={room.id} small />
        </li>
      ))}
    </ul>
  );
}

/** From where nobody may come in. */
function Bans() {
  const [bans, again] = useLoaded<Ban[]>("/api/operator/bans");
  const [making, setMaking] = useState(false);
  const [lifting, setLifting] = useState<Ban | null>(null);
  const [value, setValue] = useState("");
  const [minutes, setMinutes] = useState<number | null>(7 * 24 * 60);
  const over = (ban: Ban): boolean => ban.lifted_at !== null || (ban.until !== null && ban.until <= Date.now());
  return (
    <>
      <div class="row">
        <button type="button" class="main" onClick={() => setMaking(true)}>
          {t("operator.ban_place")}
        </button>
      </div>
      {bans === undefined ? (
        <Skeleton />
      ) : bans === null ? (
        <LoadFailed again={again} />
      ) : !bans.length ? (
        <Empty icon="shield" text={t("operator.no_bans")} />
      ) : (
        <ul class="lines card">
          {bans.map((ban) => (
            <li key={ban.id}>
              <span class="line-text">
                <span>
                  <b>{called(ban)}</b>{" "}
                  {over(ban) ? t("operator.over") : ban.until === null ? t("operator.without_end") : t("operator.until", { time: moment(ban.until) })}
                </span>
                <span>
                  {ban.reason}
                  {ban.about && (
                    <>
                      {DOT}
                      <a class="in-line" href={`/people/${ban.person_id}`}>
                        {t("operator.because_of", { name: ban.about })}
                      </a>
                    </>
                  )}
                </span>
                <small>
                  {ban.by}
                  {DOT}
                  <time dateTime={new Date(ban.at).toISOString()}>{moment(ban.at)}</time>
                </small>
              </span>
              {!over(ban) && (
                <button type="button" class="quiet" aria-label={t("operator.lift_one", { value: ban.value })} onClick={() => setLifting(ban)}>
                  {t("operator.lift")}
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {making && (
        <ReasonDialog
          title={t("operator.ban_place")}
          button={t("operator.ban_place")}
          path="/api/operator/bans"
          more={{ kind: "address", value: value.trim(), minutes }}
          close={() => setMaking(false)}
          done={again}
        >
          <label class="field">
            {t("operator.address")}
            <input value={value} maxLength={64} required autocomplete="off" onInput={(event) => setValue(event.currentTarget.value)} />
            <small>{t("operator.ban_place_help")}</small>
          </label>
          <HowLong minutes={minutes} choose={setMinutes} endless />
        </ReasonDialog>
      )}
      {lifting && (
        <ReasonDialog
          title={t("operator.lift_one", { value: lifting.value })}
          button={t("operator.lift")}
          path={`/api/operator/bans/${lifting.id}/lift`}
          close={() => setLifting(null)}
          done={again}
        />
      )}
    </>
  );
}

/** What one operator wants to do about another: a second one agrees, or does not. */
function Proposals() {
  const [found, again] = useLoaded<Proposal[]>("/api/operator/proposals");
  const [deciding, setDeciding] = useState<{ proposal: Proposal; yes: boolean } | null>(null);
  if (found === undefined) return <Skeleton />;
  if (found === null) return <LoadFailed again={again} />;
  if (!found.length) return <Empty icon="shield" text={t("operator.no_proposals")} />;
  const me = mine.value?.person.id,
    title = deciding?.yes ? t("operator.agree") : deciding?.proposal.operator_id === me ? t("operator.take_back") : t("operator.decline");
  return (
    <>
      <ul class="stack">
        {found.map((proposal) => (
          <li class="card stack" key={proposal.id}>
            <p>
              <b>{t(`acts.${proposal.verb}` as "acts.mute")}</b>{" "}
              <a class="in-line" href={`/people/${proposal.target}`}>
                {proposal.about}
              </a>{" "}
              {more(proposal)}
            </p>
            <p>{proposal.reason}</p>
            <p class="hint">
              {t("operator.wants", { name: proposal.by ?? "" })}
              {DOT}
              <time dateTime={new Date(proposal.at).toISOString()}>{moment(proposal.at)}</time>
            </p>
            <div class="row wrap">
              {proposal.operator_id !== me && proposal.target !== me && (
                <button type="button" class="main" onClick={() => setDeciding({ proposal, yes: true })}>
                  {t("operator.agree")}
                </button>
              )}
              {proposal.target !== me && (
                <button type="button" class="quiet" onClick={() => setDeciding({ proposal, yes: false })}>
                  {proposal.operator_id === me ? t("operator.take_back") : t("operator.decline")}
                </button>
              )}
            </div>
          </li>
        ))}
      </ul>
      {deciding && (
        <ReasonDialog
          title={title}
          button={title}
          path={`/api/operator/proposals/${deciding.proposal.id}/${deciding.yes ? "agree" : "decline"}`}
          close={() => setDeciding(null)}
          done={again}
        />
      )}
    </>
  );
}

/** Where nobody comes in from. */
const called = ({ kind, value }: { kind: string; value: string }): string =>
  kind === "address" ? t("operator.address_is", { value }) : t("operator.browser_is", { value });
const role = (name: unknown): string => (name === "operator" ? t("operator.is_operator") : t("operator.no_role"));

/** What else was said about an act: for how long, from which name to which, which role, which addresses. */
function more({ verb, document: told, places = [] }: Pick<Act, "verb" | "document" | "places">): string {
  const meant = verb === "propose" ? told.verb : verb;
  const long =
    told.minutes === null ? t("operator.without_end") : typeof told.minutes !== "number" ? "" : told.minutes ? span(told.minutes) : t("operator.ended");
  const name =
    meant !== "rename" || !told.name
      ? ""
      : told.before
        ? t("operator.from_to", { from: String(told.before), to: String(told.name) })
        : t("operator.to", { to: String(told.name) });
  const office =
    meant !== "role" || told.role === undefined
      ? ""
      : told.was === undefined
        ? t("operator.to", { to: role(told.role) })
        : t("operator.from_to", { from: role(told.was), to: role(told.role) });
  return dotted([name, office, ...places.map(called), long]);
}

function Log() {
  const [acts, again] = useLoaded<Act[]>("/api/operator/log");
  if (acts === undefined) return <Skeleton />;
  if (acts === null) return <LoadFailed again={again} />;
  if (!acts.length) return <Empty icon="list" text={t("operator.no_acts")} />;
  return (
    <ol class="lines card">
      {acts.map((act) => (
        <li key={act.id}>
          <span class="line-text">
            <span>
              <b>
                {t(`acts.${act.verb}` as "acts.mute")}
                {act.document.proposal && (
                  <>
                    {DOT}
                    {t(`acts.${act.document.verb}` as "acts.mute")}
                  </>
                )}
              </b>{" "}
              {act.about ? (
                <a class="in-line" href={`/people/${act.target}`}>
                  {act.about}
                </a>
              ) : act.verb === "close" ? (
                act.target
              ) : (
                ""
              )}{" "}
              {more(act)} {act.document.second && t("operator.second", { name: String(act.document.second) })}
            </span>
            <span>{act.reason}</span>
            <small>
              {act.by}
              {DOT}
              <time dateTime={new Date(act.at).toISOString()}>{moment(act.at)}</time>
            </small>
          </span>
        </li>
      ))}
    </ol>
  );
}
