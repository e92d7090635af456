// The actions so far, looking back at them, and a line to type the next one.

import { useState } from "preact/hooks";
import { t } from "../../net/i18n";
import { play } from "../../net/requests";
import { activeSeats, colours, game, gameId, local, moves, playing, yours } from "../../net/room";
import { Ledger } from "../../ui/Ledger";
import { MoveList } from "../../ui/MoveList";
import { ShareGame } from "../../ui/ShareGame";
import { at, look } from "./past";
import { RoundTable } from "./Rounds";
import { SaveGame } from "./SaveGame";
import { who } from "./who";

/** `looked`: a move was chosen, and is to be seen on the board. */
export function Moves({ looked }: { looked: () => void }) {
  const told = moves.value,
    id = gameId.value;
  return (
    <div class="moves">
      <RoundTable />
      <MoveList
        called={who}
        game={game.value}
        colours={colours.value}
        actions={told}
        at={at.value ?? told.length}
        to={(ply) => {
          void look(ply);
          looked();
        }}
      />
      {id && told.length > 0 && (
        <div class="row wrap move-more">
          {local.value ? (
            <SaveGame />
          ) : (
            <>
              <Ledger id={id} game={game.value} colours={colours.value} actions={told} />
              <ShareGame id={id} game={game.value} ply={at.value ?? told.length} />
            </>
          )}
        </div>
      )}
      {playing.value && activeSeats.value.length > 0 && <TypedAction />}
    </div>
  );
}

function TypedAction() {
  const [text, setText] = useState("");
  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    if (text.trim() && (await play(text.trim()))) setText("");
  }
  const mine = yours.value;
  return (
    <form onSubmit={submit} class="row typed">
      <input
        value={text}
        maxLength={100}
        readOnly={!mine}
        autocapitalize="off"
        autocomplete="off"
        spellcheck={false}
        placeholder={t("moves.type")}
        aria-label={t("moves.type")}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" class="quiet" aria-disabled={!mine || !text.trim()}>
        {t("moves.play")}
      </button>
    </form>
  );
}
