import { namedDelay } from '../../core/work/retry-policies.ts';

const { delayMsMax } = namedDelay;
const seconds = /^\d+(\.\d+)?$/;
// The form that every sender must use, and the only one accepted: Date.parse alone finds a date in almost any text.
const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Parses a `Retry-After` header (RFC 9110 §10.2.3), in seconds or as an HTTP date.
 *
 * Returns milliseconds from now, at most the bound of `namedDelay`; undefined for a missing or invalid header.
 */
export function readRetryAfter(header: string | null, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  if (seconds.test(text)) return Math.min(Math.ceil(Number(text) * 1000), delayMsMax);
  if (!httpDate.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.min(Math.max(at - nowMs, 0), delayMsMax);
}
