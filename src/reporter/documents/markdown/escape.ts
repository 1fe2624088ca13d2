import { visibleText } from '../../../core/reports/visible-text.ts';

const entities: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
]);

/** Zero-width space: prevents links and mentions without a visible change. */
const zeroWidthSpace = '\u200b';

/**
 * Escapes an untrusted text within a line of Markdown: it creates no HTML, link, emphasis, code, formula or table cell, and mentions no
 * user (`@name`) or issue (`#1`), in CommonMark and GitHub Flavored Markdown. Some renderers still link bare words such as `acme.com`.
 */
export function escapeMarkdown(text: string): string {
  return visibleText(text)
    .replace(/[&<>]/g, (character) => entities.get(character) ?? character)
    .replace(/[\\`*_[\]|~$]/g, '\\$&')
    .replace(/@/g, `@${zeroWidthSpace}`)
    .replace(/#(?=\d)/g, `#${zeroWidthSpace}`)
    .replace(/:(?=\/\/)/g, `:${zeroWidthSpace}`)
    .replace(/www(?=\.)/gi, `$&${zeroWidthSpace}`);
}

/** Formats a code, such as the reason of a failure, as inline code; escapes every other text. */
export function codeMarkdown(text: string): string {
  return /^[a-z0-9_]+$/.test(text) ? `\`${text}\`` : escapeMarkdown(text);
}
