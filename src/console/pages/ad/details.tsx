import type { ComponentChildren } from 'preact';
import type { Body } from '../../api/client.ts';
import { OutsideLink } from '../../components/outside-link.tsx';
import { Section } from '../../components/page.tsx';
import { Table, type Column } from '../../components/tables/table.tsx';
import { Terms } from '../../components/terms.tsx';
import { formatCount } from '../../components/values.tsx';

type Details = NonNullable<Body<'AdPage'>['details']>;
type Region = Details['regions'][number];
type TimesShown = Pick<Region, 'times_shown_lower' | 'times_shown_upper' | 'times_shown_available_on'>;

/** Section with the details of an ad, as the source reports them. */
export function Details({ details }: { readonly details: Details }) {
  const terms = termsOf(details);
  return (
    <Section title="Details" lead="As the source reported them in the newest lookup.">
      {terms.length > 0 && <Terms terms={terms} />}
      {details.regions.length > 0 && (
        <Table
          caption="Regions in which the ad was shown"
          isCaptionShown
          columns={regionColumns}
          rows={details.regions}
          keyOf={({ region }) => region}
        />
      )}
    </Section>
  );
}

/** Link to the preview of an ad; plain text for anything but a web page. */
export function PreviewLink({ url }: { readonly url: string }) {
  return <OutsideLink href={url}>Open preview</OutsideLink>;
}

type Term = readonly [name: string, value: ComponentChildren];

function termsOf(details: Details): readonly Term[] {
  const { advertiser, targeting } = details;
  const known: readonly (readonly [name: string, value: ComponentChildren | null])[] = [
    ['Days shown', details.days_shown === null ? null : formatCount(details.days_shown)],
    ['Payer', details.payer],
    ['Topic', details.topic],
    ['Target domain', details.target_domain],
    ['Preview', details.preview_url === null ? null : <PreviewLink url={details.preview_url} />],
    ['Funded by Google Ad Grants', yesOrNo(details.is_grant_funded)],
    ['Advertiser’s legal name', advertiser?.legal_name ?? null],
    ['Advertiser’s country', advertiser?.location ?? null],
    ['Verification', advertiser?.verification ?? null],
    ['Demographic targeting', targeting?.demographic_info ?? null],
    ['Location targeting', targeting?.geo_location ?? null],
    ['Contextual targeting', targeting?.contextual_signals ?? null],
    ['Customer lists', targeting?.customer_lists ?? null],
    ['Topics of interest', targeting?.topics_of_interest ?? null],
  ];
  return known.filter((term): term is Term => term[1] !== null);
}

function yesOrNo(value: boolean | null): string | null {
  if (value === null) return null;
  return value ? 'Yes' : 'No';
}

const regionColumns: readonly Column<Region>[] = [
  { head: 'Region', isHeading: true, cell: ({ region }) => region },
  { head: 'First shown', kind: 'day', cell: ({ first_shown: day }) => day ?? '–' },
  { head: 'Last shown', kind: 'day', cell: ({ last_shown: day }) => day ?? '–' },
  { head: 'Times shown', kind: 'number', cell: timesText },
  {
    head: 'Surfaces',
    cell: ({ surfaces }) =>
      surfaces.length === 0 ? '–' : surfaces.map((each) => <div key={each.surface}>{surfaceText(each)}</div>),
  },
];

function surfaceText(each: TimesShown & { readonly surface: string }): string {
  const times = timesText(each);
  return times === '–' ? each.surface : `${each.surface}: ${times}`;
}

function timesText(times: TimesShown): string {
  const { times_shown_lower: lower, times_shown_upper: upper, times_shown_available_on: day } = times;
  if (lower === null && upper === null) return day === null ? '–' : `from ${day}`;
  if (upper === null) return `${formatCount(lower ?? 0)} or more`;
  return lower === upper ? formatCount(upper) : `${formatCount(lower ?? 0)} – ${formatCount(upper)}`;
}
