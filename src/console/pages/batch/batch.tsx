import { useRoute } from 'preact-iso';
import type { Body } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { isUnreachable } from '../../api/request-error.ts';
import { BatchState, isEnded } from '../../components/batch-state.tsx';
import { formatClock } from '../../components/format.ts';
import { WhenLoaded } from '../../components/loading.tsx';
import { Banner } from '../../components/banner.tsx';
import { Page } from '../../components/page.tsx';
import { SampleBanner } from '../../components/ads/sample.tsx';
import { Moment } from '../../components/values.tsx';
import { EmailMe } from '../notifications/email-me.tsx';
import { ReportSection } from '../reports/report-section.tsx';
import { BatchLandings } from './batch-landings.tsx';
import { BatchTabs } from './batch-tabs.tsx';
import { Controls } from './controls.tsx';
import { Downloads } from './downloads.tsx';
import { Labels } from './labels.tsx';
import { Outcomes } from './outcomes.tsx';
import { BatchOrigin } from './origin.tsx';
import { BatchProgress } from './progress.tsx';
import { BatchTasks } from './tasks.tsx';
import { BatchTimeline } from './timeline.tsx';
import { useBatch, type FollowedBatch } from './use-batch.ts';
import { waitReason } from './wait-reason.ts';

/** Page of a batch: its progress, cost, wait reason, actions and outcomes. */
export function BatchPage() {
  const { params } = useRoute();
  const id = params['id'] ?? '';
  // The key resets all state for another batch.
  return <BatchDetails key={id} id={id} />;
}

function BatchDetails({ id }: { readonly id: string }) {
  const loaded = useBatch(id);
  const { data: batch, error, asOf } = loaded;
  const staleSince = error !== undefined && isUnreachable(error) ? asOf : null;
  return (
    <Page
      kind="Batch"
      title={batch?.name ?? 'Batch'}
      lead={batch && <Lead batch={batch} staleSince={staleSince} />}
      actions={batch && can('batches:write') && <Labels batch={batch} onChanged={loaded.replace} />}
    >
      <BatchTabs id={id} />
      <WhenLoaded loaded={loaded}>
        {(data) => <BatchContent batch={data} loaded={loaded} isStale={staleSince !== null} />}
      </WhenLoaded>
    </Page>
  );
}

/** State and dates of a batch. `staleSince`: time of the data while the server is unavailable. */
function Lead({ batch, staleSince }: { readonly batch: Body<'Batch'>; readonly staleSince: Date | null }) {
  return (
    <>
      <BatchState state={batch.state} />
      {batch.sheet !== null && ` of sheet “${batch.sheet}”,`}
      {staleSince !== null && ` as of ${formatClock(staleSince)},`} created <Moment at={batch.created_at} />
      {batch.origin !== null && (
        <>
          {' '}
          (<BatchOrigin origin={batch.origin} />)
        </>
      )}
      {batch.finished_at !== null && (
        <>
          , finished <Moment at={batch.finished_at} />
        </>
      )}
      {batch.tags.map((tag) => (
        <span key={tag}>
          {' '}
          <a class="badge badge-plain" href={`/batches?${new URLSearchParams({ tag }).toString()}`}>
            {tag}
          </a>
        </span>
      ))}
    </>
  );
}

function BatchContent({
  batch,
  loaded,
  isStale,
}: {
  readonly batch: Body<'Batch'>;
  readonly loaded: FollowedBatch;
  readonly isStale: boolean;
}) {
  const wait = waitReason(batch);
  return (
    <>
      <SampleBanner sources={batch.sources} />
      {wait !== null && (
        <Banner kind={wait.kind} title={wait.title}>
          <p>{wait.message}</p>
          {wait.until !== null && (
            <p>
              Next retry: <Moment at={wait.until} />
            </p>
          )}
        </Banner>
      )}
      {can('batches:write') && <Controls batch={batch} onChanged={loaded.replace} />}
      <BatchProgress batch={batch} isStale={isStale} />
      {!isEnded(batch.state) && <EmailMe kind="batch" id={batch.id} />}
      <Outcomes batch={batch} />
      {batch.purged_at === null ? (
        <>
          <BatchTasks batch={batch} />
          <ReportSection kind="batch" id={batch.id} />
          <Downloads batch={batch} />
          <BatchLandings batch={batch} />
          <BatchTimeline batch={batch} />
        </>
      ) : (
        <Banner>
          <p>
            Rows and results were deleted on <Moment at={batch.purged_at} />. Counts and charges are kept.
          </p>
        </Banner>
      )}
    </>
  );
}
