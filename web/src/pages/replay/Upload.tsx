// A record from outside: chosen as a file, dropped, or pasted.

import { useId, useState } from "preact/hooks";
import { go } from "../../lib/route";
import { ask, Refused } from "../../net/connection";
import type { RecordScenes } from "../../net/http";
import { refusalText, t } from "../../net/i18n";
import { Icon } from "../../ui/Icon";
import { Wrong } from "../../ui/Wrong";

export function Upload({ found }: { found: (shown: RecordScenes, text: string) => void }) {
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState("");
  const [over, setOver] = useState(false);
  const [id, setId] = useState("");
  const help = useId();
  async function show(record: string): Promise<void> {
    setText(record);
    setWrong("");
    try {
      found(await ask<RecordScenes>("POST", "/api/records/scenes", record), record);
    } catch (refused) {
      setWrong(
        !(refused instanceof Refused)
          ? t("lost.broken")
          : refused.refusal.code === "bad-record"
            ? t("replay.bad", { why: refused.refusal.text })
            : refusalText(undefined, refused.refusal),
      );
    }
  }
  const file = (files: FileList | null | undefined): void => {
    const first = files?.[0];
    if (first) void first.text().then(show);
  };
  return (
    <main id="main" class="page narrow">
      <div class="welcome">
        <h1>{t("replay.upload_title")}</h1>
        <p id={help}>{t("replay.upload_help")}</p>
      </div>
      <form
        class={`card stack drop${over ? " over" : ""}`}
        onSubmit={(event) => {
          event.preventDefault();
          void show(text);
        }}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          file(event.dataTransfer?.files);
        }}
      >
        <label class="button quiet file">
          <Icon name="list" />
          {t("replay.file")}
          <input type="file" accept=".json,.txt,application/json,text/plain" onChange={(event) => file(event.currentTarget.files)} />
        </label>
        <label class="field">
          {t("replay.paste")}
          <textarea rows={8} value={text} spellcheck={false} aria-describedby={help} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
        <Wrong text={wrong} />
        <button type="submit" class="main" aria-disabled={!text.trim()}>
          {t("replay.show")}
        </button>
      </form>
      <form
        class="card stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (id.trim()) go(`/replay/${encodeURIComponent(id.trim())}`);
        }}
      >
        <label class="field">
          {t("replay.id")}
          <input value={id} maxLength={64} autocapitalize="off" autocomplete="off" spellcheck={false} onInput={(event) => setId(event.currentTarget.value)} />
          <small>{t("replay.id_help")}</small>
        </label>
        <button type="submit" class="quiet" aria-disabled={!id.trim()}>
          {t("replay.open")}
        </button>
      </form>
    </main>
  );
}
