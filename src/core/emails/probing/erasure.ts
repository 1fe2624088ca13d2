import type { EmailAddress } from '../syntax/address.ts';

/** Number of records that an erasure removed, by place. */
export interface ErasedRecords {
  readonly lookups: number;
  /** Rows of batches with the address in a cell. */
  readonly rows: number;
  /** Schedules with the address in their list. */
  readonly schedules: number;
  /** Webhooks that sent mail to the address. */
  readonly webhooks: number;
}

/** Port: erases persons. */
export interface Erasure {
  /**
   * Removes an address, in any case, from all records of all accounts, and opts the person out. Charges and verdicts stay, without the
   * person. Repeating it changes nothing.
   */
  erase(address: EmailAddress): Promise<ErasedRecords>;
}
