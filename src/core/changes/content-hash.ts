import { createHash } from 'node:crypto';
import type { Ad, Variant } from '../ads/ad.ts';

/**
 * What an ad looks like, as the SHA-256 of it in hexadecimal digits: two versions of the same look are no change.
 *
 * Over its format, its texts and addresses, and its variants without regard to their order and to repeats. Not over who advertises, nor
 * over what a preview's address has anew in every reply.
 */
export function hashContent({ format, text, variants }: Pick<Ad, 'format' | 'text' | 'variants'>): string {
  const observation = [
    format,
    text?.headline ?? null,
    text?.description ?? null,
    text?.displayUrl ?? null,
    text?.finalUrl ?? null,
    renderingsOf(variants),
  ];
  return createHash('sha256').update(JSON.stringify(observation)).digest('hex');
}

/** The renderings of an ad as they are compared: each once, in an order of their own. */
export function renderingsOf(variants: readonly Variant[]): readonly string[] {
  return [...new Set(variants.map(variantText))].sort();
}

function variantText({ content, height, width }: Variant): string {
  return JSON.stringify([withoutNonces(content), height, width]);
}

/**
 * Of the address of a preview (`displayads-formats.googleusercontent.com/ads/preview/content.js`) the Transparency Center makes two
 * parameters anew for every reply; the others, the signature included, stay. Also where the address stands in another one, escaped.
 */
const nonces = /(htmlParentId|responseCallback)(=|%3D)[^&"'\s<>#%\\]*/gi;

function withoutNonces(content: string): string {
  return content.trim().replace(nonces, '$1$2');
}
