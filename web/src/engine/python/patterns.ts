// Regular expressions.

import { SPACES } from "./spaces";
import { type Any, Dict, type Tuple, tuple_ } from "./values";

export class Match {
  constructor(private readonly found: RegExpMatchArray) {}
  group(which: Any = 0n): Any {
    return (typeof which === "string" ? this.found.groups?.[which] : this.found[Number(which)]) ?? null;
  }
  groups(otherwise: Any = null): Tuple {
    return tuple_([...this.found].slice(1).map((one) => one ?? otherwise));
  }
  groupdict(otherwise: Any = null): Dict {
    return new Dict(Object.entries(this.found.groups ?? {}).map(([name, one]) => [name, one ?? otherwise]));
  }
}

/** Classes of letters, inside of brackets: Python's know all scripts. */
const CLASSES: Record<string, string> = { "\\d": "\\p{Nd}", "\\w": "\\p{L}\\p{N}_", "\\s": SPACES };
const ASCII: Record<string, string> = { "\\d": "0-9", "\\w": "a-zA-Z0-9_", "\\s": "\\t-\\r " };
const OUTSIDE: Record<string, string> = {
  "\\A": "^",
  "\\Z": "$",
  "\\-": "-",
  "(?P<": "(?<",
  ".": "[^\\n]",
  $: "(?=\\n?$)", // an end of line may follow it
  "]": "\\]",
  "{": "\\{",
  "}": "\\}",
};
const PIECE = /\\[\s\S]|\(\?P<|\{\d*,?\d*\}|[\s\S]/gu;

/** A regular expression of Python's as one of JavaScript's. */
function written(source: string, classes: Record<string, string>): string {
  let inside = false;
  return source.replace(PIECE, (piece) => {
    const known = classes[piece];
    if (inside) {
      inside = piece !== "]";
      return known ?? (piece === "[" ? "\\[" : unescaped(piece));
    }
    inside = piece === "[";
    if (known) return `[${known}]`;
    const other = /^\\[DWS]$/.test(piece) && classes[piece.toLowerCase()];
    if (other) return `[^${other}]`;
    if (/^\{,\d+\}$/.test(piece)) return `{0${piece.slice(1)}`;
    return OUTSIDE[piece] ?? unescaped(piece);
  });
}

/** Only what has to be escaped may be, in JavaScript. */
const unescaped = (piece: string): string => (/^\\[^\w^$\\.*+?()[\]{}|/-]$/u.test(piece) ? piece.slice(1) : piece);

export class Pattern {
  constructor(
    readonly source: string,
    private readonly ascii: boolean,
  ) {}
  private tried(text: string, before: string, end: string): Match | null {
    const found = new RegExp(`${before}(?:${written(this.source, this.ascii ? ASCII : CLASSES)})${end}`, "u").exec(text);
    return found && new Match(found);
  }
  fullmatch(text: string): Match | null {
    return this.tried(text, "^", "$");
  }
  match(text: string): Match | null {
    return this.tried(text, "^", "");
  }
  search(text: string): Match | null {
    return this.tried(text, "", "");
  }
}

/** A pattern: with the one flag that is known here (re.ASCII), or without. */
export const regex = (source: string, flags = 0n): Pattern => new Pattern(source, flags !== 0n);
export const fullmatch = (source: string, text: string, flags = 0n): Match | null => regex(source, flags).fullmatch(text);
