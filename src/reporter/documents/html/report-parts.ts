import { momentText } from '../../../core/reports/days.ts';
import { foreign } from './ad-cell.ts';
import { pictureHosts } from './creative-picture.ts';
import { html, type Markup, type Part } from '../model/markup.ts';

/** A number that a report begins with. */
export interface KeyFigure {
  readonly label: string;
  readonly value: string;
  readonly note?: string;
}

/** The top of a report: what it is of, in a few words, and its numbers. */
export function reportHeader(
  {
    kindOf,
    title,
    lines,
  }: { readonly kindOf: string; readonly title: string; readonly lines: readonly Part[] },
  sections: readonly Section[],
): Markup {
  return html`<p class="kind-of">Nightshift · ${kindOf}</p>
    <h1>${foreign(title, 120)}</h1>
    ${lines.map((line) => html`<p class="quiet">${line}</p>`)}
    <nav aria-label="Contents">
      <ul>
        ${sections.map(({ id, title: name }) => html`<li><a href="#${id}">${name}</a></li>`)}
      </ul>
    </nav>`;
}

export function keyFigures(figures: readonly KeyFigure[]): Markup {
  return html`<dl class="figures">
    ${figures.map(
      ({ label, value, note }) =>
        html`<div class="card">
          <dt>${label}</dt>
          <dd>${value}</dd>
          ${note !== undefined && html`<dd class="note">${note}</dd>`}
        </div>`,
    )}
  </dl>`;
}

/** A part of a report with a heading of its own. */
export interface Section {
  /** Names it within the page: letters and dashes, of ours. */
  readonly id: string;
  readonly title: string;
  readonly content: Part;
}

export function sectionMarkup({ id, title, content }: Section): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>
    ${content}
  </section>`;
}

/** A chart with its heading, and below it its legend and its numbers. */
export function chartFigure({
  title,
  about,
  content,
  isWide = false,
}: {
  readonly title: string;
  readonly about?: string;
  readonly content: Part;
  readonly isWide?: boolean;
}): Markup {
  return html`<figure class="card${isWide ? ' wide' : ''}">
    <figcaption>
      <h3>${title}</h3>
      ${about !== undefined && html`<p>${about}</p>`}
    </figcaption>
    ${content}
  </figure>`;
}

/** Something to say where there is nothing to show. */
export function emptyNote(text: string): Markup {
  return html`<p class="quiet">${text}</p>`;
}

/** The end of every report: of when it is, and whom the file asks for what. */
export function reportFooter(asOf: Date, withPictures: boolean): Markup {
  const asks = withPictures
    ? `Its pictures are fetched from ${pictureHosts.join(' and ')}; else it asks nobody for anything.`
    : 'This file is whole in itself and asks nobody for anything.';
  return html`<p>As of ${momentText(asOf)}. Days are by UTC. ${asks}</p>`;
}
