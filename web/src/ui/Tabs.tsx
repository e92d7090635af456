// Tabs: one panel at a time; arrows go from tab to tab. While none is open, the panel of `rest` may lie there, if the page has room for it (style/panels.css).

import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { t } from "../net/i18n";
import { Icon, type IconName } from "./Icon";

export interface Tab {
  key: string;
  label: string;
  icon: IconName;
  /** How much there is unread. */
  badge?: number;
  panel: () => ComponentChildren;
}

export function Tabs({
  tabs,
  open,
  choose,
  label,
  rest,
}: {
  tabs: Tab[];
  open: string | null;
  choose: (key: string) => void;
  label: string;
  rest?: string | null;
}) {
  const id = useId();
  function pressed(event: KeyboardEvent): void {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? tabs.length - 1 : 0;
    if (!step) return;
    event.preventDefault();
    const at = tabs.findIndex((tab) => tab.key === (event.target as HTMLElement).dataset.tab);
    const next = tabs[(at + step) % tabs.length];
    if (!next) return;
    choose(next.key);
    (event.currentTarget as HTMLElement).querySelector<HTMLElement>(`[data-tab="${next.key}"]`)?.focus();
  }
  const shown = tabs.find((tab) => tab.key === (open ?? rest));
  return (
    <div class="tabs">
      <div role="tablist" aria-label={label} onKeyDown={pressed}>
        {tabs.map((tab, index) => (
          <button
            type="button"
            role="tab"
            key={tab.key}
            data-tab={tab.key}
            id={`${id}-${tab.key}`}
            aria-selected={tab.key === open}
            aria-controls={`${id}-panel`}
            tabIndex={tab.key === open || (open === null && index === 0) ? 0 : -1}
            onClick={() => choose(tab.key)}
          >
            <Icon name={tab.icon} />
            <span>{tab.label}</span>
            {tab.badge ? (
              <span class="badge">
                <span aria-hidden="true">{tab.badge}</span>
                <span class="unseen">{t("chat.unread", { n: tab.badge })}</span>
              </span>
            ) : null}
          </button>
        ))}
      </div>
      <div role="tabpanel" class="panel" id={`${id}-panel`} aria-labelledby={shown ? `${id}-${shown.key}` : undefined} hidden={!shown}>
        {shown?.panel()}
      </div>
    </div>
  );
}
