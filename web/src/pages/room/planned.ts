// How far one's own action has come: the board says it, the line below speaks of it.

import { signal } from "@preact/signals";
import type { Plan } from "../../board/Board";

export const planned = signal<Plan>({ path: [], mode: null, aimed: false });
