import { z } from 'zod';
import { SourceUnreadable } from '../../core/errors.ts';
import type { HttpAnswer, HttpClient } from '../../adapters/http/http.ts';
import { parseLeniently } from '../../adapters/http/parse-leniently.ts';
import { parseBaseUrl } from '../calls/credentials.ts';
import type { AccountState } from '../definition/source-definition.ts';
import { errorIn } from './envelope.ts';

/** Options of the check. */
export interface DataForSeoAccountOptions {
  readonly settings: { readonly url: string; readonly login: string; readonly password: string };
  readonly http: Pick<HttpClient, 'send'>;
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
}

const userData = z.object({
  tasks: z
    .array(z.object({ result: z.array(z.object({ money: z.object({ balance: z.number() }) })).min(1) }))
    .min(1),
});

/**
 * Reads the balance of a DataForSEO account (docs.dataforseo.com/v3/appendix/user_data), which is free.
 *
 * @throws as `AccountCheck.read` does, and Misconfigured when the URL cannot be used.
 */
export async function readDataForSeoAccount({
  settings: { url, login, password },
  http,
  signal,
  deadlineMs,
}: DataForSeoAccountOptions): Promise<AccountState> {
  const basic = Buffer.from(`${login}:${password}`).toString('base64');
  const secrets = [login, password, `${login}:${password}`];
  const { text } = await http.send(
    new URL(`${parseBaseUrl('dataforseo', url)}/v3/appendix/user_data`),
    {
      method: 'GET',
      headers: { accept: 'application/json', authorization: `Basic ${basic}` },
      evaluate: (answer: HttpAnswer) => errorIn(answer, secrets),
      secrets,
    },
    { signal, deadlineMs, bodyBytesMax: 10_000_000 },
  );
  const read = userData.safeParse(parseLeniently(text));
  const balance = read.data?.tasks[0]?.result[0]?.money.balance;
  if (balance === undefined)
    throw new SourceUnreadable('DataForSEO describes the account in an unknown form');
  return { text: `balance ${balance} USD`, isSpent: balance <= 0 };
}
