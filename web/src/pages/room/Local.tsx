// A room in this browser: the same page, without a server behind it. Where it can't be opened one is told why, and how to go on.

import { useEffect, useMemo, useState } from "preact/hooks";
import { Refused } from "../../engine/contract";
import { saveText } from "../../lib/save";
import { level } from "../../lib/settings";
import { type KeptGame, shelf } from "../../local/kept";
import { asKept } from "../../local/record";
import type { Table } from "../../local/room";
import { openTable, outdated } from "../../local/tables";
import { visit } from "../../local/visit";
import { gameName, t } from "../../net/i18n";
import * as room from "../../net/room";
import { againstComputer } from "../../net/start";
import { DeleteGame } from "./DeleteGame";
import { OpenRoom, useRoomTitle } from "./Room";

export function Local({ id }: { id: string }) {
  const [tries, setTries] = useState(0);
  const [failed, setFailed] = useState<"fetching" | "reading" | null>(null);
  const kept = useMemo(() => shelf.find(id), [id, tries]);
  useEffect(() => {
    if (!kept) return;
    let here = true,
      close = (): void => undefined;
    const open = (table: Table): void => {
      if (!here) return table.stop();
      try {
        close = visit(shelf.find(id) ?? kept, table);
      } catch {
        table.stop();
        setFailed("reading");
      }
    };
    openTable(kept.game, kept.options).then(open, (wrong) => here && setFailed(wrong instanceof Refused ? "reading" : "fetching"));
    return () => {
      here = false;
      close();
    };
  }, [id, tries]);
  const info = room.info.value;
  useRoomTitle(!kept ? t("local.gone") : failed && t(failed === "reading" ? "local.unreadable" : "local.failed"));
  if (!kept) return <Gone />;
  if (failed === "reading") return <Unreadable kept={kept} />;
  if (failed)
    return (
      <Failed
        kept={kept}
        again={async () => {
          if (await outdated()) return location.reload();
          setFailed(null);
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
function Failed({ kept, again }: { kept: KeptGame; again: () => Promise<void> }) {
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
          <button type="button" class="main" onClick={() => void again()}>
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

/** What is kept does not follow from the rules of today: they have changed, or it was damaged. */
function Unreadable({ kept }: { kept: KeptGame }) {
  return (
    <main id="main" class="page narrow">
      <div class="card stack lost" role="alert">
        <h1>{t("local.unreadable")}</h1>
        <p>
          <b>{gameName(kept.game)}</b> {t("local.unreadable_help")}
        </p>
        <div class="row wrap">
          <button type="button" class="main" onClick={() => saveText(asKept(kept), `${kept.game}-${kept.id}.json`, "application/json")}>
            {t("replay.json")}
          </button>
          <a class="button quiet" href="/">
            {t("local.leave")}
          </a>
        </div>
        <DeleteGame id={kept.id} />
      </div>
    </main>
  );
}
