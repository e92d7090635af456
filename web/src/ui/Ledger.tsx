// The clock's ledger: of every action when it arrived, what was charged for it, and what lag was forgiven. Anyone at the table can see it.

import { useState } from "preact/hooks";
import { seatName, t } from "../net/i18n";
import type { LedgerLine } from "../net/types";
import { Dialog } from "./Dialog";
import { Icon } from "./Icon";
import { LoadFailed } from "./LoadFailed";
import { useLoaded } from "./load";
import { type Action, numbers, readable } from "./MoveList";
import { SeatSign } from "./SeatSign";

interface Props {
  id: string;
  game: string;
  colours: readonly string[];
  actions: readonly Action[];
}

export function Ledger(props: Props) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="quiet" onClick={() => setOpen(true)}>
        <Icon name="clock" />
        {t("ledger.open")}
      </button>
      {open && (
        <Dialog title={t("ledger.title")} close={() => setOpen(false)}>
          <LedgerTable {...props} />
        </Dialog>
      )}
    </>
  );
}

/** Minutes, seconds and tenths. */
function time(ms: number): string {
  const tenths = Math.round(ms / 100);
  return `${Math.floor(tenths / 600)}:${String(Math.floor(tenths / 10) % 60).padStart(2, "0")}.${tenths % 10}`;
}

const seconds = (ms: number): string => t("ledger.seconds", { s: (ms / 1000).toFixed(2) });

function LedgerTable({ id, game, colours, actions }: Props) {
  const [told, again] = useLoaded<LedgerLine[]>(`/api/records/${encodeURIComponent(id)}/ledger`);
  if (told === null) return <LoadFailed again={again} />;
  if (!told) return <p aria-busy="true" class="skeleton-part" />;
  const number = numbers(actions),
    timed = told.some((line) => line.charged || line.forgiven);
  return (
    <div class="ledger" tabIndex={0} role="region" aria-label={t("ledger.title")}>
      <p class="hint">{t(timed ? "ledger.help" : "ledger.untimed")}</p>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("ledger.move")}</th>
            <th scope="col">{t("ledger.at")}</th>
            {timed && (
              <>
                <th scope="col">{t("ledger.charged")}</th>
                <th scope="col">{t("ledger.forgiven")}</th>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {told.map(({ ply, seat, at, charged, forgiven, forced }) => (
            <tr key={ply}>
              <th scope="row">
                {seat === null ? (
                  <span class="chance" />
                ) : (
                  <>
                    <span class="number">{number[ply]}</span>
                    <SeatSign seat={seat} colour={colours[seat] ?? "ink-2"} />
                  </>
                )}
                <span class="unseen">{seat === null ? t("moves.chance") : seatName(game, seat)}</span>
                <span class="action">{actions[ply] && readable(game, actions[ply])}</span>
                {forced && <small class="hint">{t("moves.forced")}</small>}
              </th>
              <td>{time(at)}</td>
              {timed && (
                <>
                  <td>{seat === null ? "–" : seconds(charged)}</td>
                  <td>{seat === null ? "–" : seconds(forgiven)}</td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
