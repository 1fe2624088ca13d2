import { createClosers } from '../closers.ts';
import type { Config } from '../config/config.ts';
import type { Logger } from '../log.ts';
import { wireAccounts, type AccountServices } from './accounts.ts';
import { wireBackups, type BackupServices } from './backups/backups.ts';
import { wireBatches, type BatchServices } from './batches.ts';
import { wireCredits, type CreditServices } from './credits.ts';
import { wireDestinations, type DestinationServices } from './destinations.ts';
import { wireEvents, type EventServices } from './events.ts';
import { wireInboxes, type InboxServices } from './inboxes/inboxes.ts';
import { wireLookups, type LookupServices } from './lookups.ts';
import { wireSchedules, type ScheduleServices } from './schedules.ts';
import { openServers, type ServerOptions } from './servers.ts';
import { wireSources, type SourceServices } from './sources/sources.ts';
import { wireSql, type SqlServices } from './sql.ts';
import { wireWork, type WorkServices } from './work.ts';
import type { Wiring } from './wiring.ts';

/** Use cases of the command line, the workers and the API, by namespace. Entry points contain no prices and no writes. */
export interface App {
  readonly config: Config;
  readonly log: Logger;
  readonly accounts: AccountServices;
  readonly backups: BackupServices;
  readonly batches: BatchServices;
  readonly credits: CreditServices;
  readonly sources: SourceServices;
  readonly lookups: LookupServices;
  readonly schedules: ScheduleServices;
  readonly inboxes: InboxServices;
  readonly events: EventServices;
  readonly destinations: DestinationServices;
  readonly sql: SqlServices;
  readonly work: WorkServices;
  readonly close: () => Promise<void>;
}

/**
 * Opens the app, the composition root: finds or starts the servers, and wires the namespaces.
 *
 * @throws Misconfigured | DatabaseUnavailable, after it has closed what it opened.
 */
export async function openApp(config: Config, options: Omit<ServerOptions, 'closers'>): Promise<App> {
  const closers = createClosers();
  try {
    const servers = await openServers(config, { ...options, closers });
    return await wire({ ...options, config, closers, servers });
  } catch (error) {
    await closers.close();
    throw error;
  }
}

async function wire(wiring: Wiring): Promise<App> {
  const { config, log, closers } = wiring;
  const accounts = await wireAccounts(wiring);
  const sources = await wireSources(wiring);
  const lookups = await wireLookups(wiring, sources);
  const backups = wireBackups(wiring);
  const batches = wireBatches(wiring, accounts.limits);
  const schedules = wireSchedules(wiring, { batches, sources });
  const inboxes = wireInboxes(wiring, { batches, sources });
  return {
    config,
    log,
    accounts,
    backups,
    batches,
    credits: await wireCredits(wiring, accounts.defaultId),
    sources,
    lookups,
    schedules,
    inboxes,
    events: wireEvents(wiring),
    destinations: wireDestinations(wiring, batches),
    sql: wireSql(wiring),
    work: wireWork(wiring, { backups, batches, lookups, schedules, inboxes }),
    close: closers.close,
  };
}
