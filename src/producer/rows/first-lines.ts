/** Lines of the first occurrence of keys. */
export interface FirstLines {
  /** Returns the line of an earlier occurrence of the key, or null and remembers `lineNo`. */
  readonly meet: (key: string, lineNo: number) => number | null;
  /** Number of distinct keys. */
  readonly size: () => number;
}

/** Maximum load factor; beyond it the table doubles. */
const fullAt = 0.75;

/**
 * Creates an index that needs about 25 MB for a million keys, where a map of strings needs 100 and keeps the text of the file: a hash table
 * with open addressing, of 64-bit hashes in typed arrays.
 *
 * Two keys with one hash count as one. That happens in one of 30 million files with a million keys, and only a preview is wrong then: a load
 * compares 96 bits (`subject-index.ts`).
 */
export function createFirstLines(slotsAtFirst = 4096): FirstLines {
  let slots = slotsAtFirst;
  let hashes = new Int32Array(2 * slots);
  /** 0 where the slot is free. */
  let lines = new Uint32Array(slots);
  let size = 0;

  function meet(key: string, lineNo: number): number | null {
    const [one, other] = hashOf(key);
    const slot = findSlot(one, other);
    const known = lines[slot] ?? 0;
    if (known !== 0) return known;
    put(slot, one, other, lineNo);
    size += 1;
    if (size > slots * fullAt) grow();
    return null;
  }

  function findSlot(one: number, other: number): number {
    let slot = (one >>> 0) % slots;
    while (lines[slot] !== 0 && (hashes[2 * slot] !== one || hashes[2 * slot + 1] !== other))
      slot = (slot + 1) % slots;
    return slot;
  }

  function put(slot: number, one: number, other: number, lineNo: number): void {
    hashes[2 * slot] = one;
    hashes[2 * slot + 1] = other;
    lines[slot] = lineNo;
  }

  function grow(): void {
    const [oldHashes, oldLines] = [hashes, lines];
    slots *= 2;
    hashes = new Int32Array(2 * slots);
    lines = new Uint32Array(slots);
    oldLines.forEach((lineNo, slot) => {
      if (lineNo === 0) return;
      const one = oldHashes[2 * slot] ?? 0;
      const other = oldHashes[2 * slot + 1] ?? 0;
      put(findSlot(one, other), one, other, lineNo);
    });
  }

  return { meet, size: () => size };
}

/** Returns two independent 32-bit hashes of a text: multiplication by odd numbers, and the finishing steps of MurmurHash3. */
function hashOf(text: string): readonly [number, number] {
  let one = 0x9e3779b9;
  let other = 0x85ebca6b;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    one = Math.imul(one ^ code, 0x9e3779b1);
    other = Math.imul(other ^ code, 0x5f356495);
  }
  return [finished(one ^ (other >>> 15)), finished(other ^ (one >>> 13))];
}

function finished(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return twice ^ (twice >>> 16);
}
