import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { DatabaseUnavailable } from '../../src/core/errors.ts';
import { replicaReading } from '../../src/core/work/postgres-retries.ts';
import type { ReadingCounts } from '../../src/core/sql/reading-counts.ts';
import type { Database, Sql } from '../connection/client.ts';
import { isDatabaseAway } from '../connection/database-away.ts';
import { readLogPlace, waitForReplay, type LogPlace, type ReplicaLack } from './replay.ts';

/**
 * Milliseconds that a reading waits for a replica: for a connection, and until it has replayed what the primary has committed. A healthy standby
 * needs a few; a person who waits for a page hardly notices one second, and then the primary answers.
 */
export const replicaMsMax = 1000;
/** Milliseconds for which a replica that was not ready in time is left alone. */
const restMs = 5000;

/** Connections to a replica. */
export interface Replica {
  /** A connection to a replica that has everything which the primary had committed at the moment of the call; null if none is ready in time. */
  acquire(): Promise<pg.PoolClient | null>;
  /** True when the server of another connection has everything that the primary had committed at the moment of the call. */
  isReady(client: pg.ClientBase): Promise<boolean>;
  /** Connections without a look at their server. */
  readonly database: Database;
  readonly counts: () => ReadingCounts;
  readonly count: (event: keyof ReadingCounts) => void;
}

/** Options of a replica. */
export interface ReplicaOptions {
  readonly database: Database;
  /** Connections to the primary, which is asked for the end of its log before each reading. */
  readonly primary: Sql;
  /** Called when the replica is not ready, and is left alone for a while. */
  readonly onLack: (lack: ReplicaLack, error?: unknown) => void;
}

/** Creates the connections to a replica. Nothing is sent before the first reading. */
export function createReplica({ database, primary, onLack }: ReplicaOptions): Replica {
  const { pool } = database;
  const counts = { replica: 0, primary: 0, repeated: 0 };
  let restsUntilMs = 0;
  let wasLacking = false;

  function rest(lack: ReplicaLack, error?: unknown): void {
    restsUntilMs = performance.now() + restMs;
    wasLacking = true;
    onLack(lack, error);
  }

  /** One reading finds out whether a replica that was left alone is ready again; the others go on at the primary. */
  function isTried(): boolean {
    const nowMs = performance.now();
    if (nowMs < restsUntilMs) return false;
    if (wasLacking) restsUntilMs = nowMs + replicaMsMax;
    return true;
  }

  async function findLack(
    client: pg.ClientBase,
    place: LogPlace,
    deadlineMs: number,
  ): Promise<ReplicaLack | null> {
    const lack = await waitForReplay(client, place, deadlineMs);
    if (lack !== null) {
      rest(lack);
      return lack;
    }
    wasLacking = false;
    restsUntilMs = 0;
    return null;
  }

  async function acquire(): Promise<pg.PoolClient | null> {
    // With every connection busy, the replica is well, and this reading need not wait.
    if ((pool.idleCount === 0 && pool.totalCount >= pool.options.max) || !isTried()) return null;
    const place = await readLogPlace(primary).catch(() => null);
    // The primary then says itself why it cannot be read.
    if (place === null) return null;
    // A primary that is busy says nothing about the replica.
    const deadlineMs = performance.now() + replicaMsMax;
    const client = await connectBefore(pool, deadlineMs).catch((error: unknown) => {
      rest('away', error);
      return undefined;
    });
    if (client === undefined) return null;
    if (client === null) {
      rest('away');
      return null;
    }
    try {
      const lack = await findLack(client, place, deadlineMs);
      if (lack === null) return client;
      // Another connection may lead to another server.
      client.release(lack !== 'behind');
    } catch (error) {
      client.release(true);
      rest('away', error);
    }
    return null;
  }

  return {
    acquire,
    isReady: async (client) => {
      const place = await readLogPlace(primary);
      return (await findLack(client, place, performance.now() + replicaMsMax)) === null;
    },
    database,
    counts: () => ({ ...counts }),
    count: (event) => {
      counts[event] += 1;
    },
  };
}

/** Returns null after the deadline; a connection that comes later is for others. */
async function connectBefore(pool: pg.Pool, deadlineMs: number): Promise<pg.PoolClient | null> {
  const timer = new AbortController();
  const connecting = pool.connect();
  try {
    const timeout = wait(Math.max(deadlineMs - performance.now(), 0), null, { signal: timer.signal });
    const client = await Promise.race([connecting, timeout]);
    if (client === null)
      connecting.then(
        (late) => late.release(),
        () => undefined,
      );
    return client;
  } finally {
    timer.abort();
  }
}

/** A reading at each of the two servers. */
interface Reading<T> {
  readonly onReplica: (client: pg.PoolClient) => Promise<T>;
  readonly onPrimary: () => Promise<T>;
  /** The connection is closed afterwards: the reading may leave something there. Default false. */
  readonly closesAfter?: boolean;
}

/**
 * Runs a reading on the replica, and repeats it when the server fails: when a standby cancels a statement that conflicts with the recovery, is
 * promoted, or is lost. The reading must do nothing that must not be repeated. After two starts, or without a ready replica, the primary answers.
 */
export function readOn<T>(
  replica: Replica | null,
  { onReplica, onPrimary, closesAfter = false }: Reading<T>,
): Promise<T> {
  if (replica === null) return onPrimary();
  return repeatReading(replica, {
    onPrimary,
    onReplica: async () => {
      const client = await replica.acquire();
      if (client === null) return null;
      let isBroken = closesAfter;
      try {
        return { result: await onReplica(client) };
      } catch (error) {
        isBroken ||= isLost(error);
        throw error;
      } finally {
        client.release(isBroken);
      }
    },
  });
}

/** A reading on connections of its own. */
interface OwnReading<T> {
  /** Resolves with null when the replica is not ready. */
  readonly onReplica: () => Promise<{ readonly result: T } | null>;
  readonly onPrimary: () => Promise<T>;
  /** Aborts when no one waits for the result any more. */
  readonly signal?: AbortSignal;
}

/** As `readOn`, for a reading that opens its own connections. */
export async function repeatReading<T>(
  replica: Replica,
  { onReplica, onPrimary, signal }: OwnReading<T>,
): Promise<T> {
  for (let start = 0; start < replicaReading.startsMax; start += 1) {
    try {
      const answer = await onReplica();
      if (answer === null) break;
      replica.count('replica');
      return answer.result;
    } catch (error) {
      if (!isLost(error)) throw error;
      signal?.throwIfAborted();
      replica.count('repeated');
    }
  }
  replica.count('primary');
  return onPrimary();
}

/** True when a reading failed because of its server, so that another one may answer it. */
function isLost(error: unknown): boolean {
  return error instanceof DatabaseUnavailable || isDatabaseAway(error);
}
