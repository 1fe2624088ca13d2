import { createRoute } from '@hono/zod-openapi';
import { readColumns } from '../../../producer/columns/read-columns.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { toHttpError } from '../../upload/to-http-error.ts';
import { takeUpload } from '../../upload/read-upload.ts';
import { createSpool } from '../../upload/spool.ts';
import {
  columnsOptions,
  columnsRequest,
  listColumnsBody,
  toListColumnsBody,
  type ColumnsOptions,
  type ColumnsRequest,
} from './columns-schema.ts';
import { listContents } from '../../upload/schema.ts';

/** Routes `POST /v1/lists/columns`: the columns of a file, before they are mapped to fields. */
export function routeListColumns({ http, guards, services }: Router): void {
  const spool = createSpool(services.config.home);
  const route = createRoute({
    method: 'post',
    path: '/v1/lists/columns',
    summary: 'Detect the columns of a file',
    description: `Returns the columns of a file with the kind of their values, and the mapping that the account used last. Nothing is stored. The first
256 KiB of a CSV file are enough: the rest is ignored, and the end may be cut off anywhere. Any other file is needed whole. A header in which no column, or several, fit a
field is accepted, so that the user can choose.`,
    tags: ['Batches'],
    middleware: guards.upload('batches:write'),
    request: {
      query: columnsOptions,
      body: { content: { ...listContents, 'application/json': { schema: columnsRequest } } },
    },
    responses: {
      200: { description: 'The columns.', content: { 'application/json': { schema: listColumnsBody } } },
      ...problemResponses('ask'),
    },
  });
  http.openapi(route, async (c) => {
    // The library has no type for a body with several media types.
    const rows: unknown = c.req.valid('json' as never);
    const query = c.req.valid<'query'>('query');
    const forms = { query, json: rows as ColumnsRequest, fields: columnsOptions };
    return (await takeUpload<ColumnsOptions, ColumnsRequest>(c, spool, forms, async ({ list, reading }) => {
      const columns = await toHttpError(readColumns(list.open(), reading));
      const header = columns.columns.map(({ name }) => name);
      const remembered = await services.batches.savedMappings.findColumns(c.var.caller.accountId, header);
      return c.json(toListColumnsBody(columns, remembered), 200);
    })) as never;
  });
}
