import { hash } from 'node:crypto';

/** Index from company keys to lookups. */
export interface SubjectIndex {
  /** Returns the lookup of a key; a new key gets `lookupId`. */
  readonly findOrAdd: (key: string, lookupId: bigint) => bigint;
  /** Number of keys. */
  readonly size: () => number;
}

/** 32-bit words of a key's SHA-256 that are kept: 128 bits tell any two companies apart. */
const words = 4;

/** Maximum load factor; beyond it the table doubles. */
const fullAt = 0.75;

/**
 * Creates an index that needs about 50 MB for a million keys, where a map of strings needs 200: a hash table with open addressing, of
 * digests instead of keys, in two typed arrays.
 */
export function createSubjectIndex(slotsAtFirst = 4096): SubjectIndex {
  let slots = slotsAtFirst;
  let digests = new Int32Array(slots * words);
  /** The lookup's id, which stays below 2 ** 53; 0 where the slot is free. */
  let ids = new Float64Array(slots);
  let size = 0;
  const digest = new Int32Array(words);

  function findOrAdd(key: string, lookupId: bigint): bigint {
    readDigest(key, digest);
    const slot = findSlot(digest, 0);
    const known = ids[slot] ?? 0;
    if (known !== 0) return BigInt(known);
    put(slot, digest, 0, Number(lookupId));
    size += 1;
    if (size > slots * fullAt) grow();
    return lookupId;
  }

  /** Finds the slot of the digest at `from`, or the free slot for it. */
  function findSlot(source: Int32Array, from: number): number {
    let slot = ((source[from] ?? 0) >>> 0) % slots;
    while (ids[slot] !== 0 && !isSame(source, from, slot)) slot = (slot + 1) % slots;
    return slot;
  }

  function isSame(source: Int32Array, from: number, slot: number): boolean {
    for (let word = 0; word < words; word += 1)
      if (digests[slot * words + word] !== source[from + word]) return false;
    return true;
  }

  function put(slot: number, source: Int32Array, from: number, id: number): void {
    for (let word = 0; word < words; word += 1) digests[slot * words + word] = source[from + word] ?? 0;
    ids[slot] = id;
  }

  function grow(): void {
    const [oldDigests, oldIds] = [digests, ids];
    slots *= 2;
    digests = new Int32Array(slots * words);
    ids = new Float64Array(slots);
    oldIds.forEach((id, slot) => {
      if (id !== 0) put(findSlot(oldDigests, slot * words), oldDigests, slot * words, id);
    });
  }

  return { findOrAdd, size: () => size };
}

/** Reads a digest of a key into words. One character per byte is the fastest form to split. */
function readDigest(key: string, digest: Int32Array): void {
  const bytes = hash('sha256', key, 'binary');
  for (let word = 0; word < words; word += 1) {
    const at = word * 4;
    digest[word] =
      bytes.charCodeAt(at) |
      (bytes.charCodeAt(at + 1) << 8) |
      (bytes.charCodeAt(at + 2) << 16) |
      (bytes.charCodeAt(at + 3) << 24);
  }
}
