// Which version of the page this is: the build writes it into the document.

/** The header in which a page says it: what it asks for is kept for its own version only. */
export const VERSION_HEADER = "Page-Version";

export const version = (): string => document.querySelector<HTMLMetaElement>('meta[name="page-version"]')?.content ?? "";
