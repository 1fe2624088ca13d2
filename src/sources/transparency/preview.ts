import { z } from 'zod';
import type { Variant } from '../../core/ads/ad.ts';
import { previewUrlOf } from '../../core/ads/preview-url.ts';
import { text } from '../replies/wire-fields.ts';
import { imageVariant } from './image-element.ts';

const previewForms = ['1', '2', '3'];
/** A flag of unknown meaning. */
const previewFlag = '5';

/** Preview of a creative: the URL of a script (`1`), a text or the URL of a video (`2`), or an image element (`3`). */
export const preview = z
  .looseObject({
    1: z.object({ 4: text }).optional(),
    2: z.union([text, z.object({ 4: text })]).optional(),
    3: z.object({ 2: text }).optional(),
  })
  .refine((node) => Object.keys(node).every((key) => key === previewFlag) || hasKnownForm(node), {
    message: 'shows the creative in a form that is not known',
  });

/** A preview as parts of an ad: a variant for an image, else the URL that shows it, if it has one. */
export interface ShownPreview {
  readonly variants: readonly Variant[];
  readonly previewUrl: string | null;
}

/** Parses a preview; null for markup that is neither an image nor a frame with the URL of an HTML5 bundle. */
export function parsePreview({
  1: script,
  2: video,
  3: element,
}: z.infer<typeof preview>): ShownPreview | null {
  const address = script?.[4] ?? (typeof video === 'object' ? video[4] : undefined);
  if (element === undefined) return { variants: [], previewUrl: previewUrlOf(address) };
  const image = imageVariant(element[2]);
  if (image !== null) return { variants: [image], previewUrl: null };
  const bundle = previewUrlOf(frame.exec(element[2])?.groups?.['address']);
  return bundle === null ? null : { variants: [], previewUrl: bundle };
}

/** A frame, and its address. */
const frame = /^\s*<iframe\s(?:[^>]*\s)?src\s*=\s*["']?(?<address>https?:[^\s"'<>]+)/i;

function hasKnownForm(node: object): boolean {
  return previewForms.some((form) => form in node);
}
