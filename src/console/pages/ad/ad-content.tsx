import { isDrawn } from '../../../reporter/documents/model/picture.ts';
import type { Body } from '../../api/client.ts';
import { Figures } from '../../components/figures.tsx';
import { AdLink } from '../../components/ads/ad-link.tsx';
import { Section } from '../../components/page.tsx';
import { PictureChoice, PictureHint, showsPictures } from '../../components/ads/pictures.tsx';
import { SampleBanner } from '../../components/ads/sample.tsx';
import { Moment, formatCount, formatCounted } from '../../components/values.tsx';
import { Details, PreviewLink } from './details.tsx';
import { Observations } from './observations.tsx';
import { Versions } from './versions.tsx';

type Ad = Body<'AdPage'>;

/** Title of an ad: its headline, else its format and advertiser. */
export function adTitle({ versions, advertiser_name: name, format }: Ad): string {
  const headline = versions[0]?.headline ?? null;
  if (headline !== null && headline !== '') return headline;
  return name === null ? 'Untitled ad' : `${format ?? 'Ad'} by ${name}`;
}

/** Versions of an ad, its details, and the lookups that found it. */
export function AdContent({ ad }: { readonly ad: Ad }) {
  const pictures = ad.versions.flatMap(({ renderings }) =>
    renderings.flatMap(({ picture }) => (picture === null ? [] : [picture])),
  );
  const needsChoice = pictures.some((href) => !isDrawn({ href }));
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
          { name: 'Platform', value: ad.platform },
        ]}
      />
      {ad.original_url !== null && (
        <p>
          <AdLink url={ad.original_url} platform={ad.platform} />
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
        actions={needsChoice && <PictureChoice />}
      >
        {needsChoice && <PictureHint />}
        <Versions versions={ad.versions} withPictures={showsPictures.value} />
        {pictures.length === 0 && preview !== null && (
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
