import { createRoute } from '@hono/zod-openapi';
import {
  type BatchControl,
  type RetryChoice,
  cancelBatch,
  pauseBatch,
  type ControlOptions,
} from '../../../core/batches/batch-control.ts';
import type { BatchBounds, BatchMove } from '../../../core/batches/batch.ts';
import { sleep } from '../../../core/async/wait.ts';
import { actorOf } from '../../http/actor.ts';
import type { ApiContext } from '../../http/api-env.ts';
import { Problem } from '../../http/problem.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import {
  batchBody,
  batchId,
  nothingRequest,
  resumeRequest,
  retryBody,
  retryRequest,
  type RetryRequest,
  type ResumeRequest,
} from './schema.ts';
import { toBatchBody, toRetriedBody } from './batch-body.ts';
import { postHeaders } from '../../http/headers.ts';
import { microOf } from '../../upload/schema.ts';

/** So long a request waits for the calls under way to end; what was asked for stays asked for. */
const restMsMax = 60_000;

/** `POST /v1/batches/{id}/pause`, `resume`, `cancel` and `retry`. */
export function routeBatchControl(router: Router): void {
  routePause(router);
  routeCancel(router);
  routeResume(router);
  routeRetry(router);
}

function routePause({ http, guards, services }: Router): void {
  const route = createRoute({
    ...control(guards, 'pause', 'Pause a batch'),
    description:
      'Once this answers, no call of the batch is under way and none begins until it is resumed; nothing is held for it.',
  });
  http.openapi(route, async (c) => {
    const batch = batchOf(c, c.req.valid('param').id);
    await inTime((signal) => pauseBatch(options(services, c, signal), batch));
    return c.json(
      toBatchBody(await services.batches.store.readSummary(batch.accountId, batch.publicId)),
      200,
    );
  });
}

function routeCancel({ http, guards, services }: Router): void {
  const route = createRoute({
    ...control(guards, 'cancel', 'Cancel a batch'),
    description:
      'Ends a batch for good. What is done stays; its open companies end as cancelled, free of charge.',
  });
  http.openapi(route, async (c) => {
    const batch = batchOf(c, c.req.valid('param').id);
    const before = await services.batches.store.readSummary(batch.accountId, batch.publicId);
    const isThere = await inTime((signal) => cancelBatch(options(services, c, signal), batch));
    // A list that never arrived whole is removed.
    const after = isThere
      ? await services.batches.store.readSummary(batch.accountId, batch.publicId)
      : { ...before, state: 'cancelled' as const };
    return c.json(toBatchBody(after), 200);
  });
}

function routeResume({ http, guards, services }: Router): void {
  const route = createRoute({
    ...control(guards, 'resume', 'Resume a batch'),
    description:
      'Lets a batch that is paused or waits go on. A limit that is reached is lifted; bounds that are given replace those it has.',
    request: {
      params: batchId,
      headers: postHeaders,
      body: { content: { 'application/json': { schema: resumeRequest } } },
    },
  });
  http.openapi(route, async (c) => {
    const { accountId, publicId } = batchOf(c, c.req.valid('param').id);
    await controlOf(services, c).resume(accountId, publicId, boundsOf(c.req.valid('json')));
    return c.json(toBatchBody(await services.batches.store.readSummary(accountId, publicId)), 200);
  });
}

function routeRetry({ http, guards, services }: Router): void {
  const route = createRoute({
    ...control(guards, 'retry', 'Retry a batch'),
    description: 'Looks the failed companies of a finished batch up again.',
    request: {
      params: batchId,
      headers: postHeaders,
      body: { content: { 'application/json': { schema: retryRequest } } },
    },
    responses: {
      200: { description: 'The batch.', content: { 'application/json': { schema: retryBody } } },
      ...problemResponses('post', 'not_found', 'conflict'),
    },
  });
  http.openapi(route, async (c) => {
    const { accountId, publicId } = batchOf(c, c.req.valid('param').id);
    const { retried, inDoubtLeft } = await controlOf(services, c).retry(
      accountId,
      publicId,
      choiceOf(c.req.valid('json')),
    );
    const batch = await services.batches.store.readSummary(accountId, publicId);
    return c.json(toRetriedBody(batch, { retried, inDoubtLeft }), 200);
  });
}

function choiceOf({ in_doubt: inDoubt, reparse: reparse }: RetryRequest): RetryChoice {
  if (reparse === true && inDoubt === true) {
    throw new Problem('validation_error', {
      titles: ['in_doubt, reparse: one asks the sources again, the other does not. Choose one of the two.'],
    });
  }
  if (reparse === true) return 'reparse';
  return inDoubt === true ? 'in_doubt' : 'certain';
}

/** Common part of the four routes. */
function control<Move extends BatchMove>(guards: Router['guards'], move: Move, summary: string) {
  return {
    method: 'post' as const,
    path: `/v1/batches/{id}/${move}` as const,
    summary,
    tags: ['Batches'],
    middleware: guards.post('batches:write'),
    request: {
      params: batchId,
      headers: postHeaders,
      body: { content: { 'application/json': { schema: nothingRequest } } },
    },
    responses: {
      200: { description: 'The batch.', content: { 'application/json': { schema: batchBody } } },
      ...problemResponses('post', 'not_found', 'conflict'),
    },
  };
}

function batchOf(c: ApiContext, publicId: string): { readonly accountId: number; readonly publicId: string } {
  return { accountId: c.var.caller.accountId, publicId };
}

/** Moves as those of who asks. */
function controlOf({ batches: { control } }: Router['services'], c: ApiContext): BatchControl {
  return control.actingAs(actorOf(c).actor);
}

function options(services: Router['services'], c: ApiContext, signal: AbortSignal): ControlOptions {
  return { control: controlOf(services, c), sleep, signal, onWaiting: () => undefined };
}

/** Beyond the time the move still holds, and a dispatcher brings the batch to rest; the client may ask again. */
async function inTime<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(restMsMax);
  try {
    return await work(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new Problem('service_unavailable', {
      titles: ['Calls of the batch are still under way; repeat the request'],
      headers: { 'Retry-After': '5' },
      cause: error,
    });
  }
}

function boundsOf({ limit, max_credits: maxCredits }: ResumeRequest): Partial<BatchBounds> {
  return {
    ...(limit === undefined ? {} : { limitRows: limit }),
    ...(maxCredits === undefined
      ? {}
      : { maxCreditsMicro: maxCredits === null ? null : microOf(maxCredits) }),
  };
}
