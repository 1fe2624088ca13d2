/** Port: what nobody needs any more is removed. */
export interface Housekeeping {
  /**
   * Forgets answers that were kept for a day, and removes batches whose list was cut off a day ago while it was loaded and never
   * handed in again: nothing was looked up for them; what is out of date of mail domains, mailboxes
   * and budgets; and what has become too old by the settings. A part at a time; safe at any time, any number of times.
   */
  tidy(): Promise<void>;
}
