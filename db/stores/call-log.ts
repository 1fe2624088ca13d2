import { sql } from 'drizzle-orm';
import type { CallLog } from '../../src/core/ads/call-source.ts';
import { createCoalescer } from '../../src/core/coalesce.ts';
import { withDatabase, type Sql } from '../client.ts';
import { bigints, texts } from './arrays.ts';

const callsMax = 500;

/** Calls to live sources in `nightshift.source_calls`; calls that begin or end at the same time share one statement. */
export function createCallLog(db: Sql): CallLog {
  const begin = createCoalescer<{ lookupId: bigint; source: string; requestKey: string }, bigint>(
    callsMax,
    (calls) =>
      withDatabase(async () => {
        const result = await db.execute<{ id: string }>(
          sql`INSERT INTO nightshift.source_calls (lookup_id, source, request_key)
          SELECT c.lookup_id, c.source, c.request_key
          FROM unnest(${bigints(calls.map((call) => call.lookupId))}, ${texts(calls.map((call) => call.source))},
            ${texts(calls.map((call) => call.requestKey))}) WITH ORDINALITY AS c(lookup_id, source, request_key, ord)
          ORDER BY c.ord
          RETURNING id`,
        );
        return result.rows.map((row) => BigInt(row.id));
      }),
  );
  const end = createCoalescer<{ callId: bigint; answer: string; charge: string | null }, true>(
    callsMax,
    (ends) =>
      withDatabase(async () => {
        await db.execute(
          sql`UPDATE nightshift.source_calls c SET answered_at = now(), answer = e.answer, source_charge = e.charge
          FROM unnest(${bigints(ends.map((item) => item.callId))}, ${texts(ends.map((item) => item.answer))},
            ${texts(ends.map((item) => item.charge))}) AS e(id, answer, charge)
          WHERE c.id = e.id`,
        );
        return ends.map(() => true as const);
      }),
  );
  return {
    begin,
    end: async (callId, answer, sourceCharge) => {
      await end({ callId, answer, charge: sourceCharge === undefined ? null : String(sourceCharge) });
    },
  };
}
