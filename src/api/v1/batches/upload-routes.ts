import { createRoute } from '@hono/zod-openapi';
import { anySearch, type SearchOptions } from '../../../core/ads/ads-answer.ts';
import { originOf, parseLabelChanges, type BatchLabelChanges } from '../../../core/batches/batch-labels.ts';
import { noBounds, type BatchSummary } from '../../../core/batches/batch.ts';
import { parseSpend, type Spend } from '../../../core/sources/spend.ts';
import { readFileLimits } from '../../../producer/load/account-limits.ts';
import type { ReadOptions } from '../../../producer/rows/read-companies.ts';
import { actorOf } from '../../http/actor.ts';
import type { ApiContext } from '../../http/api-env.ts';
import {
  fingerprintOf,
  jsonReply,
  storedResponse,
  storeInTransaction,
  send,
} from '../../http/idempotency.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { checkList } from '../../upload/check-batch.ts';
import { takeUpload, type Upload } from '../../upload/read-upload.ts';
import { toHttpError } from '../../upload/to-http-error.ts';
import { rejectSources } from '../../upload/validate-sources.ts';
import { createSpool, type SpooledList } from '../../upload/spool.ts';
import { batchBody, batchRequest, uploadOptions, type BatchRequest, type UploadOptions } from './schema.ts';
import { requireRoom } from './require-room.ts';
import { toBatchBody } from './batch-body.ts';
import { checkBody, toCheckBody } from '../../upload/check-schema.ts';
import { postHeaders } from '../../http/headers.ts';
import { listContents, microOf, searchOf } from '../../upload/schema.ts';

/** Routes `POST /v1/batches`: a file as the body, as a form, or as rows in JSON. */
export function routeBatchUpload(router: Router): void {
  const { http, guards, services, log } = router;
  const spool = createSpool(services.config.home);
  spool.sweep().catch((error: unknown) => log.warn({ err: error }, 'Old uploads could not be removed.'));
  const route = createRoute({
    method: 'post',
    path: '/v1/batches',
    summary: 'Create a batch',
    description: `Uploads a file of companies, e-mail addresses or both as a batch, which is then looked up. The file is accepted or rejected as a whole; if
it is accepted, every data row has an outcome. The file can be CSV, an Excel or OpenDocument workbook, Parquet, NDJSON or a JSON array. Send
it as the body, with the options in the query, as a form with one file and the options as fields, or send rows as JSON. Without an Idempotency-Key every request creates a new batch.`,
    tags: ['Batches'],
    middleware: guards.upload('batches:write'),
    request: {
      headers: postHeaders,
      query: uploadOptions,
      body: {
        content: { ...listContents, 'application/json': { schema: batchRequest } },
      },
    },
    responses: {
      200: {
        description: 'With `dry_run`: the result of the check. Nothing is stored.',
        content: { 'application/json': { schema: checkBody } },
      },
      201: { description: 'The batch.', content: { 'application/json': { schema: batchBody } } },
      ...problemResponses('post', 'not_configured', 'source_unavailable'),
    },
  });
  http.openapi(route, async (c) => {
    await requireRoom(services, c);
    // The library has no type for a body with several media types.
    const rows: unknown = c.req.valid('json' as never);
    const forms = { query: c.req.valid<'query'>('query'), json: rows as BatchRequest, fields: uploadOptions };
    return (await takeUpload<UploadOptions, BatchRequest>(c, spool, forms, async (upload) => {
      const wanted = wantedOf(upload);
      await rejectSources(services.sources.registry, 'source', wanted);
      return router.runOnce(c, fingerprint(wanted), () =>
        toHttpError(wanted.isDryRun ? check(router, c, wanted) : load(router, c, wanted)),
      );
    })) as never;
  });
}

/** Options of an upload. */
interface Wanted {
  readonly list: SpooledList;
  readonly reading: ReadOptions;
  /** Null for the configured sources. */
  readonly sources: readonly string[] | null;
  readonly search: SearchOptions;
  readonly limitRows: number | null;
  readonly maxCredits: number | null;
  readonly isDryRun: boolean;
  /** Undefined without one, for the same reason as `labels`. */
  readonly maxSpend: Spend | null | undefined;
  /** Undefined without labels, so that the fingerprint of such a request stays the same in every version. */
  readonly labels: BatchLabelChanges | undefined;
}

function wantedOf({ list, reading, options }: Upload<UploadOptions | BatchRequest>): Wanted {
  return {
    list,
    reading,
    sources: options.source ?? null,
    search: searchOf(options, anySearch),
    limitRows: options.limit ?? null,
    maxCredits: options.max_credits ?? null,
    isDryRun: options.dry_run ?? false,
    maxSpend: options.max_spend === undefined ? undefined : parseSpend(options.max_spend),
    labels: labelsOf(options),
  };
}

function labelsOf({ name, tags }: UploadOptions | BatchRequest): BatchLabelChanges | undefined {
  if (name === undefined && tags === undefined) return undefined;
  return parseLabelChanges({ name, tags });
}

function fingerprint({ list, ...options }: Wanted): Buffer {
  return fingerprintOf(['POST', '/v1/batches', JSON.stringify(options), list.digest]);
}

async function check({ services }: Router, c: ApiContext, wanted: Wanted): Promise<Response> {
  const { accountId } = c.var.caller;
  const limits = await readFileLimits(services.accounts.limits, accountId);
  const reading = { ...wanted.reading, limits };
  const { check: found, data } = await checkList(services, accountId, { ...wanted, reading });
  return Response.json(toCheckBody(found, data));
}

async function load({ services }: Router, c: ApiContext, wanted: Wanted): Promise<Response> {
  const { accountId } = c.var.caller;
  const { list, reading, limitRows, maxCredits, maxSpend } = wanted;
  const { publicId } = await services.batches.load({
    accountId,
    open: list.open,
    sha256: list.digest.toString('hex'),
    reading,
    sources: async () => {
      const sources = wanted.sources ?? (await services.sources.registry.defaultNames());
      await services.sources.prepareSearch(sources, wanted.search, { spend: maxSpend, where: 'max_spend' });
      return sources;
    },
    search: wanted.search,
    bounds: {
      ...noBounds,
      ...(limitRows === null ? {} : { limitRows }),
      ...(maxCredits === null ? {} : { maxCreditsMicro: microOf(maxCredits) }),
      ...(maxSpend === undefined ? {} : { maxSpend }),
    },
    // Without an Idempotency-Key the same file creates a second batch (docs/architecture/concepts.md).
    joinedBy: c.var.keeping === null ? c.var.requestId : `key ${c.var.keeping.claim.key}`,
    by: actorOf(c).actor,
    labels: { ...wanted.labels, origin: originOf(actorOf(c).actor) },
    again: false,
    kept: storeInTransaction(c, toReply),
    onProgress: () => undefined,
  });
  // The batch may have changed since the stored response.
  return send(c, storedResponse(c) ?? toReply(await services.batches.store.readSummary(accountId, publicId)));
}

function toReply(batch: BatchSummary) {
  return jsonReply(201, toBatchBody(batch), { Location: `/v1/batches/${batch.publicId}` });
}
