import type { PauseKind } from '../../../src/core/work/pause.ts';
import type { ScriptLine } from './stand-in-script.ts';
import type { Failure } from './stand-in-failures.ts';

/** A temporary error of a source, and its allowed effects. */
export interface SourceError {
  /** `away`: the port is closed. */
  readonly failure: Failure | 'away';
  /** Duration, if it differs from the default. */
  readonly lasts?: Pick<ScriptLine, 'forCalls' | 'forMs'>;
  /** Time limit of a call. Default: long enough for a busy machine. */
  readonly deadlineSeconds?: number;
  /** True if the source recognises a repeated call and is configured as idempotent. Default: false. */
  readonly idempotent?: boolean;
  /** Allowed reason of failed companies. Default: none, every company has its answer in the end. */
  readonly failsWith?: 'source_unreadable' | 'source_refused' | 'in_doubt';
  /** Reason of the wait that the batch shows. */
  readonly waitsFor?: PauseKind;
}

/** All source errors by name. `elsewhere` is the target of a redirect. */
export function sourceErrors(elsewhere: string): Readonly<Record<string, SourceError>> {
  return {
    ...refusals(),
    ...lostAnswers(),
    ...strangeAnswers(),
    'a redirect into the private network': unreadable({ kind: 'redirect', to: elsewhere }),
  };
}

/** Errors after which the source certainly has not answered. */
function refusals(): Readonly<Record<string, SourceError>> {
  return {
    '500': { failure: status(500), waitsFor: 'failing' },
    '503': { failure: status(503), waitsFor: 'failing' },
    '503 with Retry-After': { failure: status(503, '1') },
    '429': { failure: status(429) },
    '429 with Retry-After': { failure: status(429, '1') },
    '401, a rejected key': { failure: status(401), waitsFor: 'refused' },
    '402, an account without credits': { failure: status(402), waitsFor: 'unpaid' },
    '403, a block': { failure: status(403), waitsFor: 'declined' },
    '400, equal each time': { failure: status(400), failsWith: 'source_refused', waitsFor: 'declined' },
  };
}

/** Errors after which it is unknown whether the source has answered. */
function lostAnswers(): Readonly<Record<string, SourceError>> {
  return {
    ...bothWays('502 of a gateway', status(502)),
    ...bothWays('a connection closed before the response', { kind: 'cut', when: 'before' }),
    ...bothWays('a truncated response', { kind: 'cut', when: 'middle' }),
    // Twice as many as are in flight: each takes the maximum time of a call.
    ...bothWays('no response', { kind: 'hang' }, { lasts: { forCalls: 12 }, deadlineSeconds: 2 }),
    'an unreachable server': { failure: 'away', failsWith: 'in_doubt', waitsFor: 'failing' },
  };
}

function bothWays(
  name: string,
  failure: Failure,
  more: Pick<SourceError, 'lasts' | 'deadlineSeconds'> = {},
): Readonly<Record<string, SourceError>> {
  return {
    [`${name}, idempotent`]: { failure, ...more, idempotent: true },
    [`${name}, repeats charged`]: { failure, ...more, failsWith: 'in_doubt' },
  };
}

/** Status 200 with an unexpected body. */
function strangeAnswers(): Readonly<Record<string, SourceError>> {
  const page = '<!doctype html><title>Back soon</title><p>We are improving our service.';
  const error = { errors: [{ status: 503, code: 'overloaded' }], meta: { request_id: 'r' } };
  return {
    'an HTML page': unreadable({ kind: 'text', text: page }),
    '{}': unreadable({ kind: 'body', body: {} }),
    'a count of ads without ads': unreadable({ kind: 'body', body: { ads: [], ads_count: 3 } }),
    'an error': unreadable({ kind: 'body', body: error }),
    'an error with an empty list': unreadable({ kind: 'body', body: { ads: [], ...error } }),
    'the key of the ads renamed': changed(({ ads, ...others }) => ({ ...others, results: ads })),
    'ads that are not a list': changed(({ ads, ...others }) => ({ ...others, ads: { list: ads } })),
    'null for ads': changed((answer) => ({ ...answer, ads: null })),
    'a body above the size limit': unreadable({ kind: 'huge', bytes: 10_500_000 }),
  };
}

function changed(change: Extract<Failure, { kind: 'change' }>['change']): SourceError {
  return unreadable({ kind: 'change', change });
}

function unreadable(failure: Failure): SourceError {
  return { failure, failsWith: 'source_unreadable', waitsFor: 'failing' };
}

function status(code: number, retryAfter?: string): Failure {
  return { kind: 'status', status: code, ...(retryAfter === undefined ? {} : { retryAfter }) };
}
