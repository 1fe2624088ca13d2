import { createKeyHash } from './key-hash.ts';

/** Index from company keys to lookups. */
export interface SubjectIndex {
  /** Returns the lookup of a key; a new key gets `lookupId`. */
  readonly findOrAdd: (key: string, lookupId: number) => number;
  /** Number of keys. */
  readonly size: () => number;
}

/** Words of a slot: the hash of a key, and the number of the key, from 1; 0 where the slot is free. */
const wordsPerSlot = 4;

/** Maximum load factor; beyond it the table doubles. */
const fullAt = 0.75;

/**
 * Creates an index that needs about 40 MB for a million keys, where a map of strings needs 200: a hash table with open addressing, of
 * hashes instead of keys, in typed arrays. A slot is in one line of the processor's cache.
 *
 * Two keys with one hash would share a lookup. The hash has 96 bits and is seeded at random, so that no file can be made for it: for a
 * file with ten million keys the chance is below one in 10^15.
 */
export function createSubjectIndex(slotsAtFirst = 4096): SubjectIndex {
  const hashKey = createKeyHash();
  const hash = new Int32Array(wordsPerSlot);
  let slots = slotsAtFirst;
  let table = new Int32Array(slots * wordsPerSlot);
  /** The lookup of each key, below 2 ** 53, in the order of their numbers. */
  let ids = new Float64Array(slots);
  let size = 0;

  function findOrAdd(key: string, lookupId: number): number {
    hashKey(key, hash);
    const slot = findSlot(hash, 0);
    const known = table[slot + 3] ?? 0;
    if (known !== 0) return ids[known - 1] ?? 0;
    ids[size] = lookupId;
    size += 1;
    hash[3] = size;
    put(slot, hash, 0);
    if (size > slots * fullAt) grow();
    return lookupId;
  }

  /** Finds the place of the hash at `from`, or the free place for it. */
  function findSlot(source: Int32Array, from: number): number {
    const end = slots * wordsPerSlot;
    const [one, two, three] = [source[from], source[from + 1], source[from + 2]];
    let at = (((one ?? 0) >>> 0) % slots) * wordsPerSlot;
    while (table[at + 3] !== 0 && (table[at] !== one || table[at + 1] !== two || table[at + 2] !== three)) {
      at += wordsPerSlot;
      if (at === end) at = 0;
    }
    return at;
  }

  function grow(): void {
    const old = table;
    const oldIds = ids;
    slots *= 2;
    table = new Int32Array(slots * wordsPerSlot);
    ids = new Float64Array(slots);
    ids.set(oldIds);
    for (let from = 0; from < old.length; from += wordsPerSlot)
      if (old[from + 3] !== 0) put(findSlot(old, from), old, from);
  }

  function put(slot: number, source: Int32Array, from: number): void {
    for (let word = 0; word < wordsPerSlot; word += 1) table[slot + word] = source[from + word] ?? 0;
  }

  return { findOrAdd, size: () => size };
}
