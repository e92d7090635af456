// The rules beside a game: in a window of their own, since leaving the room would be leaving the game.

import { t } from "../../net/i18n";
import { Icon } from "../../ui/Icon";

export function RulesLink({ game }: { game: string }) {
  return (
    <a class="button quiet" href={`/learn/${game}`} target="_blank" rel="noopener">
      <Icon name="book" />
      {t("front.rules")}
    </a>
  );
}
