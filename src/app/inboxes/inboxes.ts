import { createInboxStore } from '../../../db/stores/inboxes/inboxes.ts';
import { createFileSpool } from '../../adapters/storage/spool-file.ts';
import type { InboxStore } from '../../core/inboxes/inbox-store.ts';
import type { BatchServices } from '../batches.ts';
import { createInboxService, type InboxService } from './inbox-service.ts';
import type { SourceServices } from '../sources/sources.ts';
import type { Wiring } from '../wiring.ts';
import { createStorages } from '../storages.ts';
import { queryInbox, tryLocation, type LocationToTry, type TriedLocation } from './inbox-locations.ts';

/** Services of inboxes and their files. */
export interface InboxServices extends InboxService {
  readonly store: InboxStore;
  /** Opens a location and shows what is there, before an inbox is added or changed. @throws StorageUnavailable | StorageRejected */
  readonly tryLocation: (location: LocationToTry, signal: AbortSignal) => Promise<TriedLocation>;
}

/** Wires the store of inboxes and the inbox service. */
export function wireInboxes(
  { config, log, servers }: Wiring,
  { batches, sources }: { readonly batches: BatchServices; readonly sources: SourceServices },
): InboxServices {
  const db = servers.database.sql;
  const storages = createStorages(config);
  const spool = createFileSpool(config.home);
  const service = createInboxService({
    ...{ db, spool, log },
    loadBatch: batches.load,
    sources: sources.registry,
    leaseMs: config.leaseMs,
    openStorage: ({ location, credentials, isOperators }) =>
      storages.openStorage(location, credentials, { isOfAccount: !isOperators }),
    queryRows: (inbox, signal) => queryInbox({ storages, spool }, inbox, signal),
  });
  return {
    ...service,
    store: createInboxStore(db),
    tryLocation: (location, signal) => tryLocation(storages, location, signal),
  };
}
