import type { Variant } from '../../core/ads/ad.ts';
import { parseImageElement } from '../../core/ads/image-element.ts';
import { size } from '../replies/wire-fields.ts';

/**
 * Variant of an image element with its markup unchanged; null for a text that is not one `<img …>` with a `src`. A size that is
 * not a whole number of pixels is null.
 */
export function imageVariant(content: string): Variant | null {
  const image = parseImageElement(content);
  if (image === null) return null;
  return { content, height: sizeOf(image.height), width: sizeOf(image.width) };
}

function sizeOf(pixels: number | null): number | null {
  return size.safeParse(pixels).data ?? null;
}
