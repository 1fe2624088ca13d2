import { createRoute } from '@hono/zod-openapi';
import { parseCompany } from '../../../core/companies/company.ts';
import { readMapping } from '../../../core/companies/parse-mapping.ts';
import { actorOf } from '../../http/actor.ts';
import { postHeaders } from '../../http/headers.ts';
import { cutPage } from '../../http/pages.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import { Problem } from '../../http/problem.ts';
import type { Router } from '../../http/router.ts';
import { requiredCompanyOf, requiredKeyOf } from '../fields/company-query.ts';
import {
  dismissalBody,
  dismissalRequest,
  formatMappingCursor,
  mappedBody,
  mappingListBody,
  mappingQuery,
  mappingRequest,
  parseMappingCursor,
  removedBody,
  toEntryBody,
  toMappingFilter,
  unmappingQuery,
} from './mapping-schema.ts';
import { companyOf } from './schema.ts';

const tags = ['Companies'];
const path = '/v1/companies/mapping';

/** Routes `/v1/companies/mapping`: which advertisers belong to a company, as the account decided. */
export function routeMapping(router: Router): void {
  routeList(router);
  routeMap(router);
  routeUnmap(router);
  routeDismiss(router);
}

function routeList({ http, guards, services }: Router): void {
  const { companies } = services.sources;
  const route = createRoute({
    method: 'get',
    path,
    summary: 'List the mapping',
    description:
      "Returns the account's mapping of companies to advertisers, by company and advertiser. It precedes every other rule. Free.",
    tags,
    middleware: guards.read('batches:read'),
    request: { query: mappingQuery },
    responses: {
      200: {
        description: 'A page of entries.',
        content: { 'application/json': { schema: mappingListBody } },
      },
      ...problemResponses('get'),
    },
  });
  http.openapi(route, async (c) => {
    const { limit, after, ...query } = c.req.valid('query');
    const { accountId } = c.var.caller;
    const filter = toMappingFilter(query);
    const [found, total] = await Promise.all([
      companies.list(accountId, { ...filter, after: parseMappingCursor(after), limit: limit + 1 }),
      companies.count(accountId, filter),
    ]);
    const { items, next } = cutPage(found, limit, formatMappingCursor);
    return c.json({ entries: items.map(toEntryBody), total, next }, 200);
  });
}

function routeMap({ http, guards, services }: Router): void {
  const { companies } = services.sources;
  const route = createRoute({
    method: 'post',
    path,
    summary: 'Map an advertiser',
    description:
      'Maps a company to an advertiser, or changes the role and the note of a mapped one. It applies to all later lookups, and earlier ' +
      'results of the company are no longer reused. `POST /v1/batches/{id}/retry` looks up the companies of a batch that are mapped now.',
    tags,
    middleware: guards.postJson('batches:write'),
    request: {
      headers: postHeaders,
      body: { required: true, content: { 'application/json': { schema: mappingRequest } } },
    },
    responses: {
      200: { description: 'The entry.', content: { 'application/json': { schema: mappedBody } } },
      ...problemResponses('post'),
    },
  });
  http.openapi(route, async (c) => {
    const { advertiser_id: advertiserId, role, note = null, ...named } = c.req.valid('json');
    const companyKey = requiredKeyOf(named);
    const company = parseCompany({ domain: named.company_domain, name: named.company_name });
    const given = readMapping({ company, advertiserId, role, note });
    if (given.kind === 'refused') throw new Problem('validation_error', { titles: given.reasons });
    const { accountId } = c.var.caller;
    const { added } = await companies.map(accountId, [given.entry], actorOf(c));
    const listed = await companies.list(accountId, { companyKey });
    const entry = listed.find((each) => each.advertiserId === given.entry.advertiserId);
    // Another request may have removed it since.
    if (entry === undefined) throw notMapped();
    return c.json({ ...toEntryBody(entry), added: added > 0, warnings: [...given.warnings] }, 200);
  });
}

function routeUnmap({ http, guards, services }: Router): void {
  const { companies } = services.sources;
  const route = createRoute({
    method: 'delete',
    path,
    summary: 'Remove an advertiser from the mapping',
    description:
      'Removes an advertiser from the mapping of a company. Later lookups of the company identify it without this entry.',
    tags,
    middleware: guards.remove('batches:write'),
    request: { query: unmappingQuery },
    responses: {
      200: { description: 'The removed entry.', content: { 'application/json': { schema: removedBody } } },
      ...problemResponses('get', 'not_found'),
    },
  });
  http.openapi(route, async (c) => {
    const { advertiser_id: advertiserId, ...named } = c.req.valid('query');
    const companyKey = requiredKeyOf(named);
    const removed = await companies.remove(c.var.caller.accountId, companyKey, [advertiserId], actorOf(c));
    const [entry] = removed;
    if (entry === undefined) throw notMapped();
    return c.json({ ...companyOf({ companyKey, advertiserId }), role: entry.role }, 200);
  });
}

function routeDismiss({ http, guards, services }: Router): void {
  const route = createRoute({
    method: 'post',
    path: '/v1/companies/dismissals',
    summary: 'Dismiss a company',
    description:
      'Marks a company as one that no known advertiser is, so that it no longer waits for a decision among the companies that were not ' +
      'identified. Lookups are not affected. A change of its mapping removes the mark, and so does `"dismissed": false`.',
    tags,
    middleware: guards.postJson('batches:write'),
    request: {
      headers: postHeaders,
      body: { required: true, content: { 'application/json': { schema: dismissalRequest } } },
    },
    responses: {
      200: { description: 'The company.', content: { 'application/json': { schema: dismissalBody } } },
      ...problemResponses('post'),
    },
  });
  http.openapi(route, async (c) => {
    const { dismissed, ...named } = c.req.valid('json');
    const { key, domain, name } = requiredCompanyOf(named);
    await services.sources.companies.dismiss(c.var.caller.accountId, key, dismissed, actorOf(c));
    return c.json({ company_domain: domain, company_name: name, dismissed }, 200);
  });
}

function notMapped(): Problem {
  return new Problem('not_found', {
    titles: ['The company is not mapped to this advertiser. `GET /v1/companies/mapping` lists the mapping'],
  });
}
