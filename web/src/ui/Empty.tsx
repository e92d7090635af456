// Nothing here yet: said kindly, with what one can do about it.

import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "./Icon";

export function Empty({ icon, text, children }: { icon: IconName; text: string; children?: ComponentChildren }) {
  return (
    <div class="nothing">
      <Icon name={icon} />
      <p>{text}</p>
      {children && <div class="row wrap">{children}</div>}
    </div>
  );
}
