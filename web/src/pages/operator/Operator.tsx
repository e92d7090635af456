// The operators' page: reports, people, rooms, and the log of everything that operators did.

import { useState } from "preact/hooks";
import { DOT } from "../../lib/dot";
import { own } from "../../lib/own";
import { isOperator, mine } from "../../net/account";
import type { Known, Report } from "../../net/http";
import { gameName, t } from "../../net/i18n";
import { rooms } from "../../net/lobby";
import { Chips } from "../../ui/Chips";
import { Empty } from "../../ui/Empty";
import { LoadFailed } from "../../ui/LoadFailed";
import { useLoaded } from "../../ui/load";
import { Name, playerName } from "../../ui/Name";
import { NotFound } from "../../ui/NotFound";
import { Skeleton } from "../../ui/Skeleton";
import { TabLinks } from "../../ui/TabLinks";
import { useTitle } from "../../ui/title";
import { Bans } from "./Bans";
import { Log } from "./Log";
import { CloseRoom, Marks, moment, ReasonDialog } from "./ModerationTools";
import { Proposals } from "./Proposals";

const PARTS = { "": Reports, people: FindPeople, rooms: Rooms, bans: Bans, proposals: Proposals, log: Log };
type Part = keyof typeof PARTS;

export function Operator({ part }: { part: string }) {
  useTitle(t("operator.title"));
  const Shown = own(PARTS, part);
  if (!Shown) return <NotFound />;
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
        <button type="submit" class="main" aria-disabled={!text.trim()}>
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
