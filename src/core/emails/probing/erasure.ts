import type { EmailAddress } from '../syntax/address.ts';

/** Number of records that an erasure removed, by place. */
export interface Forgotten {
  readonly lookups: number;
  /** Rows of lists with a cell that had the address in it. */
  readonly rows: number;
  /** Schedules whose list had the address in it. */
  readonly schedules: number;
  /** Webhooks that wrote to the address: they are removed. */
  readonly webhooks: number;
}

/** Port: forgets persons. */
export interface Erasure {
  /**
   * Takes an address, in whatever case, out of everything that is stored, of all accounts, and opts the person out: nobody is asked
   * about them again. What was charged stays, and so does the verdict, without the person it was about. Forgetting again changes
   * nothing.
   */
  forget(address: EmailAddress): Promise<Forgotten>;
}
