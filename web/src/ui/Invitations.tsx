// Invitations that have come, wherever one is.

import { go } from "../lib/route";
import { gameName, t } from "../net/i18n";
import { invitations, uninvite } from "../net/lobby";
import { engaged } from "../net/room";
import { Name } from "./Name";

export function Invitations() {
  return (
    <div class="invitations" role="status">
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
