// A room in this browser: the same page, without a server behind it. Where it can't be opened one is told why, and how to go on.

import { useEffect, useMemo, useState } from "preact/hooks";
import { level } from "../../lib/settings";
import { type KeptGame, shelf } from "../../local/kept";
import { openTable } from "../../local/tables";
import { visit } from "../../local/visit";
import { gameName, t } from "../../net/i18n";
import * as room from "../../net/room";
import { againstComputer } from "../../net/start";
import { OpenRoom, useRoomTitle } from "./Room";

export function Local({ id }: { id: string }) {
  const [tries, setTries] = useState(0);
  const [failed, setFailed] = useState(false);
  const kept = useMemo(() => shelf.find(id), [id, tries]);
  useEffect(() => {
    if (!kept) return;
    let here = true,
      close = (): void => undefined;
    openTable(kept.game, kept.options).then(
      (table) => {
        if (here) close = visit(shelf.find(id) ?? kept, table);
        else table.stop();
      },
      () => here && setFailed(true),
    );
    return () => {
      here = false;
      close();
    };
  }, [id, tries]);
  const info = room.info.value;
  useRoomTitle();
  if (!kept) return <Gone />;
  if (failed)
    return (
      <Failed
        kept={kept}
        again={() => {
          setFailed(false);
          setTries(tries + 1);
        }}
      />
    );
  if (!info || !room.local.value)
    return (
      <main id="main" class="page room-page" aria-busy="true">
        <div class="skeleton-board" />
      </main>
    );
  return <OpenRoom info={info} />;
}

/** Another browser's game, or one that was deleted. */
function Gone() {
  return (
    <main id="main" class="page narrow">
      <div class="card stack lost">
        <h1>{t("local.gone")}</h1>
        <p>{t("local.gone_help")}</p>
        <div class="row wrap">
          <a class="button main" href="/">
            {t("local.leave")}
          </a>
        </div>
      </div>
    </main>
  );
}

/** The rules of the game can't be had: no network, or a browser that can't run them. */
function Failed({ kept, again }: { kept: KeptGame; again: () => void }) {
  const [busy, setBusy] = useState(false);
  const bot = kept.chairs.find((chair) => chair.bot !== undefined)?.bot;
  const serve = (): void => {
    setBusy(true);
    void againstComputer({ game: kept.game, options: kept.options }, bot ?? level.value, 0).finally(() => setBusy(false));
  };
  return (
    <main id="main" class="page narrow">
      <div class="card stack lost" role="alert">
        <h1>{t("local.failed")}</h1>
        <p>
          <b>{gameName(kept.game)}</b> {t("local.failed_help")}
        </p>
        <div class="row wrap">
          <button type="button" class="main" onClick={again}>
            {t("door.again")}
          </button>
          <button type="button" class="quiet" aria-disabled={busy} onClick={serve}>
            {t("local.server")}
          </button>
          <a class="button quiet" href="/">
            {t("local.leave")}
          </a>
        </div>
      </div>
    </main>
  );
}
