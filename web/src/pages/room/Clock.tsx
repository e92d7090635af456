// The remaining time of a seat; the server's word, counted down for show.

import { useEffect, useRef, useState } from "preact/hooks";
import { playSound } from "../../lib/sounds";
import { t } from "../../net/i18n";
import { clock, info, lostSince, mySeats } from "../../net/room";
import type { ClockInfo, Time } from "../../net/types";

const HURRY = 10_000;

/** What is left of a seat's time so long after the server said it; null without a clock. */
export function timeLeft(told: ClockInfo & { heardAt: number }, kind: Time["kind"], seat: number, now: number): { ms: number; extra: number } | null {
  const { main, byoyomi, turn } = told.remaining[seat] ?? {};
  const running = told.seat === seat && told.deadline !== null;
  const gone = running ? Math.max(0, now - told.heardAt) : 0;
  if (kind === "none") return null;
  if (kind === "turn") return { ms: Math.max(0, (turn ?? 0) - gone), extra: 0 };
  const before = Math.max(0, (main ?? 0) - gone);
  if (before > 0 || !byoyomi) return { ms: before, extra: byoyomi ?? 0 };
  return { ms: Math.max(0, byoyomi - Math.max(0, gone - (main ?? 0))), extra: 0 };
}

export function clockText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export function Clock({ seat }: { seat: number }) {
  const told = clock.value;
  const [, tick] = useState(0);
  const running = told !== null && told.seat === seat && told.deadline !== null && lostSince.value === null; // without the server nobody knows: it stands still
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => tick((count) => count + 1), 200);
    return () => clearInterval(timer);
  }, [running]);
  const now = told && timeLeft(told, info.value?.settings.time.kind ?? "none", seat, lostSince.value ?? Date.now());
  const second = now && running && mySeats.value.includes(seat) && now.ms <= HURRY && now.ms > 0 && now.extra === 0 ? Math.ceil(now.ms / 1000) : 0;
  const warned = useRef(0);
  useEffect(() => {
    if (second && second !== warned.current) playSound("hurry");
    warned.current = second;
  }, [second]);
  if (!now) return null;
  return (
    <span class={`clock${running ? " running" : ""}${running && now.ms <= HURRY && now.extra === 0 ? " hurry" : ""}`} role="timer">
      <span>{clockText(now.ms)}</span>
      {now.extra > 0 && <small>{t("time.plus", { s: Math.round(now.extra / 1000) })}</small>}
    </span>
  );
}
