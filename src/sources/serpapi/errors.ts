import { z } from 'zod';
import { SourceRefused, SourceThrottled, SourceUnavailable, type EnrichError } from '../../core/errors.ts';
import type { HttpAnswer } from '../../adapters/http/http.ts';
import { parseLeniently } from '../../adapters/http/parse-leniently.ts';

/** Error fields of an answer; both keys may be missing, and a 4xx has only `error`. */
const complaint = z.object({
  error: z.string().default(''),
  search_metadata: z.object({ status: z.string().default('') }).default({ status: '' }),
});

/**
 * The account has no searches left: `Your account has run out of searches.`, and the older `Your searches for the month are
 * exhausted.`
 */
const spent = /run out of searches|searches for the month/i;
const tooFast = /throughput limit/i;
const badKey = /invalid api key/i;

/**
 * Maps errors of SerpApi that the status of the answer does not identify (serpapi.com/api-status-and-error-codes and
 * /search-errors):
 *
 * - 429 means both too many requests and no searches left. The second is a `SourceRefused` with the status 402, as for other
 *   sources: calls stop until the operator has acted.
 * - A 200 may contain an error. A documented error is mapped to its class; an unfinished search may have been charged, a failed
 *   one is free. Any other error is left to the parser, which decides whether the reply is an answer.
 */
export function serpapiError({ status, text }: HttpAnswer): EnrichError | null {
  const { error, search_metadata: search } = readComplaint(text);
  if (spent.test(error)) {
    return new SourceRefused('The SerpApi account has run out of searches', { status: 402 });
  }
  if (status !== 200) return null;
  if (tooFast.test(error)) return new SourceThrottled('SerpApi asks us to slow down');
  if (badKey.test(error)) return new SourceRefused('SerpApi does not know the key', { status: 401 });
  if (search.status === 'Error') return new SourceUnavailable('SerpApi failed to search', { inDoubt: false });
  if (!['Queued', 'Processing'].includes(search.status)) return null;
  return new SourceUnavailable('SerpApi has not finished the search', { inDoubt: true });
}

/** Undefined for anything that is not an error object; the parser decides whether the reply is an answer. */
function readComplaint(text: string): z.infer<typeof complaint> {
  const parsed = complaint.safeParse(parseLeniently(text));
  return parsed.success ? parsed.data : complaint.parse({});
}
