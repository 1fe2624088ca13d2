import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { api, read, type Body } from '../../api/client.ts';
import { useLoad } from '../../api/use-load.ts';
import { Figures } from '../../components/figures.tsx';
import { WhenThere } from '../../components/loading.tsx';
import { OutsideLink } from '../../components/outside-link.tsx';
import { Page, Section } from '../../components/page.tsx';
import { SampleBand } from '../../components/sample.tsx';
import { Moment, formatCount, formatCounted } from '../../components/values.tsx';
import { Observations } from './observations.tsx';
import { Versions } from './versions.tsx';

type Ad = Body<'AdPage'>;

/** An ad: how it looked, what changed, and who saw it. */
export function AdPage() {
  const { params } = useRoute();
  const id = params['id'] ?? '';
  return <OneAd key={id} id={id} />;
}

function OneAd({ id }: { readonly id: string }) {
  const ad = useLoad(`ad ${id}`, (signal) =>
    read(api.GET('/v1/ads/{id}', { params: { path: { id } }, signal })),
  );
  return (
    <Page
      kind="Ad"
      title={ad.data === undefined ? 'An ad' : titleOf(ad.data)}
      lead={ad.data && <Lead ad={ad.data} />}
    >
      <WhenThere loaded={ad}>{(there) => <Shown ad={there} />}</WhenThere>
    </Page>
  );
}

function titleOf({ versions, advertiser_name: name, format }: Ad): string {
  const headline = versions[0]?.headline ?? null;
  if (headline !== null && headline !== '') return headline;
  return name === null ? 'An ad without a headline' : `${format ?? 'An ad'} by ${name}`;
}

function Lead({ ad }: { readonly ad: Ad }) {
  return (
    <>
      {ad.advertiser_name ?? 'The advertiser is not named'}
      {ad.creative_id !== null && (
        <>
          {' · '}
          <code>{ad.creative_id}</code>
        </>
      )}
    </>
  );
}

function Shown({ ad }: { readonly ad: Ad }) {
  const [withPictures, setPictures] = useState(false);
  const hasPictures = ad.versions.some(({ renderings }) =>
    renderings.some(({ picture }) => picture !== null),
  );
  return (
    <>
      <SampleBand sources={ad.sources} />
      <Figures
        figures={[
          { name: 'First day', value: ad.start ?? '–', note: 'that a source gave for it' },
          { name: 'Last seen', value: ad.last_seen ?? '–', note: 'by a source' },
          { name: 'Lookups', value: formatCount(ad.lookups), note: 'of yours saw it' },
          { name: 'Format', value: ad.format ?? '–' },
        ]}
      />
      {ad.original_url !== null && (
        <p>
          <OutsideLink href={ad.original_url}>Its page in Google’s archive</OutsideLink>
        </p>
      )}
      <Section
        title={ad.versions.length === 1 ? 'How it looks' : formatCounted(ad.versions.length, 'version')}
        lead={
          <>
            First told on <Moment at={ad.first_observed_at} />, last on <Moment at={ad.last_observed_at} />.
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
            Pictures come from Google’s servers, which then know that somebody looks. Nothing is fetched until
            you switch them on.
          </p>
        )}
        <Versions versions={ad.versions} withPictures={withPictures} />
      </Section>
      <Observations ad={ad} />
    </>
  );
}
