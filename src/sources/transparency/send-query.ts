import { Misconfigured } from '../../core/errors.ts';
import type { HttpClient } from '../../adapters/http/http.ts';
import { evaluateAnswer } from './captcha-detection.ts';
import type { CallGap } from './call-gap.ts';
import type { SendQuery } from './service.ts';

/** Identity of the caller, with which the service can contact the operator. */
export interface Asker {
  /** Version of this software. */
  readonly version: string;
  /** Contact of the operator, or home page of this software: a URL or an e-mail address. */
  readonly contact: string;
}

export interface SenderOptions {
  readonly http: Pick<HttpClient, 'send'>;
  /** Without a slash at its end. */
  readonly base: string;
  readonly asker: Asker;
  /** From the start of the call to the last byte of its answer, milliseconds. */
  readonly deadlineMs: number;
  readonly waitForGap: CallGap;
}

/** A hundred times the size of a recorded page of creatives. */
const bodyBytesMax = 2_000_000;

const home = 'https://adstransparency.google.com';

/**
 * Sends queries as forms, without cookies (recorded replies). The service answers only requests whose headers name its own
 * pages as the origin; `User-Agent` identifies the caller.
 *
 * @throws Misconfigured when the identity cannot be sent in a header.
 */
export function createSendQuery({ http, base, asker, deadlineMs, waitForGap }: SenderOptions): SendQuery {
  const headers = {
    origin: home,
    referer: `${home}/`,
    'x-same-domain': '1',
    'user-agent': userAgentOf(asker),
  };
  return async (method, fReq, signal) => {
    const url = new URL(`${base}/anji/_/rpc/${method}?authuser=`);
    const waitedMs = await waitForGap(signal);
    const bounds = { signal, deadlineMs: Math.max(deadlineMs - waitedMs, 1), bodyBytesMax };
    return http.send(
      url,
      { method: 'POST', headers, form: { 'f.req': fReq }, evaluate: evaluateAnswer },
      bounds,
    );
  };
}

function userAgentOf({ version, contact }: Asker): string {
  if (/^[\x21-\x7e]+$/.test(contact) && !/[()]/.test(contact)) return `Nightshift/${version} (+${contact})`;
  throw new Misconfigured(
    'The source transparency names a contact to the service: an address of a page or of a mailbox, in ASCII, without blanks and brackets.',
  );
}
