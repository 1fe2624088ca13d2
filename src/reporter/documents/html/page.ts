import { createHash } from 'node:crypto';
import { pictureHosts } from '../model/picture.ts';
import { filterScript } from './filter-script.ts';
import { html, ownText, printMarkup, type Markup } from '../model/markup.ts';
import { reportStyle } from './style.ts';

/** Parts of a report page. */
export interface PageParts {
  readonly title: string;
  readonly header: Markup;
  readonly main: Markup;
  readonly footer: Markup;
  /** True to load pictures of ads from `pictureHosts`. */
  readonly withPictures: boolean;
}

/**
 * Creates the content security policy of a report: its own style and script by their hashes, pictures that are part of the page, and those of
 * `pictureHosts` if enabled.
 */
export function pagePolicy(withPictures: boolean): string {
  return [
    "default-src 'none'",
    `style-src '${hashOf(reportStyle)}'`,
    `script-src '${hashOf(filterScript)}'`,
    ['img-src data:', ...(withPictures ? pictureHosts.map((host) => `https://${host}`) : [])].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/** Creates a self-contained page. The policy precedes all content that it covers. */
export function printPage({ title, header, main, footer, withPictures }: PageParts): string {
  return printMarkup(
    html`${ownText('<!doctype html>')}
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta http-equiv="Content-Security-Policy" content="${pagePolicy(withPictures)}" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <meta name="referrer" content="no-referrer" />
          <meta name="robots" content="noindex" />
          <title>${title}</title>
          ${ownText(`<style>${reportStyle}</style>`)}
        </head>
        <body>
          <header>${header}</header>
          <main>${main}</main>
          <footer>${footer}</footer>
          ${ownText(`<script>${filterScript}</script>`)}
        </body>
      </html>`,
  );
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
