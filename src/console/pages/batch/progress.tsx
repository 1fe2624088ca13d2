import type { Body } from '../../api/client.ts';
import { Figures } from '../../components/figures.tsx';
import { formatCount, formatCounted, formatCredits, formatDuration } from '../../components/values.tsx';
import { useRate } from './use-rate.ts';

/** Progress, rate and cost of a batch. */
export function BatchProgress({
  batch,
  isStale,
}: {
  readonly batch: Body<'Batch'>;
  readonly isStale: boolean;
}) {
  const { lookups, state } = batch;
  const perSecond = useRate(batch);
  const done = lookups.total - lookups.open;
  const share = lookups.total === 0 ? 1 : done / lookups.total;
  return (
    <>
      <progress
        class="batch-progress"
        max={1}
        value={share}
        aria-label="Progress"
        aria-valuetext={doneLabel(batch)}
      />
      <Figures
        figures={[
          { name: 'Looked up', value: `${Math.floor(share * 100)} %`, note: doneLabel(batch) },
          ...(state === 'running' && !isStale
            ? [
                { name: 'Speed', value: rateLabel(perSecond) },
                { name: 'Time left', value: leftLabel(perSecond, lookups.open) },
              ]
            : []),
          { name: 'Credits charged', value: formatCredits(batch.credits.charged), note: boundLabel(batch) },
          {
            name: 'Rows',
            value: formatCount(batch.rows.total),
            note: `${formatCount(batch.rows.rejected)} rejected`,
          },
        ]}
      />
    </>
  );
}

function doneLabel({ lookups }: Body<'Batch'>): string {
  return `${formatCount(lookups.total - lookups.open)} of ${formatCounted(lookups.total, 'lookup')}`;
}

function boundLabel({ max_credits: budget, credits }: Body<'Batch'>): string {
  return budget === null ? `up to ${formatCredits(credits.ceiling)}` : `of ${formatCredits(budget)} budgeted`;
}

function rateLabel(perSecond: number | null): string {
  if (perSecond === null) return 'measuring …';
  if (perSecond >= 10) return `${formatCount(Math.round(perSecond))} per second`;
  return perSecond >= 0.1
    ? `${perSecond.toFixed(1)} per second`
    : `${formatCount(Math.max(1, Math.round(perSecond * 3600)))} per hour`;
}

function leftLabel(perSecond: number | null, open: number): string {
  return perSecond === null ? 'measuring …' : `about ${formatDuration(open / perSecond)}`;
}
