/** Keys of a source's replies, from recordings or documentation. Paths, never values. */
export interface RecordedShape {
  /** In every such reply. */
  readonly always: readonly string[];
  /** In some replies, or not used. */
  readonly sometimes: readonly string[];
}

/** Difference between the keys of a reply and the expected keys. Paths of keys, `ads[].creative_id`; never a value. */
export interface ShapeDifference {
  readonly missing: readonly string[];
  readonly added: readonly string[];
}

/**
 * Paths of all keys of a JSON value, sorted; all elements of a list count as one. Numeric keys stay numbers, as in the replies
 * of the Ads Transparency Center. A key that is not a plain word is quoted, and truncated if it is long.
 */
export function keyPaths(value: unknown): readonly string[] {
  return [...new Set(pathsIn(value, '', 0))].sort();
}

/** Compares a reply with the recorded keys; keys that only some replies have may be missing. */
export function compareShape(reply: unknown, { always, sometimes }: RecordedShape): ShapeDifference {
  const there = new Set(keyPaths(reply));
  const known = new Set([...always, ...sometimes]);
  return {
    missing: always.filter((path) => !there.has(path)),
    added: [...there].filter((path) => !known.has(path)),
  };
}

/** Deeper than any recorded reply; deeper keys are ignored. */
const depthMax = 30;
const keyCharsMax = 60;

function pathsIn(value: unknown, at: string, depth: number): readonly string[] {
  if (depth > depthMax) return [];
  if (Array.isArray(value)) return value.flatMap((each) => pathsIn(each, `${at}[]`, depth + 1));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const path = at === '' ? wordFor(key) : `${at}.${wordFor(key)}`;
    return [path, ...pathsIn(inner, path, depth + 1)];
  });
}

/** An untrusted key may contain anything, and it is stored and shown in a terminal. */
function wordFor(key: string): string {
  return /^[\w-]+$/.test(key) && key.length <= keyCharsMax ? key : JSON.stringify(key.slice(0, keyCharsMax));
}

/** Result of the last check of a source with a real call, by an operator. */
export interface LiveCheck extends ShapeDifference {
  readonly source: string;
  readonly checkedAt: Date;
  readonly outcome: string;
}

/** Port: results of checks that sources still answer as recorded. */
export interface SourceChecks {
  list(): Promise<readonly LiveCheck[]>;
  /** Stores the newest result per source. */
  keep(check: Omit<LiveCheck, 'checkedAt'>): Promise<void>;
  /** Reads the stored replies to the calls of a request, in the order of the calls. */
  readReplies(requestId: string): Promise<readonly string[]>;
}
