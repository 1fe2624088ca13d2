import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { generateAds, numbersOf, toWireAnswer } from './stand-in-ads.ts';
import { createLimiter } from './stand-in-limit.ts';
import { appendCall, type StandInCall } from './stand-in-log.ts';
import type { StandInOptions } from './stand-in-options.ts';
import type { Behaviour } from './stand-in-script.ts';
import { sendAnswer, sendError } from './stand-in-failures.ts';

type WireAnswer = Record<string, unknown>;

/** Answers the calls of a stand-in and logs them; `behaviour` is evaluated for each call. */
export function createStandInHandler(
  options: StandInOptions & { readonly key: string },
  log: StandInCall[],
  behaviour: Behaviour,
) {
  const { key, shape = 'B', seed = 1, latencyMs = { min: 0, max: 0 }, idempotent = true } = options;
  const adsOf = options.ads ?? ((company: string) => generateAds(company, seed));
  const admit = createLimiter(options.rateLimit);
  const random = numbersOf(`latency|${seed}`);
  const attempts = new Map<string, number>();
  const stored = new Map<string, { readonly request: string; readonly answer: WireAnswer }>();
  let letIn = 0;

  return async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const closed = new Promise<void>((resolve) => response.once('close', resolve));
    const call = await openCall(request);
    log.push(call);
    response.once('finish', () => (call.answered = true));
    await handle(call, request, response);
    call.status = response.headersSent ? response.statusCode : 0;
    // Both must end: a caller that disconnects early is charged later, and one that stays is answered later.
    await closed;
    if (options.logFile !== undefined) appendCall(options.logFile, call);
  };

  async function handle(
    call: StandInCall,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { method, url, headers } = request;
    const company = companyOf(call.body);
    const isSearch = method === 'POST' && url === '/v1/ads/google-ads-search';
    if (!isSearch) return sendError(response, 404, 'not_found');
    if (headers['x-api-key'] !== key) return sendError(response, 401, 'invalid_api_key');
    if (headers['content-type'] !== 'application/json')
      return sendError(response, 415, 'unsupported_media_type');
    if (company === null) return sendError(response, 400, 'validation_error');
    const refusal = admit(call.at);
    if (refusal !== null) return sendError(response, 429, 'rate_limit_exceeded', refusal);
    await answer(call, company, response);
  }

  async function answer(call: StandInCall, company: string, response: ServerResponse): Promise<void> {
    const { requestKey } = call;
    letIn += 1;
    const attempt = requestKey === null ? letIn : (attempts.get(requestKey) ?? 0) + 1;
    if (requestKey !== null) attempts.set(requestKey, attempt);
    const failure = behaviour({ n: letIn, attempt, requestKey, company });
    call.failure = failure?.kind ?? null;
    await wait(latencyMs.min + random(latencyMs.max - latencyMs.min + 1));
    if (failure?.kind === 'status') {
      return sendError(response, failure.status, 'scripted', retryHeader(failure.retryAfter), failure.says);
    }
    if (failure?.kind === 'redirect') {
      response.writeHead(failure.status ?? 302, { location: failure.to }).end();
      return;
    }
    const result =
      idempotent && requestKey !== null
        ? takeEffectOnce(call, requestKey, company)
        : takeEffect(call, company);
    if (result === null) return sendError(response, 422, 'idempotency_key_reused');
    sendAnswer(response, result, failure);
  }

  /** Stored answer of a repeated call; null if the key belongs to another request. */
  function takeEffectOnce(call: StandInCall, requestKey: string, company: string): WireAnswer | null {
    const request = JSON.stringify(call.body);
    const earlier = stored.get(requestKey);
    if (earlier === undefined) {
      const result = takeEffect(call, company);
      stored.set(requestKey, { request, answer: result });
      return result;
    }
    if (earlier.request !== request) return null;
    call.replay = true;
    return earlier.answer;
  }

  function takeEffect(call: StandInCall, company: string): WireAnswer {
    call.effect = true;
    const ads = adsOf(company);
    if (ads === 'no_match') return { ...toWireAnswer(company, [], shape), match: 'no_match' };
    return toWireAnswer(company, ads, shape);
  }
}

async function openCall(request: IncomingMessage): Promise<StandInCall> {
  const at = performance.timeOrigin + performance.now();
  const key = request.headers['idempotency-key'];
  const requestKey = typeof key === 'string' ? key : null;
  const body = parseBody(await text(request).catch(() => 'cut off'));
  return { at, requestKey, body, status: 0, replay: false, effect: false, failure: null, answered: false };
}

/** Requested domain, otherwise the name; null if the body is not a request of the contract (docs/architecture/contract.md, 2.1). */
function companyOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null) return null;
  const fields = Object.entries(body);
  const known = ['company_domain', 'company_name'];
  if (!fields.every(([key, value]) => known.includes(key) && typeof value === 'string')) return null;
  const { company_domain, company_name } = Object.fromEntries<string>(fields);
  return company_domain ?? company_name ?? null;
}

function retryHeader(retryAfter: string | undefined): Record<string, string> {
  return retryAfter === undefined ? {} : { 'retry-after': retryAfter };
}

function parseBody(requestText: string): unknown {
  try {
    return JSON.parse(requestText) as unknown;
  } catch {
    return requestText;
  }
}
