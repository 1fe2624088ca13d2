import { createRoute, z } from '@hono/zod-openapi';
import { readAge } from '../../../core/time/parse-age.ts';
import { parseSpend } from '../../../core/sources/spend.ts';
import { parseLabelChanges } from '../../../core/batches/batch-labels.ts';
import { noBounds } from '../../../core/batches/batch.ts';
import { actorOf } from '../../http/actor.ts';
import { postHeaders } from '../../http/headers.ts';
import { jsonReply, send, storedResponse, storeInTransaction } from '../../http/idempotency.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { budget, maxAge, microOf, spendCap } from '../../upload/schema.ts';
import { toBatchBody } from './batch-body.ts';
import { labelOptions } from './labels-schema.ts';
import { requireRoom } from './require-room.ts';
import { batchBody, batchId } from './schema.ts';

/** Request to run a batch again. */
const runAgainRequest = z
  .strictObject({
    limit: z.int().min(1).max(1_000_000).optional(),
    max_credits: budget(z.number()).optional(),
    max_spend: spendCap.optional(),
    max_age: maxAge.nullable().optional(),
    ...labelOptions,
  })
  .openapi('RunAgainRequest');

type RunAgainRequest = z.infer<typeof runAgainRequest>;

/** Routes `POST /v1/batches/{id}/run-again`. */
export function routeRunAgain(router: Router): void {
  const { http, guards, services } = router;
  const route = createRoute({
    method: 'post',
    path: '/v1/batches/{id}/run-again',
    summary: 'Run a batch again',
    description: `Runs the rows of a batch again, as a new batch with the same columns, operations, sources and search. Each lookup is charged anew, unless
\`max_age\` allows an earlier answer. Without an Idempotency-Key every request creates a new batch.`,
    tags: ['Batches'],
    middleware: guards.post('batches:write'),
    request: {
      params: batchId,
      headers: postHeaders,
      body: { content: { 'application/json': { schema: runAgainRequest } } },
    },
    responses: {
      201: { description: 'The new batch.', content: { 'application/json': { schema: batchBody } } },
      ...problemResponses('post', 'not_found', 'conflict'),
    },
  });
  http.openapi(route, async (c) => {
    await requireRoom(services, c);
    const { accountId } = c.var.caller;
    const { batches, sources } = services;
    const request = c.req.valid('json');
    const bounds = boundsOf(request);
    const { actor } = actorOf(c);
    const { publicId } = await batches.runAgain(accountId, c.req.valid('param').id, {
      bounds,
      labels: parseLabelChanges({ name: request.name, tags: request.tags }),
      ...(request.max_age === undefined
        ? {}
        : { ageMsMax: request.max_age === null ? null : readAge(request.max_age, 'max_age') }),
      check: (names, search) =>
        sources.prepareSearch(names, search, { spend: bounds.maxSpend, where: 'max_spend' }),
      by: actor,
      joinedBy: c.var.keeping === null ? c.var.requestId : `key ${c.var.keeping.claim.key}`,
      kept: storeInTransaction(c, toReply),
      onProgress: () => undefined,
    });
    return send(
      c,
      storedResponse(c) ?? toReply(await batches.store.readSummary(accountId, publicId)),
    ) as never;
  });
}

function toReply(batch: Parameters<typeof toBatchBody>[0]) {
  return jsonReply(201, toBatchBody(batch), { Location: `/v1/batches/${batch.publicId}` });
}

function boundsOf({ limit, max_credits: maxCredits, max_spend: maxSpend }: RunAgainRequest) {
  return {
    ...noBounds,
    ...(limit === undefined ? {} : { limitRows: limit }),
    ...(maxCredits === undefined ? {} : { maxCreditsMicro: microOf(maxCredits) }),
    ...(maxSpend === undefined ? {} : { maxSpend: parseSpend(maxSpend) }),
  };
}
