import { dataRecord } from './system/data-record.ts';

/**
 * Identity of a server in archives, in its data folder. A server without one is known by the system identifier of its cluster; a restored or
 * upgraded one has its own, because its WAL has the same names as that of the server it comes from.
 */
export interface ArchiveIdentity {
  /** Digits, as those of a system identifier. */
  readonly id: string;
  /** Ids of the same server before its upgrades, newest first: it goes on in their archive. */
  readonly earlier: readonly string[];
  /** Ids of the server that the data was restored from, which may still run. */
  readonly restoredFrom: readonly string[];
  /** `ArchiveOwner.restoredUpTo`; missing in data that an earlier release restored. */
  readonly restoredUpTo?: string | null;
}

/** The identity of a data folder; undefined when it has none of its own. */
export const archiveIdentity = dataRecord<ArchiveIdentity>('nightshift-archive.json');
