import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { api, read, type Body } from '../../api/client.ts';
import { useLoad } from '../../api/use-load.ts';
import { Figures } from '../../components/figures.tsx';
import { WhenLoaded } from '../../components/loading.tsx';
import { OutsideLink } from '../../components/outside-link.tsx';
import { Page, Section } from '../../components/page.tsx';
import { SampleBanner } from '../../components/sample.tsx';
import { Moment, formatCount, formatCounted } from '../../components/values.tsx';
import { Details, PreviewLink } from './details.tsx';
import { Observations } from './observations.tsx';
import { Versions } from './versions.tsx';

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

function adTitle({ versions, advertiser_name: name, format }: Ad): string {
  const headline = versions[0]?.headline ?? null;
  if (headline !== null && headline !== '') return headline;
  return name === null ? 'Untitled ad' : `${format ?? 'Ad'} by ${name}`;
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

function AdContent({ ad }: { readonly ad: Ad }) {
  const [withPictures, setPictures] = useState(false);
  const hasPictures = ad.versions.some(({ renderings }) =>
    renderings.some(({ picture }) => picture !== null),
  );
  const preview = ad.details?.preview_url ?? null;
  return (
    <>
      <SampleBanner sources={ad.sources} />
      <Figures
        figures={[
          { name: 'First seen', value: ad.start ?? '–', note: 'by a source' },
          { name: 'Last seen', value: ad.last_seen ?? '–', note: 'by a source' },
          { name: 'Lookups', value: formatCount(ad.lookups), note: 'found this ad' },
          { name: 'Format', value: ad.format ?? '–' },
        ]}
      />
      {ad.original_url !== null && (
        <p>
          <OutsideLink href={ad.original_url}>
            {ad.platform === 'google' ? 'View in Google Ads Transparency' : 'View in the ad library'}
          </OutsideLink>
        </p>
      )}
      <Section
        title={ad.versions.length === 1 ? 'Content' : formatCounted(ad.versions.length, 'version')}
        lead={
          <>
            First reported <Moment at={ad.first_observed_at} />, last reported{' '}
            <Moment at={ad.last_observed_at} />.
          </>
        }
        actions={
          hasPictures && (
            <label class="choice">
              <input
                type="checkbox"
                role="switch"
                checked={withPictures}
                onChange={({ currentTarget }) => setPictures(currentTarget.checked)}
              />
              Show pictures
            </label>
          )
        }
      >
        {hasPictures && !withPictures && (
          <p class="hint">
            Pictures load from Google’s servers, and only when you turn them on. Google then sees your
            request.
          </p>
        )}
        <Versions versions={ad.versions} withPictures={withPictures} />
        {!hasPictures && preview !== null && (
          <p>
            This ad has no picture. <PreviewLink url={preview} />
          </p>
        )}
      </Section>
      {ad.details !== undefined && <Details details={ad.details} />}
      <Observations ad={ad} />
    </>
  );
}
