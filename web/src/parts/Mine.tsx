// Who one is: the own name, to be changed in place.

import { useState } from "preact/hooks";
import { t } from "../i18n";
import { me, rename } from "../net";
import { tell } from "../store";
import { Menu } from "./Menu";
import { Name } from "./Name";

export function Mine() {
  const who = me.value!;
  const [name, setName] = useState(who.name);
  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    try {
      await rename(name.trim());
      tell(t("mine.done", { name: me.value!.name }));
    } catch {
      tell(t("mine.refused"), true);
    }
  }
  return (
    <Menu label={t("mine.label", { name: who.name })} face={<Name person={who} />} kind="right mine">
      <form onSubmit={submit} class="stack">
        <label class="field">{t("mine.name")}<input value={name} maxLength={24} required onInput={(event) => setName(event.currentTarget.value)} /></label>
        <button class="main" type="submit">{t("mine.rename")}</button>
        <p class="hint">{t("mine.guest")}</p>
      </form>
    </Menu>
  );
}
