// A window above the page: Escape or its cross closes it, the rest of the page waits.

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { t } from "../net/i18n";
import { Icon } from "./Icon";

export function Dialog({ title, close, children }: { title: string; close: () => void; children: ComponentChildren }) {
  const window = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    window.current?.showModal();
  }, []);
  return (
    <dialog
      ref={window}
      class="card dialog"
      aria-labelledby={id}
      onClose={close}
      onClick={(event) => {
        if (event.target === window.current) close();
      }}
    >
      <div class="dialog-head">
        <h2 id={id}>{title}</h2>
        <button type="button" class="quiet close" aria-label={t("lobby.close")} onClick={close}>
          <Icon name="close" />
        </button>
      </div>
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}
