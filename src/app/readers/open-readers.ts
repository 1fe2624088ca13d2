import type { Database, DatabaseOptions } from '../../../db/connection/client.ts';
import type { QueriedDatabase } from '../../../db/queries/run-query.ts';
import { createReader, type Reader } from '../../../db/replica/reader.ts';
import { createReplica, type Replica } from '../../../db/replica/replica.ts';
import type { ReplicaLack } from '../../../db/replica/replay.ts';
import type { Logger } from '../../log.ts';
import type { PostgresAddress } from '../../postgres-server/find-servers.ts';

/** Connections that only read. */
export interface Readers {
  /** Reads pages, reports and exports: at the replica of `NIGHTSHIFT_READER_URL`, or at the primary. Nothing that decides reads there. */
  readonly reader: Reader;
  /** The replica; null without one. */
  readonly replica: Replica | null;
  /** Opens connections for SQL of operators. */
  readonly openReader: () => QueriedDatabase;
}

/** Reasons why a replica is not read, for the log. */
const lacks: Readonly<Record<ReplicaLack, string>> = {
  away: 'it cannot be reached',
  primary: 'it is no standby',
  foreign: 'it is a standby of another system',
  timeline: 'it does not follow the promoted primary, or has no restart point since the promotion',
  behind: 'it is behind',
};

interface ReaderOptions {
  readonly openPool: (
    options: Pick<DatabaseOptions, 'url' | 'role' | 'connectionsMax' | 'searchPath'>,
  ) => Database;
  readonly primary: Database['sql'];
  readonly log: Logger;
}

/** Opens the connections that only read, which connect with their first reading. */
export function openReaders(
  { replicas, readerUrl }: Pick<PostgresAddress, 'replicas' | 'readerUrl'>,
  { openPool, primary, log }: ReaderOptions,
): Readers {
  const replicaOf = (options: Parameters<typeof openPool>[0]) =>
    createReplica({
      database: openPool(options),
      primary,
      onLack: (lack, err) =>
        log.warn({ err }, `replica not read, because ${lacks[lack]}; the primary answers`),
    });
  const replica =
    replicas === null
      ? null
      : replicaOf({ url: replicas.appUrl, role: 'nightshift_app', connectionsMax: 20 });
  const ofOperators = { role: 'nightshift_reader', connectionsMax: 2, searchPath: 'reports' } as const;
  return {
    reader: createReader(primary, replica),
    replica,
    openReader: () => ({
      pool: openPool({ ...ofOperators, url: readerUrl }).pool,
      replica: replicas === null ? null : replicaOf({ ...ofOperators, url: replicas.readerUrl }),
    }),
  };
}
