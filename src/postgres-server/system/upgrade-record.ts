import { dataRecord } from './data-record.ts';

/** Number of rows of a table, and a checksum of all of them in any order. */
export interface TableDigest {
  readonly rows: number;
  readonly sum: string;
}

/** Digests by the name of the table. */
export type TableDigests = Readonly<Record<string, TableDigest>>;

/** Record of the upgrade that created a data folder, in that folder. */
export interface UpgradeRecord {
  readonly fromMajor: number;
  /** Data folder before the upgrade. A user may have removed it since. */
  readonly fromFolder: string;
  readonly upgradedAt: string;
  /** The tables as they were copied. */
  readonly tables: TableDigests;
}

/** The record of the upgrade that created a data folder; undefined when none did. */
export const upgradeRecord = dataRecord<UpgradeRecord>('nightshift-upgrade.json');
