import { join } from 'node:path';
import { createDestinationStore } from '../../db/stores/destinations/destinations.ts';
import { createLandingStore } from '../../db/stores/destinations/landings.ts';
import {
  createDestinationService,
  type DestinationService,
} from '../core/destinations/destination-service.ts';
import { runLandings, type DestinationPorts } from '../core/destinations/run-landings.ts';
import { ValidationError } from '../core/errors.ts';
import type { OutboxRunner } from '../core/outbox/run-outbox.ts';
import { assertFolderAllowed } from '../core/storage/assert-folder-allowed.ts';
import type { BatchServices } from './batches.ts';
import { createStorages, type Storages } from './storages.ts';
import type { Wiring } from './wiring.ts';

/** Services of destinations, and the landings of this process. */
export interface DestinationServices {
  readonly service: DestinationService;
  /** Writes landings from this process. */
  readonly startLanding: () => OutboxRunner;
}

/** Wires destinations; adapters of storages load with their first use. */
export function wireDestinations(
  { config, log, servers }: Wiring,
  { reportStore }: Pick<BatchServices, 'reportStore'>,
): DestinationServices {
  const db = servers.database.sql;
  const storages = createStorages(config);
  const ports = destinationPorts(storages);
  // The formats load with the first landing: most commands write none.
  const exporters = () => import('../reporter/export/part-exporter.ts');
  const openExporter = async () =>
    (await exporters()).openPartExporter(reportStore, join(config.home, 'output'));
  return {
    service: createDestinationService({
      ...ports,
      store: createDestinationStore(db),
      assertAllowed: (location, isOfAccount) => {
        if (isOfAccount && location.kind === 'folder') assertFolderAllowed(location.path, config.folders);
      },
      openExporter,
      readHostKey: storages.readHostKey,
    }),
    startLanding: () =>
      runLandings({
        ...ports,
        landings: createLandingStore(db),
        openExporter,
        reader: {
          readLines: async (...request) =>
            (await exporters()).createLineReader(reportStore).readLines(...request),
        },
        pollEveryMs,
        leaseMs: config.leaseMs,
        random: Math.random,
        onError: (error) => log.warn({ err: error }, 'landing failed; will retry'),
      }),
  };
}

/** Interval at which this process polls for new landings. */
const pollEveryMs = 1000;

function destinationPorts({ openStorage, openOwnDatabase }: Storages): DestinationPorts {
  return {
    openStorage: ({ location, credentials, isOfAccount }) =>
      openStorage(location, credentials, { isOfAccount }),
    openTables: async ({ location, credentials }, signal) => {
      if (location.kind !== 'postgres') throw new ValidationError('A table needs a postgres:// location.');
      const { createTableLoader } = await import('../adapters/postgres/load-table.ts');
      const client = await openOwnDatabase(location, credentials, signal);
      return createTableLoader(client, `The database ${location.database} at ${location.host}`);
    },
  };
}
