import assert from 'node:assert/strict';
import { visibleText } from '../../../core/reports/visible-text.ts';

const made = Symbol('markup');

/** Markup that may stand in a page. Only the functions here make it, so that no text becomes markup by itself. */
export interface Markup {
  readonly [made]: string;
}

/** Content of a template: text, which is escaped; numbers; markup; several of these; and null, which shows nothing. */
export type Part = string | number | Markup | readonly Part[] | null | false;

const entities: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

/**
 * A text for a page: as `visibleText` shows it, with what means something to HTML as character references. It is safe between tags and in
 * an attribute with quotes, and nowhere else.
 */
export function escapeHtml(text: string): string {
  return visibleText(text).replace(/[&<>"']/g, (character) => entities.get(character) ?? character);
}

/**
 * Markup of a template of ours: every text in it is escaped. Texts stand between tags or in attributes with quotes; scripts, styles and
 * comments take none.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  checkPlaces(strings);
  const text = parts.reduce<string>(
    (before, part, i) => before + textOf(part) + (strings[i + 1] ?? ''),
    strings[0] ?? '',
  );
  return { [made]: text };
}

/** The finished text. */
export function printMarkup(markup: Markup): string {
  return markup[made];
}

/** Markup of the project's own, to the letter: an element whose text has a hash. Never anything that was read. */
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

/** A number that is none would be a defect of ours, and so would a picture drawn from it. */
function numberText(value: number): string {
  assert(Number.isFinite(value), `a page shows finite numbers only, not ${value}`);
  return String(value);
}

const checked = new WeakSet<TemplateStringsArray>();

/** A template that puts a text where escaping does not help is a defect of ours, whatever the text. */
function checkPlaces(strings: TemplateStringsArray): void {
  if (checked.has(strings)) return;
  for (const before of strings.slice(0, -1)) {
    assert(
      !/[=<]\s*$/.test(before),
      `a value without quotes, or a name that is a value: …${before.slice(-40)}`,
    );
  }
  checked.add(strings);
}
