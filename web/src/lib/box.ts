// Where something lies in the window, as pointers tell their own place.

/** An element's box. Where the style magnifies a page, WebKit tells boxes in the page's pixels, pointers in the window's; the body is as wide as the window. */
export function boxOf(element: Element): { left: number; top: number; width: number; height: number } {
  const { left, top, width, height } = element.getBoundingClientRect();
  const told = document.documentElement.clientWidth / document.body.getBoundingClientRect().width;
  const zoom = Math.round(100 * told) / 100 || 1; // widths of windows are told in whole pixels
  return { left: left * zoom, top: top * zoom, width: width * zoom, height: height * zoom };
}
