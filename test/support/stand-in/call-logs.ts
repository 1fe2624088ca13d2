import { createSourceCallLog, type SourceCallLogOptions } from '../../../db/stores/sources/call-log.ts';
import type { CalledSource } from '../../../src/core/sources/ad-source.ts';
import type { Begun, SourceCallLog, CallEnd, Caller, NewCall } from '../../../src/core/sources/call-log.ts';
import type { SourceLimits } from '../../../src/core/sources/source-call.ts';
import type { TestDatabase } from '../db/database.ts';
import { noLimits } from '../api/no-limits.ts';

/** First pause after a failure of a source, in tests; milliseconds. */
export const failureWaitMs = 60_000;

/** A source with its own rate limit. */
export function calledSource(
  name: string,
  limits: Partial<SourceLimits> = {},
  { idempotent = false } = {},
): CalledSource {
  return {
    name,
    bucket: `${name}:bucket`,
    limits: { ...noLimits, deadlineMs: 60_000, ...limits },
    idempotent,
  };
}

/** Opens the call log of a process on a test's database. */
export function openSourceCallLog(
  { app }: Pick<TestDatabase, 'app'>,
  changes: Partial<SourceCallLogOptions> = {},
): SourceCallLog {
  return createSourceCallLog(app.sql, { failureWaitMs, storesResponses: true, ...changes });
}

/** Calls of a batch of an account without limits. */
export const freeCaller: Caller = { accountId: 1, limits: null, isSearch: false };

export function newCall(lookupId: bigint, changes: Partial<NewCall> = {}): NewCall {
  return { lookupId, caller: freeCaller, requestKey: 'key', about: 'ads of a.com', unitsMax: 1, ...changes };
}

/** End of a call. Default: with ads. */
export function callEnd(changes: Partial<CallEnd> = {}): CallEnd {
  return {
    answer: 'found',
    units: 1,
    charged: null,
    reply: null,
    health: 'good',
    refusal: null,
    isProbe: false,
    ...changes,
  };
}

/** Id of a started call. */
export function begunId(begun: Begun): bigint {
  if (begun.kind !== 'begun') throw new Error(`The call was not begun: ${begun.kind}.`);
  return begun.callId;
}
