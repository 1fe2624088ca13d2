import type { CalledSource } from '../../../src/core/sources/ad-source.ts';
import type { BegunRecord, EndedRecord } from '../../../src/core/backup/call-records.ts';
import type { Begun, CallEnd, NewCall } from '../../../src/core/sources/call-log.ts';
import { messageOf } from '../../../src/core/errors.ts';
import { archiveUnavailable } from '../../../src/core/work/retry-policies.ts';
import type { Pause } from '../../../src/core/work/wait-cause.ts';
import type { PackedReply } from './raw-responses.ts';

/** Records of the calls that were admitted at `now`. */
export function begunRecords(
  now: Date,
  { name: source, bucket }: CalledSource,
  calls: readonly NewCall[],
  begun: readonly Begun[],
): readonly BegunRecord[] {
  const begunAt = now.toISOString();
  return calls.flatMap((call, i) => {
    const one = begun[i];
    if (one?.kind !== 'begun') return [];
    const { lookupId, caller, requestKey, about, unitsMax } = call;
    const { accountId } = caller;
    return [{ call: one.callId, begunAt, accountId, lookupId, source, bucket, requestKey, about, unitsMax }];
  });
}

export function endedRecord(
  now: Date,
  callId: bigint,
  { answer, units, charged }: CallEnd,
  reply: PackedReply | null,
): EndedRecord {
  return { call: callId, endedAt: now.toISOString(), answer, units, charged, reply };
}

/** Pause of a source whose calls cannot be recorded. */
export function archivePause(error: unknown): Pause {
  return {
    kind: 'failing',
    cause: 'archive',
    reason: `calls cannot be recorded in the archive: ${messageOf(error)}`,
    delayMs: archiveUnavailable.delayMs,
  };
}
