import assert from 'node:assert/strict';
import { visibleText } from '../../../core/reports/visible-text.ts';

const made = Symbol('markup');

/** Trusted markup. Only this module creates it, so that no text turns into markup. */
export interface Markup {
  readonly [made]: string;
}

/** Content of a template: text, which is escaped, numbers, markup, arrays of these, and null, which is empty. */
export type Part = string | number | Markup | readonly Part[] | null | false;

const entities: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

/**
 * Escapes a text for HTML, after `visibleText`. The result is safe between tags and in quoted attributes, and nowhere else.
 */
export function escapeHtml(text: string): string {
  return visibleText(text).replace(/[&<>"']/g, (character) => entities.get(character) ?? character);
}

/**
 * Creates markup from a template and escapes every text in it. Texts may appear between tags and in quoted attributes, not in scripts,
 * styles or comments.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  checkPlaces(strings);
  const text = parts.reduce<string>(
    (before, part, i) => before + textOf(part) + (strings[i + 1] ?? ''),
    strings[0] ?? '',
  );
  return { [made]: text };
}

/** Returns the markup as text. */
export function printMarkup(markup: Markup): string {
  return markup[made];
}

/** Creates markup from a constant of the project, such as an element with a hash. Never from input. */
export function ownText(text: string): Markup {
  return { [made]: text };
}

function textOf(part: Part): string {
  if (part === null || part === false) return '';
  if (typeof part === 'string') return escapeHtml(part);
  if (typeof part === 'number') return numberText(part);
  return isMarkup(part) ? part[made] : part.map(textOf).join('');
}

function isMarkup(part: Markup | readonly Part[]): part is Markup {
  return made in part;
}

/** Formats a number. NaN and infinity are bugs. */
function numberText(value: number): string {
  assert(Number.isFinite(value), `markup has finite numbers only, not ${value}`);
  return String(value);
}

const checked = new WeakSet<TemplateStringsArray>();

/** Checks that a template has no text where escaping does not help. Such a template is a bug. */
function checkPlaces(strings: TemplateStringsArray): void {
  if (checked.has(strings)) return;
  for (const before of strings.slice(0, -1)) {
    assert(!/[=<]\s*$/.test(before), `unquoted value or dynamic name in markup: …${before.slice(-40)}`);
  }
  checked.add(strings);
}
