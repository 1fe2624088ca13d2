/** The server that an archive belongs to. Two in one archive would replace each other's WAL, and take each other's calls for their own. */
export interface ArchiveOwner {
  /** The id of the server, then those that it had before upgrades: it goes on in its archive. */
  readonly ids: readonly [string, ...string[]];
  /** Ids of the server that its data was restored from, which may still run. */
  readonly restoredFrom: readonly string[];
}

/** Relation of a server to an archive. */
export type Ownership = 'own' | 'original' | 'foreign';

/**
 * Returns whose archive it is: that of the server, that of the server it was restored from, or another one.
 *
 * @param id the id in the archive.
 */
export function ownershipOf(id: unknown, { ids, restoredFrom }: ArchiveOwner): Ownership {
  if (ids.some((own) => own === id)) return 'own';
  return restoredFrom.some((original) => original === id) ? 'original' : 'foreign';
}
