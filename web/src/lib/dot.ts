// Small facts side by side in one line of text.

/** The dot between two facts stays with the first: no line begins with it. */
export const DOT = "\u00a0· ";

export const dotted = (facts: readonly (string | false | null | undefined)[]): string => facts.filter(Boolean).join(DOT);
