import { useRoute } from 'preact-iso';
import { api, read, type Body } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { useLoad } from '../../api/use-load.ts';
import { Badge } from '../../components/badge.tsx';
import { WhenLoaded } from '../../components/loading.tsx';
import { Banner } from '../../components/banner.tsx';
import { Page, Section } from '../../components/page.tsx';
import { SampleBanner } from '../../components/ads/sample.tsx';
import { Terms } from '../../components/terms.tsx';
import { EmailMe } from '../notifications/email-me.tsx';
import { ReportSection } from '../reports/report-section.tsx';
import { Controls } from './controls.tsx';
import { Runs, useRuns } from './runs.tsx';
import { scheduleTerms } from './schedule-labels.ts';
import { NextTimes } from './recurrence-picker.tsx';

type Schedule = Body<'Schedule'>;

/** Page of a schedule: its next scans, settings and past scans. */
export function SchedulePage() {
  const { params } = useRoute();
  const id = params['id'] ?? '';
  // The key resets all state for another schedule.
  return <ScheduleDetails key={id} id={id} />;
}

function ScheduleDetails({ id }: { readonly id: string }) {
  const loaded = useLoad(
    id,
    (signal) => read(api.GET('/v1/schedules/{id}', { params: { path: { id } }, signal })),
    ['schedules'],
  );
  const runs = useRuns(id);
  const schedule = loaded.data;
  return (
    <Page
      kind="Schedule"
      title={schedule?.name ?? 'Schedule'}
      lead={schedule && <Lead schedule={schedule} />}
    >
      <WhenLoaded loaded={loaded}>
        {(data) => (
          <>
            <SampleBanner sources={data.sources} />
            {can('batches:write') && (
              <Controls schedule={data} onChanged={loaded.replace} onRun={runs.reload} />
            )}
            <EmailMe kind="schedule" id={id} />
            <div class="columns">
              <Next schedule={data} />
              <Section title="Settings">
                <Terms terms={scheduleTerms(data)} />
              </Section>
            </div>
            <ReportSection kind="schedule" id={data.id} />
            <Section
              title="Scans"
              lead="Newest first."
              actions={
                <>
                  <a class="button" href={`/charts?schedule=${id}`}>
                    Charts
                  </a>
                  <a class="button" href={`/changes?schedule=${id}`}>
                    Changes
                  </a>
                </>
              }
            >
              <Runs runs={runs} />
            </Section>
          </>
        )}
      </WhenLoaded>
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
    <Section title="Next scans" lead={`Time zone: ${schedule.time_zone}`}>
      {schedule.state === 'paused' ? (
        <Banner kind="warning">
          <p>This schedule is paused. Resume it to run scans.</p>
        </Banner>
      ) : (
        <div class="card">
          <NextTimes times={schedule.next_local} />
        </div>
      )}
    </Section>
  );
}
