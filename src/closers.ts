/** Closes what was opened, in reverse order, once. */
export interface Closers {
  /** Remembers how to close something; returns the thing, so that opening and remembering stand together. */
  add<T>(thing: T, close: (thing: T) => Promise<void> | void): T;
  /** Closes everything, the newest first. Goes on after an error and throws the first one at the end. */
  close(): Promise<void>;
}

/** Starts with nothing to close. Closing twice closes once. */
export function createClosers(): Closers {
  const open: (() => Promise<void> | void)[] = [];
  let closing: Promise<void> | undefined;

  async function closeAll(): Promise<void> {
    const errors: unknown[] = [];
    for (let close = open.pop(); close !== undefined; close = open.pop()) {
      try {
        await close();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }

  return {
    add(thing, close) {
      open.push(() => close(thing));
      return thing;
    },
    close: () => (closing ??= closeAll()),
  };
}
