// Faces, drawn: a person's from the digest of who they are, a computer player's from its level. Shapes in colours of tokens.css, nothing else.

const INK = "var(--hair-0)";

/** 32 bits of what makes someone someone (FNV-1a, stirred at the end). */
export function digest(text: string): number {
  let hash = 0x811c9dc5;
  for (const letter of new TextEncoder().encode(text)) hash = Math.imul(hash ^ letter, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return (hash ^ (hash >>> 15)) >>> 0;
}

// What is behind the head, and what is on it.
const HAIR: ((colour: string) => [behind: string, before: string])[] = [
  (c) => ["", `<path fill="${c}" d="M11 28a13 14 0 0 1 26 0l-2-6H13z"/>`], // a fringe
  (c) => ["", `<circle cx="24" cy="8" r="5.5" fill="${c}"/><path fill="${c}" d="M11.5 26a12.5 13 0 0 1 25 0Q24 14 11.5 26z"/>`], // a topknot
  (c) => [`<path fill="${c}" d="M9 43V25a15 14 0 0 1 30 0v18z"/>`, `<path fill="${c}" d="M11 26a13 13 0 0 1 26 0Q30 17 24 17T11 26z"/>`], // long
  (c) => ["", `<path fill="${c}" d="M4 23 24 5l20 18z"/>`], // a straw hat
  (c) => [
    `<circle cx="13" cy="20" r="7" fill="${c}"/><circle cx="35" cy="20" r="7" fill="${c}"/>`,
    `<circle cx="18" cy="14" r="6.5" fill="${c}"/><circle cx="30" cy="14" r="6.5" fill="${c}"/>`,
  ], // curls
  (c) => [`<circle cx="24" cy="26" r="16" fill="${c}"/><path fill="${c}" d="M9 24V8l12 6zM39 24V8l-12 6z"/>`, ""], // a hood with ears
  (c) => ["", `<path fill="${c}" d="M11.8 19h24.4l.6 5H11.2z"/>`], // a headband
  (c) => ["", `<path fill="${c}" d="M11 28Q10 13 25 13q12 0 12 13-9-1-14-7-4 7-12 9z"/>`], // a parting
  (c) => [
    `<circle cx="11" cy="16" r="6" fill="${c}"/><circle cx="37" cy="16" r="6" fill="${c}"/>`,
    `<path fill="${c}" d="M11.5 25a12.5 12 0 0 1 25 0Q24 16 11.5 25z"/>`,
  ], // two buns
  (c) => ["", `<path fill="${c}" d="M11.5 29q1 14 12.5 14t12.5-14q-5 4-12.5 4t-12.5-4z"/>`], // a beard
];
const CLOTHES = ["vermilion", "indigo", "jade", "ochre"];
const EYES = [
  `<circle cx="19" cy="27" r="1.9"/><circle cx="29" cy="27" r="1.9"/>`,
  `<path fill="none" stroke="${INK}" stroke-width="1.8" stroke-linecap="round" d="M16.5 28q2.5-3 5 0M26.5 28q2.5-3 5 0"/>`,
  `<g fill="none" stroke="${INK}" stroke-width="1.5"><circle cx="18.5" cy="27" r="4"/><circle cx="29.5" cy="27" r="4"/><path d="M22.5 27h3"/></g>` +
    `<circle cx="18.5" cy="27" r="1.3"/><circle cx="29.5" cy="27" r="1.3"/>`,
  `<path stroke="${INK}" stroke-width="2" stroke-linecap="round" d="M17 27h4M27 27h4"/>`,
];
const MOUTHS = ["M20 32.5q4 3.5 8 0", "M21 33h6", "M22 33q2 2 4-1"];

/** Someone's face, to be put into an svg of 48 × 48. */
export function personFace(who: string): string {
  let left = digest(who);
  const pick = (count: number): number => {
    const found = left % count;
    left = Math.floor(left / count);
    return found;
  };
  const ground = pick(8),
    hair = HAIR[pick(HAIR.length)],
    clothes = CLOTHES[pick(4)],
    colour = `var(--hair-${pick(5)})`,
    eyes = EYES[pick(4)],
    mouth = MOUTHS[pick(3)];
  const [behind, before] = hair?.(colour) ?? ["", ""];
  return (
    `<path fill="var(--face-${ground})" d="M0 0h48v48H0z"/>${behind}<ellipse cx="24" cy="50" rx="18" ry="12" fill="var(--${clothes})"/>` +
    `<circle cx="24" cy="26" r="12.5" fill="var(--skin)"/><g fill="${INK}">${eyes}` +
    `<path fill="none" stroke="${INK}" stroke-width="1.6" stroke-linecap="round" d="${mouth}"/></g>${before}`
  );
}

const look = (x: number, y: number, colour = INK): string =>
  `<g fill="${colour}"><circle cx="${x - 4.5}" cy="${y}" r="2.1"/><circle cx="${x + 4.5}" cy="${y}" r="2.1"/></g>`;
const PAPER = "var(--skin)";
// By level: a pebble, a sprout, a brook, a willow, a lantern, a pine, thunder, a mountain.
const COMPUTERS = [
  `<ellipse cx="24" cy="30" rx="17" ry="12" fill="var(--hair-3)"/>${look(24, 28)}` +
    `<path fill="none" stroke="${INK}" stroke-width="1.8" stroke-linecap="round" d="M21 33q3 2 6 0"/>`,
  `<path fill="none" stroke="var(--jade)" stroke-width="3" d="M24 26V12"/>` +
    `<path fill="var(--jade)" d="M24 16Q14 17 10 7q12-1 14 9zM24 14q1-9 13-9-2 11-13 9z"/>` +
    `<circle cx="24" cy="33" r="11" fill="var(--jade)"/>${look(24, 32, PAPER)}`,
  `<path fill="var(--indigo)" d="M24 5q15 19 15 26a15 13 0 0 1-30 0Q9 24 24 5z"/>${look(24, 30, PAPER)}` +
    `<path fill="none" stroke="${PAPER}" stroke-width="1.8" stroke-linecap="round" d="M20 36q2-2 4 0t4 0"/>`,
  `<path fill="var(--jade)" d="M7 40Q4 8 24 8t17 32q-3 3-5-1-2 5-5 1-3 4-7 0-4 4-7 0-3 4-5-1-2 4-5 1z"/>` +
    `<circle cx="24" cy="27" r="9.5" fill="${PAPER}"/>${look(24, 27)}`,
  `<path fill="${INK}" d="M17 6h14v5H17zM17 38h14v5H17z"/><ellipse cx="24" cy="24.5" rx="16" ry="14.5" fill="var(--vermilion)"/>` +
    `<path fill="none" stroke="var(--hair-2)" stroke-width="1.2" d="M24 10v29M15 12q-6 12 0 25M33 12q6 12 0 25"/>${look(24, 24, PAPER)}`,
  `<path fill="var(--hair-1)" d="M21 36h6v9h-6z"/><path fill="var(--jade)" d="m24 3 9 12h-4l8 11h-5l9 13H7l9-13h-5l8-11h-4z"/>${look(24, 30, PAPER)}`,
  `<g fill="var(--hair-0)"><circle cx="15" cy="23" r="9"/><circle cx="33" cy="23" r="9"/><circle cx="24" cy="17" r="11"/><path d="M15 22h18v10H15z"/>` +
    `</g><path fill="var(--ochre)" d="m26 29-8 9h5l-3 8 10-11h-5l4-6z"/>${look(24, 22, PAPER)}`,
  `<path fill="var(--hair-3)" d="M24 5 46 44H2z"/><path fill="${PAPER}" d="m24 5 8 14-4-1-4 4-4-4-4 1z"/>${look(24, 32)}` +
    `<path stroke="${INK}" stroke-width="1.8" stroke-linecap="round" d="M21 38h6"/>`,
];

/** A computer player's face; those of one level differ in their ground. */
export function computerFace(level: number, nth = 0): string {
  return `<path fill="var(--face-${[3, 1, 7][nth % 3]})" d="M0 0h48v48H0z"/>${COMPUTERS[(level - 1) % COMPUTERS.length]}`;
}
