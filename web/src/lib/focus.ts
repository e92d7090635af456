// Where the focus goes when the page moves it: the next thing to read or to do, though nobody could get there by the tab key.

/** It can have the focus, whatever it is. */
export function focusable(place: Element): void {
  if (!place.hasAttribute("tabindex")) place.setAttribute("tabindex", "-1");
}

/** Without a jump of what is seen. */
export function focusOn(place: HTMLElement | SVGElement): void {
  focusable(place);
  place.focus({ preventScroll: true });
}

/** A button that can't be pressed just now says so by `aria-disabled` and keeps the focus, which `disabled` would take from it: a press comes to nothing. */
export function holdPresses(): void {
  const pressed = (event: Event): void => {
    if (!(event.target as Element).closest?.("button[aria-disabled=true]")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener("click", pressed, true);
}
