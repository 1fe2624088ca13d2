import { createRoute } from '@hono/zod-openapi';
import {
  assertTermsFit,
  standardInboxTerms,
  type Inbox,
  type InboxTerms,
} from '../../../core/inboxes/inbox.ts';
import type { InboxAccess } from '../../../core/inboxes/inbox-store.ts';
import { assertFolderAllowed } from '../../../core/storage/assert-folder-allowed.ts';
import type { Location } from '../../../core/storage/location.ts';
import { postHeaders } from '../../http/headers.ts';
import { jsonReply, send, storedResponse, storeInTransaction } from '../../http/idempotency.ts';
import { Problem } from '../../http/problem.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { rejectSources } from '../../upload/validate-sources.ts';
import { credentialsOf, locationFields, locationOf } from '../fields/place.ts';
import { standardZone } from '../schedules/terms-schema.ts';
import { inboxBody, inboxId, toInboxBody } from './schema.ts';
import { inboxChanges, inboxRequest, termsOf, type InboxChanges } from './terms-schema.ts';

/** Time to open a location and to list its files, in milliseconds. */
const tryMsMax = 20_000;

/** Routes `POST /v1/inboxes` and `PATCH /v1/inboxes/{id}`. */
export function routeInboxChanges(router: Router): void {
  routeAdd(router);
  routeChange(router);
}

function routeAdd(router: Router): void {
  const { http, guards, services } = router;
  const route = createRoute({
    method: 'post',
    path: '/v1/inboxes',
    summary: 'Add an inbox',
    description:
      'Creates an inbox: a place that is looked into at the times of a cron pattern, and whose new files become batches. The location is opened at once, and must answer. Nothing in it is deleted unless `after` says so.',
    tags: ['Inboxes'],
    middleware: guards.postJson('batches:write'),
    request: {
      headers: postHeaders,
      body: { required: true, content: { 'application/json': { schema: inboxRequest } } },
    },
    responses: {
      201: { description: 'The inbox.', content: { 'application/json': { schema: inboxBody } } },
      ...problemResponses('post', 'conflict', 'not_configured', 'source_unavailable'),
    },
  });
  http.openapi(route, async (c) => {
    const given = c.req.valid('json');
    const location = allowedPlace(router, locationOf(given.location, given));
    const terms = {
      timeZone: standardZone,
      ...standardInboxTerms,
      ...termsOf(given),
      name: given.name.trim(),
      location,
    };
    const sources = await sourcesOf(router, given, terms);
    const access = { credentials: credentialsOf(location.kind, given), isOperators: false };
    const wanted = { ...terms, sources };
    const found = await tryPlace(router, wanted, access);
    const { accountId } = c.var.caller;
    const kept = storeInTransaction(c, toReply);
    const added = await services.inboxes.store.add(accountId, { ...wanted, location: found }, access, kept);
    return send(c, storedResponse(c) ?? toReply(added)) as never;
  });
}

function routeChange(router: Router): void {
  const { http, guards, services } = router;
  const { store } = services.inboxes;
  const route = createRoute({
    method: 'patch',
    path: '/v1/inboxes/{id}',
    summary: 'Change an inbox',
    description:
      'Replaces the terms in the request; null removes a bound. Another location needs its credentials again. A file that is being loaded keeps its terms.',
    tags: ['Inboxes'],
    middleware: guards.post('batches:write'),
    request: {
      params: inboxId,
      headers: postHeaders,
      body: { content: { 'application/json': { schema: inboxChanges } } },
    },
    responses: {
      200: { description: 'The inbox.', content: { 'application/json': { schema: inboxBody } } },
      ...problemResponses('post', 'not_found', 'conflict', 'not_configured', 'source_unavailable'),
    },
  });
  http.openapi(route, async (c) => {
    const { accountId } = c.var.caller;
    const given = c.req.valid('json');
    const before = await store.read(accountId, c.req.valid('param').id);
    const moved =
      given.location === undefined
        ? {}
        : { location: allowedPlace(router, locationOf(given.location, given)) };
    if (given.location === undefined) rejectPlaceFields(given);
    const changes: Partial<InboxTerms> = { ...termsOf(given, before), ...moved };
    const after = { ...before, ...changes };
    const mustCheck = given.sources !== undefined || changes.search !== undefined;
    const sources = mustCheck
      ? {
          sources: await sourcesOf(
            router,
            { ...given, sources: given.sources ?? [...before.sources] },
            after,
          ),
        }
      : {};
    const access = changedAccess(given, after);
    const tries = access !== undefined || given.query !== undefined || given.newer_by !== undefined;
    const location = tries
      ? {
          location: await tryPlace(
            router,
            after,
            access ?? (await store.readAccess(accountId, before.publicId)),
          ),
        }
      : {};
    const all = { ...changes, ...sources, ...location };
    return c.json(toInboxBody(await store.edit(accountId, before.publicId, all, access)), 200);
  });
}

/** Secrets for another place are never those of the earlier one, which its server would see. */
function changedAccess(
  given: InboxChanges,
  { location }: Pick<InboxTerms, 'location'>,
): InboxAccess | undefined {
  if (given.location === undefined && given.credentials === undefined) return undefined;
  return { credentials: credentialsOf(location.kind, given), isOperators: false };
}

/** @throws ValidationError for a folder that the operator does not list. */
function allowedPlace({ services }: Router, location: Location): Location {
  if (location.kind === 'folder') assertFolderAllowed(location.path, services.config.folders);
  return location;
}

function rejectPlaceFields(given: InboxChanges): void {
  const fields = Object.keys(locationFields).filter((field) => field in given);
  if (fields.length === 0) return;
  const titles = fields.map((field) => `${field}: is a part of the location. Send location with it`);
  throw new Problem('validation_error', { titles });
}

/** The given sources, else the default ones; none for an inbox of addresses. */
async function sourcesOf(
  { services }: Router,
  { sources: named }: Pick<InboxChanges, 'sources'>,
  { operations, search }: Pick<InboxTerms, 'operations' | 'search'>,
): Promise<readonly string[]> {
  const { registry } = services.sources;
  if (named === undefined && operations?.includes('ads_search') === false) return [];
  await rejectSources(registry, 'sources', { sources: named ?? null, search });
  if (named !== undefined) return named;
  const names = await registry.defaultNames();
  await registry.check(names, search);
  await registry.named(names);
  return names;
}

/** Opens the location, and returns it with what the connection has completed. @throws StorageUnavailable | StorageRejected */
async function tryPlace({ services }: Router, terms: InboxTerms, access: InboxAccess): Promise<Location> {
  assertTermsFit(terms);
  const found = await services.inboxes.tryLocation({ ...terms, ...access }, AbortSignal.timeout(tryMsMax));
  return found.location;
}

function toReply(inbox: Inbox) {
  return jsonReply(201, toInboxBody(inbox), { Location: `/v1/inboxes/${inbox.publicId}` });
}
