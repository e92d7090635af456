// Escape leaves whatever was begun, wherever the focus is; a menu or a dialog that is open comes first.

import { useEffect, useRef } from "preact/hooks";

export function useEscape(begun: boolean, leave: () => void): void {
  const now = useRef(leave);
  now.current = leave;
  useEffect(() => {
    if (!begun) return;
    const pressed = (event: KeyboardEvent): void => {
      if (event.key === "Escape" && !event.defaultPrevented && !(event.target as Element).closest?.("dialog, .menu")) now.current();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, [begun]);
}
