// The own name, to be changed in place.

import { useState } from "preact/hooks";
import { me, Refused, rename } from "../net/connection";
import { refusalText, t } from "../net/i18n";
import { tell } from "../net/lobby";

export function NameForm() {
  const [name, setName] = useState(me.value?.name ?? "");
  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    try {
      await rename(name.trim());
      tell(t("mine.done", { name: me.value?.name ?? name }));
    } catch (refused) {
      tell(refused instanceof Refused && refused.refusal.code !== "bad-payload" ? refusalText(undefined, refused.refusal) : t("mine.refused"), true);
    }
  }
  return (
    <form onSubmit={submit} class="stack">
      <label class="field">
        {t("mine.name")}
        <input value={name} maxLength={24} required autocomplete="nickname" onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <button class="main" type="submit">
        {t("mine.rename")}
      </button>
    </form>
  );
}
