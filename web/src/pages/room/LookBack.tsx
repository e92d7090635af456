// The way through a running game's past, and back to now: in the line below the board, so that nothing moves.

import { useLayoutEffect } from "preact/hooks";
import { t } from "../../net/i18n";
import { board, recorded } from "../../net/room";
import { Icon, type IconName } from "../../ui/Icon";
import { numbers } from "../../ui/MoveList";
import { at, back, look, news } from "./past";

/** Arrows, Home, End and Escape, wherever nothing else uses them. */
export function useLookKeys(): void {
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const on = event.target as HTMLElement,
        here = at.peek(),
        now = board.peek()?.ply;
      if (now === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
      if (event.key === "Escape" && here !== null && !on.closest("dialog, .menu")) return back();
      if (on.closest("input, textarea, select, [role=tablist], .menu, dialog, .spot")) return;
      const to = { ArrowLeft: (here ?? now) - 1, ArrowRight: (here ?? now) + 1, Home: 0, End: now }[event.key];
      if (to === undefined || (here === null && to >= now)) return;
      event.preventDefault();
      void look(to);
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, []);
}

export function LookBack() {
  const here = at.value ?? 0,
    all = numbers(recorded.value);
  const step = (name: IconName, label: string, to: number, disabled: boolean) => (
    <button type="button" class="quiet" aria-label={label} title={label} aria-disabled={disabled} onClick={() => void look(to)}>
      <Icon name={name} />
    </button>
  );
  return (
    <div class="look-back" role="group" aria-label={t("look.label")}>
      {step("first", t("replay.first"), 0, here === 0)}
      {step("left", t("replay.back"), here - 1, here === 0)}
      <span class="look-at" role="status">
        {here === 0 ? t("look.start") : t("replay.ply", { n: all[here - 1] ?? 0, of: all[all.length - 1] ?? 0 })}
      </span>
      {step("right", t("replay.on"), here + 1, false)}
      <button type="button" class="main" onClick={back}>
        {t("look.now")}
        {news.value && <span class="badge">{t("look.news")}</span>}
      </button>
    </div>
  );
}
