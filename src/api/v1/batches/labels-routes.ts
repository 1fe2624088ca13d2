import { createRoute, type z } from '@hono/zod-openapi';
import type { BatchFilter } from '../../../core/batches/batch-store.ts';
import { parseLabelChanges } from '../../../core/batches/batch-labels.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { toBatchBody } from './batch-body.ts';
import { batchChanges, type batchFilters } from './labels-schema.ts';
import { batchBody, batchId } from './schema.ts';

/** Routes `PATCH` and `DELETE /v1/batches/{id}`. */
export function routeBatchLabels({ http, guards, services }: Router): void {
  const change = createRoute({
    method: 'patch',
    path: '/v1/batches/{id}',
    summary: 'Change the labels of a batch',
    description: 'Renames, tags or archives a batch. Fields that the request lacks stay as they are.',
    tags: ['Batches'],
    middleware: guards.change('batches:write'),
    request: {
      params: batchId,
      body: { content: { 'application/json': { schema: batchChanges } } },
    },
    responses: {
      200: { description: 'The batch.', content: { 'application/json': { schema: batchBody } } },
      ...problemResponses('patch', 'not_found'),
    },
  });
  http.openapi(change, async (c) => {
    const { id } = c.req.valid('param');
    const changes = parseLabelChanges(c.req.valid('json'));
    return c.json(toBatchBody(await services.batches.store.label(c.var.caller.accountId, id, changes)), 200);
  });

  const remove = createRoute({
    method: 'delete',
    path: '/v1/batches/{id}',
    summary: 'Delete a batch',
    description:
      'Deletes a finished or cancelled batch. No list, page or export shows it from then on. Its rows and results are purged a day after its end at the earliest; its charges stay in the ledger. The last scan of a schedule cannot be deleted, because the next one is compared to it.',
    tags: ['Batches'],
    middleware: guards.remove('batches:write'),
    request: { params: batchId },
    responses: {
      204: { description: 'The batch is deleted.' },
      ...problemResponses('get', 'not_found', 'conflict'),
    },
  });
  http.openapi(remove, async (c) => {
    await services.batches.store.delete(c.var.caller.accountId, c.req.valid('param').id);
    return c.body(null, 204);
  });
}

/** Filters of a request for the list of batches. */
type Filters = z.infer<z.ZodObject<typeof batchFilters>>;

/** Converts the filters of the list of batches. */
export function toBatchFilter({ search, tag, state, origin, owner, archived }: Filters): BatchFilter {
  const archives = { true: 'only', false: 'no', all: 'all' } as const;
  return {
    ...(search === undefined ? {} : { search }),
    ...(tag === undefined ? {} : { tag }),
    ...(state === undefined ? {} : { states: state }),
    ...(origin === undefined ? {} : { origin }),
    ...(owner === undefined ? {} : { owner }),
    archived: archives[archived ?? 'false'],
  };
}
