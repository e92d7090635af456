// Addresses and browsers from which nobody may come in.

import { useState } from "preact/hooks";
import { DOT } from "../../lib/dot";
import type { Ban } from "../../net/http";
import { t } from "../../net/i18n";
import { Empty } from "../../ui/Empty";
import { LoadFailed } from "../../ui/LoadFailed";
import { useLoaded } from "../../ui/load";
import { Skeleton } from "../../ui/Skeleton";
import { placeText } from "./acts";
import { HowLong, moment, ReasonDialog } from "./ModerationTools";

/** From where nobody may come in. */
export function Bans() {
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
                  <b>{placeText(ban)}</b>{" "}
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
