import type { Body } from '../../api/client.ts';
import { Bars } from '../../components/charts/bars.tsx';
import { ColumnChart, type DayColumn } from '../../components/charts/column-chart.tsx';
import { companyLabel } from '../../components/company.tsx';
import { countDays } from '../../components/dates/days.ts';
import { Banner } from '../../components/banner.tsx';
import { Section } from '../../components/page.tsx';
import { formatCount, formatCounted, Moment } from '../../components/values.tsx';

type Charts = Body<'BatchCharts'> | Body<'ScheduleCharts'>;
type Ad = Charts['longest'][number];

/** Time of the data, with a banner while newer results are not counted. */
export function AsOf({ charts, onReload }: { readonly charts: Charts; readonly onReload: () => void }) {
  if (charts.is_current)
    return (
      <p class="quiet small">
        As of <Moment at={charts.as_of} />.
      </p>
    );
  return (
    <Banner title="Newer results are available">
      <p>
        These charts are as of <Moment at={charts.as_of} />. Nightshift updates them shortly, larger batches
        less often.
      </p>
      <button type="button" onClick={onReload}>
        Refresh
      </button>
    </Banner>
  );
}

/** Chart of ads that started and ended, by day. */
export function StartsAndEnds({
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
        <EmptyChart>No changes in this time range.</EmptyChart>
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

/** Sums a series over all days. */
export function sumOf(columns: readonly DayColumn[], name: 'up' | 'down'): number {
  return columns.reduce((sum, column) => sum + column[name], 0);
}

/** Chart of the ads by format. */
export function Formats({ charts, lead }: { readonly charts: Charts; readonly lead: string }) {
  return (
    <Section title="Formats" lead={lead}>
      {charts.formats.length === 0 ? (
        <EmptyChart>No ads.</EmptyChart>
      ) : (
        <div class="card">
          <Bars
            caption="Ads by format"
            head="Format"
            bars={charts.formats.map(({ format, ads }) => ({ name: format ?? 'Unknown', count: ads }))}
          />
        </div>
      )}
    </Section>
  );
}

/** Chart of the longest-running ads, each with a link to its page. */
export function LongestRunning({ charts, lead }: { readonly charts: Charts; readonly lead: string }) {
  return (
    <Section title="Longest running" lead={lead}>
      {charts.longest.length === 0 ? (
        <EmptyChart>No ads with known dates.</EmptyChart>
      ) : (
        <div class="card">
          <Bars
            caption="Running time of ads in days, first and last day included"
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

/** Charts of the ads with the largest reach, and of those really shown longest; each is left out where no source counts it. */
export function Rankings({ charts }: { readonly charts: Body<'BatchCharts'> }) {
  const { largest_reach: reach, longest_shown: shown } = charts;
  return (
    <>
      {reach.length > 0 && (
        <Section title="Largest reach" lead="Number of times shown, at most, where the source counts it.">
          <div class="card">
            <Bars
              caption="Number of times that ads were shown, at most"
              head="Ad"
              bars={reach.map((ad) => barOf(ad, ad.times_shown_upper ?? ad.times_shown_lower, 'times'))}
            />
          </div>
        </Section>
      )}
      {shown.length > 0 && (
        <Section
          title="Longest really shown"
          lead="Days on which the ad was shown, where the source counts them."
        >
          <div class="card">
            <Bars
              caption="Number of days on which ads were really shown"
              head="Ad"
              bars={shown.map((ad) => barOf(ad, ad.days_shown, 'days'))}
            />
          </div>
        </Section>
      )}
    </>
  );
}

function barOf(ad: Ad, count: number | null, note: string) {
  return {
    ...{ name: adName(ad), count: count ?? 0, note },
    ...(ad.ad_id === null ? {} : { href: `/ads/${ad.ad_id}` }),
  };
}

/** Names an ad. The end of its id distinguishes ads with the same text. */
function adName(ad: Ad): string {
  const title = ad.headline ?? ad.format ?? 'Ad';
  const tail = ad.creative_id === null ? '' : ` · ${ad.creative_id.slice(-6)}`;
  return `${companyLabel(ad)}: ${title}${tail}`;
}

/** Empty state of a chart. */
export function EmptyChart({ children }: { readonly children: string }) {
  return (
    <div class="empty">
      <p>{children}</p>
    </div>
  );
}
