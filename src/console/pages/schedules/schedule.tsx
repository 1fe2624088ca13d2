import { useRoute } from 'preact-iso';
import { api, read, type Body } from '../../api/client.ts';
import { may } from '../../api/session.ts';
import { useLoad } from '../../api/use-load.ts';
import { DownloadLink } from '../../components/download-link.tsx';
import { Badge } from '../../components/badge.tsx';
import { WhenThere } from '../../components/loading.tsx';
import { Notice } from '../../components/banner.tsx';
import { Page, Section } from '../../components/page.tsx';
import { SampleBand } from '../../components/sample.tsx';
import { Controls } from './controls.tsx';
import { Runs, useRuns } from './runs.tsx';
import { termsOf } from './schedule-labels.ts';
import { NextTimes } from './recurrence-picker.tsx';

type Schedule = Body<'Schedule'>;

/** A schedule: when it runs next, what it does, and what its scans found and cost. */
export function SchedulePage() {
  const { params } = useRoute();
  const id = params['id'] ?? '';
  // Another schedule is another page, with nothing of the one before.
  return <OneSchedule key={id} id={id} />;
}

function OneSchedule({ id }: { readonly id: string }) {
  const loaded = useLoad(id, (signal) =>
    read(api.GET('/v1/schedules/{id}', { params: { path: { id } }, signal })),
  );
  const runs = useRuns(id);
  const schedule = loaded.data;
  return (
    <Page
      kind="Schedule"
      title={schedule?.name ?? 'A schedule'}
      lead={schedule && <Lead schedule={schedule} />}
    >
      <WhenThere loaded={loaded}>
        {(there) => (
          <>
            <SampleBand sources={there.sources} />
            {may('batches:write') && (
              <Controls schedule={there} onChanged={loaded.replace} onRun={runs.reload} />
            )}
            <div class="columns">
              <Next schedule={there} />
              <Terms schedule={there} />
            </div>
            <Section
              title="Last scans"
              lead="What became of its times, the newest first."
              actions={
                <>
                  <button type="button" onClick={runs.reload}>
                    Look again
                  </button>
                  <a class="button" href={`/charts?schedule=${id}`}>
                    Charts
                  </a>
                  <a class="button" href={`/changes?schedule=${id}`}>
                    Changes
                  </a>
                  <DownloadLink href={`/v1/schedules/${id}/report`} isWhole>
                    Report to keep
                  </DownloadLink>
                </>
              }
            >
              <Runs runs={runs} />
            </Section>
          </>
        )}
      </WhenThere>
    </Page>
  );
}

function Lead({ schedule: { description, time_zone: zone, cron, state } }: { readonly schedule: Schedule }) {
  return (
    <>
      {state === 'paused' && <Badge tone="warm">Paused</Badge>} {description}, {zone} <code>{cron}</code>
    </>
  );
}

function Next({ schedule }: { readonly schedule: Schedule }) {
  return (
    <Section title="Next times" lead={`By the clocks of ${schedule.time_zone}.`}>
      {schedule.state === 'paused' ? (
        <Notice kind="warning">
          <p>It is paused: none of its times counts until it is resumed.</p>
        </Notice>
      ) : (
        <div class="card">
          <NextTimes times={schedule.next_local} />
        </div>
      )}
    </Section>
  );
}

function Terms({ schedule }: { readonly schedule: Schedule }) {
  return (
    <Section title="What it does">
      <dl class="facts card">
        {termsOf(schedule).map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ))}
      </dl>
    </Section>
  );
}
