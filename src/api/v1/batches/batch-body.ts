import type { BatchSummary } from '../../../core/batches/batch.ts';
import { creditsNumber } from '../../../core/credits/credits.ts';
import { waitLabel, type Wait } from '../../../core/work/wait-cause.ts';
import type { BatchBody, BatchListBody, RetriedBody } from './schema.ts';

/** Converts a batch to its JSON, the same in the API and in `--json` of the commands. Loads no schema, so that commands start quickly. */
export function toBatchBody(batch: BatchSummary): BatchBody {
  const { total, found, none, no_match, completed, failed, cancelled, open } = batch.lookups;
  const { limitRows, maxCreditsMicro } = batch.bounds;
  return {
    id: batch.publicId,
    state: batch.state,
    reason: batch.stateReason,
    file_name: batch.fileName,
    sheet: batch.sheet,
    operations: [...batch.operations],
    sources: [...batch.sources],
    rows: { total: batch.rows.total, rejected: batch.rows.rejected },
    lookups: { total, found, none, no_match, completed, failed, cancelled, open },
    emails: { ...batch.emails },
    credits: { charged: creditsNumber(batch.chargedMicro), ceiling: creditsNumber(batch.ceilingMicro) },
    ads_truncated: batch.adsTruncated,
    limit: limitRows,
    max_credits: maxCreditsMicro === null ? null : creditsNumber(maxCreditsMicro),
    created_at: batch.createdAt.toISOString(),
    finished_at: batch.finishedAt?.toISOString() ?? null,
    purged_at: batch.purgedAt?.toISOString() ?? null,
    wait_kind: batch.waitKind,
    wait_until: batch.waitUntil?.toISOString() ?? null,
    wait: batch.wait === null ? null : toWaitBody(batch.wait),
    limit_reached: batch.isLimitReached,
  };
}

function toWaitBody(wait: Wait): NonNullable<BatchBody['wait']> {
  const { cause, bound, source, reason, until } = wait;
  return { cause, label: waitLabel(wait), bound, source, reason, until: until?.toISOString() ?? null };
}

/** Converts a page of batches, newest first. `found` has one more than `limit` if another page follows. */
export function toBatchListBody(found: readonly BatchSummary[], limit: number): BatchListBody {
  const items = found.slice(0, limit);
  return {
    batches: items.map(toBatchBody),
    next: found.length > limit ? (items.at(-1)?.publicId ?? null) : null,
  };
}

/** Converts a batch with the counts of its retry. */
export function toRetriedBody(
  batch: BatchSummary,
  { retried, inDoubtLeft }: { readonly retried: number; readonly inDoubtLeft: number },
): RetriedBody {
  return { ...toBatchBody(batch), retried, in_doubt_left: inDoubtLeft };
}
