// What operators do: mute, ban, rename, make someone an operator, close a room. Each with a reason that is written down.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { DOT, dotted } from "../../lib/dot";
import { language } from "../../lib/settings";
import { mine } from "../../net/account";
import { ask } from "../../net/connection";
import type { Known } from "../../net/http";
import { t } from "../../net/i18n";
import { tell } from "../../net/lobby";
import { attempt } from "../../net/start";
import { Dialog } from "../../ui/Dialog";
import { Icon } from "../../ui/Icon";
import { useLoaded } from "../../ui/load";

const FOREVER = 253_402_300_799_000; // what has no end
const MINUTES = [10, 60, 24 * 60, 7 * 24 * 60, 30 * 24 * 60, 365 * 24 * 60];

/** A moment in the reader's way to write it. */
export const moment = (at: number): string => new Intl.DateTimeFormat(language.value, { dateStyle: "medium", timeStyle: "short" }).format(at);

/** A length of time in the reader's words. */
export function span(minutes: number): string {
  const [n, unit] = minutes >= 24 * 60 ? [minutes / (24 * 60), "day"] : minutes >= 60 ? [minutes / 60, "hour"] : [minutes, "minute"];
  return new Intl.NumberFormat(language.value, { style: "unit", unit, unitDisplay: "long" }).format(n);
}

/** What is out of the ordinary about someone. */
export function Marks({ known }: { known: Known }) {
  const now = Date.now(),
    muted = known.muted_until ?? 0,
    banned = known.banned_until ?? 0;
  return (
    <>
      {known.role === "operator" && <span class="state open">{t("operator.is_operator")}</span>}
      {muted > now && <span class="state playing">{t("operator.muted_until", { time: moment(muted) })}</span>}
      {banned > now && (
        <span class="state banned">
          {banned >= FOREVER ? dotted([t("operator.ban"), t("operator.without_end")]) : t("operator.banned_until", { time: moment(banned) })}
        </span>
      )}
    </>
  );
}

type Verb = "mute" | "ban" | "rename" | "role";

/** Everything an operator can do about one person. */
export function ModerationTools({ id }: { id: string }) {
  const at = `/api/operator/people/${encodeURIComponent(id)}`;
  const [known, again] = useLoaded<Known>(at);
  const [verb, setVerb] = useState<Verb | null>(null);
  if (!known) return null;
  const operator = known.role === "operator";
  const own = known.id === mine.value?.person.id;
  const titles: Record<Verb, string> = {
    mute: t("operator.mute"),
    ban: t("operator.ban"),
    rename: t("operator.rename"),
    role: operator ? t("operator.role_end") : t("operator.role"),
  };
  return (
    <section class="card stack" aria-labelledby="moderation">
      <h2 id="moderation">{t("operator.tools")}</h2>
      <div class="row wrap">
        <span class="hint">{t(`kinds.${known.kind}` as "kinds.guest")}</span>
        <Marks known={known} />
      </div>
      <div class="row wrap">
        {(Object.keys(titles) as Verb[])
          .filter((each) => !own || (each !== "mute" && each !== "ban")) // nobody shuts themselves out
          .map((each) => (
            <button type="button" class="quiet" key={each} onClick={() => setVerb(each)}>
              {titles[each]}
            </button>
          ))}
      </div>
      {known.places && known.places.length > 0 && (
        <details>
          <summary>{t("operator.places")}</summary>
          <ul class="lines">
            {known.places.map((place) => (
              <li key={`${place.address} ${place.browser}`}>
                <span class="line-text">
                  <code>{place.address}</code>
                  <small>
                    {place.browser && (
                      <>
                        {t("operator.browser_is", { value: place.browser })}
                        {DOT}
                      </>
                    )}
                    {t("operator.seen", { time: moment(place.seen_at) })}
                  </small>
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {verb && <ActDialog key={verb} verb={verb} known={known} title={titles[verb]} close={() => setVerb(null)} done={again} />}
    </section>
  );
}

function ActDialog({ verb, known, title, close, done }: { verb: Verb; known: Known; title: string; close: () => void; done: () => void }) {
  const [minutes, setMinutes] = useState<number | null>(60);
  const [name, setName] = useState(known.name);
  const [too, setToo] = useState({ addresses: false, browsers: false });
  const timed = verb === "mute" || verb === "ban";
  const more =
    verb === "ban"
      ? { minutes, ...too }
      : timed
        ? { minutes }
        : verb === "rename"
          ? { name: name.trim() }
          : { role: known.role === "operator" ? null : "operator" };
  return (
    <ReasonDialog
      title={`${known.name} · ${title}`}
      button={title}
      path={`/api/operator/people/${encodeURIComponent(known.id)}/${verb}`}
      more={more}
      close={close}
      done={done}
    >
      {known.role === "operator" && known.id !== mine.value?.person.id && <p class="hint">{t("operator.needs_second")}</p>}
      {timed && (
        <HowLong
          minutes={minutes}
          choose={setMinutes}
          ends
          endless={verb === "ban"}
          help={verb === "mute" ? t("operator.mute_help") : t("operator.ban_help")}
        />
      )}
      {verb === "ban" && minutes !== 0 && (
        <>
          <label class="switch">
            <input type="checkbox" checked={too.addresses} onChange={(event) => setToo({ ...too, addresses: event.currentTarget.checked })} />
            <span>
              {t("operator.too_addresses")}
              <small>{t("operator.too_help")}</small>
            </span>
          </label>
          <label class="switch">
            <input type="checkbox" checked={too.browsers} onChange={(event) => setToo({ ...too, browsers: event.currentTarget.checked })} />
            <span>{t("operator.too_browsers")}</span>
          </label>
        </>
      )}
      {verb === "rename" && (
        <label class="field">
          {t("operator.new_name")}
          <input value={name} maxLength={24} required onInput={(event) => setName(event.currentTarget.value)} />
        </label>
      )}
    </ReasonDialog>
  );
}

/** For how long: one of a few spans, without end, or (where something can be ended) not any more. */
export function HowLong({
  minutes,
  choose,
  ends = false,
  endless = false,
  help = "",
}: {
  minutes: number | null;
  choose: (minutes: number | null) => void;
  ends?: boolean;
  endless?: boolean;
  help?: string;
}) {
  return (
    <label class="field">
      {t("operator.how_long")}
      <select value={minutes ?? "endless"} onChange={(event) => choose(event.currentTarget.value === "endless" ? null : Number(event.currentTarget.value))}>
        {MINUTES.map((each) => (
          <option key={each} value={each}>
            {span(each)}
          </option>
        ))}
        {endless && <option value="endless">{t("operator.without_end")}</option>}
        {ends && <option value={0}>{t("operator.end_now")}</option>}
      </select>
      {help && <small>{help}</small>}
    </label>
  );
}

/** An act in a window of its own: whatever it needs, and the reason for it. */
export function ReasonDialog({
  title,
  button,
  path,
  more = {},
  close,
  done,
  children,
}: {
  title: string;
  button: string;
  path: string;
  more?: object;
  close: () => void;
  done: () => void;
  children?: ComponentChildren;
}) {
  const [reason, setReason] = useState("");
  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    const answer = await attempt("", () => ask<{ proposed?: boolean }>("POST", path, { ...more, reason: reason.trim() }));
    if (!answer) return;
    close();
    tell(t(answer.proposed ? "operator.proposed" : "operator.done"));
    done();
  }
  return (
    <Dialog title={title} close={close}>
      <form class="stack choices" onSubmit={submit}>
        {children}
        <label class="field">
          {t("operator.reason")}
          <input value={reason} maxLength={500} required onInput={(event) => setReason(event.currentTarget.value)} />
          <small>{t("operator.reason_help")}</small>
        </label>
        <button type="submit" class="main" aria-disabled={!reason.trim()}>
          {button}
        </button>
      </form>
    </Dialog>
  );
}

/** Closing a room: everyone there is shown out. */
export function CloseRoom({ id, small = false }: { id: string; small?: boolean }) {
  const [open, setOpen] = useState(false);
  const title = t("operator.close_room");
  return (
    <div class={small ? "" : "moderation"}>
      <button type="button" class="quiet danger" aria-label={`${title} · ${id}`} onClick={() => setOpen(true)}>
        {!small && <Icon name="shield" />}
        {title}
      </button>
      {open && (
        <ReasonDialog
          title={title}
          button={title}
          path={`/api/operator/rooms/${encodeURIComponent(id)}/close`}
          close={() => setOpen(false)}
          done={() => undefined}
        >
          <p>{t("operator.close_room_help")}</p>
        </ReasonDialog>
      )}
    </div>
  );
}
