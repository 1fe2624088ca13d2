import { api, read, type Body } from '../../api/client.ts';
import { useLoad } from '../../api/use-load.ts';
import { DownloadLink } from '../../components/download-link.tsx';
import { Bars } from '../../components/charts/bars.tsx';
import { companyLabel } from '../../components/company.tsx';
import { Figures } from '../../components/figures.tsx';
import { WhenLoaded } from '../../components/loading.tsx';
import { Section } from '../../components/page.tsx';
import { SampleBanner } from '../../components/ads/sample.tsx';
import { formatCount, formatCounted } from '../../components/values.tsx';
import { ActiveAds } from './active-ads.tsx';
import { AsOf, EmptyChart, Formats, LongestRunning, StartsAndEnds, sumOf } from './figure-parts.tsx';
import { currentDay, fillColumns, rangeDays } from './fill-days.ts';

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
    <WhenLoaded loaded={loaded}>
      {(charts) => (
        <>
          <div class="actions">
            <a class="button" href={`/schedules/${id}`}>
              View schedule
            </a>
            <a class="button" href={`/changes?schedule=${id}`}>
              View changes
            </a>
            <DownloadLink href={`/v1/schedules/${id}/report?days=${days}`} isWhole>
              Download report
            </DownloadLink>
          </div>
          <SampleBanner sources={schedule.data?.sources ?? []} />
          <AsOf charts={charts} onReload={loaded.reload} />
          <ScheduleSections charts={charts} count={days} />
        </>
      )}
    </WhenLoaded>
  );
}

function ScheduleSections({ charts, count }: { readonly charts: Charts; readonly count: number }) {
  const days = rangeDays(charts.window, count, currentDay());
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
          { name: 'Active ads', value: formatCount(charts.ads_active), note: 'after the last scan' },
          {
            name: 'Companies',
            value: formatCount(charts.companies),
            note:
              incomplete === 0
                ? 'all complete'
                : `${formatCount(complete)} complete, ${formatCount(incomplete)} incomplete`,
          },
          { name: 'New or back', value: formatCount(sumOf(columns, 'up')), note: 'in this time range' },
          { name: 'Ended', value: formatCount(sumOf(columns, 'down')), note: 'in this time range' },
        ]}
      />
      <ActiveAds
        charts={charts}
        days={days}
        oneDay="The line begins with the second scan, on another day."
        lead={`Companies with the most ads${days.length === 0 ? '' : `, over ${formatCounted(days.length, 'day')}`}. Between scans the last count applies.`}
      />
      <StartsAndEnds
        title="New and ended ads"
        lead="Ads that started, returned or ended, by the day of the scan."
        columns={columns}
        up="new or back"
        down="ended"
      />
      <div class="columns">
        <Formats charts={charts} lead="Active ads." />
        <MostAds charts={charts} />
      </div>
      <LongestRunning charts={charts} lead="Active ads, in days, according to their source." />
    </>
  );
}

function MostAds({ charts }: { readonly charts: Charts }) {
  return (
    <Section title="Companies with the most ads" lead="After the last scan of each company.">
      {charts.most_ads.length === 0 ? (
        <EmptyChart>No results yet.</EmptyChart>
      ) : (
        <div class="card">
          <Bars
            caption="Active ads by company"
            head="Company"
            bars={charts.most_ads.map((each) => ({ name: companyLabel(each), count: each.ads_active }))}
          />
        </div>
      )}
    </Section>
  );
}
