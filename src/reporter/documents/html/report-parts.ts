import { momentText } from '../../../core/reports/days.ts';
import { untrusted } from './ad-cell.ts';
import { pictureHosts } from '../model/picture.ts';
import { html, type Markup, type Part } from '../model/markup.ts';

/** Key figure at the top of a report. */
export interface KeyFigure {
  readonly label: string;
  readonly value: string;
  readonly note?: string;
}

/** Top of a report. */
export interface ReportTop {
  readonly kind: string;
  readonly title: string;
  /** Name of the account that made it. */
  readonly account: string;
  /** Days that it covers; null without a scan. */
  readonly period: string | null;
  readonly asOf: Date;
  readonly lines: readonly Part[];
}

/** Creates the top of a report: its kind, title, author, period and description. */
export function reportHeader({ kind, title, account, period, asOf, lines }: ReportTop): Markup {
  return html`<p class="kind">Nightshift · ${kind}</p>
    <h1>${untrusted(title, 120)}</h1>
    <p>
      ${period !== null && html`<b>${period}</b> · `}Made by the account ${untrusted(account, 80)} · As of
      ${momentText(asOf)}
    </p>
    ${lines.map((line) => html`<p class="quiet">${line}</p>`)}`;
}

/** Creates the key figures of a report. */
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

/** Part of a report with its own heading. */
export interface Section {
  /** Id within the page: letters and dashes, never input. */
  readonly id: string;
  readonly title: string;
  readonly content: Part;
}

/** Creates the markup of a section. */
export function sectionMarkup({ id, title, content }: Section): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>
    ${content}
  </section>`;
}

/** Creates a chart with its heading, legend and data. */
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

/** Creates a note, such as an empty state. */
export function emptyNote(text: string): Markup {
  return html`<p class="quiet">${text}</p>`;
}

/** Creates the footer of a report: its time, and the requests that the file makes. */
export function reportFooter(asOf: Date, withPictures: boolean): Markup {
  const requests = withPictures
    ? `Pictures load from ${pictureHosts.join(' and ')}. The file makes no other network requests.`
    : 'This file is self-contained and makes no network requests.';
  return html`<p>As of ${momentText(asOf)}. Days are UTC days. ${requests}</p>`;
}
