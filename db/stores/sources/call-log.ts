import { personalPauseKinds, type PauseKind } from '../../../src/core/work/pause.ts';
import type { Pause, WaitCause } from '../../../src/core/work/wait-cause.ts';
import { sql } from 'drizzle-orm';
import type { CalledSource } from '../../../src/core/sources/ad-source.ts';
import {
  nothingCame,
  type Begun,
  type BegunCall,
  type SourceCallLog,
  type CallEnd,
  type Caller,
  type CallRefusal,
  type NewCall,
  type SourceHealth,
} from '../../../src/core/sources/call-log.ts';
import {
  noCallArchives,
  type CallArchive,
  type CallArchives,
  type EndedRecord,
} from '../../../src/core/backup/call-records.ts';
import { createBatcher } from '../../../src/core/async/batcher.ts';
import { accountLimit, circuitBreaker } from '../../../src/core/work/retry-policies.ts';
import { repeatWhileAway } from '../../../src/core/work/repeat-while-away.ts';
import { SourcePaused } from '../../../src/core/errors.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { bigints, booleans, texts } from '../sql/arrays.ts';
import { archivePause, begunRecords, endedRecord } from './archived-calls.ts';
import { findReply, keepReplies, pack, type PackedReply } from './raw-responses.ts';
import { createRestoredCalls } from './restored-calls.ts';

const callsMax = 500;

type Failure = Exclude<SourceHealth, 'good'>;

/** Reason of a pause by the failure of the last call; `open_circuit` decides when to pause. */
const reasons: Readonly<Record<Failure, string>> = {
  down: 'gives no answer',
  unreadable: 'returns replies that cannot be parsed: its format may have changed',
};

export interface SourceCallLogOptions {
  /** First pause of a failing source; milliseconds. */
  readonly failureWaitMs: number;
  /** True when replies are stored, to be parsed again without paying. */
  readonly storesResponses: boolean;
  /** Archives in which calls are recorded besides Postgres. Default: none. */
  readonly archives?: CallArchives;
}

/** Calls to live sources in `nightshift.source_calls`; calls that start or end at the same time share one statement. */
export function createSourceCallLog(
  db: Sql,
  { failureWaitMs, storesResponses, archives = noCallArchives }: SourceCallLogOptions,
): SourceCallLog {
  /** As of the last call that was begun: an end that is recorded in an earlier archive is found there by a restore, too. */
  let archive: CallArchive | null = null;
  const lines = new Map<string, (call: NewCall) => Promise<Begun>>();
  /** Calls of an account with limits are admitted apart, and searches apart from batches. */
  function lineFor(source: CalledSource, caller: Caller): (call: NewCall) => Promise<Begun> {
    const limited = caller.limits === null ? '' : JSON.stringify([caller.accountId, caller.limits]);
    const key = `${source.bucket} ${caller.isSearch} ${limited}`;
    const line =
      lines.get(key) ??
      createBatcher<NewCall, Begun>(callsMax, async (calls) => {
        const { begun, archiveVersion } = await withDatabase(() => beginCalls(db, source, calls, caller));
        return recordBegun(source, { calls, begun, archiveVersion });
      });
    lines.set(key, line);
    return line;
  }
  const restored = createRestoredCalls(db);
  const end = createBatcher<EndedCall, true>(callsMax, (ends) =>
    withDatabase(async () => {
      await endCalls(db, ends);
      return ends.map(() => true as const);
    }),
  );
  /** Returns the calls that may be sent. Those that cannot be recorded are not: after a restore, they would be paid for again. */
  async function recordBegun(
    source: CalledSource,
    { calls, begun, archiveVersion }: BegunCalls & { readonly calls: readonly NewCall[] },
  ): Promise<readonly Begun[]> {
    try {
      archive = await archives.at(archiveVersion);
      if (archive !== null) await archive.record(begunRecords(await archive.now(), source, calls, begun));
      return begun;
    } catch (error) {
      const unsent = begun.filter((one) => one.kind === 'begun');
      const ended = { ...nothingCame, answer: 'not_sent', packed: null } as const;
      await Promise.all(unsent.map(({ callId, isProbe }) => end({ ...ended, source, callId, isProbe })));
      return begun.map((one) =>
        one.kind === 'begun' ? { kind: 'paused', pause: archivePause(error) } : one,
      );
    }
  }
  return {
    storesResponses,
    hasRoom: (source, caller) => withDatabase(() => hasRoom(db, source, caller)),
    begin: (source, call) => lineFor(source, call.caller)(call),
    end: async (source, callId, ended, signal) => {
      const reply = storesResponses && ended.reply !== null ? await pack(ended.reply) : null;
      // Without this record, a restore takes the call for one whose answer is lost (docs/guides/backup.md): that costs nothing.
      await Promise.all([
        repeatWhileAway(() => end({ ...ended, source, callId, packed: reply }), signal),
        recordEnded(archive, (at) => endedRecord(at, callId, ended, reply)).catch(() => undefined),
      ]);
      const { health, refusal } = ended;
      if (refusal !== null) return withDatabase(() => openAfterRejections(db, source, refusal));
      return health === 'down' || health === 'unreadable'
        ? withDatabase(() => openCircuit(db, source, health, failureWaitMs))
        : null;
    },
    renew: (source, call, caller) => withDatabase(() => renewCall(db, source, call, caller)),
    pause: (source, pause) => withDatabase(() => pauseSource(db, source, pause)),
    readReply: (callId) => withDatabase(() => findReply(db, callId)),
    adopt: (source, call) => withDatabase(() => restored.adopt(source, call)),
  };
}

async function recordEnded(archive: CallArchive | null, recordAt: (at: Date) => EndedRecord): Promise<void> {
  if (archive !== null) await archive.record([recordAt(await archive.now())]);
}

async function hasRoom(
  db: Sql,
  { name, bucket, limits }: CalledSource,
  { accountId, limits: own, isSearch }: Caller,
): Promise<boolean> {
  const result = await db.execute<{ has_room: boolean }>(
    sql`SELECT nightshift.has_room(${name}, ${bucket}, ${limits.deadlineMs}, ${limits.concurrency}, ${accountId},
      ${own?.concurrency ?? null}, ${isSearch}) AS has_room`,
  );
  return result.rows[0]?.has_room === true;
}

/**
 * Admits calls in order; the others get the reason of the rejection. The calls have the limits and the lane of `caller`. The same statement
 * reads the version of the archive, so that no call misses a new one.
 */
async function beginCalls(
  db: Sql,
  source: CalledSource,
  calls: readonly NewCall[],
  caller: Caller,
): Promise<BegunCalls> {
  const { name, bucket, limits } = source;
  const spend = limits.spendPerDay;
  const result = await db.execute<{
    ids: readonly string[] | null;
    refusal: 'full' | 'paused' | null;
    reason: string | null;
    kind: PauseKind | null;
    cause: WaitCause | null;
    bound: string | null;
    wait_ms: string | null;
    is_probe: boolean;
    for_next: boolean;
    archive_version: string | null;
  }>(
    sql`WITH admission AS (
        SELECT * FROM nightshift.admit_calls(${name}, ${bucket}, ${calls.length}, ${limits.concurrency}, ${limits.callsPerDay},
          ${limits.deadlineMs}, ${circuitBreaker.probeDelayMs}, ${bigints(calls.map((call) => call.lookupId))},
          ${texts(calls.map((call) => String(call.unitsMax)))}::numeric[], ${spend?.amount ?? null}::numeric, ${spend?.currency ?? null},
          ${caller.accountId}, ${caller.limits?.concurrency ?? null}, ${caller.limits?.callsPerDay ?? null}, ${caller.isSearch})
      ), begun AS (
        INSERT INTO nightshift.source_calls (lookup_id, source, bucket, request_key, description, units, sent_at, account_id)
        SELECT c.lookup_id, ${name}, ${bucket}, c.request_key, c.description, c.units, clock_timestamp(), c.account_id
        FROM admission a, unnest(${bigints(calls.map((call) => call.lookupId))}, ${texts(calls.map((call) => call.requestKey))},
          ${texts(calls.map((call) => call.about))}, ${texts(calls.map((call) => String(call.unitsMax)))}::numeric[],
          ${bigints(calls.map((call) => call.caller.accountId))})
          WITH ORDINALITY AS c(lookup_id, request_key, description, units, account_id, ord)
        WHERE c.ord <= a.admitted
        ORDER BY c.ord
        RETURNING id
      )
      SELECT (SELECT array_agg(id ORDER BY id) FROM begun) AS ids, refusal, reason, kind, cause, bound, wait_ms, is_probe, for_next,
        (SELECT version FROM nightshift.archive) AS archive_version
      FROM admission`,
  );
  const [row] = result.rows;
  if (row === undefined) throw new Error('Calls were begun and not answered.');
  const ids = row.ids ?? [];
  const refused: Begun =
    row.refusal === 'full'
      ? { kind: 'full' }
      : {
          kind: 'paused',
          pause: {
            kind: row.kind ?? 'failing',
            reason: row.reason ?? `${name} is paused`,
            delayMs: Number(row.wait_ms),
            ...(row.cause === null ? {} : { cause: row.cause }),
            ...(row.bound === null ? {} : { bound: row.bound }),
          },
        };
  const begun = calls.map((_, i): Begun => {
    const id = ids[i];
    // A bound of cost may allow the calls after the next one: they ask again.
    if (id === undefined && row.for_next && i > ids.length) return { kind: 'full' };
    return id === undefined ? refused : { kind: 'begun', callId: BigInt(id), isProbe: row.is_probe };
  });
  return { begun, archiveVersion: row.archive_version === null ? null : Number(row.archive_version) };
}

interface BegunCalls {
  readonly begun: readonly Begun[];
  readonly archiveVersion: number | null;
}

interface EndedCall extends CallEnd {
  readonly source: CalledSource;
  readonly callId: bigint;
  readonly packed: PackedReply | null;
}

/**
 * Records the ends of calls. A call has one end: a repeat, after the answer to the first COMMIT was lost, changes nothing and adds no cost.
 */
async function endCalls(db: Sql, ends: readonly EndedCall[]): Promise<void> {
  await keepReplies(
    db,
    ends.flatMap(({ packed }) => packed ?? []),
  );
  await db.execute(
    sql`WITH ended AS (
        UPDATE nightshift.source_calls c SET answered_at = now(), answer = e.answer, source_charge = e.charged, units = e.units,
          response_hash = decode(e.hash, 'hex')
        FROM unnest(${bigints(ends.map((item) => item.callId))}, ${texts(ends.map(({ source }) => source.bucket))},
          ${texts(ends.map((item) => item.answer))},
          ${texts(ends.map(({ charged }) => (charged === null ? null : String(charged))))}::numeric[],
          ${texts(ends.map((item) => String(item.units)))}::numeric[],
          ${texts(ends.map(({ packed }) => packed?.hash.toString('hex') ?? null))}, ${booleans(ends.map(settlesEarlier))},
          ${booleans(ends.map(({ health }) => health === 'good'))},
          ${booleans(ends.map(({ health, isProbe }) => isProbe && health === null))})
          AS e(id, bucket, answer, charged, units, hash, settles, succeeds, frees)
        WHERE c.id = e.id AND c.answered_at IS NULL
        RETURNING c.id, c.lookup_id, c.source, e.bucket, c.request_key, c.description, e.answer, e.units, e.charged, e.settles, e.succeeds, e.frees
      ), settled AS (
        UPDATE nightshift.source_calls o SET units = 0 FROM ended e
        WHERE e.settles AND o.lookup_id = e.lookup_id AND o.source = e.source AND o.request_key = e.request_key
          AND o.description = e.description AND o.id < e.id AND coalesce(o.answer = 'in_doubt', true)
      ), results AS (
        SELECT bucket, count(*) FILTER (WHERE succeeds)::integer AS successes, bool_or(frees) AS freed FROM ended GROUP BY bucket
      )
      SELECT nightshift.record_results(r.buckets, r.successes, r.freed, c.unsent, ${circuitBreaker.callsKept}, c.ids, c.units, c.charged)
      FROM (SELECT array_agg(bucket) AS buckets, array_agg(successes) AS successes, array_agg(freed) AS freed FROM results) r,
        (SELECT array_agg(id) AS ids, array_agg(id) FILTER (WHERE answer = 'not_sent') AS unsent, array_agg(units) AS units,
          array_agg(charged) AS charged FROM ended) c`,
  );
}

/** True for an answered repeat at a source that recognizes repeats: the same order, charged once. */
function settlesEarlier({ source, health }: EndedCall): boolean {
  return source.idempotent && health === 'good';
}

/** Pause of a batch whose call has waited past midnight into a day that is used up: its next call gets the reason. */
const nextDayPause: Pause = {
  kind: 'budget',
  reason: 'the daily budget of the new day is spent',
  ...accountLimit,
};

async function renewCall(
  db: Sql,
  { bucket, limits }: CalledSource,
  { callId, isProbe }: BegunCall,
  { limits: own }: Caller,
): Promise<boolean> {
  const result = await db.execute<{ renewed: boolean | null; pause: Pause | null }>(
    sql`SELECT nightshift.renew_call(${callId}, ${bucket}, ${limits.concurrency}, ${limits.deadlineMs}, ${isProbe},
      p_day_max => ${limits.callsPerDay}, p_spend_max => ${limits.spendPerDay?.amount ?? null}::numeric,
      p_currency => ${limits.spendPerDay?.currency ?? null}, p_account_in_flight_max => ${own?.concurrency ?? null},
      p_account_day_max => ${own?.callsPerDay ?? null}) AS renewed,
      (SELECT jsonb_build_object('kind', s.pause_kind, 'reason', s.pause_reason, 'delayMs', nightshift.ms_until(s.paused_until, clock_timestamp()))
        FROM nightshift.source_states s WHERE s.bucket = ${bucket} AND s.paused_until > clock_timestamp()) AS pause`,
  );
  const { renewed = null, pause = null } = result.rows[0] ?? {};
  if (pause !== null) throw new SourcePaused(pause);
  if (renewed === null) throw new SourcePaused(nextDayPause);
  return renewed;
}

async function openCircuit(
  db: Sql,
  { name, bucket }: CalledSource,
  failure: Failure,
  failureWaitMs: number,
): Promise<Pause | null> {
  const reason = `${name} ${reasons[failure]}`;
  const result = await db.execute<{ wait_ms: string | null }>(
    sql`SELECT nightshift.open_circuit(${name}, ${bucket}, ${failure}, ${reason}, ${Math.ceil(failureWaitMs)},
      p_coefficient => ${circuitBreaker.backoffCoefficient}, p_wait_ms_max => ${circuitBreaker.delayMsMax},
      p_down_max => ${circuitBreaker.unansweredMax}, p_unreadable_max => ${circuitBreaker.unreadableMax},
      p_window => ${circuitBreaker.callsKept}, p_share => ${circuitBreaker.failingShare},
      p_quiet_ms => ${circuitBreaker.quietMs}, p_down_ms => ${circuitBreaker.unansweredMs}) AS wait_ms`,
  );
  const waitMs = result.rows[0]?.wait_ms ?? null;
  return waitMs === null ? null : { kind: 'failing', reason, delayMs: Number(waitMs) };
}

async function openAfterRejections(
  db: Sql,
  { name, bucket }: CalledSource,
  { likeness, alikeMax, reason, delayMs }: CallRefusal,
): Promise<Pause | null> {
  const result = await db.execute<{ wait_ms: string | null }>(
    sql`SELECT nightshift.open_circuit_after_rejections(${name}, ${bucket}, ${likeness}, ${alikeMax}, ${reason}, ${Math.ceil(delayMs)},
      p_coefficient => ${circuitBreaker.backoffCoefficient}, p_wait_ms_max => ${circuitBreaker.delayMsMax}) AS wait_ms`,
  );
  const waitMs = result.rows[0]?.wait_ms ?? null;
  return waitMs === null ? null : { kind: 'declined', reason, delayMs: Number(waitMs) };
}

/** A rejection does not change a block that still lasts: an operator may lift the one, and not the other. */
async function pauseSource(
  db: Sql,
  { name, bucket }: CalledSource,
  { kind, reason, delayMs }: Pause,
): Promise<void> {
  await db.execute(
    sql`INSERT INTO nightshift.source_states AS s (bucket, source, paused_until, pause_reason, pause_kind)
      VALUES (${bucket}, ${name}, now() + ${delayMs} * interval '1 millisecond', ${reason}, ${kind})
      ON CONFLICT (bucket) DO UPDATE SET paused_until = greatest(s.paused_until, excluded.paused_until),
        pause_reason = excluded.pause_reason, pause_kind = excluded.pause_kind, probe_until = NULL
      WHERE (s.pause_kind = 'blocked' AND excluded.pause_kind = ANY (${texts(personalPauseKinds)})
        AND s.paused_until > now()) IS NOT TRUE`,
  );
}
