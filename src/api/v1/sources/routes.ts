import { createRoute, z } from '@hono/zod-openapi';
import { parseSmokeCompany } from '../../../core/sources/state/smoke-test.ts';
import { postHeaders } from '../../http/headers.ts';
import { Problem } from '../../http/problem.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { smokeBody, smokeRequest, sourceListBody, toSmokeBody, toSourceBody } from './schema.ts';

/** Routes `GET /v1/sources`, and `POST /v1/operator/sources/{name}/smoke-tests` for operators. */
export function routeSources(router: Router): void {
  routeList(router);
  routeSmokeTest(router);
}

function routeList({ http, guards, services }: Router): void {
  const route = createRoute({
    method: 'get',
    path: '/v1/sources',
    summary: 'List the ad sources',
    description:
      'Returns all ad sources in one fixed order, with their state and price. Operators also get what is missing, and the limits of the calls.',
    tags: ['Sources'],
    middleware: guards.read('batches:read'),
    responses: {
      200: { description: 'The sources.', content: { 'application/json': { schema: sourceListBody } } },
      ...problemResponses('get'),
    },
  });
  http.openapi(route, async (c) => {
    const isOperators = c.var.caller.permissions.includes('operator');
    const states = await services.sources.states();
    return c.json({ sources: states.map((state) => toSourceBody(state, { isOperators })) }, 200);
  });
}

function routeSmokeTest({ http, guards, services }: Router): void {
  const route = createRoute({
    method: 'post',
    path: '/v1/operator/sources/{name}/smoke-tests',
    summary: 'Test a source with a real request',
    description:
      'Sends one real request, compares the keys of the response with the recorded ones, and stores the result. It costs what a call costs at the ' +
      'vendor, and ads that it finds cost the account of the operator 0.2 credits.',
    tags: ['Operators'],
    security: [{ session: [] }],
    middleware: guards.postJson('operator'),
    request: {
      params: z.object({
        name: z.string().openapi({ param: { name: 'name', in: 'path' } }),
      }),
      headers: postHeaders,
      body: { required: true, content: { 'application/json': { schema: smokeRequest } } },
    },
    responses: {
      200: { description: 'The result.', content: { 'application/json': { schema: smokeBody } } },
      ...problemResponses(
        'post',
        'session_ended',
        'foreign_origin',
        'not_found',
        'insufficient_credits',
        'source_unavailable',
      ),
    },
  });
  http.openapi(route, async (c) => {
    const { name } = c.req.valid('param');
    const { company_domain: domain, company_name: companyName } = c.req.valid('json');
    const source = services.config.catalog.sources.find(({ id }) => id === name);
    const lacks = source === undefined ? null : await services.sources.registry.findLack(source);
    if (lacks !== null) throw new Problem('validation_error', { titles: [`name: ${lacks}`] });
    const company = parseSmokeCompany({ domain, name: companyName }, 'company_domain');
    const { accountId } = c.var.caller;
    return c.json(toSmokeBody(await services.lookups.smokeSource(name, { accountId, company })), 200);
  });
}
