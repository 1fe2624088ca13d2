import type { EmailAddress } from '../syntax/address.ts';

/** Number of records from which an erasure removed an address, by kind. */
export interface ErasedCounts {
  readonly lookups: number;
  /** Rows of batches with the address in a cell. */
  readonly rows: number;
  /** Schedules with the address in their file. */
  readonly schedules: number;
  /** Removed webhooks that sent mail to the address. */
  readonly webhooks: number;
}

/** Port: erases persons from all stored data. */
export interface Erasure {
  /**
   * Erases an address, in any case, from the data of all accounts, and opts the person out of later lookups. Charges and verdicts
   * stay, without the address. A second erasure changes nothing.
   */
  erase(address: EmailAddress): Promise<ErasedCounts>;
}
