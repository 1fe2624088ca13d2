import type { MailDomain } from './mail-domain.ts';

/** Port: what DNS said about mail domains, kept where every process finds it. */
export interface MailDomainStore {
  /**
   * Reads cached domains, of any age; unknown domains are absent.
   *
   * @throws DatabaseUnavailable
   */
  read(domains: readonly string[]): Promise<ReadonlyMap<string, MailDomain>>;
  /**
   * Keeps these answers; of several about one domain the one that was checked last.
   *
   * @throws DatabaseUnavailable
   */
  write(found: readonly MailDomain[]): Promise<void>;
}
