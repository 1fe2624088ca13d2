/**
 * Turns of keys that share one line (start-time fair queuing): a key that always waits gets turns in proportion to its weight, and one that
 * was away gets no credit for it.
 *
 * A turn is a virtual time, without a unit. The next turn of a key begins where its last one ended, or now if that is over.
 */
export interface FairTurns<Key> {
  /** The present: no turn begins before it. */
  readonly now: () => number;
  /** Moves the present forward. Earlier values are ignored. */
  readonly advance: (turn: number) => void;
  /** Returns the beginning of the key's next turn. */
  readonly next: (key: Key) => number;
  /** Takes the next turn of the key, of this length. Returns its beginning. */
  readonly take: (key: Key, length: number) => number;
  /** Shortens the last turns of the key by what it did not use. */
  readonly shorten: (key: Key, length: number) => void;
  /** Sets the end of the last turn of a key that is not known, such as after a restart. */
  readonly recall: (key: Key, end: number) => void;
  /** Releases the turns of the key that begin at this one or later, since they were not used. */
  readonly release: (key: Key, from: number) => void;
  /** Moves the present and all turns back, so that numbers stay small. */
  readonly rebase: (by: number) => void;
}

/** Creates turns that begin at 0. */
export function createFairTurns<Key>(): FairTurns<Key> {
  let present = 0;
  const ends = new Map<Key, number>();
  const next = (key: Key) => Math.max(present, ends.get(key) ?? 0);
  return {
    now: () => present,
    advance: (turn) => {
      if (turn <= present) return;
      present = turn;
      for (const [key, end] of ends) if (end <= present) ends.delete(key);
    },
    next,
    take: (key, length) => {
      const start = next(key);
      ends.set(key, start + length);
      return start;
    },
    shorten: (key, length) => {
      const end = ends.get(key);
      if (end !== undefined) ends.set(key, end - length);
    },
    recall: (key, end) => {
      if (!ends.has(key) && end > present) ends.set(key, end);
    },
    release: (key, from) => {
      ends.set(key, Math.min(ends.get(key) ?? from, from));
    },
    rebase: (by) => {
      present = Math.max(0, present - by);
      for (const [key, end] of ends) ends.set(key, end - by);
    },
  };
}
