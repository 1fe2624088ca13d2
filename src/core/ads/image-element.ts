/** What an image element says, its character references resolved. Sizes are whole pixels; null where it names none. */
export interface ImageElement {
  readonly src: string;
  readonly height: number | null;
  readonly width: number | null;
}

const element = /^\s*<img\s(?<attributes>[^<>]*)>\s*$/i;
const attribute = /([a-z][a-z-]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=]+))/gi;

/**
 * Reads a text that is one `<img …>` with a `src`; null for every other. Attributes are read by name, in whatever order and quotes they
 * come, and of two of one name the last counts. Foreign text: what the element says is no more to be trusted than the text was.
 */
export function parseImageElement(content: string): ImageElement | null {
  const attributes = attributesOf(content);
  const src = resolveReferences(attributes.get('src') ?? '');
  if (src === '') return null;
  return { src, height: wholeNumber(attributes.get('height')), width: wholeNumber(attributes.get('width')) };
}

function attributesOf(content: string): ReadonlyMap<string, string> {
  const text = element.exec(content)?.groups?.['attributes'] ?? '';
  return new Map(
    [...text.matchAll(attribute)].map(([, name = '', double, single, bare]) => [
      name.toLowerCase(),
      double ?? single ?? bare ?? '',
    ]),
  );
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

/** Those that an address needs. Others stay as they are: an address with them leads nowhere, which harms nobody. */
function resolveReferences(value: string): string {
  return value.replace(/&(?:amp|quot|#39|lt|gt);/g, (reference) => references.get(reference) ?? reference);
}
