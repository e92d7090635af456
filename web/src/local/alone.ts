// Two windows of one game: one acts after the other, each on what the other has left.
// What one window writes reaches another a little later, so that looking what is there before one writes is not enough.

const ARRIVED = 50; // milliseconds in which what one window has written reaches the others

/** `alone`: do something while no other window does. `enter`: this window is open again, after its page was put aside. `leave`: it is closed. */
export interface Windows {
  alone<T>(doing: () => T): Promise<T>;
  enter(): void;
  leave(): void;
}

/** The windows in which the thing of that name is open; without locks this one is taken for the only one. */
export function windowsOf(name: string, locks: LockManager | undefined, later: (ms: number) => Promise<void>): Windows {
  let leave = (): void => undefined;
  const open = `${name} open`;
  const enter = (): void => {
    leave();
    const left = new Promise<void>((done) => (leave = done));
    void locks?.request(open, { mode: "shared" }, () => left).catch(() => undefined);
  };
  enter();
  const another = async (): Promise<boolean> => ((await locks?.query())?.held ?? []).filter((each) => each.name === open).length > 1;
  /** One's turn has come; what is given back ends it. */
  const turn = (): Promise<() => void> =>
    new Promise((come) => {
      const free = (): void => come(() => undefined);
      if (!locks) return free();
      const others = another().catch(() => false); // asked at once, not only when one's turn has come
      const held = async (): Promise<void> => {
        if (await others) await later(ARRIVED);
        await new Promise<void>((done) => come(done));
      };
      locks.request(name, held).catch(free); // not allowed here: nor is the storage that windows share
    });
  return {
    enter,
    leave: () => leave(),
    alone: async (doing) => {
      const end = await turn();
      try {
        return doing();
      } finally {
        end();
      }
    },
  };
}
