// The room's link, as text and as a QR code.

import { useState } from "preact/hooks";
import { t } from "../../net/i18n";
import { Qr } from "../../ui/Qr";

export function Share({ link }: { link: string }) {
  const address = new URL(link, location.href).href;
  const [copied, setCopied] = useState(false);
  async function copy(): Promise<void> {
    try {
      if (navigator.share && matchMedia("(pointer: coarse)").matches) await navigator.share({ url: address });
      else await navigator.clipboard.writeText(address);
      setCopied(true);
      setTimeout(() => setCopied(false), 2500);
    } catch {
      /* the visitor thought better of it, or it is not allowed: the link can be read and selected */
    }
  }
  return (
    <div class="share">
      <Qr text={address} label={t("share.qr")} />
      <div class="stack">
        <p>{t("share.how")}</p>
        <input readOnly value={address} aria-label={t("share.link")} onFocus={(event) => event.currentTarget.select()} />
        <button type="button" class="main" onClick={() => void copy()}>
          <span role="status">{copied ? t("share.copied") : t("share.copy")}</span>
        </button>
      </div>
    </div>
  );
}
