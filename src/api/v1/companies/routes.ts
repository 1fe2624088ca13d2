import { createRoute } from '@hono/zod-openapi';
import { fullId } from '../../../core/companies/platform-id.ts';
import { NotFound } from '../../../core/errors.ts';
import { findCandidate } from '../../../core/companies/find-candidate.ts';
import { decide } from '../../../core/companies/review-candidate.ts';
import { actorOf } from '../../http/actor.ts';
import { postHeaders } from '../../http/headers.ts';
import { cutPage } from '../../http/pages.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { companyKeyOf, requiredCompanyOf } from '../fields/company-query.ts';
import {
  candidateListBody,
  candidatesQuery,
  decisionBody,
  decisionRequest,
  formatCandidateCursor,
  parseCandidateCursor,
  toCandidateBody,
  toDecisionBody,
} from './schema.ts';

const tags = ['Companies'];

/** Routes `GET /v1/companies/candidates`, the advertisers that wait for a decision, and `POST /v1/companies/decisions`. */
export function routeCompanies(router: Router): void {
  routeCandidates(router);
  routeDecisions(router);
}

function routeCandidates({ http, guards, services }: Router): void {
  const { candidates } = services.sources;
  const route = createRoute({
    method: 'get',
    path: '/v1/companies/candidates',
    summary: 'List uncertain advertisers',
    description:
      'Returns the advertisers that may belong to a company and may not, as lookups reported them, the most likely first. Their ads are in ' +
      'no result of a search by name. A decision removes an advertiser from the list. Free.',
    tags,
    middleware: guards.read('batches:read'),
    request: { query: candidatesQuery },
    responses: {
      200: {
        description: 'A page of advertisers.',
        content: { 'application/json': { schema: candidateListBody } },
      },
      ...problemResponses('get'),
    },
  });
  http.openapi(route, async (c) => {
    const { limit, after, batch, ...named } = c.req.valid('query');
    const { accountId } = c.var.caller;
    const filter = { companyKey: companyKeyOf(named) ?? undefined, batch };
    const wanted = { ...filter, after: parseCandidateCursor(after), limit: limit + 1 };
    const [found, counts] = await Promise.all([
      candidates.list(accountId, wanted),
      candidates.count(accountId, filter),
    ]);
    const { items, next } = cutPage(found, limit, formatCandidateCursor);
    return c.json({ candidates: items.map(toCandidateBody), ...counts, next }, 200);
  });
}

function routeDecisions({ http, guards, services }: Router): void {
  const { companies } = services.sources;
  const route = createRoute({
    method: 'post',
    path: '/v1/companies/decisions',
    summary: 'Decide on an uncertain advertiser',
    description:
      'Stores a decision on an advertiser that a lookup reported or that the local snapshot suggests, in the mapping of the company, with the evidence as its note. It applies to all later lookups, and ' +
      'earlier results of the company are no longer reused. Another decision replaces it.',
    tags,
    middleware: guards.postJson('batches:write'),
    request: {
      headers: postHeaders,
      body: { required: true, content: { 'application/json': { schema: decisionRequest } } },
    },
    responses: {
      200: { description: 'The decision.', content: { 'application/json': { schema: decisionBody } } },
      ...problemResponses('post', 'not_found'),
    },
  });
  http.openapi(route, async (c) => {
    const { advertiser_id: advertiserId, role, ...named } = c.req.valid('json');
    const { accountId } = c.var.caller;
    const company = requiredCompanyOf(named);
    const subject = { accountId, company, advertiserId: fullId(advertiserId) };
    const candidate = await findCandidate(services.sources, subject);
    if (candidate === null) throw new NotFound('No lookup and no local data set names this advertiser.');
    const entry = decide(candidate, role);
    await companies.map(accountId, [entry], actorOf(c));
    return c.json(toDecisionBody(entry), 200);
  });
}
