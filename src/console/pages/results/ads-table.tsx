import { api, read, type Body } from '../../api/client.ts';
import { usePages } from '../../api/use-pages.ts';
import { PagedTable } from '../../components/tables/paged-table.tsx';
import { OutsideLink } from '../../components/outside-link.tsx';
import { Source } from '../../components/ads/source.tsx';
import type { Column } from '../../components/tables/table.tsx';
import { countedAds, filterText, type ResultFilter } from './filter.ts';

type SeenAd = Body<'SeenAd'>;

/** Table of the ads that a batch found. */
export function AdsTable({
  batch,
  filter,
  facets,
}: {
  readonly batch: string;
  readonly filter: ResultFilter;
  readonly facets: Body<'Facets'> | undefined;
}) {
  const pages = usePages<SeenAd>(filterText(filter), async (after, signal, isLarge) => {
    const params = {
      ...filter,
      batch,
      limit: isLarge ? 1000 : 100,
      ...(after === undefined ? {} : { after }),
    };
    const { ads, next } = await read(api.GET('/v1/ads', { params: { query: params }, signal }));
    return { items: ads, next };
  });
  return (
    <PagedTable
      pages={pages}
      caption="Ads of the batch"
      view="ads"
      count={{ noun: ['ad', 'ads'], total: countedAds(facets) }}
      empty={<p>No ads match these filters. Clear the filters to see all ads.</p>}
      columns={columns}
      keyOf={({ row, id }) => `${row} ${id}`}
    />
  );
}

const columns: readonly Column<SeenAd>[] = [
  {
    head: 'Ad',
    value: (ad) => ad.headline ?? ad.creative_id ?? null,
    isHeading: true,
    cell: (ad) => <AdName ad={ad} />,
  },
  {
    head: 'Advertiser',
    value: ({ advertiser_name: name }) => name ?? null,
    cell: ({ advertiser_name: name }) => name ?? <span class="quiet">unknown</span>,
  },
  {
    head: 'Format',
    value: ({ format, ad_type: type }) => format ?? type ?? null,
    cell: ({ format, ad_type: type }) => format ?? type ?? '–',
  },
  { head: 'Platform', value: ({ platform }) => platform ?? null, cell: ({ platform }) => platform ?? '–' },
  {
    head: 'Company',
    value: ({ company_name: name, company_domain: domain }) => name ?? domain,
    cell: ({ company_name: name, company_domain: domain }) => name ?? domain,
  },
  { head: 'Row', value: ({ row }) => row, kind: 'number', cell: ({ row }) => row },
  { head: 'First seen', value: ({ start }) => start ?? null, kind: 'day', cell: ({ start }) => start ?? '–' },
  {
    head: 'Last seen',
    value: ({ last_seen: day }) => day ?? null,
    kind: 'day',
    cell: ({ last_seen: day }) => day ?? '–',
  },
  {
    head: 'Source',
    value: ({ source }) => source,
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
