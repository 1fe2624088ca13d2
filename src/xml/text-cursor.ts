/** Text that arrives in chunks, with a position in it. */
export interface TextCursor {
  /** Text from somewhere before the position on. */
  readonly text: () => string;
  readonly at: () => number;
  /** Adds a chunk, and releases the text before the position. */
  readonly append: (chunk: string) => void;
  readonly moveTo: (position: number) => void;
  /** Returns the first position of a mark from `offset` after the position on, or -1. Nothing is searched twice when more text arrives. */
  readonly find: (mark: string, offset?: number) => number;
}

/** Creates a cursor at the beginning of an empty text. */
export function createTextCursor(): TextCursor {
  let text = '';
  let at = 0;
  let searched = 0;

  function find(mark: string, offset = 0): number {
    const stop = text.indexOf(mark, Math.max(at + offset, searched));
    if (stop === -1) searched = Math.max(at + offset, text.length - mark.length + 1);
    return stop;
  }

  return {
    text: () => text,
    at: () => at,
    append(chunk) {
      text = text.slice(at) + chunk;
      searched -= at;
      at = 0;
    },
    moveTo(position) {
      at = position;
      searched = position;
    },
    find,
  };
}
