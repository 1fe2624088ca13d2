import { createRoute } from '@hono/zod-openapi';
import {
  type BatchControl,
  type RetryChoice,
  cancelBatch,
  pauseBatch,
  type ControlOptions,
} from '../../../core/batches/batch-control.ts';
import { rangesOfRows } from '../../../core/rows/row-ranges.ts';
import type { BatchBounds, BatchMove } from '../../../core/batches/batch.ts';
import { parseSpend } from '../../../core/sources/spend.ts';
import { sleep } from '../../../core/async/wait.ts';
import { actorOf } from '../../http/actor.ts';
import type { ApiContext } from '../../http/api-env.ts';
import { Problem } from '../../http/problem.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { batchBody, batchId } from './schema.ts';
import {
  nothingRequest,
  resumeRequest,
  retryBody,
  retryRequest,
  type RetryRequest,
  type ResumeRequest,
} from './control-schema.ts';
import { toBatchBody, toRetriedBody } from './batch-body.ts';
import { postHeaders } from '../../http/headers.ts';
import { microOf } from '../../upload/schema.ts';

/** Maximum time that a request waits for running calls to end. The transition continues afterwards. */
const restMsMax = 60_000;

/** Routes `POST /v1/batches/{id}/pause`, `resume`, `cancel` and `retry`. */
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
      'Pauses a batch. When the response arrives, no call of the batch is running, none starts until the batch is resumed, and no credits are reserved for it.',
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
      'Cancels a batch permanently. Outcomes so far are kept. Open lookups end as `cancelled`, free of charge.',
  });
  http.openapi(route, async (c) => {
    const batch = batchOf(c, c.req.valid('param').id);
    const before = await services.batches.store.readSummary(batch.accountId, batch.publicId);
    const isThere = await inTime((signal) => cancelBatch(options(services, c, signal), batch));
    // A file that never arrived completely is removed.
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
      'Resumes a batch that is paused or waiting. A row limit that has been reached is removed. Bounds in the request replace those of the batch.',
    request: {
      params: batchId,
      headers: postHeaders,
      body: { content: { 'application/json': { schema: resumeRequest } } },
    },
  });
  http.openapi(route, async (c) => {
    const { accountId, publicId } = batchOf(c, c.req.valid('param').id);
    const bounds = boundsOf(c.req.valid('json'));
    if (bounds.maxSpend !== undefined) {
      const { sources } = await services.batches.store.readSummary(accountId, publicId);
      await services.sources.checkSpend(bounds.maxSpend, sources, 'max_spend');
    }
    await controlOf(services, c).resume(accountId, publicId, bounds);
    return c.json(toBatchBody(await services.batches.store.readSummary(accountId, publicId)), 200);
  });
}

function routeRetry({ http, guards, services }: Router): void {
  const route = createRoute({
    ...control(guards, 'retry', 'Retry a batch'),
    description:
      'Retries the failed lookups of a finished batch, or those of companies that were not identified and are mapped now; of all rows, or of some. Results cost the usual price.',
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
    const { rows, unidentified = false, dry_run: isDryRun = false, ...given } = c.req.valid('json');
    const choice = choiceOf({ ...given, unidentified });
    const { store } = services.batches;
    const retried = await controlOf(services, c).retry(accountId, publicId, choice, {
      isDryRun,
      unidentified,
      ...(rows === undefined ? {} : { rows: rangesOfRows(rows) }),
      ...(choice === 'mapped'
        ? { advertisers: await services.sources.listSearched(await store.readSummary(accountId, publicId)) }
        : {}),
    });
    const batch = await store.readSummary(accountId, publicId);
    return c.json(toRetriedBody(batch, retried), 200);
  });
}

function choiceOf({ in_doubt: inDoubt, reparse, mapped, unidentified }: RetryRequest): RetryChoice {
  if (unidentified === true && (reparse === true || mapped === true))
    throw new Problem('validation_error', {
      titles: ['unidentified: cannot be combined with reparse or mapped. Retry them one after the other'],
    });
  if (mapped === true && (inDoubt === true || reparse === true)) {
    throw new Problem('validation_error', {
      titles: [
        'mapped: cannot be combined with in_doubt or reparse. It retries companies that were not identified, the others retry failed lookups.',
      ],
    });
  }
  if (mapped === true) return 'mapped';
  if (reparse === true && inDoubt === true) {
    throw new Problem('validation_error', {
      titles: [
        'in_doubt, reparse: give only one of them. The first calls the sources again, the second does not.',
      ],
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

/** Transitions of a batch, on behalf of the caller. */
function controlOf({ batches: { control } }: Router['services'], c: ApiContext): BatchControl {
  return control.actingAs(actorOf(c).actor);
}

function options(services: Router['services'], c: ApiContext, signal: AbortSignal): ControlOptions {
  return { control: controlOf(services, c), sleep, signal, onWaiting: () => undefined };
}

/**
 * Waits for a transition up to the maximum time. After that the transition still holds: the dispatcher drains the batch, and the client can
 * repeat the request.
 */
async function inTime<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(restMsMax);
  try {
    return await work(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new Problem('service_unavailable', {
      titles: ['Calls of the batch are still running. Repeat the request'],
      headers: { 'Retry-After': '5' },
      cause: error,
    });
  }
}

function boundsOf(request: ResumeRequest): Partial<BatchBounds> {
  const { limit, max_credits: maxCredits, max_spend: maxSpend } = request;
  return {
    ...(limit === undefined ? {} : { limitRows: limit }),
    ...(maxCredits === undefined
      ? {}
      : { maxCreditsMicro: maxCredits === null ? null : microOf(maxCredits) }),
    ...(maxSpend === undefined ? {} : { maxSpend: maxSpend === null ? null : parseSpend(maxSpend) }),
  };
}
