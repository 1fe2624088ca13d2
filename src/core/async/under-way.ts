/** Tracks work that continues after its callers have stopped waiting, so that the owner of its resources can close them safely. */
export interface UnderWay {
  /** Tracks the work until it has settled, and returns it. */
  add<T>(work: Promise<T>): Promise<T>;
  /**
   * Resolves when all tracked work has settled, including work that was added meanwhile. Errors are left to the callers who
   * await the work.
   */
  settled(): Promise<void>;
}

/** Creates an empty tracker. */
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

/** Waits until all of the work has settled, then returns all results or throws the first error. */
export async function settleAll<T>(works: readonly Promise<T>[]): Promise<readonly T[]> {
  await Promise.allSettled(works);
  return Promise.all(works);
}
