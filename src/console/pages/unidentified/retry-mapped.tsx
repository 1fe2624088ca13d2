import { useLocation } from 'preact-iso';
import { api, read, type Body } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { Banner, ErrorBanner } from '../../components/banner.tsx';
import { formatCredits } from '../../components/format.ts';
import { toast } from '../../components/toast.tsx';
import { formatCounted } from '../../components/values.tsx';

/** Numbers of a list by state, and the button that looks up the mapped companies again, with its maximum cost. */
export function RetryMapped({
  batch,
  list: { counts, credits_max: creditsMax },
}: {
  readonly batch: Body<'Batch'>;
  readonly list: Body<'UnidentifiedList'>;
}) {
  const { id, state, origin } = batch;
  const { route } = useLocation();
  const action = useAction(async () => {
    const { retried } = await read(
      api.POST('/v1/batches/{id}/retry', { params: { path: { id } }, body: { mapped: true } }),
    );
    toast(`Looking up ${companies(retried)} again.`);
    route(`/batches/${id}`);
  });
  const { open, mapped, denied } = counts;
  if (open + mapped + denied === 0) return null;
  const isScan = origin?.kind === 'schedule';
  return (
    <Banner
      kind={mapped === 0 ? 'info' : 'good'}
      title={`${companies(open + mapped + denied)} not identified`}
    >
      <p>
        {`${open} open, ${mapped} mapped, ${denied} denied. `}
        {isScan ? 'The next scan of the schedule uses the mapping.' : hintOf(mapped)}
      </p>
      {can('batches:write') && !isScan && (
        <div class="actions">
          <button
            type="button"
            class="primary"
            disabled={mapped === 0 || state !== 'finished' || action.isRunning}
            onClick={action.run}
          >
            {`Look up ${companies(mapped)} again (up to ${formatCredits(creditsMax)} credits)`}
          </button>
        </div>
      )}
      {state !== 'finished' && <p class="hint">They can be looked up again when the batch has finished.</p>}
      <ErrorBanner error={action.error} />
    </Banner>
  );
}

function hintOf(mapped: number): string {
  return mapped === 0
    ? 'Map companies to look them up again.'
    : 'Companies with ads cost the usual price, all others are free.';
}

function companies(count: number): string {
  return formatCounted(count, 'company', 'companies');
}
