import { api, read, type Body } from '../../api/client.ts';
import { usePages } from '../../api/use-pages.ts';
import { Loading } from '../../components/loading.tsx';
import { ErrorBanner } from '../../components/banner.tsx';
import { Section } from '../../components/page.tsx';
import { Moment } from '../../components/values.tsx';
import { entryLabel } from './entry-label.ts';

/** Timeline of a batch. Reloads when the state changes. */
export function BatchTimeline({ batch }: { readonly batch: Body<'Batch'> }) {
  const { id, state, reason } = batch;
  const { items, isLoaded, hasMore, isLoading, error, more, reload } = usePages(
    `timeline ${id} ${state} ${reason}`,
    async (after, signal) => {
      const query = after === undefined ? {} : { after };
      const page = await read(
        api.GET('/v1/batches/{id}/timeline', { params: { path: { id }, query }, signal }),
      );
      return { items: page.entries, next: page.next };
    },
  );
  return (
    <Section title="Timeline">
      <ErrorBanner error={error} onRetry={reload} />
      {!isLoaded && isLoading && <Loading />}
      <ol class="timeline">
        {items.map((entry) => (
          <li key={`${entry.event} ${entry.at}`}>
            <Moment at={entry.at} /> <Entry entry={entry} />
          </li>
        ))}
      </ol>
      {hasMore && (
        <button type="button" onClick={more} disabled={isLoading}>
          Show more
        </button>
      )}
    </Section>
  );
}

function Entry({ entry }: { readonly entry: Body<'TimelineEntry'> }) {
  const { times, last_at: last, ended_at: ended, event } = entry;
  const isWait = event === 'waiting_for_credits' || event === 'waiting_for_source';
  return (
    <div>
      <p>{entryLabel(entry)}</p>
      {isWait && (
        <p class="quiet small">
          {times > 1 && (
            <>
              {times} times, most recently <Moment at={last} />
              {'; '}
            </>
          )}
          {ended === null ? (
            'still waiting'
          ) : (
            <>
              resumed <Moment at={ended} />
            </>
          )}
        </p>
      )}
    </div>
  );
}
