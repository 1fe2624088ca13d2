import { createRoute } from '@hono/zod-openapi';
import type { Schedule, ScheduleFile } from '../../../core/schedules/schedule.ts';
import { readFileLimits } from '../../../producer/load/account-limits.ts';
import { readScheduleFile } from '../../../producer/preview/read-schedule-file.ts';
import type { ApiContext } from '../../http/api-env.ts';
import {
  fingerprintOf,
  jsonReply,
  storedResponse,
  storeInTransaction,
  send,
} from '../../http/idempotency.ts';
import { readPrices } from '../../../core/credits/price-book.ts';
import { Problem } from '../../http/problem.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import { mediaTypeOf } from '../../http/read-json.ts';
import type { Router } from '../../http/router.ts';
import { createConcurrencyLimiter, type Turns } from '../../http/concurrency-limiter.ts';
import { toHttpError } from '../../upload/to-http-error.ts';
import { rejectQuery, takeUpload, type Upload } from '../../upload/read-upload.ts';
import { rejectSources } from '../../upload/validate-sources.ts';
import { createSpool } from '../../upload/spool.ts';
import { postHeaders } from '../../http/headers.ts';
import { listContents, searchOf } from '../../upload/schema.ts';
import {
  changesOf,
  mentionsSearch,
  scheduleChanges,
  scheduleRequest,
  scheduleTexts,
  termsOf,
  type ScheduleChanges,
  type ScheduleRequest,
  type ScheduleTexts,
} from './terms-schema.ts';
import { scheduleBody, scheduleId, toScheduleBody } from './schema.ts';

/** Files in memory at a time. Each is in memory completely. */
const listLimits = { total: 4, perAccount: 2, waitingPerAccount: 4, what: 'lists' };

/** Routes `POST /v1/schedules` and `PATCH /v1/schedules/{id}`: a schedule with its file as the body, as a form, or in JSON. */
export function routeScheduleUpload(router: Router): void {
  const turns = createConcurrencyLimiter(listLimits);
  const withList: WithList = (c, { list, reading }, work) =>
    turns.take(c.var.caller.accountId, async () => {
      const prices = await readPrices(router.services.credits.prices);
      const limits = await readFileLimits(router.services.accounts.limits, c.var.caller.accountId);
      const read = await toHttpError(readScheduleFile(list.open(), { ...reading, limits }, prices));
      return work(read.file);
    });
  routeAdd(router, withList, turns);
  routeChange(router, withList);
}

/** Parses an uploaded file and passes it to `work`. */
type WithList = (
  c: ApiContext,
  upload: Upload<unknown>,
  work: (list: ScheduleFile) => Promise<Response>,
) => Promise<Response>;

function routeAdd(router: Router, withList: WithList, turns: Turns): void {
  const { http, guards, services } = router;
  const spool = createSpool(services.config.home);
  const route = createRoute({
    method: 'post',
    path: '/v1/schedules',
    summary: 'Add a schedule',
    description: `Creates a schedule: it stores a file of companies and scans it at the times of a cron pattern. Each scan is a batch. Send the file as
for a batch: as the body with the options in the query, as a form with one file and the options as fields, or rows as JSON. Or name a \`batch\`
in JSON: the schedule stores a copy of its rows, and takes its sources and search options.`,
    tags: ['Schedules'],
    middleware: guards.upload('batches:write'),
    request: {
      headers: postHeaders,
      query: scheduleTexts,
      body: { content: { ...listContents, 'application/json': { schema: scheduleRequest } } },
    },
    responses: {
      201: { description: 'The schedule.', content: { 'application/json': { schema: scheduleBody } } },
      ...problemResponses('post', 'not_found', 'conflict', 'not_configured', 'source_unavailable'),
    },
  });
  http.openapi(route, async (c) => {
    // The library has no type for a body with several media types.
    const { rows = [], ...json } = c.req.valid('json' as never) as ScheduleRequest;
    const query = c.req.valid<'query'>('query');
    if (mediaTypeOf(c) === 'application/json') rejectBatchAndRows({ rows, ...json });
    if (json.batch !== undefined) {
      rejectQuery(query);
      return (await addFromBatch(router, c, { ...json, batch: json.batch }, turns)) as never;
    }
    const forms = { query, json: { ...json, rows }, fields: scheduleTexts };
    return (await takeUpload<ScheduleTexts, ScheduleRows>(c, spool, forms, async (upload) => {
      const terms = termsOf(upload.options);
      const named = upload.options.sources ?? null;
      await rejectSources(services.sources.registry, 'sources', { sources: named, search: terms.search });
      return router.runOnce(c, fingerprint(upload), () =>
        withList(c, upload, async (list) => {
          const sources = named ?? (await defaultSources(router, terms));
          const { accountId } = c.var.caller;
          const kept = storeInTransaction(c, toReply);
          const added = await services.schedules.store.add(accountId, { ...terms, sources }, list, kept);
          return send(c, storedResponse(c) ?? toReply(added));
        }),
      );
    })) as never;
  });
}

type ScheduleRows = ScheduleRequest & { readonly rows: NonNullable<ScheduleRequest['rows']> };

/** Rejects a request that has not exactly one of the two, or reading options with a batch. @throws Problem */
function rejectBatchAndRows({ batch, rows, ...given }: ScheduleRows): void {
  if (batch === undefined) {
    if (rows.length > 0) return;
    throw new Problem('validation_error', {
      titles: ['rows: is missing. Send rows, or the id of a batch as `batch`'],
    });
  }
  if (rows.length > 0)
    throw new Problem('validation_error', {
      titles: ['batch: cannot be combined with rows. Send one of them'],
    });
  rejectReading(given);
}

/** Creates a schedule of the rows of a batch. Terms that are not given are those of the batch. */
async function addFromBatch(
  router: Router,
  c: ApiContext,
  { batch: publicId, ...given }: ScheduleRequest & { readonly batch: string },
  turns: Turns,
): Promise<Response> {
  const { batches, schedules, sources: ofSources } = router.services;
  const { accountId } = c.var.caller;
  const fingerprint = fingerprintOf(['POST', '/v1/schedules', JSON.stringify([publicId, given])]);
  return router.runOnce(c, fingerprint, async () => {
    const batch = await batches.submitted.read(accountId, publicId);
    const sources = given.sources ?? batch.sources;
    const terms = { ...termsOf(given, batch.search), sources };
    await rejectSources(ofSources.registry, 'sources', terms);
    return turns.take(accountId, async () => {
      const prices = await readPrices(router.services.credits.prices);
      const { file } = await toHttpError(batches.submitted.toScheduleFile(accountId, batch, prices));
      const added = await schedules.store.add(accountId, terms, file, storeInTransaction(c, toReply));
      return send(c, storedResponse(c) ?? toReply(added));
    });
  });
}

function routeChange(router: Router, withList: WithList): void {
  const { http, guards, services } = router;
  const spool = createSpool(services.config.home);
  const route = createRoute({
    method: 'patch',
    path: '/v1/schedules/{id}',
    summary: 'Change a schedule',
    description: `Replaces the terms in the request; null removes a bound. To replace the file, send it as for a new schedule. Scans that have begun keep
their terms.`,
    tags: ['Schedules'],
    middleware: guards.change('batches:write'),
    request: {
      params: scheduleId,
      query: scheduleTexts,
      body: { content: { ...listContents, 'application/json': { schema: scheduleChanges } } },
    },
    responses: {
      200: { description: 'The schedule.', content: { 'application/json': { schema: scheduleBody } } },
      ...problemResponses('patch', 'not_found', 'conflict'),
    },
  });
  http.openapi(route, async (c) => {
    const before = await services.schedules.store.read(c.var.caller.accountId, c.req.valid('param').id);
    const json: unknown = c.req.valid('json' as never);
    const { rows, ...changes } = json as ScheduleChanges;
    const query = c.req.valid<'query'>('query');
    const change = (given: ScheduleTexts | ScheduleChanges, list?: ScheduleFile) =>
      edit(router, c, { before, given, list });
    if (rows === undefined && ['', 'application/json'].includes(mediaTypeOf(c))) {
      rejectQuery(query);
      rejectReading(changes);
      return (await change(changes)) as never;
    }
    const forms = { query, json: { ...changes, rows: rows ?? [] }, fields: scheduleTexts };
    return (await takeUpload(c, spool, forms, (upload) =>
      withList(c, upload, (list) => change(upload.options, list)),
    )) as never;
  });
}

interface Edit {
  readonly before: Schedule;
  readonly given: ScheduleTexts | ScheduleChanges;
  /** New file of the schedule. Undefined keeps the current one. */
  readonly list: ScheduleFile | undefined;
}

async function edit({ services }: Router, c: ApiContext, { before, given, list }: Edit): Promise<Response> {
  const { sources } = given;
  const search = searchOf(given, before.search);
  const isSearched = mentionsSearch(given);
  if (sources !== undefined || isSearched)
    await rejectSources(services.sources.registry, 'sources', { sources: sources ?? before.sources, search });
  const changes = {
    ...changesOf(given),
    ...(sources === undefined ? {} : { sources }),
    ...(isSearched ? { search } : {}),
  };
  const edited = await services.schedules.store.edit(c.var.caller.accountId, before.publicId, changes, list);
  return c.json(toScheduleBody(edited), 200);
}

/** Rejects reading options without a file. */
function rejectReading(changes: Pick<ScheduleChanges, 'map' | 'file_name'>): void {
  const fields = (['map', 'file_name'] as const).filter((field) => changes[field] !== undefined);
  if (fields.length === 0) return;
  throw new Problem('validation_error', {
    titles: fields.map((field) => `${field}: is an option of a file. Send rows with it`),
  });
}

async function defaultSources(
  {
    services: {
      sources: { registry: sources },
    },
  }: Router,
  { search }: Pick<Schedule, 'search'>,
): Promise<readonly string[]> {
  const names = await sources.defaultNames();
  await sources.check(names, search);
  await sources.named(names);
  return names;
}

/** Fingerprints an upload. The rows of a JSON body count as the file. */
function fingerprint({ list, reading, options }: Upload<object>): Buffer {
  const scheduleTerms = { ...options, rows: undefined };
  return fingerprintOf(['POST', '/v1/schedules', JSON.stringify([reading, scheduleTerms]), list.digest]);
}

function toReply(schedule: Schedule) {
  return jsonReply(201, toScheduleBody(schedule), { Location: `/v1/schedules/${schedule.publicId}` });
}
