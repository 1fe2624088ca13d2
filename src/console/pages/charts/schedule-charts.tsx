import { api, read, type Body } from '../../api/client.ts';
import { useLoad } from '../../api/use-load.ts';
import { DownloadLink } from '../../components/download-link.tsx';
import { Bars } from '../../components/charts/bars.tsx';
import { companyLabel } from '../../components/company.tsx';
import { Figures } from '../../components/figures.tsx';
import { WhenThere } from '../../components/loading.tsx';
import { Section } from '../../components/page.tsx';
import { SampleBand } from '../../components/sample.tsx';
import { formatCount, formatCounted } from '../../components/values.tsx';
import { ActiveAds, AsOf, Balance, Formats, LongestRunning, Nothing, sumOf } from './figure-parts.tsx';
import { daysOf, fillColumns } from './fill-days.ts';

type Charts = Body<'ScheduleCharts'>;

/** Charts of a schedule's ads. */
export function ScheduleCharts({ id, days }: { readonly id: string; readonly days: number }) {
  const loaded = useLoad(`${id} ${days}`, (signal) =>
    read(api.GET('/v1/schedules/{id}/charts', { params: { path: { id }, query: { days } }, signal })),
  );
  const schedule = useLoad(`schedule ${id}`, (signal) =>
    read(api.GET('/v1/schedules/{id}', { params: { path: { id } }, signal })),
  );
  return (
    <WhenThere loaded={loaded}>
      {(charts) => (
        <>
          <div class="actions">
            <a class="button" href={`/schedules/${id}`}>
              The schedule
            </a>
            <a class="button" href={`/changes?schedule=${id}`}>
              Its changes
            </a>
            <DownloadLink href={`/v1/schedules/${id}/report?days=${days}`} isWhole>
              Report to keep
            </DownloadLink>
          </div>
          <SampleBand sources={schedule.data?.sources ?? []} />
          <AsOf charts={charts} onReload={loaded.reload} />
          <Drawn charts={charts} />
        </>
      )}
    </WhenThere>
  );
}

function Drawn({ charts }: { readonly charts: Charts }) {
  const days = daysOf(charts.window);
  const columns = fillColumns(charts.days, days, (day) => ({
    up: day.new + day.reactivated,
    down: day.ended,
  }));
  const { complete, truncated, partial, unconfirmed_empty: unconfirmed } = charts.completeness;
  const incomplete = truncated + partial + unconfirmed;
  return (
    <>
      <Figures
        figures={[
          { name: 'Ads that run', value: formatCount(charts.ads_active), note: 'after the newest scan' },
          {
            name: 'Companies',
            value: formatCount(charts.companies),
            note:
              incomplete === 0
                ? 'all answers complete'
                : `${formatCount(complete)} complete, ${formatCount(incomplete)} not`,
          },
          { name: 'New or back', value: formatCount(sumOf(columns, 'up')), note: 'in these days' },
          { name: 'Ended', value: formatCount(sumOf(columns, 'down')), note: 'in these days' },
        ]}
      />
      <ActiveAds
        charts={charts}
        lead={`Of the companies with the most ads${days.length === 0 ? '' : `, over ${formatCounted(days.length, 'day')}`}. Between scans the last count stands.`}
      />
      <Balance
        title="New against ended"
        lead="What began or came back, and what ended, by the day on which it was noticed."
        columns={columns}
        up="new or back"
        down="ended"
      />
      <div class="columns">
        <Formats charts={charts} lead="Of ads that run." />
        <MostAds charts={charts} />
      </div>
      <LongestRunning charts={charts} lead="Of ads that run, in days, by what their source says." />
    </>
  );
}

function MostAds({ charts }: { readonly charts: Charts }) {
  return (
    <Section title="Companies with the most ads" lead="After the last scan that said something of each.">
      {charts.most_ads.length === 0 ? (
        <Nothing>No scan has said anything yet.</Nothing>
      ) : (
        <div class="card">
          <Bars
            caption="Ads that run, by company"
            head="Company"
            bars={charts.most_ads.map((each) => ({ name: companyLabel(each), count: each.ads_active }))}
          />
        </div>
      )}
    </Section>
  );
}
