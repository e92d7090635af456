// The room's link, as text and as a QR code.

import { useEffect, useState } from "preact/hooks";
import { t } from "../../net/i18n";
import { addressFor, around, lookAround } from "../../net/network";
import { copy } from "../../ui/copy";
import { Qr } from "../../ui/Qr";

export function Share({ link }: { link: string }) {
  const address = addressFor(link);
  const [copied, setCopied] = useState(false);
  useEffect(() => void lookAround(), []);
  async function give(): Promise<void> {
    try {
      if (navigator.share && matchMedia("(pointer: coarse)").matches) await navigator.share({ url: address });
      else if (!(await copy(address))) return; // the link can be read and selected
      setCopied(true);
      setTimeout(() => setCopied(false), 2500);
    } catch {
      /* the visitor thought better of it */
    }
  }
  return (
    <div class="share">
      <Qr text={address} label={t("share.qr")} />
      <div class="stack">
        <p>{t(around.value?.alone ? "share.alone" : "share.how")}</p>
        <input readOnly value={address} aria-label={t("share.link")} onFocus={(event) => event.currentTarget.select()} />
        <button type="button" class="main" onClick={() => void give()}>
          {copied ? t("share.copied") : t("share.copy")}
        </button>
        <span class="unseen" role="status">
          {copied && t("share.copied")}
        </span>
      </div>
    </div>
  );
}
