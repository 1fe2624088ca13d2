import { formatAge } from '../../../core/time/parse-age.ts';
import type { Retried } from '../../../core/batches/batch-control.ts';
import type { BatchSummary } from '../../../core/batches/batch.ts';
import type { BatchCounts } from '../../../core/batches/batch-store.ts';
import { creditsNumber } from '../../../core/credits/credits.ts';
import { spendText } from '../../../core/sources/spend.ts';
import { waitLabel, type Wait } from '../../../core/work/wait-cause.ts';
import type { RetriedBody } from './control-schema.ts';
import type { BatchBody, BatchListBody } from './schema.ts';

/** Converts a batch to its JSON, the same in the API and in `--json` of the commands. Loads no schema, so that commands start quickly. */
export function toBatchBody(batch: BatchSummary): BatchBody {
  const { total, found, none, no_match, completed, failed, cancelled, open } = batch.lookups;
  const { limitRows, maxCreditsMicro, maxSpend = null } = batch.bounds;
  const { region, surface, adsMax, ownOnly, ageMsMax } = batch.search;
  return {
    id: batch.publicId,
    state: batch.state,
    reason: batch.stateReason,
    file_name: batch.fileName,
    sheet: batch.sheet,
    operations: [...batch.operations],
    sources: [...batch.sources],
    region,
    surface,
    max_ads: adsMax,
    own_only: ownOnly,
    max_age: ageMsMax === null ? null : formatAge(ageMsMax),
    rows: { total: batch.rows.total, rejected: batch.rows.rejected },
    lookups: { total, found, none, no_match, completed, failed, cancelled, open },
    emails: { ...batch.emails },
    credits: { charged: creditsNumber(batch.chargedMicro), ceiling: creditsNumber(batch.ceilingMicro) },
    ads_truncated: batch.adsTruncated,
    limit: limitRows,
    max_credits: maxCreditsMicro === null ? null : creditsNumber(maxCreditsMicro),
    max_spend: maxSpend === null ? null : spendText(maxSpend),
    created_at: batch.createdAt.toISOString(),
    finished_at: batch.finishedAt?.toISOString() ?? null,
    purged_at: batch.purgedAt?.toISOString() ?? null,
    wait_kind: batch.waitKind,
    wait_until: batch.waitUntil?.toISOString() ?? null,
    wait: batch.wait === null ? null : toWaitBody(batch.wait),
    limit_reached: batch.isLimitReached,
    name: batch.name,
    tags: [...batch.tags],
    origin: toOriginBody(batch.origin),
    owner: batch.owner === null ? null : { ...batch.owner },
    archived_at: batch.archivedAt?.toISOString() ?? null,
  };
}

function toWaitBody(wait: Wait): NonNullable<BatchBody['wait']> {
  const { cause, bound, source, reason, until } = wait;
  return { cause, label: waitLabel(wait), bound, source, reason, until: until?.toISOString() ?? null };
}

function toOriginBody(origin: BatchSummary['origin']): BatchBody['origin'] {
  if (origin === null) return null;
  const { kind, from } = origin;
  return { kind, id: from?.id ?? null, name: from?.name ?? null };
}

/**
 * Converts a page of batches, newest first, with the numbers of all that match. `found` has one more than `limit` if another page
 * follows.
 */
export function toBatchListBody(
  found: readonly BatchSummary[],
  limit: number,
  { tags, ...counts }: BatchCounts,
): BatchListBody {
  const items = found.slice(0, limit);
  return {
    batches: items.map(toBatchBody),
    next: found.length > limit ? (items.at(-1)?.publicId ?? null) : null,
    counts: { ...counts, tags: tags.map((each) => ({ ...each })) },
  };
}

/** Converts a batch with the counts of its retry. */
export function toRetriedBody(
  batch: BatchSummary,
  { retried, inDoubtLeft, ceilingMicro }: Retried,
): RetriedBody {
  return {
    ...toBatchBody(batch),
    retried,
    in_doubt_left: inDoubtLeft,
    credits_max: creditsNumber(ceilingMicro),
  };
}
