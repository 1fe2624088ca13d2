/** Names of WAL files: 8 digits of the timeline, then the position, hexadecimal (PostgreSQL docs, "WAL Internals"). */
const segment = /^[0-9A-F]{24}$/;

/** True for a file with records, not the history of a timeline or the mark of a backup. */
export function isWalSegment(name: string): boolean {
  return segment.test(name);
}

/** Position of a segment, the same on every timeline. Positions sort as text. */
export function walPosition(name: string): string {
  return name.slice(8, 24);
}

/** Address of the first byte of a segment, as `pg_lsn`. */
export function walAddress(name: string): bigint {
  return (BigInt(`0x${name.slice(8, 16)}`) << 32n) | (BigInt(`0x${name.slice(16, 24)}`) << 24n);
}

/**
 * Returns the first segment that is missing between the first and the last that a backup needs; null when all are there.
 *
 * @param names segments of the archive, of any timeline.
 */
export function findMissingSegment(
  names: ReadonlySet<string>,
  { walFirst, walLast }: { readonly walFirst: string; readonly walLast: string },
): string | null {
  const timeline = walFirst.slice(0, 8);
  for (let at = indexOf(walFirst); at <= indexOf(walLast); at += 1n) {
    const name = timeline + nameOf(at);
    if (!names.has(name)) return name;
  }
  return null;
}

/**
 * Returns the first segment that is missing after those that a backup needs, although later ones are there; null without such a gap.
 *
 * @param names segments of the archive, of any timeline.
 */
export function findGap(names: Iterable<string>, { walLast }: { readonly walLast: string }): string | null {
  const timeline = walLast.slice(0, 8);
  let next = indexOf(walLast) + 1n;
  for (const name of [...names].filter((each) => isWalSegment(each) && each.startsWith(timeline)).sort()) {
    const at = indexOf(name);
    if (at > next) return timeline + nameOf(next);
    if (at === next) next += 1n;
  }
  return null;
}

/** Returns the segment before another one, on the same timeline. */
export function segmentBefore(name: string): string {
  return name.slice(0, 8) + nameOf(indexOf(name) - 1n);
}

/** A log file of 4 GB has 256 segments of 16 MB. */
const segmentsPerLog = 256n;

function indexOf(name: string): bigint {
  return BigInt(`0x${name.slice(8, 16)}`) * segmentsPerLog + BigInt(`0x${name.slice(16, 24)}`);
}

function nameOf(index: bigint): string {
  const hex = (value: bigint) => value.toString(16).toUpperCase().padStart(8, '0');
  return hex(index / segmentsPerLog) + hex(index % segmentsPerLog);
}
