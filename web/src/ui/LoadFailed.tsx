// What was asked for did not come: say so, and offer to try again.

import { t } from "../net/i18n";
import { Empty } from "./Empty";

export function LoadFailed({ again, text = t("lost.broken") }: { again: () => void; text?: string }) {
  return (
    <div role="alert">
      <Empty icon="undo" text={text}>
        <button type="button" class="main" onClick={again}>
          {t("lost.again")}
        </button>
      </Empty>
    </div>
  );
}
