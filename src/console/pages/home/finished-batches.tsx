import type { Body } from '../../api/client.ts';
import { Section } from '../../components/page.tsx';
import { SampleBadge } from '../../components/ads/sample.tsx';
import { formatCounted, Moment } from '../../components/values.tsx';

const overnightMs = 24 * 60 * 60 * 1000;
const shownMax = 6;

/** Batches that finished in the last 24 hours; else the newest finished one. */
export function FinishedBatches({ batches }: { readonly batches: readonly Body<'Batch'>[] }) {
  const finished = batches
    .filter(({ state }) => state === 'finished')
    .toSorted((one, other) => (other.finished_at ?? '').localeCompare(one.finished_at ?? ''));
  const recent = finished.filter(
    ({ finished_at: at }) => at !== null && Date.now() - Date.parse(at) < overnightMs,
  );
  const shown = (recent.length === 0 ? finished.slice(0, 1) : recent).slice(0, shownMax);
  return (
    <Section
      title="Finished overnight"
      actions={
        <a class="small" href="/batches">
          All batches
        </a>
      }
    >
      {recent.length === 0 && (
        <p class="quiet">
          {finished.length === 0
            ? 'No batch has finished yet.'
            : 'No batch finished in the last 24 hours. The newest one:'}
        </p>
      )}
      <ul class="tasks" aria-label="Finished batches">
        {shown.map((batch) => (
          <li key={batch.id}>
            <div>
              <a href={resultsOf(batch)}>{batch.name}</a> <SampleBadge sources={batch.sources} />
              <div class="quiet small">{summaryOf(batch)}</div>
            </div>
            <span class="quiet small">
              <Moment at={batch.finished_at} />
            </span>
          </li>
        ))}
      </ul>
      {recent.length > shownMax && <p class="quiet small">And {recent.length - shownMax} more.</p>}
    </Section>
  );
}

function resultsOf({ id, purged_at: purged }: Body<'Batch'>): string {
  return purged === null ? `/batches/${id}/results` : `/batches/${id}`;
}

function summaryOf({ operations, lookups, emails }: Body<'Batch'>): string {
  const parts = [
    ...(operations.includes('ads_search')
      ? [`${formatCounted(lookups.found, 'company', 'companies')} with ads`]
      : []),
    ...(operations.includes('email_validation')
      ? [formatCounted(emails.valid, 'valid address', 'valid addresses')]
      : []),
  ];
  return parts.join(', ');
}
