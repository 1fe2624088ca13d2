import { createRoute } from '@hono/zod-openapi';
import { anySearch } from '../../../core/ads/ads-answer.ts';
import { LoopDetected, viaHeader } from '../../../core/sources/source-errors.ts';
import type { StoredAnswer } from '../../../core/sources/search-ads.ts';
import { parseCompany, type CompanyQuery, type ParsedCompany } from '../../../core/companies/company.ts';
import { jsonReply, storeInTransaction, send } from '../../http/idempotency.ts';
import { Problem } from '../../http/problem.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { adsSearchBody, adsSearchRequest, toAdsSearchBody } from './search-schema.ts';
import { postHeaders } from '../../http/headers.ts';

/** Routes `POST /v1/ads/google-ads-search`: the ads of one company (docs/architecture/contract.md, 4.1). */
export function routeAdsSearch({ http, guards, services }: Router): void {
  const route = createRoute({
    method: 'post',
    path: '/v1/ads/google-ads-search',
    summary: 'Google Ads search',
    description:
      'Finds the Google ads that a company runs. Costs 0.2 credits if at least one ad is found, and is free otherwise.',
    tags: ['Ads'],
    middleware: guards.postJson('ads:search'),
    request: {
      headers: postHeaders,
      body: { required: true, content: { 'application/json': { schema: adsSearchRequest } } },
    },
    responses: {
      200: {
        description:
          'The ads found. Empty if the company runs no ads, or if no source could identify the company.',
        content: { 'application/json': { schema: adsSearchBody } },
      },
      ...problemResponses(
        'post',
        'insufficient_credits',
        'not_configured',
        'source_unavailable',
        'loop_detected',
      ),
    },
  });
  http.openapi(route, async (c) => {
    const company = readCompany(c.req.valid('json'));
    const { accountId } = c.var.caller;
    const via = parseVia(c.req.header(viaHeader), services.sources.installation);
    const asked = services.lookups.searchAds({
      accountId,
      company,
      sources: await services.sources.registry.defaultNames(),
      search: anySearch,
      via,
      requestId: c.var.requestId,
      kept: storeInTransaction(c, toReply),
    });
    const answer = await asked.catch((error: unknown) => rethrowLoop(error, via));
    return send(c, toReply(answer)) as never;
  });
  // Without this route a GET would match `/v1/ads/{id}`.
  http.all(route.path, (c) => c.notFound());
}

/** Maximum number of installations that forward a request. Our choice: a longer chain is a misconfiguration. */
const viaMax = 5;

/**
 * Parses the installations that forwarded this request.
 *
 * @throws Problem when this one is among them, or when there are too many: the request would loop
 */
function parseVia(header: string | undefined, installation: string): readonly string[] {
  const via = (header ?? '').split(',').flatMap((id) => (id.trim() === '' ? [] : [id.trim()]));
  if (via.includes(installation) || via.length >= viaMax) throw new Problem('loop_detected');
  return via;
}

/** Rethrows the error of a loop. Another installation gets `loop_detected` and stops; for the first caller the source is unavailable. */
function rethrowLoop(error: unknown, via: readonly string[]): never {
  if (error instanceof LoopDetected && via.length > 0) throw new Problem('loop_detected', { cause: error });
  throw error;
}

function toReply(answer: StoredAnswer) {
  return jsonReply(200, toAdsSearchBody(answer));
}

/**
 * Parses the company of a request. Our choices (docs/architecture/api.md): an invalid domain is rejected even with a name, because the
 * caller means exactly that company; a blank field counts as missing.
 */
function readCompany(body: {
  company_domain?: string | undefined;
  company_name?: string | undefined;
}): CompanyQuery {
  const { company_domain: domain = '', company_name: name = '' } = body;
  if (domain.trim() === '' && name.trim() === '') {
    throw new Problem('validation_error', {
      titles: ['company_domain, company_name: at least one of the two is required'],
    });
  }
  const titles = [
    ...problemsOf('company_domain', domain, parseCompany({ domain })),
    ...problemsOf('company_name', name, parseCompany({ name })),
  ];
  const parsed = parseCompany({ domain, name });
  if (parsed.kind === 'company' && !titles.some((title) => title.startsWith('company_domain')))
    return parsed.company;
  throw new Problem('validation_error', { titles });
}

function problemsOf(field: string, text: string, alone: ParsedCompany): readonly string[] {
  return text.trim() === '' || alone.kind === 'company' ? [] : [`${field}: ${alone.reason}`];
}
