import { onTestFinished } from 'vitest';
import { createDestinationStore } from '../../../db/stores/destinations/destinations.ts';
import { createLandingStore } from '../../../db/stores/destinations/landings.ts';
import { createBatchReportStore } from '../../../db/stores/reports/batch-report.ts';
import { createTableLoader } from '../../../src/adapters/postgres/load-table.ts';
import { createStorages } from '../../../src/app/storages.ts';
import {
  createDestinationService,
  type DestinationRequest,
  type DestinationService,
} from '../../../src/core/destinations/destination-service.ts';
import type { Destination } from '../../../src/core/destinations/destination.ts';
import type { Landing } from '../../../src/core/destinations/landing.ts';
import { runLandings, type DestinationPorts } from '../../../src/core/destinations/run-landings.ts';
import { parseLocation } from '../../../src/core/storage/location.ts';
import { createLineReader, openPartExporter } from '../../../src/reporter/export/part-exporter.ts';
import { never, testFolder } from '../storage/local-files.ts';
import { openTestDatabase, type TestDatabase } from '../db/database.ts';

/** The product's destinations on the database of a test. */
export interface LandingFixture {
  readonly database: TestDatabase;
  readonly service: DestinationService;
  /** Errors of the landings. */
  readonly errors: readonly unknown[];
  /** Creates a destination of the account `default` at a location. */
  readonly add: (
    name: string,
    location: string,
    request?: Partial<DestinationRequest>,
  ) => Promise<Destination>;
  /** Writes all due landings once each, and stops. */
  readonly land: (ports?: Partial<DestinationPorts>) => Promise<void>;
  /** Makes every scheduled retry due. */
  readonly skipDelays: () => Promise<void>;
  /** Expires every claim, as if its process had died. */
  readonly lapse: () => Promise<void>;
  /** Landings of a destination, oldest first. */
  readonly landings: (name: string) => Promise<readonly Landing[]>;
  /** Ports of the product, to wrap. */
  readonly ports: DestinationPorts;
}

export const accountId = 1;
export const byTest = { actor: 'test', address: null };

/** Opens the fixture until the test ends. */
export async function openLandingFixture(): Promise<LandingFixture> {
  const database = await openTestDatabase();
  const db = database.app.sql;
  const folder = testFolder();
  const errors: unknown[] = [];
  const reports = createBatchReportStore(db);
  const storages = createStorages({ allowedHosts: ['127.0.0.1', 'localhost'], folders: [] });
  const ports: DestinationPorts = {
    openStorage: ({ location, credentials, isOfAccount }) =>
      storages.openStorage(location, credentials, { isOfAccount }),
    openTables: async ({ location, credentials }, signal) => {
      if (location.kind !== 'postgres') throw new Error('no database');
      return createTableLoader(await storages.openOwnDatabase(location, credentials, signal), 'The database');
    },
  };
  const openExporter = () => openPartExporter(reports, folder);
  const service = createDestinationService({
    ...ports,
    store: createDestinationStore(db),
    assertAllowed: () => undefined,
    openExporter,
    readHostKey: storages.readHostKey,
  });
  const write = async (statement: string) => void (await database.owner.pool.query(statement));
  return {
    database,
    service,
    errors,
    ports,
    add: (name, location, request = {}) =>
      service.create(
        accountId,
        {
          name,
          scope: { kind: 'account' },
          location: parseLocation(location),
          credentials: null,
          isOfAccount: false,
          ...request,
        },
        byTest,
        { signal: never },
      ),
    land: async (replaced = {}) => {
      const runner = runLandings({
        ...ports,
        ...replaced,
        landings: createLandingStore(db),
        openExporter,
        reader: createLineReader(reports),
        pollEveryMs: 20,
        leaseMs: 60_000,
        random: () => 0.5,
        onError: (error) => void errors.push(error),
      });
      onTestFinished(() => runner.close(0));
      await runner.close(60_000);
    },
    skipDelays: () => write(`UPDATE nightshift.landings SET next_at = now() - interval '1 s'`),
    lapse: () =>
      write(
        `UPDATE nightshift.landings SET lease_until = now() - interval '1 s' WHERE lease_until IS NOT NULL`,
      ),
    landings: async (name) => {
      const page = { limit: 100, before: null, state: null, batch: null };
      return [...((await service.listLandings(accountId, name, page)) ?? [])].reverse();
    },
  };
}
