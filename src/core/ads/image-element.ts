/** Attributes of an image element, character references resolved. Sizes are whole pixels; null: not given. */
export interface ImageElement {
  readonly src: string;
  readonly height: number | null;
  readonly width: number | null;
}

/** The part of a string that parsing needs. */
export type Characters = Pick<string, 'length' | 'charAt' | 'slice'>;

/**
 * Parses a text that is one `<img …>` with a `src`; null for every other text. Attributes may come in any order and with any
 * quotes; of two with the same name the last one counts. The values are as untrusted as the text. Every character is visited a
 * fixed number of times, whatever the text contains.
 */
export function parseImageElement(content: Characters): ImageElement | null {
  const attributes = attributesOf(content);
  const src = resolveReferences(attributes.get('src') ?? '');
  if (src === '') return null;
  return { src, height: wholeNumber(attributes.get('height')), width: wholeNumber(attributes.get('width')) };
}

const opening = '<img';
const blank = /\s/;
const angle = /[<>]/;
const nameEnd = /[\s"'=]/;
const bareEnd = /[\s"']/;

function attributesOf(content: Characters): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  const start = skip(content, 0, blank);
  let at = start + opening.length;
  if (content.slice(start, at).toLowerCase() !== opening || !blank.test(content.charAt(at)))
    return attributes;
  const end = until(content, at, angle, content.length);
  const isWhole = content.charAt(end) === '>' && skip(content, end + 1, blank) === content.length;
  while (isWhole && at < end) {
    const attribute = readAttribute(content, at, end);
    if (attribute.name !== '') attributes.set(attribute.name, attribute.value);
    at = attribute.next;
  }
  return attributes;
}

interface ReadAttribute {
  /** In lower case; empty if there is none. */
  readonly name: string;
  readonly value: string;
  /** Start of the next element, always after the start of this one. */
  readonly next: number;
}

/** Without a closing quote, the rest cannot be parsed. */
function readAttribute(content: Characters, from: number, end: number): ReadAttribute {
  const at = skip(content, from, blank);
  const behindName = until(content, at, nameEnd, end);
  const name = content.slice(at, behindName).toLowerCase();
  const equals = skip(content, behindName, blank);
  if (content.charAt(equals) !== '=') return { name, value: '', next: Math.max(equals, at + 1) };
  const begin = skip(content, equals + 1, blank);
  const quote = content.charAt(begin);
  if (quote !== '"' && quote !== "'") {
    const behind = until(content, begin, bareEnd, end);
    return { name, value: content.slice(begin, behind), next: behind };
  }
  const close = until(content, begin + 1, quote === '"' ? /"/ : /'/, end);
  return close === end
    ? { name: '', value: '', next: end }
    : { name, value: content.slice(begin + 1, close), next: close + 1 };
}

/** Index of the first character at or after `at` that is not in the set. */
function skip(content: Characters, at: number, set: RegExp): number {
  let i = at;
  while (i < content.length && set.test(content.charAt(i))) i += 1;
  return i;
}

/** Index of the first character at or after `at` that is in the set; `end` without one. */
function until(content: Characters, at: number, set: RegExp, end: number): number {
  let i = at;
  while (i < end && !set.test(content.charAt(i))) i += 1;
  return i;
}

function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : null;
}

const references: ReadonlyMap<string, string> = new Map([
  ['&amp;', '&'],
  ['&quot;', '"'],
  ['&#39;', "'"],
  ['&lt;', '<'],
  ['&gt;', '>'],
]);

/** Resolves the character references that occur in URLs. Others stay unchanged: the URL then leads nowhere, which does no harm. */
function resolveReferences(value: string): string {
  return value.replace(/&(?:amp|quot|#39|lt|gt);/g, (reference) => references.get(reference) ?? reference);
}
