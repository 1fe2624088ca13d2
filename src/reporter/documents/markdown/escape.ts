import { visibleText } from '../../../core/reports/visible-text.ts';

const entities: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
]);

/** A blank without a width: it keeps apart what would be taken for a link or a name, and nobody sees it. */
const apart = '\u200b';

/**
 * A foreign text for a line of Markdown that does not begin with it: it starts no HTML, no link, no emphasis, no code, no formula and no
 * cell, names nobody (`@name`) and no issue (`#1`), in CommonMark and as GitHub extends it. Renderers that make links of bare words
 * such as `acme.com` still do.
 */
export function escapeMarkdown(text: string): string {
  return visibleText(text)
    .replace(/[&<>]/g, (character) => entities.get(character) ?? character)
    .replace(/[\\`*_[\]|~$]/g, '\\$&')
    .replace(/@/g, `@${apart}`)
    .replace(/#(?=\d)/g, `#${apart}`)
    .replace(/:(?=\/\/)/g, `:${apart}`)
    .replace(/www(?=\.)/gi, `$&${apart}`);
}

/** A code, such as the reason of a failure, as code; what is none is escaped as every other text. */
export function codeMarkdown(text: string): string {
  return /^[a-z0-9_]+$/.test(text) ? `\`${text}\`` : escapeMarkdown(text);
}
