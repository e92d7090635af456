// Leaving a room by its button; who plays is told first what that means.

import { useEffect, useState } from "preact/hooks";
import { go } from "../../lib/route";
import { t } from "../../net/i18n";
import { gameInfo } from "../../net/lobby";
import { request } from "../../net/requests";
import { activeSeats, game, info, local, playing, sittingIn } from "../../net/room";
import { Dialog } from "../../ui/Dialog";
import { Icon } from "../../ui/Icon";

export function Leave() {
  const [sure, setSure] = useState(false);
  const plays = playing.value && activeSeats.value.length > 0 && !sittingIn.value;
  useEffect(() => {
    if (!plays) setSure(false); // what was asked about is over
  }, [plays]);
  if (local.value)
    return (
      <a class="button quiet leave" href="/">
        <Icon name="exit" />
        {t("leave.button")}
      </a>
    ); // what is kept here goes on whenever one likes
  const resigns = gameInfo(game.value)?.leaving === "resigns";
  const means = resigns ? "leave.resigns" : info.value?.settings.time.kind === "none" ? "leave.no_clock" : "leave.clock";
  const out = async (): Promise<void> => {
    if (!plays || !resigns || (await request("leave room"))) go("/lobby");
  };
  return (
    <>
      <button type="button" class="quiet leave" onClick={() => (plays ? setSure(true) : void out())}>
        <Icon name="exit" />
        {t("leave.button")}
      </button>
      {sure && (
        <Dialog title={t("leave.sure")} close={() => setSure(false)}>
          <div class="stack choices">
            <p>{t(means)}</p>
            <div class="row wrap">
              <button
                type="button"
                class="bad"
                onClick={() => {
                  setSure(false);
                  void out();
                }}
              >
                {t(resigns ? "leave.resign_go" : "leave.go")}
              </button>
              <button type="button" class="quiet" onClick={() => setSure(false)}>
                {t("leave.stay")}
              </button>
            </div>
          </div>
        </Dialog>
      )}
    </>
  );
}
