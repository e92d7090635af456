// How this room plays: the master may change it between games, everyone may read it.

import { isOperator } from "../../net/account";
import { gameWords, t } from "../../net/i18n";
import { tell } from "../../net/lobby";
import { request } from "../../net/requests";
import { local, master, playing } from "../../net/room";
import type { RoomInfo } from "../../net/types";
import { lazy } from "../../ui/lazy";
import { RoomForm } from "../../ui/RoomForm";
import { timeText } from "../../ui/TimeChoice";
import { DeleteGame } from "./DeleteGame";
import { Leave } from "./Leave";
import { RulesLink } from "./RulesLink";

const CloseRoom = lazy((parts) => parts.CloseRoom);

export function RoomSettingsTab({ room }: { room: RoomInfo }) {
  return (
    <div class="stack">
      <div class="slim-only">
        <div class="row">
          <Leave />
          <RulesLink game={room.game} />
        </div>
      </div>
      {local.value ? (
        <>
          <dl class="facts">
            <ChosenOptions room={room} />
          </dl>
          <DeleteGame id={room.id} />
        </>
      ) : (
        <>
          <SettingsForm room={room} />
          {isOperator() && <CloseRoom id={room.id} />}
        </>
      )}
    </div>
  );
}

function SettingsForm({ room }: { room: RoomInfo }) {
  const unlock = (): void => void request("change config", { password: "" }).then((done) => done && tell(t("form.password_gone")));
  if (master.value && !playing.value) {
    return (
      <RoomForm
        key={`${room.game} ${JSON.stringify(room.options)} ${JSON.stringify(room.settings)} ${room.locked}`}
        first={{ game: room.game, options: room.options, settings: room.settings }}
        unlock={room.locked ? unlock : undefined}
        label={t("form.change")}
        submit={(chosen) => void request("change config", chosen).then((done) => done && tell(t("form.changed")))}
      />
    );
  }
  return (
    <dl class="facts">
      <ChosenOptions room={room} />
      <div>
        <dt>{t("time.label")}</dt>
        <dd>{timeText(room.settings.time)}</dd>
      </div>
      <div>
        <dt>{t("form.rated")}</dt>
        <dd>{room.settings.rated ? t("form.yes") : t("form.no")}</dd>
      </div>
      <div>
        <dt>{t("form.bots")}</dt>
        <dd>{room.settings.bots ? t("form.yes") : t("form.no")}</dd>
      </div>
      <div>
        <dt>{t("form.spectators")}</dt>
        <dd>{room.settings.spectators ? t("form.yes") : t("form.no")}</dd>
      </div>
    </dl>
  );
}

function ChosenOptions({ room }: { room: RoomInfo }) {
  const words = gameWords(room.game);
  return (
    <>
      {Object.entries(room.options).map(([key, value]) => (
        <div key={key}>
          <dt>{words?.options[key]?.name ?? key}</dt>
          <dd>{words?.options[key]?.values?.[String(value)] ?? (typeof value === "boolean" ? (value ? t("form.yes") : t("form.no")) : String(value))}</dd>
        </div>
      ))}
    </>
  );
}
