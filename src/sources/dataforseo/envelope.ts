import { z } from 'zod';
import { SourceRefused, SourceThrottled, SourceUnavailable, type EnrichError } from '../../core/errors.ts';
import { vendorMessage } from '../../adapters/http/vendor-message.ts';
import { parseLeniently } from '../../adapters/http/parse-leniently.ts';

/** `Ok.` */
export const ok = 20_000;
/** `No Search Results.`: an answer, billed as one. */
export const noResults = 40_102;

/** Calls per minute, and concurrent calls. */
const throttles = [40_202, 40_209];
/** `Internal SE Server Error.`: the search engine failed, after DataForSEO's own retries. */
const searchFailed = 40_101;

/** Errors of the account, with the matching HTTP status and the remedy for the operator. */
const refusals: Readonly<Record<number, readonly [status: number, remedy: string]>> = {
  40_100: [401, 'check login and password'],
  40_104: [401, 'the account there has to be verified'],
  40_200: [402, 'the account there has to be paid for'],
  40_201: [403, 'the account there is blocked'],
  40_203: [402, 'the cost limit that is set in the account there is reached'],
  40_204: [403, 'the account there has no access to this'],
  40_210: [402, 'the account there is out of funds'],
};

/** The part of a reply that tells whether it is an answer. */
const envelope = z.object({
  status_code: z.int(),
  tasks: z.array(z.object({ status_code: z.int() })).nullish(),
});

/**
 * Error in a reply with HTTP status 200: the envelope has a status of its own, and so has each task
 * (docs.dataforseo.com/v3/appendix/errors). Null without an error; the parser decides whether the reply is an answer.
 *
 * A rejection contains the vendor's message, in which `secrets` are masked.
 */
export function errorIn(
  { status, text }: { readonly status: number; readonly text: string },
  secrets: readonly string[],
) {
  if (status !== 200) return null;
  const read = envelope.safeParse(parseLeniently(text));
  if (!read.success) return null;
  const codes = [read.data.status_code, ...(read.data.tasks ?? []).map((task) => task.status_code)];
  const words = vendorMessage(text, secrets);
  return codes.map((code) => errorOf(code, words)).find((failure) => failure !== null) ?? null;
}

function errorOf(code: number, words: string | null): EnrichError | null {
  if (code < 40_000 || code === noResults) return null;
  const answered = `DataForSEO answered ${code}`;
  if (throttles.includes(code)) return new SourceThrottled(`${answered}: it asks us to slow down`);
  if (code === searchFailed || code >= 50_000) return new SourceUnavailable(answered, { inDoubt: false });
  const [status, remedy] = refusals[code] ?? [
    400,
    'docs.dataforseo.com/v3/appendix/errors says what it means',
  ];
  return new SourceRefused(`${answered}: ${remedy}`, { status, vendorMessage: words });
}
