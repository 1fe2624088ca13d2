import type { OpenAPIHono } from '@hono/zod-openapi';
import type { ApiEnv } from '../http/api-env.ts';
import { jsonBytesMax } from '../http/read-json.ts';
import { connectionLimits } from '../http/server.ts';

/** OpenAPI document, as served and committed. */
export type OpenApiDocument = ReturnType<OpenAPIHono<ApiEnv>['getOpenAPI31Document']>;

/** Groups of operations, in the order of the document. */
const tags = [
  {
    name: 'Ads',
    description: 'Search the ads of companies, and read the ads that earlier lookups found.',
  },
  { name: 'Email', description: 'Validate e-mail addresses, and read earlier verdicts.' },
  {
    name: 'Companies',
    description: 'Advertisers that may belong to a company, and the decisions on them.',
  },
  {
    name: 'Batches',
    description: 'Files of companies and e-mail addresses, looked up in the background.',
  },
  {
    name: 'Inboxes',
    description: 'Places whose new files become batches.',
  },
  {
    name: 'Schedules',
    description: 'Files that are scanned at the times of a cron pattern, and the changes between scans.',
  },
  {
    name: 'Report links',
    description:
      'Links to the report of a batch or schedule, which need no sign-in, expire and can be revoked.',
  },
  {
    name: 'SQL',
    description: 'Queries over the rows of the account. Requires the scope `sql:read`.',
  },
  { name: 'Credits', description: 'The credit balance, the ledger and the usage of the account.' },
  {
    name: 'Account',
    description: 'API keys and the audit log of the account. Requires the scope `admin`.',
  },
  { name: 'Events', description: 'Changes of the account as they happen.' },
  { name: 'Session', description: 'Sessions of the console. Programs use API keys.' },
  {
    name: 'Operators',
    description:
      'All accounts of the installation. Requires the session of an operator; API keys are rejected.',
  },
  {
    name: 'Destinations',
    description: 'Places in which finished batches land, and the landings. Requires the scope `admin`.',
  },
  {
    name: 'Webhooks',
    description: 'Webhooks of the account and their deliveries. Requires the scope `admin`.',
  },
  {
    name: 'Subscriptions',
    description: 'E-mail of the signed-in user about one batch or one schedule. Every role can subscribe.',
  },
  {
    name: 'Sources',
    description: 'The ad sources of the installation, with their state and price.',
  },
  {
    name: 'Operations',
    description: 'Health and metrics of the service, for its operator. Requires no API key.',
  },
];

/** Generates the OpenAPI 3.1 document from the routes. */
export function openApiDocument(http: OpenAPIHono<ApiEnv>): OpenApiDocument {
  const document = http.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Nightshift',
      version: 'v1',
      license: { name: 'Apache-2.0' },
      description: `Batch enrichment for lead and competitor-ad data.

Authenticate with an API key in the header X-API-Key. Nightshift reads the key from no other place. Every response has a request id in
X-Request-Id. All errors have the schema \`Problem\`; each error code has a page at /errors/<code>. Amounts are in credits, days are in
UTC, and ids are opaque strings.

Size limits: a JSON body ${jsonBytesMax / 1024} KiB, a file 200 MB and 1,000,000 rows, all headers of a request together ${connectionLimits.headerBytes / 1024} KiB. Time
limits: all headers ${connectionLimits.headersMs / 1000} s, a JSON body 30 s, a whole request ${connectionLimits.requestMs / 60_000} minutes, an idle connection ${connectionLimits.idleMs / 1000} s. The headers
RateLimit and RateLimit-Policy, and RateLimit-Limit, RateLimit-Remaining and RateLimit-Reset (in seconds), report the rate limit of the
key and its account. Request bodies may be compressed with gzip (Content-Encoding). Responses are compressed for clients that accept it.`,
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    tags,
  });
  nameOperations(document);
  return document;
}

/** Sets the id of every operation: its summary in camel case. Generated clients name their functions after it. */
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
