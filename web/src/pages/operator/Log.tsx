// Everything that operators did.

import { DOT } from "../../lib/dot";
import type { Act } from "../../net/http";
import { t } from "../../net/i18n";
import { Empty } from "../../ui/Empty";
import { LoadFailed } from "../../ui/LoadFailed";
import { useLoaded } from "../../ui/load";
import { Skeleton } from "../../ui/Skeleton";
import { actText } from "./acts";
import { moment } from "./ModerationTools";

export function Log() {
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
              {actText(act)} {act.document.second && t("operator.second", { name: String(act.document.second) })}
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
