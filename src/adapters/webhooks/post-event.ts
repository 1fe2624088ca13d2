import { EnrichError } from '../../core/errors.ts';
import type { Attempt } from '../../core/events/event-envelope.ts';
import type { HttpAnswer, HttpClient } from '../http/http.ts';

const gone = 410;

/** Request to a receiver. */
export interface Post {
  readonly url: URL;
  /** Time limit, in milliseconds. */
  readonly deadlineMs: number;
  /** JSON. */
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Posts an event. A 2xx is a delivery; redirects are not followed. Only the status of an answer is used, because its text could
 * be shown to the user who entered the URL. Messages contain no more of the URL than its host.
 *
 * @throws the signal's reason when it aborts.
 */
export async function postEvent(
  http: Pick<HttpClient, 'send'>,
  { url, deadlineMs, body, headers = {} }: Post,
  signal: AbortSignal,
): Promise<Attempt> {
  const seen: { answer: HttpAnswer | null } = { answer: null };
  const evaluate = (answer: HttpAnswer) => {
    seen.answer = answer;
    return null;
  };
  const request = {
    method: 'POST',
    jsonText: body,
    headers,
    evaluate,
    name: url.host,
    statusOnly: true,
  } as const;
  try {
    await http.send(url, request, { signal, deadlineMs, bodyBytesMax: 0 });
    return { kind: 'delivered', status: seen.answer?.status ?? 200 };
  } catch (error) {
    if (!(error instanceof EnrichError)) throw error;
    return failureOf(url.host, error, seen.answer);
  }
}

function failureOf(host: string, error: EnrichError, answer: HttpAnswer | null): Attempt {
  if (answer === null) return { kind: 'failed', status: null, error: error.message, retryAfterMs: null };
  const { status, retryAfterMs } = answer;
  if (status === gone) return { kind: 'gone', status, error: `${host} answered 410: it is gone` };
  const why = status >= 300 && status < 400 ? ', a redirect: those are not followed' : '';
  return { kind: 'failed', status, error: `${host} answered ${status}${why}`, retryAfterMs };
}
