import { useRoute } from 'preact-iso';
import { api, read, type Body } from '../../api/client.ts';
import { useLoad } from '../../api/use-load.ts';
import { WhenLoaded } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { AdContent, adTitle } from './ad-content.tsx';

type Ad = Body<'AdPage'>;

/** Page of an ad: its versions, their differences, and the lookups that found it. */
export function AdPage() {
  const { params } = useRoute();
  const id = params['id'] ?? '';
  return <AdDetails key={id} id={id} />;
}

function AdDetails({ id }: { readonly id: string }) {
  const ad = useLoad(`ad ${id}`, (signal) =>
    read(api.GET('/v1/ads/{id}', { params: { path: { id } }, signal })),
  );
  return (
    <Page
      kind="Ad"
      title={ad.data === undefined ? 'Ad' : adTitle(ad.data)}
      lead={ad.data && <Lead ad={ad.data} />}
    >
      <WhenLoaded loaded={ad}>{(data) => <AdContent ad={data} />}</WhenLoaded>
    </Page>
  );
}

function Lead({ ad }: { readonly ad: Ad }) {
  return (
    <>
      {ad.advertiser_name ?? 'Unknown advertiser'}
      {ad.creative_id !== null && (
        <>
          {' · '}
          <code>{ad.creative_id}</code>
        </>
      )}
    </>
  );
}
