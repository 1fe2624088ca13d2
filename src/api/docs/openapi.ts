import type { OpenAPIHono } from '@hono/zod-openapi';
import type { ApiEnv } from '../http/api-env.ts';
import { jsonBytesMax } from '../http/read-json.ts';
import { connectionLimits } from '../http/server.ts';

/** The document as it is served and committed. */
export type OpenApiDocument = ReturnType<OpenAPIHono<ApiEnv>['getOpenAPI31Document']>;

/** The OpenAPI 3.1 document, made from the routes themselves. */
export function openApiDocument(http: OpenAPIHono<ApiEnv>): OpenApiDocument {
  const document = http.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Nightshift',
      version: 'v1',
      license: { name: 'Apache-2.0' },
      description: `Batch enrichment for lead and competitor-ad data.

Every request carries an API key in the header X-API-Key, and in no other place. Every answer has a request id in X-Request-Id.
Errors have one form, \`Problem\`; each code has a page at /errors/<code>. Credits are numbers of credits, days are UTC, ids are opaque.

Limits: JSON bodies ${jsonBytesMax / 1024} KiB, lists 200 MB and 1,000,000 rows, all headers of a request ${connectionLimits.headerBytes / 1024} KiB and
${connectionLimits.headersMs / 1000} s, a JSON body 30 s, a whole request ${connectionLimits.requestMs / 60_000} minutes, a connection on which nothing moves ${connectionLimits.idleMs / 1000} s. How often a
key and its account may ask stands in RateLimit and RateLimit-Policy, and in RateLimit-Limit, RateLimit-Remaining and RateLimit-Reset
(seconds). Bodies may be packed with gzip (Content-Encoding); answers are, for who accepts it.`,
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    tags: [
      { name: 'Ads', description: 'The ads that companies run.' },
      { name: 'Email', description: 'Which addresses can be trusted.' },
      { name: 'Batches', description: 'Lists of companies, looked up overnight.' },
      {
        name: 'Schedules',
        description: 'Lists that are looked at again and again, and what changed in between.',
      },
      {
        name: 'SQL',
        description: "Queries over the account's own rows, for a key with the scope sql:read.",
      },
      { name: 'Credits', description: 'What there is to spend, and where it went.' },
      { name: 'Account', description: 'Keys, for a key with the scope admin.' },
      { name: 'Session', description: 'Signing in to the pages of this service. Programs use API keys.' },
      {
        name: 'Operators',
        description: 'All accounts, for the session of an operator. No API key may do any of it.',
      },
      { name: 'Webhooks', description: 'Who is told of what happens, for a key with the scope admin.' },
      { name: 'Operations', description: 'For who runs the service. No key is needed.' },
    ],
  });
  nameOperations(document);
  return document;
}

/** Gives every operation an id, from which clients that are generated take the names of their functions: its summary in camel case. */
function nameOperations({ paths }: OpenApiDocument): void {
  for (const item of Object.values(paths ?? {}) as Record<
    string,
    { summary?: string; operationId?: string }
  >[])
    for (const operation of Object.values(item)) operation.operationId = operationId(operation.summary ?? '');
}

function operationId(summary: string): string {
  return summary
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '' && !articles.has(word))
    .map((word, i) => (i === 0 ? word.toLowerCase() : `${word.charAt(0).toUpperCase()}${word.slice(1)}`))
    .join('');
}

const articles: ReadonlySet<string> = new Set(['a', 'an', 'the']);
