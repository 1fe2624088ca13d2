import { Misconfigured } from '../../core/errors.ts';
import type { HttpClient } from '../../adapters/http/http.ts';
import { evaluateAnswer } from './captcha-detection.ts';
import type { CallGap } from './call-gap.ts';
import type { SendQuery } from './service.ts';

/** Identity of the caller. The service receives it, and can ask the operator to stop. */
export interface Asker {
  /** Version of this software. */
  readonly version: string;
  /** Contact of the operator, or home of this software: an address of a page or of a mailbox. */
  readonly contact: string;
}

export interface SenderOptions {
  readonly http: Pick<HttpClient, 'send'>;
  /** Without a slash at its end. */
  readonly base: string;
  readonly asker: Asker;
  /** From the call's turn to the last byte of its answer, milliseconds. */
  readonly deadlineMs: number;
  readonly waitForGap: CallGap;
}

/** A hundred times what a page of creatives was seen to have. */
const bodyBytesMax = 2_000_000;

const home = 'https://adstransparency.google.com';

/**
 * Sends questions as forms, without cookies (recorded replies). The service answers nobody whose headers do not name its own pages as the
 * origin; who is asking stands in `User-Agent`.
 *
 * @throws Misconfigured when the asker cannot be named in a header.
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
