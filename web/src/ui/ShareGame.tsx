// What can be passed on of a game: its link, and the picture of a position.

import { useEffect } from "preact/hooks";
import { save, saveBlob } from "../lib/save";
import { language, theme } from "../lib/settings";
import { t } from "../net/i18n";
import { tell } from "../net/lobby";
import { addressFor, lookAround } from "../net/network";
import { copy } from "./copy";
import { Icon } from "./Icon";
import { Menu } from "./Menu";

const SCALE = 2; // of a PNG: sharp on a phone

/** Where a game can be looked through, for everyone who has the link. */
const linkTo = (id: string): string => addressFor(`/replay/${id}`);

/** The address of a picture; without a ply, of how it stands now. */
function picture(id: string, ply: number | undefined): string {
  const lit = theme.value !== "auto" ? theme.value : matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  return `/api/records/${encodeURIComponent(id)}.svg?theme=${lit}&language=${language.value}${ply === undefined ? "" : `&ply=${ply}`}`;
}

/** The picture as pixels, drawn here in the browser. */
async function png(address: string): Promise<Blob> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(String(answer.status));
  const url = URL.createObjectURL(new Blob([await answer.text()], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.naturalWidth * SCALE;
    canvas.height = image.naturalHeight * SCALE;
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise<Blob>((done, failed) => canvas.toBlob((made) => (made ? done(made) : failed(new Error("no picture")))));
  } finally {
    URL.revokeObjectURL(url);
  }
}

export function ShareGame({ id, game, ply, words = "" }: { id: string; game: string; ply?: number; words?: string }) {
  const name = `${game}-${id}${ply === undefined ? "" : `-${ply}`}`;
  useEffect(() => void lookAround(), []);
  async function link(): Promise<void> {
    try {
      if (navigator.share && matchMedia("(pointer: coarse)").matches) await navigator.share({ url: linkTo(id), text: words });
      else if (await copy(linkTo(id))) tell(t("share.copied")); // if not, the address of the record can be copied by hand
    } catch {
      /* thought better of it */
    }
  }
  async function pixels(): Promise<void> {
    try {
      saveBlob(await png(picture(id, ply)), `${name}.png`);
    } catch {
      tell(t("notice.fault"), true);
    }
  }
  return (
    <Menu
      label={t("share.game")}
      face={
        <>
          <Icon name="share" />
          <span>{t("share.game")}</span>
        </>
      }
      kind="right up share-game"
    >
      <button type="button" class="item" onClick={() => void link()}>
        {t("share.copy_game")}
      </button>
      <button type="button" class="item" onClick={() => void pixels()}>
        {t("share.png")}
      </button>
      <button type="button" class="item" onClick={() => save(picture(id, ply), `${name}.svg`)}>
        {t("share.svg")}
      </button>
    </Menu>
  );
}
