import type { CompanyAd, NamedCompany, ShownAd } from '../../../core/reports/reported-ads.ts';
import { companyDetail, companyLabel } from '../model/report-labels.ts';
import { shorten } from '../../../core/reports/visible-text.ts';
import { webLink } from '../model/web-link.ts';
import { creativePicture } from './creative-picture.ts';
import { html, type Markup, type Part } from '../model/markup.ts';

/** Creates the cell of an ad: its texts, advertiser and links. */
export function adCell(ad: ShownAd, withPictures: boolean): Markup {
  const { headline, description, advertiserName, creativeId } = ad;
  const payer = ad.details?.payer ?? null;
  const by = [advertiserName, creativeId, payer === null ? null : `paid by ${payer}`].filter(
    (text) => text !== null,
  );
  return html`${headline !== null && html`<p><b>${untrusted(headline, 140)}</b></p>`}${
      description !== null && html`<p>${untrusted(description, 220)}</p>`
    }
    <p class="small quiet">${joinParts(by.map((text) => untrusted(text, 80)))}</p>
    ${adLinks(ad)}${creativePicture(ad.markup, pictureAlt(ad), { withPictures })}`;
}

/** Creates the name of an ad: its headline or id, with company and advertiser below. */
export function adName({ company, ad }: CompanyAd): Markup {
  const { headline, advertiserName, creativeId, originalUrl } = ad;
  const name = untrusted(headline ?? creativeId ?? 'untitled ad', 60);
  const link = webLink(originalUrl);
  const owner = companyLabel(company);
  const by = advertiserName === null || advertiserName === owner ? [] : [advertiserName];
  return html`${link === null ? name : externalLink(link.href, name)}<br /><span class="small quiet"
      >${joinParts([owner, ...by].map((text) => untrusted(text, 60)))}</span
    >`;
}

/** Creates the cell of a company: its name, with its domain below. */
export function companyCell(company: NamedCompany): Markup {
  const detail = companyDetail(company);
  return html`${untrusted(companyLabel(company), 60)}${
    detail !== null && html`<br /><span class="small quiet">${untrusted(detail, 80)}</span>`
  }`;
}

/** Creates markup of an untrusted text, isolated so that it does not change the text direction around it. */
export function untrusted(text: string, charsMax: number): Markup {
  return html`<bdi>${shorten(text, charsMax)}</bdi>`;
}

function adLinks({ originalUrl, finalUrl, displayUrl, details }: ShownAd): Markup | null {
  const [page, landing] = [webLink(originalUrl), webLink(finalUrl)];
  const preview = webLink(details?.previewUrl ?? null);
  const links = [
    landing !== null && externalLink(landing.href, landing.host),
    landing === null && displayUrl !== null && untrusted(displayUrl, 80),
    page !== null && externalLink(page.href, page.host),
    preview !== null && externalLink(preview.href, `preview at ${preview.host}`),
  ].filter((link) => link !== false);
  if (links.length === 0) return null;
  return html`<p class="links small">${joinParts(links)}</p>`;
}

function joinParts(parts: readonly Markup[]): Part {
  return parts.map((part, i) => [i > 0 && ' · ', part]);
}

/** Creates a link to another site, which gets no referrer. */
export function externalLink(href: string, text: Part): Markup {
  return html`<a href="${href}" rel="noreferrer noopener" target="_blank">${text}</a>`;
}

/** Text for the picture of an ad. */
export function pictureAlt({ advertiserName, headline }: ShownAd): string {
  return shorten(headline ?? `Ad by ${advertiserName ?? 'an unknown advertiser'}`, 120);
}
