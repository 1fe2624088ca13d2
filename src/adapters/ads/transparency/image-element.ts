import type { Variant } from '../../../core/ads/ad.ts';
import { size } from '../wire-fields.ts';

const element = /^\s*<img\s(?<attributes>[^<>]*)>\s*$/i;
const attribute = /([a-z][a-z-]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=]+))/gi;

/**
 * The variant that an image element is, its markup as it stands; null for a text that is not one `<img …>` with a `src`. Attributes are
 * read by name, in whatever order and quotes they come. A size that is no whole number of pixels is null.
 */
export function imageVariant(content: string): Variant | null {
  const attributes = attributesOf(content);
  if ((attributes.get('src') ?? '') === '') return null;
  return { content, height: sizeOf(attributes.get('height')), width: sizeOf(attributes.get('width')) };
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

function sizeOf(text: string | undefined): number | null {
  if (text === undefined || !/^\d+$/.test(text)) return null;
  return size.safeParse(Number(text)).data ?? null;
}
