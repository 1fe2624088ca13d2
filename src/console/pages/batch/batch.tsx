import { useRoute } from 'preact-iso';
import type { Body } from '../../api/client.ts';
import { may } from '../../api/session.ts';
import { isAway } from '../../api/request-error.ts';
import { BatchState } from '../../components/batch-state.tsx';
import { formatClock } from '../../components/format.ts';
import { WhenThere } from '../../components/loading.tsx';
import { Notice } from '../../components/banner.tsx';
import { Page } from '../../components/page.tsx';
import { SampleBand } from '../../components/sample.tsx';
import { Moment } from '../../components/values.tsx';
import { BatchTabs } from './batch-tabs.tsx';
import { Controls } from './controls.tsx';
import { Downloads } from './downloads.tsx';
import { Outcomes } from './outcomes.tsx';
import { BatchProgress } from './progress.tsx';
import { BatchTimeline } from './timeline.tsx';
import { useBatch, type FollowedBatch } from './use-batch.ts';
import { whyItStands } from './wait-reason.ts';

/** A list that is being worked on, or was: how far it is, what it costs, why it waits, and what can be done. */
export function BatchPage() {
  const { params } = useRoute();
  const id = params['id'] ?? '';
  // Another list is another page, with nothing of the one before.
  return <OneBatch key={id} id={id} />;
}

function OneBatch({ id }: { readonly id: string }) {
  const followed = useBatch(id);
  const { data: batch, failure, asOf } = followed;
  const staleSince = failure !== undefined && isAway(failure) ? asOf : null;
  return (
    <Page
      kind="List"
      title={batch?.file_name ?? 'A list'}
      lead={batch && <Lead batch={batch} staleSince={staleSince} />}
    >
      <BatchTabs id={id} />
      <WhenThere loaded={followed}>
        {(there) => <Shown batch={there} followed={followed} isStale={staleSince !== null} />}
      </WhenThere>
    </Page>
  );
}

/** `staleSince`: when the server was last heard of, where that is a while ago. */
function Lead({ batch, staleSince }: { readonly batch: Body<'Batch'>; readonly staleSince: Date | null }) {
  return (
    <>
      <BatchState state={batch.state} />
      {staleSince !== null && ` as of ${formatClock(staleSince)},`} handed in <Moment at={batch.created_at} />
      {batch.finished_at !== null && (
        <>
          , over <Moment at={batch.finished_at} />
        </>
      )}
    </>
  );
}

function Shown({
  batch,
  followed,
  isStale,
}: {
  readonly batch: Body<'Batch'>;
  readonly followed: FollowedBatch;
  readonly isStale: boolean;
}) {
  const why = whyItStands(batch);
  return (
    <>
      <SampleBand sources={batch.sources} />
      {why !== null && (
        <Notice kind={why.kind} title={why.title}>
          <p>{why.words}</p>
          {why.until !== null && (
            <p>
              The next try: <Moment at={why.until} />
            </p>
          )}
        </Notice>
      )}
      {may('batches:write') && <Controls batch={batch} onChanged={followed.replace} />}
      <BatchProgress batch={batch} isStale={isStale} />
      <Outcomes batch={batch} />
      {batch.purged_at === null ? (
        <>
          <Downloads batch={batch} />
          <BatchTimeline batch={batch} />
        </>
      ) : (
        <Notice>
          <p>
            Its rows, and what was found for them, were removed on <Moment at={batch.purged_at} />. Counts and
            charges stay.
          </p>
        </Notice>
      )}
    </>
  );
}
