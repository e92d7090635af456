// What lies between words: the letters that Python takes for spaces are not quite JavaScript's.

const SPACES = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const AROUND = new RegExp(`^[${SPACES}]+|[${SPACES}]+$`, "g");

/** A set of spaces, for a regular expression. */
export { SPACES };

export const strip = (text: string): string => text.replace(AROUND, "");

/** Words with spaces between them; after so many, the rest as it is. */
export function splitWords(text: string, most: number): string[] {
  const found: string[] = [];
  const between = new RegExp(`[${SPACES}]+`);
  let rest = text.replace(new RegExp(`^[${SPACES}]+`), "");
  while (rest) {
    const gap = found.length === most ? null : between.exec(rest);
    if (!gap) {
      found.push(found.length === most ? rest : strip(rest));
      break;
    }
    found.push(rest.slice(0, gap.index));
    rest = rest.slice(gap.index + gap[0].length);
  }
  return found;
}
