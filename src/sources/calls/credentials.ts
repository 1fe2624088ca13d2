import { createHash } from 'node:crypto';
import { Misconfigured } from '../../core/errors.ts';

/** Rate limit bucket of a server and a credential, however the URL ends; a digest, so that no secret is stored or logged. */
export function bucketOf(source: string, ...credential: readonly string[]): string {
  const digest = createHash('sha256').update(credential.join('')).digest('hex');
  return `${source}:${digest.slice(0, 12)}`;
}

/**
 * Removes a slash at the end of a base URL.
 *
 * @throws Misconfigured without the text itself, because it may contain a key.
 */
export function parseBaseUrl(source: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const usable =
    url !== undefined &&
    ['http:', 'https:'].includes(url.protocol) &&
    url.username + url.password + url.search + url.hash === '';
  if (usable) return url.href.replace(/\/+$/, '');
  throw new Misconfigured(
    `The ${source} URL must be http(s)://host[:port][/path], nothing before or after: fix NIGHTSHIFT_${source.toUpperCase()}_URL`,
  );
}

/** @throws Misconfigured without the text itself. The HTTP client would quote an invalid key in its message. */
export function parseKey(
  source: string,
  key: string,
  setting = `NIGHTSHIFT_${source.toUpperCase()}_KEY`,
): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new Misconfigured(
    `The ${source} key must be visible ASCII without spaces, and not empty: fix ${setting}`,
  );
}
