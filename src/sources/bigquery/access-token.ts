import { Misconfigured } from '../../core/errors.ts';
import { raceAbort } from '../../core/async/race-abort.ts';
import { signAssertion, type ServiceAccount } from './credentials.ts';
import type { Send, SentAnswer } from './send.ts';
import { parseReply, tokenForm, tokenReply } from './wire.ts';

/** Access tokens of one service account. */
export interface AccessTokens {
  /**
   * Returns a token that is valid for at least a minute. Concurrent callers share one request.
   *
   * @throws Misconfigured when the account is rejected; EnrichError as `send` does.
   */
  get(signal: AbortSignal): Promise<string>;
  /** Discards a rejected token: the next caller gets another. */
  drop(token: string): void;
}

export interface AccessTokenOptions {
  readonly send: Send;
  /** Clock for the expiry of assertions and tokens; milliseconds since 1970. */
  readonly nowMs: () => number;
  /** Milliseconds for one request. */
  readonly callDeadlineMs: number;
}

/** A token is not returned during its last minute, so that it outlives the call. */
const marginMs = 60_000;
const bodyBytesMax = 100_000;

/** Exchanges signed assertions for access tokens (RFC 7523 §2.1) and caches each token until shortly before it expires. */
export function createAccessTokens(account: ServiceAccount, options: AccessTokenOptions): AccessTokens {
  const { send, nowMs, callDeadlineMs } = options;
  let held: { readonly token: string; readonly goodUntilMs: number } | null = null;
  let fetching: Promise<string> | null = null;
  return { get, drop };

  async function get(signal: AbortSignal): Promise<string> {
    if (held !== null && nowMs() < held.goodUntilMs) return held.token;
    fetching ??= fetchToken().finally(() => (fetching = null));
    return raceAbort(fetching, signal);
  }

  function drop(token: string): void {
    if (held?.token === token) held = null;
  }

  async function fetchToken(): Promise<string> {
    const form = tokenForm(signAssertion(account, nowMs()));
    // An independent signal: a caller that aborts must not take the token from the others.
    const { signal } = new AbortController();
    const bounds = { signal, deadlineMs: callDeadlineMs, bodyBytesMax };
    const { text } = await send(new URL(account.tokenUrl), { method: 'POST', form, evaluate }, bounds);
    const { token, lifetimeMs } = parseReply(tokenReply, text);
    held = { token, goodUntilMs: nowMs() + lifetimeMs - marginMs };
    return token;
  }
}

/** A token endpoint rejects with 400 or 401 (RFC 6749 §5.2), always because of the account or our clock. */
function evaluate({ status }: SentAnswer): Misconfigured | null {
  if (status !== 400 && status !== 401) return null;
  return new Misconfigured(
    `Google refused the service account (${status}): check its key file, and this machine's clock`,
  );
}
