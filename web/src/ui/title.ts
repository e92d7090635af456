// The window's title names what the page shows: its heading, unless the page has something better to say.

import { useEffect } from "preact/hooks";
import { t } from "../net/i18n";

/** Call the window like this, with the site's name behind it. */
export function useTitle(...shown: (string | undefined | null)[]): void {
  const title = [...shown.filter(Boolean), t("head.title")].join(" · ");
  useEffect(() => {
    document.title = title;
  }, [title]);
}
