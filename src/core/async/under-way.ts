/** Work that goes on when nobody waits for it any more, so that whoever closes what it uses can. */
export interface UnderWay {
  /** Remembers the work until it has settled; returns it. */
  add<T>(work: Promise<T>): Promise<T>;
  /** Resolves when none of it is under way, that which began meanwhile included; errors are left to those who wait for the work. */
  settled(): Promise<void>;
}

/** Starts with nothing under way. */
export function createUnderWay(): UnderWay {
  const works = new Set<Promise<unknown>>();
  return {
    add(work) {
      works.add(work);
      const leave = () => void works.delete(work);
      work.then(leave, leave);
      return work;
    },
    async settled() {
      while (works.size > 0) await Promise.allSettled(works);
    },
  };
}

/** Resolves to all results once all of the work has settled, so that none of it is left; then throws the first error, if there is one. */
export async function settleAll<T>(works: readonly Promise<T>[]): Promise<readonly T[]> {
  await Promise.allSettled(works);
  return Promise.all(works);
}
