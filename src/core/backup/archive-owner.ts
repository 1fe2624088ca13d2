/** The server that an archive belongs to. Two in one archive would replace each other's WAL, and take each other's calls for their own. */
export interface ArchiveOwner {
  /** The id of the server, then those that it had before upgrades: it goes on in its archive. */
  readonly ids: readonly [string, ...string[]];
  /** Ids of the server that its data was restored from, which may still run. */
  readonly restoredFrom: readonly string[];
  /** Time of the newest change or call in the archive when the data was restored, as the storage measures it; null if unknown. */
  readonly restoredUpTo: Date | null;
  /** True for a database on a server of the user's own: its id changes with `pg_upgrade` and with a move, and is stored nowhere else. */
  readonly mayHaveMoved: boolean;
}

/** Returns a database on a server of the user's own as the owner of an archive, by its id (`readDatabaseId`). */
export function databaseOwner(id: string): ArchiveOwner {
  return { ids: [id], restoredFrom: [], restoredUpTo: null, mayHaveMoved: true };
}

/** Relation of a server to an archive; `unclear`: another one, or that of the server before a move. */
export type Ownership = 'own' | 'original' | 'unclear' | 'foreign';

/**
 * Returns whose archive it is: that of the server, that of the server it was restored from, or another one.
 *
 * @param id the id in the archive.
 */
export function ownershipOf(
  id: unknown,
  { ids, restoredFrom, mayHaveMoved }: Omit<ArchiveOwner, 'restoredUpTo'>,
): Ownership {
  if (ids.some((own) => own === id)) return 'own';
  if (restoredFrom.some((original) => original === id)) return 'original';
  return mayHaveMoved ? 'unclear' : 'foreign';
}
