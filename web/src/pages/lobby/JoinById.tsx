// Into a room by its short ID, or by its whole link.

import { useState } from "preact/hooks";
import { go } from "../../lib/route";
import { t } from "../../net/i18n";

export function JoinById() {
  const [text, setText] = useState("");
  const id =
    text
      .trim()
      .replace(/[?#].*$/, "")
      .split("/")
      .filter(Boolean)
      .pop() ?? "";
  return (
    <form
      class="join row"
      onSubmit={(event) => {
        event.preventDefault();
        if (id) go(`/r/${encodeURIComponent(id)}`);
      }}
    >
      <input
        value={text}
        maxLength={200}
        autocapitalize="off"
        autocomplete="off"
        spellcheck={false}
        placeholder={t("lobby.join_id")}
        aria-label={t("lobby.join_id")}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" class="quiet" aria-disabled={!id}>
        {t("lobby.join")}
      </button>
    </form>
  );
}
