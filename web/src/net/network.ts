// Where others find this server. Whoever has opened it on the very machine that it runs on has an address that leads nobody else here.

import { signal } from "@preact/signals";
import { get } from "./connection";
import type { Around } from "./http";

const OWN = /^(localhost|127\..*|\[::1\])$/;

/** What the server says about it; null as long as it was not asked, or where the address of this page will do. */
export const around = signal<Around | null>(null);

/** Ask, where that is needed. */
export async function lookAround(): Promise<void> {
  if (OWN.test(location.hostname)) around.value ??= await get<Around>("/api/network").catch(() => null);
}

/** The address of a path for others. */
export const addressFor = (path: string): string => new URL(path, around.value?.address ?? location.href).href;
