import { api, read, type Body } from '../../api/client.ts';
import { usePages } from '../../api/use-pages.ts';
import { PagedTable } from '../../components/paged-table.tsx';
import { OutsideLink } from '../../components/outside-link.tsx';
import { Source } from '../../components/source.tsx';
import type { Column } from '../../components/table.tsx';
import { filterText, type ResultFilter } from './filter.ts';

type SeenAd = Body<'SeenAd'>;

/** Table of the ads that a batch found. */
export function AdsTable({ batch, filter }: { readonly batch: string; readonly filter: ResultFilter }) {
  const pages = usePages<SeenAd>(filterText(filter), async (after, signal) => {
    const params = { ...filter, batch, limit: 100, ...(after === undefined ? {} : { after }) };
    const { ads, next } = await read(api.GET('/v1/ads', { params: { query: params }, signal }));
    return { items: ads, next };
  });
  return (
    <PagedTable
      pages={pages}
      caption="Ads of the batch"
      empty={<p>No ads match these filters. Clear the filters to see all ads.</p>}
      columns={columns}
      keyOf={({ row, id }) => `${row} ${id}`}
    />
  );
}

const columns: readonly Column<SeenAd>[] = [
  { head: 'Ad', isHeading: true, cell: (ad) => <AdName ad={ad} /> },
  { head: 'Advertiser', cell: ({ advertiser_name: name }) => name ?? <span class="quiet">unknown</span> },
  { head: 'Format', cell: ({ format, ad_type: type }) => format ?? type ?? '–' },
  { head: 'Platform', cell: ({ platform }) => platform ?? '–' },
  { head: 'Company', cell: ({ company_name: name, company_domain: domain }) => name ?? domain },
  { head: 'Row', kind: 'number', cell: ({ row }) => row },
  { head: 'First seen', kind: 'day', cell: ({ start }) => start ?? '–' },
  { head: 'Last seen', kind: 'day', cell: ({ last_seen: day }) => day ?? '–' },
  {
    head: 'Source',
    cell: ({ source, observed_at: at }) => <Source source={source} at={at} />,
  },
];

function AdName({ ad }: { readonly ad: SeenAd }) {
  const name = ad.headline ?? ad.creative_id ?? 'Untitled ad';
  const preview = ad.variants?.length === 0 ? (ad.details?.preview_url ?? null) : null;
  return (
    <>
      <a href={`/ads/${encodeURIComponent(ad.id)}`}>{name}</a>
      {ad.display_url !== null && ad.display_url !== undefined && (
        <div class="quiet small">{ad.display_url}</div>
      )}
      {preview !== null && (
        <div class="small">
          <OutsideLink href={preview}>Open preview</OutsideLink>
        </div>
      )}
    </>
  );
}
