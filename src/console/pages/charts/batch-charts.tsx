import { api, read, type Body } from '../../api/client.ts';
import { useLoad } from '../../api/use-load.ts';
import { DownloadLink } from '../../components/download-link.tsx';
import { Bars } from '../../components/charts/bars.tsx';
import { companyLabel } from '../../components/company.tsx';
import { Figures } from '../../components/figures.tsx';
import { WhenThere } from '../../components/loading.tsx';
import { Section } from '../../components/page.tsx';
import { SampleBand } from '../../components/sample.tsx';
import { formatCount, formatShare } from '../../components/values.tsx';
import { ActiveAds, AsOf, Balance, Formats, LongestRunning, Nothing } from './figure-parts.tsx';
import { daysOf, fillColumns } from './fill-days.ts';

type Charts = Body<'BatchCharts'>;

const outcomes = [
  ['found', 'Ads found', 'good'],
  ['none', 'No ads', 'plain'],
  ['no_match', 'Not identified', 'warm'],
  ['failed', 'Failed', 'bad'],
  ['cancelled', 'Cancelled', 'plain'],
  ['open', 'Open', 'cool'],
] as const;

/** Charts of a batch and of its ads. */
export function BatchCharts({ id, days }: { readonly id: string; readonly days: number }) {
  const loaded = useLoad(`${id} ${days}`, (signal) =>
    read(api.GET('/v1/batches/{id}/charts', { params: { path: { id }, query: { days } }, signal })),
  );
  const batch = useLoad(`batch ${id}`, (signal) =>
    read(api.GET('/v1/batches/{id}', { params: { path: { id } }, signal })),
  );
  return (
    <WhenThere loaded={loaded}>
      {(charts) => (
        <>
          <div class="actions">
            <a class="button" href={`/batches/${id}`}>
              The list
            </a>
            <DownloadLink href={`/v1/batches/${id}/report`} isWhole>
              Report to keep
            </DownloadLink>
          </div>
          <SampleBand sources={batch.data?.sources ?? []} />
          <AsOf charts={charts} onReload={loaded.reload} />
          <Drawn charts={charts} />
        </>
      )}
    </WhenThere>
  );
}

function Drawn({ charts }: { readonly charts: Charts }) {
  const { companies, ads } = charts;
  const days = daysOf(charts.window);
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
            note: `${formatCount(ads.dated)} with both days`,
          },
        ]}
      />
      <Outcomes charts={charts} />
      <ActiveAds
        charts={charts}
        lead="Of the companies with the most ads, by what sources say: an ad counts from its first day to the day it was last seen. Of the last few days sources know less than they will."
      />
      <Balance
        title="First and last seen"
        lead="On how many days ads began, and on how many they were last seen. An ad that still runs was last seen lately."
        columns={fillColumns(charts.days, days, (day) => ({ up: day.begun, down: day.last_seen }))}
        up="began"
        down="last seen"
      />
      <div class="columns">
        <Formats charts={charts} lead="Of all ads that were found." />
        <MostAds charts={charts} />
      </div>
      <LongestRunning charts={charts} lead="Of all ads that were found, in days." />
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
    <Section title="What came of the companies">
      {bars.length === 0 ? (
        <Nothing>The list names no companies.</Nothing>
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
    <Section title="Companies with the most ads" lead="As many as were asked for; there may be more.">
      {charts.most_ads.length === 0 ? (
        <Nothing>No company has any.</Nothing>
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
