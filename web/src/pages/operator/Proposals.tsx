// What one operator wants to do about another: a second one agrees, or does not.

import { useState } from "preact/hooks";
import { DOT } from "../../lib/dot";
import { mine } from "../../net/account";
import type { Proposal } from "../../net/http";
import { t } from "../../net/i18n";
import { Empty } from "../../ui/Empty";
import { LoadFailed } from "../../ui/LoadFailed";
import { useLoaded } from "../../ui/load";
import { Skeleton } from "../../ui/Skeleton";
import { actText } from "./acts";
import { moment, ReasonDialog } from "./ModerationTools";

export function Proposals() {
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
              {actText(proposal)}
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
