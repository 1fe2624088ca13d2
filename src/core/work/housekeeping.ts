/** Port: removes obsolete data. */
export interface Housekeeping {
  /**
   * Removes stored responses after a day; batches whose load was interrupted a day ago and not continued, for which nothing was
   * looked up; expired data about mail domains, mailboxes and budgets; and data beyond its retention. Rewrites small tables that
   * have grown while a transaction stayed open. Works in parts; safe at any time, any number of times.
   */
  tidy(): Promise<void>;
}
