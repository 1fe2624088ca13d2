import { api, read, type Body } from '../../api/client.ts';
import { useLoad } from '../../api/use-load.ts';
import { DownloadLink } from '../../components/download-link.tsx';
import { Bars } from '../../components/charts/bars.tsx';
import { companyLabel } from '../../components/company.tsx';
import { Figures } from '../../components/figures.tsx';
import { WhenLoaded } from '../../components/loading.tsx';
import { Section } from '../../components/page.tsx';
import { SampleBanner } from '../../components/ads/sample.tsx';
import { formatCount, formatShare } from '../../components/values.tsx';
import { ActiveAds } from './active-ads.tsx';
import { AsOf, EmptyChart, Formats, LongestRunning, Rankings, StartsAndEnds } from './figure-parts.tsx';
import { currentDay, fillColumns, rangeDays } from './fill-days.ts';

type Charts = Body<'BatchCharts'>;

const outcomes = [
  ['found', 'With ads', 'good'],
  ['none', 'Without ads', 'plain'],
  ['no_match', 'Not identified', 'warm'],
  ['failed', 'Failed', 'bad'],
  ['cancelled', 'Cancelled', 'plain'],
  ['open', 'Open', 'cool'],
] as const;

/** Charts of a batch and its ads. */
export function BatchCharts({ id, days }: { readonly id: string; readonly days: number }) {
  const loaded = useLoad(`${id} ${days}`, (signal) =>
    read(api.GET('/v1/batches/{id}/charts', { params: { path: { id }, query: { days } }, signal })),
  );
  const batch = useLoad(`batch ${id}`, (signal) =>
    read(api.GET('/v1/batches/{id}', { params: { path: { id } }, signal })),
  );
  return (
    <WhenLoaded loaded={loaded}>
      {(charts) => (
        <>
          <div class="actions">
            <a class="button" href={`/batches/${id}`}>
              View batch
            </a>
            <DownloadLink href={`/v1/batches/${id}/report`} isWhole>
              Download report
            </DownloadLink>
          </div>
          <SampleBanner sources={batch.data?.sources ?? []} />
          <AsOf charts={charts} onReload={loaded.reload} />
          <BatchSections charts={charts} count={days} />
        </>
      )}
    </WhenLoaded>
  );
}

function BatchSections({ charts, count }: { readonly charts: Charts; readonly count: number }) {
  const { companies, ads } = charts;
  const days = rangeDays(charts.window, count, currentDay());
  const found = charts.outcomes.found;
  return (
    <>
      <Figures
        figures={[
          { name: 'Companies', value: formatCount(companies) },
          {
            name: 'With ads',
            value: formatCount(found),
            ...(companies > 0 ? { note: formatShare(found / companies) } : {}),
          },
          {
            name: 'Ads found',
            value: formatCount(ads.total),
            note: `${formatCount(ads.dated)} with dates`,
          },
        ]}
      />
      <Outcomes charts={charts} />
      <ActiveAds
        charts={charts}
        days={days}
        oneDay="The line begins with ads from two days."
        lead="Companies with the most ads. An ad counts from its first day to its last seen day. Counts of the last few days are still incomplete."
      />
      <StartsAndEnds
        title="First and last seen"
        lead="Ads by the day they were first and last seen. Running ads were last seen recently."
        columns={fillColumns(charts.days, days, (day) => ({ up: day.begun, down: day.last_seen }))}
        up="first seen"
        down="last seen"
      />
      <div class="columns">
        <Formats charts={charts} lead="All ads found." />
        <MostAds charts={charts} />
      </div>
      <LongestRunning charts={charts} lead="All ads found, in days." />
      <Rankings charts={charts} />
    </>
  );
}

function Outcomes({ charts }: { readonly charts: Charts }) {
  const bars = outcomes
    .filter(([outcome]) => charts.outcomes[outcome] > 0)
    .map(([outcome, name, tone]) => ({
      ...{ name, tone, count: charts.outcomes[outcome] },
      href: `/batches/${charts.batch}/results?outcome=${outcome}`,
    }));
  return (
    <Section title="Companies by outcome">
      {bars.length === 0 ? (
        <EmptyChart>This batch has no companies.</EmptyChart>
      ) : (
        <div class="card">
          <Bars caption="Companies by outcome" head="Outcome" bars={bars} />
        </div>
      )}
    </Section>
  );
}

function MostAds({ charts }: { readonly charts: Charts }) {
  return (
    <Section title="Companies with the most ads" lead="Up to the maximum number of ads per company.">
      {charts.most_ads.length === 0 ? (
        <EmptyChart>No company has ads.</EmptyChart>
      ) : (
        <div class="card">
          <Bars
            caption="Ads by company"
            head="Company"
            bars={charts.most_ads.map((each) => ({ name: companyLabel(each), count: each.ads_count }))}
          />
        </div>
      )}
    </Section>
  );
}
