import { createHash } from 'node:crypto';
import { pictureHosts } from './creative-picture.ts';
import { filterScript } from './filter-script.ts';
import { html, ownText, printMarkup, type Markup } from '../model/markup.ts';
import { reportStyle } from './style.ts';

export interface PageParts {
  readonly title: string;
  readonly header: Markup;
  readonly main: Markup;
  readonly footer: Markup;
  /** Pictures of ads may be fetched from where those lie. */
  readonly withPictures: boolean;
}

/**
 * Content security policy of a report: its own style and script, known by their hashes, and nothing else; with pictures, those of
 * `pictureHosts`.
 */
export function pagePolicy(withPictures: boolean): string {
  return [
    "default-src 'none'",
    `style-src '${hashOf(reportStyle)}'`,
    `script-src '${hashOf(filterScript)}'`,
    `img-src ${withPictures ? pictureHosts.map((host) => `https://${host}`).join(' ') : "'none'"}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/** A page that is whole in itself. The policy stands before everything that it holds for. */
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
