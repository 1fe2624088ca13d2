import { createHash } from 'node:crypto';
import type { Ad, Variant } from '../ads/ad.ts';

/**
 * Hashes the content of an ad, as SHA-256 in hexadecimal digits: two versions with the same hash are no change. It covers format, texts,
 * addresses, and the variants without their order and repeats. It leaves out the advertiser and the parameters of preview addresses that
 * change in every reply.
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

/** Renderings of an ad in comparable form: each once, in a stable order. */
export function renderingsOf(variants: readonly Variant[]): readonly string[] {
  return [...new Set(variants.map(variantText))].sort();
}

function variantText({ content, height, width }: Variant): string {
  return JSON.stringify([withoutNonces(content), height, width]);
}

/**
 * Parameters of preview URLs that the Transparency Center changes in every reply
 * (`displayads-formats.googleusercontent.com/ads/preview/content.js`). The others stay, including the signature. Matches also
 * inside an escaped URL.
 */
const nonces = /(htmlParentId|responseCallback)(=|%3D)[^&"'\s<>#%\\]*/gi;

function withoutNonces(content: string): string {
  return content.trim().replace(nonces, '$1$2');
}
