// Invitations that have come, wherever one is.

import { useRef } from "preact/hooks";
import { go } from "../lib/route";
import { gameName, t } from "../net/i18n";
import { invitations, uninvite } from "../net/lobby";
import { engaged } from "../net/room";
import { useKeptFocus } from "./keptfocus";
import { Name } from "./Name";

const NEXT = [".invitation button", "main h1"]; // where the keyboard is once one is answered

export function Invitations() {
  const all = useRef<HTMLDivElement>(null);
  useKeptFocus(all, NEXT);
  return (
    <div ref={all} class="invitations" role="status">
      {invitations.value.map(({ who, room }) => (
        <div class="card invitation" key={room.id}>
          <p>
            <Name person={who} /> {t("invite.asks", { game: gameName(room.game) })}
          </p>
          {engaged.value && <p class="hint">{t("invite.later")}</p>}
          <div class="row">
            {!engaged.value && (
              <button
                type="button"
                class="main"
                onClick={() => {
                  uninvite(room.id);
                  go(room.link);
                }}
              >
                {t("invite.go")}
              </button>
            )}
            <button type="button" class="quiet" onClick={() => uninvite(room.id)}>
              {t("invite.no")}
            </button>
          </div>
        </div>
      ))}
    </div>
  );
}
