// Where the focus goes when the page moves it: the next thing to read or to do, though nobody could get there by the tab key.

/** Whatever it is, and without a jump of what is seen. */
export function focusOn(place: HTMLElement | SVGElement): void {
  if (!place.hasAttribute("tabindex")) place.setAttribute("tabindex", "-1");
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
