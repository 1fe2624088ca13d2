import { z } from 'zod';
import { SourceUnreadable } from '../../core/errors.ts';
import type { HttpClient } from '../../adapters/http/http.ts';
import { parseLeniently } from '../../adapters/http/parse-leniently.ts';
import { parseBaseUrl, parseKey } from '../calls/credentials.ts';
import type { AccountState } from '../definition/source-definition.ts';
import { serpapiError } from './errors.ts';

/** Options of the check. */
export interface SerpapiAccountOptions {
  readonly settings: { readonly url: string; readonly key: string };
  readonly http: Pick<HttpClient, 'send'>;
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
}

const account = z.object({
  plan_name: z.string().nullish(),
  total_searches_left: z.number(),
});

/**
 * Reads plan and searches left of a SerpApi account (serpapi.com/account-api), which costs no search.
 *
 * @throws as `AccountCheck.read` does, and Misconfigured when the URL or the key cannot be used.
 */
export async function readSerpapiAccount({
  settings,
  http,
  signal,
  deadlineMs,
}: SerpapiAccountOptions): Promise<AccountState> {
  const key = parseKey('serpapi', settings.key);
  const url = new URL(`${parseBaseUrl('serpapi', settings.url)}/account.json`);
  url.searchParams.set('api_key', key);
  const headers = { accept: 'application/json' };
  const { text } = await http.send(
    url,
    { method: 'GET', headers, evaluate: serpapiError, secrets: [key] },
    { signal, deadlineMs, bodyBytesMax: 100_000 },
  );
  const read = account.safeParse(parseLeniently(text));
  if (!read.success) throw new SourceUnreadable('SerpApi describes the account in an unknown form');
  const { plan_name: plan, total_searches_left: left } = read.data;
  const searches = `${left.toLocaleString('en')} searches left`;
  return { text: plan ? `plan ${plan}, ${searches}` : searches, isSpent: left <= 0 };
}
