import { useRoute } from 'preact-iso';
import { api, read, type Body } from '../../api/client.ts';
import { useLoad } from '../../api/use-load.ts';
import { useQuery, type Query } from '../../api/use-query.ts';
import { WhenLoaded } from '../../components/loading.tsx';
import { isEnded } from '../../components/batch-state.tsx';
import { Banner } from '../../components/banner.tsx';
import { Page } from '../../components/page.tsx';
import { SampleBanner } from '../../components/ads/sample.tsx';
import { Moment, formatCounted } from '../../components/values.tsx';
import { BatchTabs } from '../batch/batch-tabs.tsx';
import { AdsTable } from './ads-table.tsx';
import { CompaniesTable } from './companies-table.tsx';
import { DownloadResults } from './download-results.tsx';
import { FilterForm } from './filter-form.tsx';
import { countedAds, parseResultFilter, filterText, rowFilterNames, type ResultTab } from './filter.ts';
import { Gallery } from './gallery.tsx';

/** Page of a batch's results: its rows or its ads, filtered by the URL. */
export function ResultsPage() {
  const { params } = useRoute();
  const id = params['id'] ?? '';
  return <BatchResults key={id} id={id} />;
}

function BatchResults({ id }: { readonly id: string }) {
  const query = useQuery();
  const path = { params: { path: { id } } };
  const batch = useLoad(`batch ${id}`, (signal) => read(api.GET('/v1/batches/{id}', { ...path, signal })));
  return (
    <Page kind="Batch" title={batch.data?.name ?? 'Batch'}>
      <BatchTabs id={id} />
      <WhenLoaded loaded={batch}>
        {(data) =>
          data.purged_at === null ? (
            <Results batch={data} query={query} />
          ) : (
            <Banner>
              <p>
                Rows and results were deleted on <Moment at={data.purged_at} />.
              </p>
            </Banner>
          )
        }
      </WhenLoaded>
    </Page>
  );
}

function Results({ batch, query }: { readonly batch: Body<'Batch'>; readonly query: Query }) {
  const { id } = batch;
  const facets = useLoad(`facets ${id}`, (signal) =>
    read(api.GET('/v1/batches/{id}/facets', { params: { path: { id } }, signal })),
  );
  const hasAds = batch.operations.includes('ads_search');
  const tab = hasAds ? chosenTab(query) : 'companies';
  const filter = parseResultFilter(query);
  // The key resets the table when the filters change.
  const key = `${id} ${tab} ${filterText(filter)}`;
  return (
    <>
      <SampleBanner sources={batch.sources} />
      {!isEnded(batch.state) && (
        <Banner>
          <p>This batch has not finished. More results will follow.</p>
        </Banner>
      )}
      <div class="results-head">
        {hasAds && <ResultTabs query={query} tab={tab} facets={facets.data} />}
        <DownloadResults
          id={id}
          shapes={tab === 'companies' ? ['rows'] : ['ads', 'variants']}
          filter={filter}
        />
      </div>
      <FilterForm query={query} tab={tab} facets={facets.data} operations={batch.operations} />
      {tab === 'gallery' && <Gallery key={key} batch={id} filter={filter} query={query} />}
      {tab === 'ads' && <AdsTable key={key} batch={id} filter={filter} facets={facets.data} />}
      {tab === 'companies' && (
        <CompaniesTable key={key} batch={batch} filter={filter} query={query} facets={facets.data} />
      )}
    </>
  );
}

/** Finds the tab of the URL. Without one it is the gallery, unless a filter on rows asks for their table. */
function chosenTab(query: Query): ResultTab {
  const tab = (['gallery', 'companies', 'ads'] as const).find((each) => each === query.get('tab'));
  const isOfRows = rowFilterNames.some((name) => query.get(name) !== '');
  return tab ?? (isOfRows ? 'companies' : 'gallery');
}

/** Tabs of pictures, rows and ads, which share the filters. */
function ResultTabs({
  query,
  tab,
  facets,
}: {
  readonly query: Query;
  readonly tab: ResultTab;
  readonly facets: Body<'Facets'> | undefined;
}) {
  const ads = countedAds(facets);
  const tabs = [
    { name: 'Gallery', value: 'gallery', count: undefined },
    { name: 'Companies', value: 'companies', count: facets && formatCounted(facets.rows, 'row') },
    { name: 'Ads', value: 'ads', count: ads === undefined ? undefined : formatCounted(ads, 'ad') },
  ] as const;
  return (
    <nav class="tabs" aria-label="Results">
      <ul>
        {tabs.map(({ name, value, count }) => (
          <li key={value}>
            <a
              href={query.hrefWith({ tab: value, ad: '', sort: '', cols: '' })}
              aria-current={tab === value ? 'page' : undefined}
            >
              {name}
              {count !== undefined && <span class="quiet small"> {count} in total</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
