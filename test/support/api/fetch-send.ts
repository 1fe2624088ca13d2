import type { Send, SendRequest } from '../../../src/sources/bigquery/send.ts';
import {
  EnrichError,
  SourceRefused,
  SourceThrottled,
  SourceUnavailable,
  SourceUnreadable,
} from '../../../src/core/errors.ts';

/** A plain `send` over `fetch`: the policy of the caller first, then the rules for every source. No size limit. */
export const fetchSend: Send = async (url, request, { signal, deadlineMs }) => {
  const where = `${request.method} ${url.host}${url.pathname}`;
  const deadline = AbortSignal.timeout(deadlineMs);
  try {
    const init = { ...toInit(request), signal: AbortSignal.any([signal, deadline]) };
    const response = await fetch(url, init);
    const text = await response.text();
    const location = response.headers.get('location');
    const verdict = request.evaluate?.({ status: response.status, location, text }) ?? null;
    if (verdict !== null) throw verdict;
    if (!response.ok) throw statusError(where, response.status);
    return { text };
  } catch (error) {
    if (error instanceof EnrichError) throw error;
    signal.throwIfAborted();
    throw new SourceUnavailable(`${where} was cut off`, { inDoubt: true, cause: error });
  }
};

function toInit({ method, headers, json, form }: SendRequest): RequestInit {
  if (form !== undefined) {
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    return {
      method,
      redirect: 'manual',
      headers: { ...type, ...headers },
      body: new URLSearchParams(form).toString(),
    };
  }
  const type = json === undefined ? {} : { 'content-type': 'application/json' };
  const body = json === undefined ? {} : { body: JSON.stringify(json) };
  return { method, redirect: 'manual', headers: { ...type, ...headers }, ...body };
}

function statusError(where: string, status: number): EnrichError {
  const message = `${where} answered ${status}`;
  if (status === 429) return new SourceThrottled(message);
  if (status >= 500) return new SourceUnavailable(message, { inDoubt: [502, 504].includes(status) });
  if (status >= 400) return new SourceRefused(message, { status });
  return new SourceUnreadable(message);
}
