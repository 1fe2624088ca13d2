import { api, read, type Body } from '../../api/client.ts';
import { usePages } from '../../api/use-pages.ts';
import type { Query } from '../../api/use-query.ts';
import { PagedList } from '../../components/tables/paged-list.tsx';
import { needsChoice } from '../../components/ads/creative.tsx';
import { PictureChoice, PictureHint } from '../../components/ads/pictures.tsx';
import { AdCard } from './ad-card.tsx';
import { AdDrawer } from './ad-drawer.tsx';
import { filterText, type ResultFilter } from './filter.ts';

type SeenAd = Body<'SeenAd'>;

const pageSize = 60;

/** Ads of a batch as cards. A card opens the details of its ad beside the gallery; the URL names the open ad. */
export function Gallery({
  batch,
  filter,
  query,
}: {
  readonly batch: string;
  readonly filter: ResultFilter;
  readonly query: Query;
}) {
  const pages = usePages<SeenAd>(filterText(filter), async (after, signal) => {
    const params = { ...filter, batch, limit: pageSize, ...(after === undefined ? {} : { after }) };
    const { ads, next } = await read(api.GET('/v1/ads', { params: { query: params }, signal }));
    return { items: ads, next };
  });
  const hasChoice = pages.items.some(needsChoice);
  const open = query.get('ad');
  const isFiltered = filterText(filter) !== '';
  return (
    <>
      {hasChoice && (
        <div class="actions">
          <PictureChoice />
          <PictureHint />
        </div>
      )}
      <PagedList
        pages={pages}
        empty={
          isFiltered ? (
            <p>No ads match these filters. Clear the filters to see all ads.</p>
          ) : (
            <>
              <p>No ads yet. The companies show what each lookup came to.</p>
              <a class="button" href={query.hrefWith({ tab: 'companies' })}>
                View companies
              </a>
            </>
          )
        }
      >
        {(ads) => (
          <ul class="gallery" aria-label="Ads of the batch">
            {ads.map((ad) => (
              <li key={`${ad.row} ${ad.id}`}>
                <AdCard ad={ad} href={query.hrefWith({ ad: ad.id })} />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
      {open !== '' && <AdDrawer key={open} id={open} onClose={() => query.set({ ad: '' })} />}
    </>
  );
}
