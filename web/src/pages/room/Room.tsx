// A room: the board large in the middle, the seats around it, everything else beside it.

import { computed } from "@preact/signals";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Board, type Plan } from "../../board/Board";
import { Picture } from "../../board/Picture";
import { hasSides, sitsAbove, turned } from "../../board/side";
import { afterPaint } from "../../lib/afterpaint";
import { DOT, dotted } from "../../lib/dot";
import { auto } from "../../lib/settings";
import { playSound } from "../../lib/sounds";
import { get } from "../../net/connection";
import { find, gameName, gameWords, say, t } from "../../net/i18n";
import { hint, hush, refuse, said } from "../../net/prompt";
import { type Hint, play, preview, request, sendDraft, whyNot } from "../../net/requests";
import * as room from "../../net/room";
import type { Scene } from "../../net/scenes";
import type { BoardInfo, BoardPlan, RoomInfo } from "../../net/types";
import { Chat, LastSaid, useSpokenChat } from "../../ui/Chat";
import { Icon } from "../../ui/Icon";
import { useKeptFocus } from "../../ui/keptfocus";
import { audible } from "../../ui/MoveList";
import { chairName } from "../../ui/Name";
import { spoken } from "../../ui/Notices";
import { type Tab, Tabs } from "../../ui/Tabs";
import { timeText } from "../../ui/TimeChoice";
import { useTitle } from "../../ui/title";
import { Actions } from "./Actions";
import { EntryRefused } from "./EntryRefused";
import { Leave } from "./Leave";
import { LookBack, useLookKeys } from "./LookBack";
import { Moves } from "./Moves";
import { Offers } from "./Offers";
import { People } from "./People";
import { Prompt, usual } from "./Prompt";
import { at, shown } from "./past";
import { planned } from "./planned";
import { ending, Result, resultShown } from "./Result";
import { RoomSettingsTab } from "./RoomSettingsTab";
import { RoundCard, roundShown } from "./Rounds";
import { SeatBar } from "./SeatBar";
import { StartCard } from "./StartCard";
import { TurnAsk } from "./TurnAsk";
import { sayHere, who } from "./who";

const NEXT = [".stage h2", '.spot[tabindex="0"]']; // where the keyboard is when what it was at has gone

export function Room({ id }: { id: string }) {
  useEffect(() => {
    room.enter(id);
    return () => room.leave();
  }, [id]);
  const info = room.info.value;
  useRoomTitle();
  if (room.entryRefusal.value) return <EntryRefused id={id} refusal={room.entryRefusal.value} />;
  if (!info)
    return (
      <main id="main" class="page room-page" aria-busy="true">
        <div class="skeleton-board" />
      </main>
    );
  return <OpenRoom info={info} />;
}

/** The window is called by the game and those one plays with; where there is no game, by what is said instead. */
export function useRoomTitle(instead: string | null = null): void {
  const info = room.info.value;
  const yours = room.yours.value;
  const others = room.seats.value
    .filter((chair) => (chair.person || chair.bot) && !room.mySeats.value.includes(chair.seat))
    .map((chair) => chairName(room.game.value, chair));
  useTitle(info ? `${yours ? `● ${t("seat.your_turn")} · ` : ""}${gameName(info.game)}` : instead, others.join(", "));
}

/** Whether there is a column beside the board, as style/room-narrow.css has it; else its panels are sheets that come from below. */
const hasColumn = (): boolean => matchMedia("(min-width: 1100px), (min-width: 900px) and (min-height: 501px)").matches;

/** Whether there is something to read under the board while no sheet is open. */
const written = computed(() => room.moves.value.length > 0 || room.messages.value.length > 0);

export function OpenRoom({ info }: { info: RoomInfo }) {
  const [tab, setTab] = useState<string | null>(() => (hasColumn() ? "moves" : null));
  const [read, setRead] = useState(0);
  const unread = tab === "chat" ? 0 : room.messages.value.length - Math.max(read, room.before.value);
  useEffect(() => {
    if (tab === "chat") setRead(room.messages.value.length);
  }, [tab, room.messages.value.length]);
  useSpokenChat(room.messages.value, room.before.value, tab === "chat");
  const [suggested, setSuggested] = useState<Hint | null>(null);
  const count = room.seats.value.length;
  const own = room.mySeats.value[0] ?? 0;
  const [otherWay, setOtherWay] = useState(false);
  const below = otherWay && count === 2 ? 1 - own : own; // names stand where their people sit
  const others = Array.from({ length: Math.max(0, count - 1) }, (_, n) => (below + count - 1 - n) % count); // as they sit: the next seat to the right
  const withOthers: Tab[] = [
    {
      key: "chat",
      label: t("room.chat"),
      icon: "chat",
      badge: unread,
      panel: () => <Chat messages={room.messages.value} send={(msg) => request("send msg", { msg })} empty={t("chat.empty")} />,
    },
    { key: "people", label: t("room.people"), icon: "people", panel: () => <People /> },
  ];
  const tabs: Tab[] = [
    {
      key: "moves",
      label: t("room.moves"),
      icon: "list",
      panel: () => (
        <>
          <Moves
            looked={() => {
              if (!hasColumn()) setTab(null);
            }}
          />
          {tab === null && <LastSaid messages={room.messages.value} open={() => setTab("chat")} />}
        </>
      ),
    },
    ...(room.local.value ? [] : withOthers), // where nobody else can come there is nobody to talk to
    { key: "settings", label: t("room.settings"), icon: "gear", panel: () => <RoomSettingsTab room={info} /> },
  ];
  const choose = (key: string): void => setTab(tab === key && !hasColumn() ? null : key);
  const page = useRef<HTMLElement>(null);
  useKeptFocus(page, NEXT);
  return (
    <main ref={page} id="main" class={`page room-page seats-${count}`}>
      <h1 class="unseen">{room.local.value ? t("local.title", { game: gameName(info.game) }) : t("room.title", { game: gameName(info.game), id: info.id })}</h1>
      <div class="table">
        <div class="seats others">
          {others.map((seat) => (
            <SeatBar key={seat} seat={seat} />
          ))}
        </div>
        <TheBoard info={info} suggested={suggested} suggest={setSuggested} near={below} otherWay={otherWay} />
        <RoundCard />
        <div class="prompt-row">
          <Voice />
          <Flip pressed={otherWay} flip={() => setOtherWay(!otherWay)} />
        </div>
        <Result />
        <div class="seats own">{count > 0 && <SeatBar seat={below} />}</div>
        <TableCounters />
        <Offers />
        <TurnAsk />
      </div>
      <aside class={`side card${tab === null ? " closed" : ""}`}>
        <div class="room-line">
          <p>
            <a href={`/learn/${info.game}`} target="_blank" rel="noopener" title={t("front.rules")}>
              {gameName(info.game)}
            </a>
            {DOT}
            {room.local.value ? t("local.here") : dotted([timeText(info.settings.time), info.settings.rated ? t("room.rated") : t("room.unrated")])}
          </p>
          <Leave />
        </div>
        <Tabs tabs={tabs} open={tab} choose={choose} label={t("room.tabs")} rest={written.value ? "moves" : null} />
      </aside>
    </main>
  );
}

/** The line under the board: where one is in the past, or what to do now; the end of a game and of a round speak for themselves. */
function Voice() {
  if (at.value !== null) return <LookBack />;
  return (resultShown.value || roundShown.value) && !said.value ? null : <Prompt />;
}

/** What is counted for the whole table. */
function TableCounters() {
  const counters = room.counters.value.filter((counter) => counter.seat === undefined);
  if (!counters.length) return null;
  return (
    <p class="table-counters">
      {counters.map((counter) => (
        <span class="counter" key={counter.say.key}>
          {say(room.game.value, counter.say)} <b>{counter.value}</b>
        </span>
      ))}
    </p>
  );
}

const AT_ONCE = 120; // milliseconds: a wrong click is answered by then, even if the reason comes later

const laid = computed(() => room.scene.value?.board);

/** The board from the other side. */
function Flip({ pressed, flip }: { pressed: boolean; flip: () => void }) {
  if (!laid.value || !hasSides(laid.value)) return null;
  return (
    <button type="button" class="quiet flip" aria-pressed={pressed} aria-label={t("board.flip")} title={t("board.flip")} onClick={flip}>
      <Icon name="flip" />
    </button>
  );
}

interface Around {
  info: RoomInfo;
  suggested: Hint | null;
  suggest: (hint: Hint | null) => void;
  near: number;
  otherWay: boolean;
}

/** Where the game stands. */
const stand = computed(() => `${room.board.value?.game_id} ${room.board.value?.ply}`);

function TheBoard({ info, suggested, suggest, near, otherWay }: Around) {
  const scene = shown.value,
    past = at.value !== null;
  useTurns();
  useLookKeys();
  useEffect(() => {
    suggest(null);
    tellDecided();
  }, [room.board.value?.game_id, room.board.value?.ply]);
  useEffect(() => stand.subscribe(hush), []); // at once: why an action was refused is said right after it was taken back
  useEffect(() => {
    if (suggested) hint(t("actions.suggestion", { action: audible(info.game, suggested, who) }));
  }, [suggested]);
  const start = useStart(scene ? null : info.game, JSON.stringify(info.options));
  const seen = useMemo(() => new Map<string, ReturnType<typeof preview>>(), [room.board.value?.ply, room.board.value?.game_id]);
  const flipped = (plan: BoardPlan): boolean => (plan.grounds.some((ground) => ground.kind === "goal") ? sitsAbove(plan, near) : otherWay && hasSides(plan));
  const undrawn = start && start.turn === undefined && find(gameWords(info.game), "prompts.drawn"); // what chance is to decide is not shown beforehand
  if (!scene)
    return (
      <div class="board-frame">
        {start ? (
          <Picture scene={flipped(start.board) ? turned(start) : start} game={info.game} called={who} label={gameName(info.game)} />
        ) : (
          <div class="skeleton-board" />
        )}
        {undrawn && <p class="undrawn">{undrawn}</p>}
        <StartCard />
      </div>
    );
  const told = room.board.value;
  const previewed = (action: string) => {
    const made = seen.get(action) ?? preview(action);
    seen.set(action, made);
    return made;
  };
  const idle = (): void => {
    const waits = room.playing.value && room.activeSeats.value.length && room.actingSeat.value === null; // in one's own turn, what can be done is about to come
    if (waits) refuse(t("prompt.not_yours", { waits: usual.value }));
  };
  function plan(made: Plan): void {
    hush();
    planned.value = made;
  }
  async function refused(places: string[]): Promise<void> {
    const wrong = t("prompt.not_there", { what: usual.value });
    const slow = setTimeout(() => refuse(wrong), AT_ONCE);
    const why = await whyNot(places);
    clearTimeout(slow);
    refuse(why || wrong);
  }
  return (
    <Board
      game={info.game}
      scene={scene}
      clicks={past ? null : room.clicks.value}
      seat={room.actingSeat.value}
      mine={room.mySeats.value.join(" ")}
      flipped={flipped(scene.board)}
      draft={past || room.actingSeat.value !== null ? null : room.draft.value}
      suggested={past ? null : suggested?.action}
      called={who}
      stale={room.lostSince.value !== null || room.behind.value}
      onPlay={(action) => void play(action)}
      onDraft={sendDraft}
      onRefused={(places) => void refused(places)}
      onIdle={past ? undefined : idle}
      onPlan={plan}
      preview={previewed}
      frame={{ "data-game": told?.game_id, "data-ply": told?.ply, "data-turn": told?.seat, "data-over": told?.over, "data-past": at.value ?? undefined }}
      overlay={<StartCard />}
    >
      <Actions key={told?.game_id} suggest={suggest} />
    </Board>
  );
}

/** What was decided just now, for everyone to hear. */
function tellDecided(): void {
  const last = room.decided.value;
  if (!last || last.ply >= (room.board.value?.ply ?? 0)) return;
  room.decided.value = null;
  const said = sayHere({ key: `decided.${last.choices[0]}`, values: { seat: { key: `seats.${last.seat}` } } });
  if (said) hint(said);
}

/** The first position of a game, to look at before it begins. */
function useStart(game: string | null, options: string): Scene | null {
  const [start, setStart] = useState<Scene | null>(null);
  useEffect(() => {
    if (!game) return;
    let wanted = true;
    get<Scene>(`/api/games/${game}/scene?options=${encodeURIComponent(options)}`).then(
      (scene) => {
        if (wanted) setStart(scene);
      },
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [game, options]);
  return game ? start : null;
}

/** Sounds, spoken words and moves that play themselves, as the game goes on. */
function useTurns(): void {
  const told = room.board.value,
    mine = room.actingSeat.value !== null;
  const before = useRef<{ game: string; ply: number; pieces: Scene["look"]["pieces"] } | null>(null);
  const acted = useRef(""); // what the others did last, as it is spoken
  useEffect(() => {
    if (told) afterPaint(`turn ${told.ply}`, () => tellTurn(told));
  }, [told?.game_id, told?.ply]);
  function tellTurn(told: BoardInfo): void {
    const scene = room.scene.value;
    const last = before.current;
    before.current = { game: told.game_id, ply: told.ply, pieces: scene?.look.pieces };
    acted.current = "";
    if (!last || last.game !== told.game_id) {
      if (!told.over) playSound("yours");
      spoken.value = mine ? t("speak.yours") : "";
      return;
    }
    if (told.ply <= last.ply) return;
    const names = new Set((last.pieces ?? []).map((piece) => piece.id));
    const fresh = (scene?.look.pieces ?? []).filter((piece) => !names.has(piece.id));
    const flipped = (scene?.look.pieces ?? []).some((piece) => (last.pieces ?? []).some((old) => old.id === piece.id && old.seat !== piece.seat));
    playSound(
      scene?.motions?.some((motion) => motion.kind === "turn") ? "turn" : flipped ? "flip" : fresh.some((piece) => piece.kind === "wall") ? "wall" : "place",
    );
    const actions = (told.recent ?? []).flatMap((each) => (each.seat === null || room.mySeats.value.includes(each.seat) ? [] : { ...each, seat: each.seat }));
    acted.current = actions.map((each) => t("speak.action", { seat: who(each.seat), action: audible(room.game.value, each, who) })).join(" ");
    if (told.over) tellEnd();
    else spoken.value = mine ? `${acted.current} ${t("speak.yours")}`.trim() : acted.current;
    if (mine && actions.length) playSound("yours");
  }
  /** Once both are known: what was done last, and how it ended. */
  function tellEnd(): void {
    if (room.over.value && room.board.value?.over) spoken.value = `${acted.current} ${ending()}`.trim();
  }
  const ended = room.over.value;
  const known = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (ended && known.current !== undefined && known.current !== ended.game_id) playSound("over");
    if (ended) afterPaint("end", tellEnd); // after the turn that brought it
    known.current = ended?.game_id ?? "";
  }, [ended?.game_id]);
  const choices = room.clicks.value;
  useEffect(() => {
    const [only, another] = choices ? Object.keys(choices) : [];
    if (auto.value === "off" || only === undefined || another !== undefined) return;
    const timer = setTimeout(() => void play(only), 500);
    return () => clearTimeout(timer);
  }, [choices, auto.value]);
}
