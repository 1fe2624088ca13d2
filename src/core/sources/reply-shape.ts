/** The keys of a source's replies, as they were recorded or documented. Paths, never values. */
export interface RecordedShape {
  /** In every such reply. */
  readonly always: readonly string[];
  /** In some of them, or of no use to us. */
  readonly sometimes: readonly string[];
}

/** Difference between the keys of a reply and the expected keys. Paths of keys, `ads[].creative_id`; never a value. */
export interface ShapeDifference {
  readonly missing: readonly string[];
  readonly added: readonly string[];
}

/**
 * The paths of all keys of a JSON value, sorted: every element of a list counts as one. Keys that are numbers stay numbers, as they
 * are in the replies of the Ads Transparency Center. A key that is no plain word is quoted, and cut where it is long.
 */
export function keyPaths(value: unknown): readonly string[] {
  return [...new Set(pathsIn(value, '', 0))].sort();
}

/** Compares a reply with the keys that such replies were recorded with; those that only some replies have may be missing. */
export function compareShape(reply: unknown, { always, sometimes }: RecordedShape): ShapeDifference {
  const there = new Set(keyPaths(reply));
  const known = new Set([...always, ...sometimes]);
  return {
    missing: always.filter((path) => !there.has(path)),
    added: [...there].filter((path) => !known.has(path)),
  };
}

/** Deeper than any reply that was recorded; what comes deeper is not looked at. */
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

/** A foreign key may be anything: it is shown in a terminal and stored. */
function wordFor(key: string): string {
  return /^[\w-]+$/.test(key) && key.length <= keyCharsMax ? key : JSON.stringify(key.slice(0, keyCharsMax));
}

/** The last time that an operator asked a source one real question. */
export interface LiveCheck extends ShapeDifference {
  readonly source: string;
  readonly checkedAt: Date;
  readonly outcome: string;
}

/** Port: what is known of sources from questions that an operator put to them to see whether they still answer as recorded. */
export interface SourceChecks {
  list(): Promise<readonly LiveCheck[]>;
  /** One for each source: the newest. */
  keep(check: Omit<LiveCheck, 'checkedAt'>): Promise<void>;
  /** The replies to the calls of a request that were kept, in the order of the calls. */
  readReplies(requestId: string): Promise<readonly string[]>;
}
