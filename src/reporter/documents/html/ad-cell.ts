import type { CompanyAd, NamedCompany, ShownAd } from '../../../core/reports/reported-ads.ts';
import { companyDetail, companyLabel } from '../model/report-labels.ts';
import { shorten } from '../../../core/reports/visible-text.ts';
import { webLink } from '../model/web-link.ts';
import { creativePicture } from './creative-picture.ts';
import { html, type Markup, type Part } from '../model/markup.ts';

/** An ad: its words as far as its source knows any, who runs it, and where it leads. */
export function adCell(ad: ShownAd, withPictures: boolean): Markup {
  const { headline, description, advertiserName, creativeId } = ad;
  const by = [advertiserName, creativeId].filter((text) => text !== null);
  return html`${headline !== null && html`<p><b>${foreign(headline, 140)}</b></p>`}${
      description !== null && html`<p>${foreign(description, 220)}</p>`
    }
    <p class="small quiet">${inARow(by.map((text) => foreign(text, 80)))}</p>
    ${adLinks(ad)}${withPictures ? creativePicture(ad.markup, pictureLabels(ad)) : null}`;
}

/** An ad in one line, its words or its id; and below it whose it is, and who runs it. */
export function adName({ company, ad }: CompanyAd): Markup {
  const { headline, advertiserName, creativeId, originalUrl } = ad;
  const name = foreign(headline ?? creativeId ?? 'an ad without a name', 60);
  const link = webLink(originalUrl);
  const whose = companyLabel(company);
  const by = advertiserName === null || advertiserName === whose ? [] : [advertiserName];
  return html`${link === null ? name : outLink(link.href, name)}<br /><span class="small quiet"
      >${inARow([whose, ...by].map((text) => foreign(text, 60)))}</span
    >`;
}

/** A company by its name, its domain below. */
export function companyCell(company: NamedCompany): Markup {
  const detail = companyDetail(company);
  return html`${foreign(companyLabel(company), 60)}${
    detail !== null && html`<br /><span class="small quiet">${foreign(detail, 80)}</span>`
  }`;
}

/** A foreign text. It does not turn the direction of its neighbours. */
export function foreign(text: string, charsMax: number): Markup {
  return html`<bdi>${shorten(text, charsMax)}</bdi>`;
}

function adLinks({ originalUrl, finalUrl, displayUrl }: ShownAd): Markup | null {
  const [page, landing] = [webLink(originalUrl), webLink(finalUrl)];
  const links = [
    landing !== null && outLink(landing.href, landing.host),
    landing === null && displayUrl !== null && foreign(displayUrl, 80),
    page !== null && outLink(page.href, page.host),
  ].filter((link) => link !== false);
  if (links.length === 0) return null;
  return html`<p class="links small">${inARow(links)}</p>`;
}

function inARow(parts: readonly Markup[]): Part {
  return parts.map((part, i) => [i > 0 && ' · ', part]);
}

function outLink(href: string, text: Part): Markup {
  return html`<a href="${href}" rel="noreferrer noopener" target="_blank">${text}</a>`;
}

function pictureLabels({ advertiserName, headline }: ShownAd): string {
  return shorten(headline ?? `Ad of ${advertiserName ?? 'an advertiser without a name'}`, 120);
}
