import type { Body } from '../../api/client.ts';
import { Bars } from '../../components/charts/bars.tsx';
import { ColumnChart, type DayColumn } from '../../components/charts/column-chart.tsx';
import { companyLabel } from '../../components/company.tsx';
import { countDays } from '../../components/days.ts';
import { LineChart, linesMax } from '../../components/charts/line-chart.tsx';
import { Notice } from '../../components/banner.tsx';
import { Section } from '../../components/page.tsx';
import { formatCount, formatCounted, Moment } from '../../components/values.tsx';
import { daysOf, fillDays, lineWords } from './fill-days.ts';

type Charts = Body<'BatchCharts'> | Body<'ScheduleCharts'>;
type Ad = Charts['longest'][number];

/** From when the numbers are; where more has happened since, that they will be counted anew. */
export function AsOf({ charts, onReload }: { readonly charts: Charts; readonly onReload: () => void }) {
  if (charts.is_current)
    return (
      <p class="quiet small">
        Counted <Moment at={charts.as_of} />.
      </p>
    );
  return (
    <Notice title="More has happened since these were counted.">
      <p>
        They are from <Moment at={charts.as_of} />, and counted anew before long: the larger the list, the
        more seldom.
      </p>
      <button type="button" onClick={onReload}>
        Look again
      </button>
    </Notice>
  );
}

/** Chart of the running ads of the companies with the most, day by day. */
export function ActiveAds({ charts, lead }: { readonly charts: Charts; readonly lead: string }) {
  const title = 'Active ads over time';
  const days = daysOf(charts.window);
  const lines = charts.active_ads.slice(0, linesMax).map((each) => ({
    name: companyLabel(each),
    values: fillDays(each, days),
  }));
  const isEmpty = lines.every(({ values }) => values.every((value) => value === null));
  return (
    <Section title={title} lead={lead}>
      {isEmpty ? (
        <Nothing>Nothing is known of any day yet.</Nothing>
      ) : (
        <LineChart title={title} summary={lineWords(lines)} days={days} lines={lines} />
      )}
    </Section>
  );
}

/** Chart of the ads that began and ended, day by day. */
export function Balance({
  title,
  lead,
  columns,
  up,
  down,
}: {
  readonly title: string;
  readonly lead: string;
  readonly columns: readonly DayColumn[];
  readonly up: string;
  readonly down: string;
}) {
  const [ups, downs] = [sumOf(columns, 'up'), sumOf(columns, 'down')];
  return (
    <Section title={title} lead={lead}>
      {ups + downs === 0 ? (
        <Nothing>Nothing of either in these days.</Nothing>
      ) : (
        <ColumnChart
          title={title}
          summary={`${formatCounted(ups, 'ad')} ${up}, ${formatCount(downs)} ${down}.`}
          {...{ columns, up, down }}
        />
      )}
    </Section>
  );
}

/** Sum of a series over all days. */
export function sumOf(columns: readonly DayColumn[], name: 'up' | 'down'): number {
  return columns.reduce((sum, column) => sum + column[name], 0);
}

/** Chart of the ads by format. */
export function Formats({ charts, lead }: { readonly charts: Charts; readonly lead: string }) {
  return (
    <Section title="Formats" lead={lead}>
      {charts.formats.length === 0 ? (
        <Nothing>There is no ad.</Nothing>
      ) : (
        <div class="card">
          <Bars
            caption="Ads by format"
            head="Format"
            bars={charts.formats.map(({ format, ads }) => ({ name: format ?? 'not said', count: ads }))}
          />
        </div>
      )}
    </Section>
  );
}

/** The ads that ran for the longest, each with a link to its page. */
export function LongestRunning({ charts, lead }: { readonly charts: Charts; readonly lead: string }) {
  return (
    <Section title="Longest running" lead={lead}>
      {charts.longest.length === 0 ? (
        <Nothing>No source says of an ad from when to when it runs.</Nothing>
      ) : (
        <div class="card">
          <Bars
            caption="Days that ads ran, both the first and the last counted"
            head="Ad"
            bars={charts.longest.map((ad) => ({
              name: adName(ad),
              count: ad.start === null || ad.last_seen === null ? 0 : countDays(ad.start, ad.last_seen),
              note: 'days',
              ...(ad.ad_id === null ? {} : { href: `/ads/${ad.ad_id}` }),
            }))}
          />
        </div>
      )}
    </Section>
  );
}

/** The end of its id tells ads apart that say the same. */
function adName(ad: Ad): string {
  const adName = ad.headline ?? ad.format ?? 'ad';
  const tail = ad.creative_id === null ? '' : ` · ${ad.creative_id.slice(-6)}`;
  return `${companyLabel(ad)}: ${adName}${tail}`;
}

/** Empty state of a chart. */
export function Nothing({ children }: { readonly children: string }) {
  return (
    <div class="empty">
      <p>{children}</p>
    </div>
  );
}
