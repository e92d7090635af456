// Pictures as elements. A browser reads markup more slowly than it copies what it has read: most of what a move changes has been on the board before.

const SVG = "http://www.w3.org/2000/svg";
const MOST = 500; // pictures that are kept to be copied
const known = new Map<string, Element>();

/** The elements of pictures, each of which is one element. */
export function made(pictures: readonly string[]): Element[] {
  if (known.size > MOST) known.clear();
  const unknown = [...new Set(pictures)].filter((picture) => !known.has(picture));
  if (unknown.length) {
    const workbench = document.createElementNS(SVG, "g");
    workbench.innerHTML = unknown.join("");
    [...workbench.children].forEach((element, index) => {
      const picture = unknown[index];
      if (picture !== undefined) known.set(picture, element);
    });
  }
  return pictures.flatMap((picture) => (known.get(picture)?.cloneNode(true) as Element | undefined) ?? []);
}

/** Let an element show a picture, of however many elements. */
export function dress(node: Element, picture: string): void {
  const [group] = made([`<g>${picture}</g>`]);
  node.replaceChildren(...(group?.children ?? []));
}
