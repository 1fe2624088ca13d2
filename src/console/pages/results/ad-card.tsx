import type { Body } from '../../api/client.ts';
import { Badge } from '../../components/badge.tsx';
import { formatDay } from '../../components/dates/days.ts';
import { Creative } from '../../components/ads/creative.tsx';
import { isSample } from '../../components/ads/sample.tsx';
import { isNew } from './new-ad.ts';

type SeenAd = Body<'SeenAd'>;

/** Card of an ad: its picture, else its text, with its format, its days and the company. */
export function AdCard({ ad, href }: { readonly ad: SeenAd; readonly href: string }) {
  const { headline, format, ad_type: type, advertiser_name: advertiser } = ad;
  const { company_name: name, company_domain: domain } = ad;
  return (
    <article class="ad-card card">
      {isNew(ad) && <span class="ribbon">New</span>}
      <Creative ad={ad} />
      <div class="ad-facts">
        <h3>
          <a href={href}>
            {headline ?? `${format ?? type ?? 'Ad'} by ${advertiser ?? 'unknown advertiser'}`}
          </a>
        </h3>
        <p class="quiet small">{name ?? domain}</p>
        <p class="small">
          <Badge tone="plain">{format ?? type ?? 'Ad'}</Badge>{' '}
          {isSample([ad.source]) && <Badge tone="warm">Sample</Badge>}
        </p>
        <p class="quiet small">{daysText(ad)}</p>
      </div>
    </article>
  );
}

function daysText({ start, last_seen: last }: SeenAd): string {
  const parts = [
    start == null ? null : `First seen ${formatDay(start)}`,
    last == null ? null : `last seen ${formatDay(last)}`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? 'Days unknown' : parts.join(', ').replace(/^l/, 'L');
}
