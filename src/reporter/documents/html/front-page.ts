import type { CompanyAd } from '../../../core/reports/reported-ads.ts';
import type { FrontList, FrontPage, Mover } from '../model/front-page.ts';
import { html, type Markup, type Part } from '../model/markup.ts';
import { companyLabel } from '../model/report-labels.ts';
import { webLink } from '../model/web-link.ts';
import { externalLink, pictureAlt, untrusted } from './ad-cell.ts';
import { creativePicture } from './creative-picture.ts';
import type { Section } from './report-parts.ts';

/** Creates the first page of a report, with links to the sections behind it. On paper it is one page. */
export function frontSection(
  { week, sentences, movers, creatives }: FrontPage,
  sections: readonly Section[],
  withPictures: boolean,
): Markup {
  return html`<section id="new" class="front" aria-labelledby="new-title">
    <h2 id="new-title">What is new this week</h2>
    ${week !== null && html`<p class="small quiet">${week}</p>`}
    ${sentences.map((sentence) => html`<p class="lead">${sentence}</p>`)}
    ${movers !== null && moversList(movers)} ${creatives !== null && creativesList(creatives, withPictures)}
    <nav aria-label="Contents">
      <h3>In this report</h3>
      <ul>
        ${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
      </ul>
    </nav>
  </section>`;
}

function moversList({ title, items }: FrontList<Mover>): Markup {
  return html`<h3>${title}</h3>
    <ol class="movers">
      ${items.map(
        ({ company, figure, note }) =>
          html`<li>
            <span class="mover">${untrusted(companyLabel(company), 60)}</span>
            <b>${figure}</b>
            ${note !== null && html`<span class="small quiet">${note}</span>`}
          </li>`,
      )}
    </ol>`;
}

function creativesList({ title, items }: FrontList<CompanyAd>, withPictures: boolean): Markup {
  return html`<h3>${title}</h3>
    <ul class="creatives">
      ${items.map((each) => creativeCard(each, withPictures))}
    </ul>`;
}

/** Shows the picture of an ad, else its texts. */
function creativeCard({ company, ad }: CompanyAd, withPictures: boolean): Markup {
  const picture = creativePicture(ad.markup, pictureAlt(ad), { withPictures });
  const since = ad.start === null ? null : `since ${ad.start}`;
  return html`<li class="card">
    <div class="face">${picture ?? textFace({ company, ad })}</div>
    <p class="small">${linked(ad.originalUrl, untrusted(companyLabel(company), 60))}</p>
    <p class="small quiet">
      ${untrusted(ad.format ?? 'unknown format', 40)}${since !== null && ` · ${since}`}
    </p>
  </li>`;
}

function textFace({ ad: { headline, description, advertiserName } }: CompanyAd): Part {
  if (headline === null && description === null) {
    return html`<p class="quiet">Without text</p>
      ${advertiserName !== null && html`<p class="small">${untrusted(advertiserName, 60)}</p>`}`;
  }
  return [
    headline !== null && html`<p><b>${untrusted(headline, 80)}</b></p>`,
    description !== null && html`<p class="small">${untrusted(description, 140)}</p>`,
  ];
}

function linked(address: string | null, text: Markup): Markup {
  const link = webLink(address);
  return link === null ? text : externalLink(link.href, text);
}
