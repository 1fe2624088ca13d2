/** Registry of close functions, called once in reverse order. */
export interface Closers {
  /** Registers the close function of a resource; returns the resource, so that opening and registering are one expression. */
  add<T>(thing: T, close: (thing: T) => Promise<void> | void): T;
  /** Closes everything, newest first. Continues after an error and throws the first one at the end. */
  close(): Promise<void>;
}

/** Creates an empty registry. Closing twice closes once. */
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
