import type { Allowance } from '../../core/sources/allowance.ts';
import { readMembers, type ListMember } from './header-list.ts';

/** Headers of an answer; several of one name are joined with commas. */
interface AnswerHeaders {
  get(name: string): string | null;
}

/**
 * Parses the rate limit of a source: `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10, and
 * `RateLimit` as in draft 07), else `RateLimit-Limit`, `-Remaining` and `-Reset` (draft 06), else the same three as
 * `X-RateLimit-…`. Of several policies the strictest applies: the one that allows the fewest requests per second from now on.
 *
 * Never throws. Invalid values are ignored; null when nothing is left.
 */
export function readAllowance(headers: AnswerHeaders, nowMs: number): Allowance | null {
  const policies = readMembers(headers.get('ratelimit-policy')).flatMap(readPolicy);
  return (
    strictest(readField(headers.get('ratelimit'), policies)) ??
    strictest(readTriple(headers, 'ratelimit', policies, nowMs)) ??
    strictest(readTriple(headers, 'x-ratelimit', policies, nowMs)) ??
    strictest(policies.map(untouched))
  );
}

/** A number of requests per window. */
interface Policy {
  readonly name: string;
  readonly limit: number | null;
  readonly windowMs: number | null;
}

/** `"default";q=100;w=60`, or `100;w=60` up to draft 07. Empty if it counts something other than requests. */
function readPolicy({ text, parameters }: ListMember): readonly Policy[] {
  const unit = parameters.get('qu') ?? 'requests';
  if (unit !== 'requests') return [];
  const limit = readLimit(parameters.get('q') ?? text);
  return [{ name: text, limit, windowMs: readWindow(parameters.get('w')) }];
}

/** `"default";r=50;t=30`, or `limit=100, remaining=50, reset=30` in draft 07. */
function readField(header: string | null, policies: readonly Policy[]): readonly Allowance[] {
  const members = readMembers(header);
  const words = new Map(members.map(({ text }) => [text.split('=')[0], text.split('=')[1]] as const));
  if (words.has('limit')) {
    const limit = readLimit(words.get('limit'));
    const left = { remaining: readCount(words.get('remaining')), resetMs: readSeconds(words.get('reset')) };
    return inForce(limit, null, left, policies);
  }
  const named = members.map(({ text, parameters }) => {
    const { limit = null, windowMs = null } = policies.find(({ name }) => name === text) ?? {};
    const remaining = readCount(parameters.get('r'));
    return { limit, windowMs, remaining, resetMs: readSeconds(parameters.get('t')) };
  });
  const others = policies.filter(({ name }) => !members.some(({ text }) => text === name));
  return header === null ? [] : [...named, ...others.map(untouched)];
}

/** `…-Limit: 100` or `100, 100;w=60, 5000;w=86400`, with the current limit first, and its remaining requests. */
function readTriple(
  headers: AnswerHeaders,
  prefix: string,
  policies: readonly Policy[],
  nowMs: number,
): readonly Allowance[] {
  const [first, ...others] = readMembers(headers.get(`${prefix}-limit`));
  const [remaining] = readMembers(headers.get(`${prefix}-remaining`));
  const [reset] = readMembers(headers.get(`${prefix}-reset`));
  if ((first ?? remaining ?? reset) === undefined) return [];
  const left = { remaining: readCount(remaining?.text), resetMs: readReset(reset?.text, nowMs) };
  const window = readWindow(first?.parameters.get('w'));
  return inForce(readLimit(first?.text), window, left, [...others.flatMap(readPolicy), ...policies]);
}

/** The current limit with the window of its policy, and the other policies. */
function inForce(
  limit: number | null,
  window: number | null,
  left: Pick<Allowance, 'remaining' | 'resetMs'>,
  policies: readonly Policy[],
): readonly Allowance[] {
  const own = policies.find((policy) => limit !== null && policy.limit === limit);
  const others = policies.filter((policy) => policy !== own);
  return [{ limit, windowMs: window ?? own?.windowMs ?? null, ...left }, ...others.map(untouched)];
}

function untouched({ limit, windowMs }: Policy): Allowance {
  return { limit, windowMs, remaining: null, resetMs: null };
}

function strictest(allowances: readonly Allowance[]): Allowance | null {
  const [first, ...others] = allowances.filter(saysSomething);
  if (first === undefined) return null;
  return others.reduce((least, each) => (rateOf(each) < rateOf(least) ? each : least), first);
}

/** A window without a limit, or a reset without a number left, cannot be applied. */
function saysSomething({ limit, remaining }: Allowance): boolean {
  return limit !== null || remaining !== null;
}

/** Requests per millisecond from now on. */
function rateOf({ limit, windowMs, remaining, resetMs }: Allowance): number {
  if (remaining === 0) return 0;
  if (remaining !== null && resetMs !== null && resetMs > 0) return remaining / resetMs;
  return limit === null || windowMs === null ? Infinity : limit / windowMs;
}

function readLimit(text: string | undefined): number | null {
  const limit = readCount(text);
  return limit === 0 ? null : limit;
}

function readWindow(text: string | undefined): number | null {
  const windowMs = readSeconds(text);
  return windowMs === 0 ? null : windowMs;
}

function readCount(text: string | undefined): number | null {
  const number = readNumber(text);
  return number === null ? null : Math.floor(number);
}

function readSeconds(text: string | undefined): number | null {
  const seconds = readNumber(text);
  return seconds === null ? null : Math.ceil(seconds * 1000);
}

/** No window is that long, and every moment since September 2001 is more seconds after 1970. */
const epochSecondsMin = 1e9;
/** The same bound in milliseconds. */
const epochMsMin = 1e12;

/** Seconds from now, or a moment in seconds or milliseconds since 1970. */
function readReset(text: string | undefined, nowMs: number): number | null {
  const number = readNumber(text);
  if (number === null) return null;
  if (number < epochSecondsMin) return Math.ceil(number * 1000);
  const atMs = number < epochMsMin ? number * 1000 : number;
  return Math.max(Math.ceil(atMs - nowMs), 0);
}

/** A non-negative number without an exponent. */
function readNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}(?:\.\d{1,9})?$/.test(text) ? Number(text) : null;
}
