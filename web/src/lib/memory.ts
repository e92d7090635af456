// Small choices that the browser remembers from visit to visit.

export function remembered(key: string): string | null {
  try {
    return localStorage.getItem(`hanpan.${key}`);
  } catch {
    return null;
  }
}

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(`hanpan.${key}`, value);
  } catch {
    /* not allowed here: then for this visit only */
  }
}
