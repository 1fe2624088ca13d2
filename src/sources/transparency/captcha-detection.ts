import { SourceBlocked, SourceRefused, SourceUnavailable, type EnrichError } from '../../core/errors.ts';
import { captchaBlock } from '../../core/work/retry-policies.ts';
import type { HttpAnswer } from '../../adapters/http/http.ts';
import { parseLeniently } from '../../adapters/http/parse-leniently.ts';
import { withoutGuard } from '../replies/without-guard.ts';

const blockingStatuses = [403, 429, 503];
const wallWords = /\/sorry\/|unusual traffic|302 Moved/i;

/**
 * Detects an answer that is not a reply: a block, or an error of the service (recorded replies). Null for every other answer.
 * Errors also come with a 200, as JSON with the name of an exception in the place of the next page's token. The words of a
 * block are searched only in text that is not JSON, because an advertiser may have any name.
 */
export function evaluateAnswer({ status, location, text, retryAfterMs }: HttpAnswer): EnrichError | null {
  const delayMs = retryAfterMs ?? captchaBlock.delayMs;
  if (blockingStatuses.includes(status)) return blocked(`answered ${status}`, delayMs);
  if (location?.includes('/sorry') === true) return blocked('redirected to its page for robots', delayMs);
  const value = parseLeniently(withoutGuard(text));
  if (typeof value === 'object' && value !== null) return exceptionIn(new Map(Object.entries(value)));
  const isPage = status < 300 && /^\s*</.test(text);
  return isPage || wallWords.test(text) ? blocked('answered with a page for people', delayMs) : null;
}

function exceptionIn(reply: ReadonlyMap<string, unknown>): EnrichError | null {
  const name = reply.get('2');
  if (reply.has('1') || typeof name !== 'string' || !name.includes('Exception')) return null;
  const status = reply.get('5');
  if (status === 400) {
    const message = 'The source transparency does not understand the request: its interface may have changed';
    return new SourceRefused(message, { status });
  }
  return new SourceUnavailable('The source transparency reports an error', { inDoubt: false });
}

function blocked(what: string, delayMs: number): SourceBlocked {
  return new SourceBlocked(
    `The source transparency ${what}: it accepts no requests from here at the moment`,
    {
      delayMs,
    },
  );
}
