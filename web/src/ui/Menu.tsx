// A button that opens a small panel; choosing an item, Escape, a click elsewhere or leaving it with the tab key closes it.

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";

interface Props {
  label: string;
  face: ComponentChildren;
  children: ComponentChildren;
  kind?: string;
}

export function Menu({ label, face, children, kind = "" }: Props) {
  const [open, setOpen] = useState(false);
  const host = useRef<HTMLDivElement>(null);
  const id = useId();
  const close = (): void => {
    setOpen(false);
    host.current?.querySelector("button")?.focus();
  };
  useEffect(() => {
    if (!open) return;
    host.current?.querySelector(".sheet")?.scrollIntoView({ block: "nearest" }); // in a low window it may lie below the edge
    const away = (event: Event): void => {
      if (!host.current?.contains(event.target as Node)) setOpen(false);
    };
    const pressed = (event: KeyboardEvent): void => {
      if (event.key === "Escape") close();
    };
    document.addEventListener("pointerdown", away);
    document.addEventListener("focusin", away);
    document.addEventListener("keydown", pressed);
    return () => {
      document.removeEventListener("pointerdown", away);
      document.removeEventListener("focusin", away);
      document.removeEventListener("keydown", pressed);
    };
  }, [open]);
  return (
    <div class={`menu ${kind}`} ref={host}>
      <button type="button" class="quiet" aria-expanded={open} aria-controls={id} aria-label={label} onClick={() => setOpen(!open)}>
        {face}
      </button>
      <div
        class="card sheet"
        id={id}
        hidden={!open}
        role="group"
        aria-label={label}
        onClick={(event) => {
          if ((event.target as Element).closest(".item")) close();
        }}
      >
        {open && children}
      </div>
    </div>
  );
}
