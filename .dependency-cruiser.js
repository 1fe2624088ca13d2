/** Folders that may import each package. Packages that are not listed may not be imported. */
export const homes = {
  bullmq: ['src/queue/', 'workers/'],
  ioredis: ['src/queue/', 'src/app/servers.ts'],
  pg: ['db/', 'src/postgres-server/', 'src/adapters/postgres/'],
  'drizzle-orm': ['db/'],
  'pg-copy-streams': ['db/stores/', 'db/upgrade/', 'src/adapters/postgres/'],
  'csv-parse': ['src/csv/'],
  'iconv-lite': ['src/csv/'],
  'p-limit': [
    'db/stores/reports/',
    'src/app/batches.ts',
    'src/app/batches/batch-loader.ts',
    'src/app/calling.ts',
    'src/app/lazy.ts',
    'src/app/lookups.ts',
    'src/api/v1/accounts/password-limiter.ts',
    'src/api/http/concurrency-limiter.ts',
    'src/queue/tick-queue.ts',
  ],
  hono: ['src/api/'],
  // The view of queues for operators, and its page.
  '@bull-board/api': ['src/api/queue-board/'],
  '@hono/node-server': ['src/api/'],
  '@hono/zod-openapi': ['src/api/'],
  '@fastify/busboy': ['src/api/upload/'],
  // Every outgoing HTTP call goes through one client.
  undici: ['src/adapters/http/'],
  'rate-limiter-flexible': ['src/api/http/request-limits.ts'],
  'prom-client': ['src/api/http/metrics.ts'],
  pino: ['src/log.ts'],
  // The public suffix list, for registrable domains of companies.
  tldts: ['src/core/companies/domain.ts'],
  // Cron patterns, and their plain text.
  'cron-parser': ['src/core/schedules/cron.ts'],
  cronstrue: ['src/core/schedules/describe-cron.ts'],
  // Internationalised domain names: Node's own function accepts names that no registry issues.
  tr46: ['src/core/emails/syntax/idna.ts'],
  // Public and private IP addresses.
  'ipaddr.js': [
    'src/api/http/request-address.ts',
    'src/core/public-address.ts',
    'src/core/emails/domains/reverse-name.ts',
  ],
  // Strength of passwords.
  '@zxcvbn-ts/core': ['src/api/v1/accounts/password-strength.ts'],
  '@zxcvbn-ts/language-common': ['src/api/v1/accounts/password-strength.ts'],
  // Signatures of webhooks.
  standardwebhooks: ['src/adapters/webhooks/'],
  nodemailer: ['src/adapters/webhooks/'],
  // Files of others: signatures of S3 requests, and SFTP.
  aws4fetch: ['src/adapters/storage/'],
  ssh2: ['src/adapters/storage/'],
  // OpenID Connect.
  'openid-client': ['src/adapters/oidc/'],
  // Untrusted input is parsed at the edge: environment, upstream bodies, HTTP bodies.
  zod: ['src/config/', 'src/adapters/', 'src/sources/'],
  // Tables besides CSV: ZIP archives with their limits, Parquet and its Zstandard pages.
  yauzl: ['src/tables/zip/'],
  hyparquet: ['src/tables/parquet/'],
  fzstd: ['src/tables/parquet/'],
  // Binary formats of exports.
  'hyparquet-writer': ['src/reporter/formats/'],
  'write-excel-file': ['src/reporter/formats/'],
  commander: ['src/cli/'],
  'cli-table3': ['src/cli/'],
  // In the browser.
  preact: ['src/console/'],
  'preact-iso': ['src/console/'],
  '@preact/signals': ['src/console/'],
  'openapi-fetch': ['src/console/api/'],
};

/**
 * Layers of the project. `at` is the prefix of the paths of a layer; `may` lists the layers that it may import besides itself. Imports
 * point down only. If several layers match a file, the longest prefix counts.
 */
export const layers = [
  { at: 'src/core/', may: [] },
  {
    at: 'src/config/',
    may: [
      'src/core/errors.ts',
      'src/core/postgres-url.ts',
      'src/core/sources/source-call.ts',
      'src/core/sources/spend.ts',
      'src/core/purge/purge-kinds.ts',
      // Definitions of sources, from which their settings follow.
      'src/sources/definition/',
      'src/sources/registry.ts',
      'src/core/work/redis-address.ts',
      'src/core/work/retry-policies.ts',
    ],
  },
  { at: 'src/log.ts', may: ['src/core/logged-error.ts'] },
  { at: 'src/closers.ts', may: [] },
  { at: 'src/package-root.ts', may: [] },
  { at: 'src/csv/', may: ['src/core/'] },
  { at: 'src/xml/', may: [] },
  { at: 'src/tables/', may: ['src/core/', 'src/csv/', 'src/xml/'] },
  { at: 'src/files/', may: ['src/core/'] },
  { at: 'src/adapters/', may: ['src/core/', 'src/files/', 'src/xml/'] },
  { at: 'src/sources/', may: ['src/core/', 'src/adapters/http/'] },
  // Every command loads the registry and the definitions; an adapter is loaded with the first use of its source (test/unit/layers.test.ts).
  { at: 'src/sources/definition/', may: ['src/core/', 'src/adapters/http/http.ts'] },
  // Files of snapshots are read like files of companies.
  ...[
    { file: 'open-export.ts', may: ['src/csv/', 'src/tables/'] },
    { file: 'array-rows.ts', may: ['src/tables/'] },
    { file: 'object-rows.ts', may: ['src/tables/'] },
    { file: 'import.ts', may: ['src/csv/'] },
  ].map(({ file, may }) => ({
    at: `src/sources/snapshot/${file}`,
    may: ['src/core/', 'src/sources/', ...may],
  })),
  { at: 'src/queue/', may: ['src/core/'] },
  { at: 'db/', may: ['src/core/'] },
  // A workbook is built in its own thread, whose code is in `dist`.
  { at: 'src/reporter/', may: ['src/core/', 'src/files/', 'src/package-root.ts'] },
  // The launcher and `migrate` revoke the same functions and create the same logins.
  {
    at: 'src/postgres-server/',
    may: [
      'src/config/',
      'src/core/errors.ts',
      'src/core/failpoint.ts',
      'src/core/time/compact-time.ts',
      'src/core/postgres-url.ts',
      'src/core/work/retry-policies.ts',
      'db/locks/advisory-locks.ts',
      'db/logins/revoke-functions.ts',
      'db/logins/service-logins.ts',
    ],
  },
  { at: 'src/backup/', may: ['src/core/', 'src/files/', 'src/postgres-server/', 'db/backup/'] },
  { at: 'src/producer/', may: ['src/core/', 'src/csv/', 'src/tables/'] },
  { at: 'src/dispatcher/', may: ['src/core/', 'src/queue/'] },
  {
    at: 'src/app/',
    may: [
      // Landings are exports.
      'src/reporter/export/part-exporter.ts',
      'src/core/',
      'src/config/',
      'src/log.ts',
      'src/closers.ts',
      'src/package-root.ts',
      'src/adapters/',
      'src/backup/',
      'src/queue/',
      'db/',
      'src/postgres-server/',
      'src/producer/',
      'src/dispatcher/',
      'src/sources/registry.ts',
      'src/sources/replies/compare-recorded.ts',
      'src/sources/snapshot/suggest-advertisers.ts',
    ],
  },
  // Doctor and the commands for sources use these without the app, so they need no server.
  ...[
    {
      file: 'email-service.ts',
      may: ['src/config/', 'src/package-root.ts', 'src/adapters/http/', 'src/adapters/mail/'],
    },
    { file: 'event-channels.ts', may: ['src/config/', 'src/adapters/http/', 'src/adapters/webhooks/'] },
    {
      file: 'sources/live-sources.ts',
      may: ['src/package-root.ts', 'src/adapters/http/', 'src/sources/definition/'],
    },
    {
      file: 'storages.ts',
      may: ['src/config/', 'src/adapters/http/', 'src/adapters/postgres/', 'src/adapters/storage/'],
    },
    { file: 'open-identity-provider.ts', may: ['src/config/', 'src/adapters/http/', 'src/adapters/oidc/'] },
    {
      file: 'sources/source-registry.ts',
      may: ['src/sources/', 'src/app/sources/live-sources.ts', 'src/app/sources/sample-days.ts'],
    },
    { file: 'sources/sample-days.ts', may: ['src/sources/snapshot/import-sample.ts'] },
  ].map(({ file, may }) => ({
    at: `src/app/${file}`,
    may: ['src/core/', ...may],
  })),
  // Reads an archive, also where there is no database.
  {
    at: 'src/app/backups/restores.ts',
    may: ['src/core/', 'src/config/', 'src/backup/', 'db/backup/', 'src/app/storages.ts'],
  },
  { at: 'src/app/families.ts', may: ['src/config/', 'src/adapters/families/', 'src/adapters/http/'] },
  // Checks the servers without the app, which opens only if they work.
  {
    at: 'src/doctor/',
    may: [
      'src/core/',
      'src/config/',
      'src/closers.ts',
      'src/package-root.ts',
      'src/queue/redis-info.ts',
      'src/app/email-service.ts',
      'src/app/event-channels.ts',
      'src/app/sources/live-sources.ts',
      'src/app/sources/source-registry.ts',
      'src/sources/definition/',
      'src/sources/registry.ts',
      'src/postgres-server/',
      'db/',
    ],
  },
  { at: 'workers/', may: ['src/queue/', 'src/core/'] },
  {
    at: 'src/api/',
    may: [
      'src/app/app.ts',
      'src/app/limit-store.ts',
      'src/core/',
      'src/files/',
      'src/log.ts',
      'src/producer/',
      'src/reporter/',
      'src/package-root.ts',
      'src/console/paths.ts',
    ],
  },
  {
    at: 'src/cli/',
    may: [
      'src/app/app.ts',
      'src/app/email-service.ts',
      'src/app/families.ts',
      'src/app/backups/restores.ts',
      'src/app/backups/ship-before-stop.ts',
      'src/api/',
      'workers/',
      'src/producer/',
      'src/doctor/',
      'src/postgres-server/',
      'src/config/',
      'src/log.ts',
      'src/closers.ts',
      'src/package-root.ts',
      'src/core/',
      'src/reporter/',
      // `migrate` and `sql` use the owner's and the reader's connection directly.
      'db/migrate.ts',
      'db/upgrade/copy-database.ts',
      'db/logins/pooled-login.ts',
      'db/logins/service-logins.ts',
      'db/queries/run-query.ts',
      // `snapshot load`, `sources` and `lists` read files and need no server.
      'src/sources/definition/',
      'src/sources/registry.ts',
      'src/sources/snapshot/expand-files.ts',
      'src/sources/snapshot/import.ts',
      'src/sources/snapshot/import-sample.ts',
      'src/adapters/families/',
      'src/adapters/mail/',
    ],
  },
  // The console uses the types of the API document, and shares calculations with the server.
  {
    at: 'src/console/',
    may: [
      'examples/typescript-client/schema.ts',
      'src/core/accounts/account-revisions.ts',
      'src/core/batches/batch-origin.ts',
      'src/core/batches/measure-rate.ts',
      'src/core/rows/row-ranges.ts',
      'src/producer/columns/column-kind-labels.ts',
      'src/producer/formats/file-formats.ts',
      'src/core/reports/visible-text.ts',
      'src/core/reports/workbook-lines.ts',
      'src/reporter/documents/charts/paths.ts',
      'src/reporter/documents/charts/scale.ts',
      'src/reporter/documents/model/picture.ts',
      'src/reporter/formats/escape-formula.ts',
      'src/core/work/retry-policies.ts',
    ],
  },
];

const beginning = (paths) => paths.map((path) => `^${path.replaceAll('.', '\\.')}`);

/** Excludes files that a layer with a longer prefix matches. */
function longerThan(at) {
  return layers.map((layer) => layer.at).filter((other) => other !== at && other.startsWith(at));
}

const layerRules = layers.map(({ at, may }) => ({
  name: `layer ${at}`,
  comment: `${at} may import: ${may.join(', ') || 'nothing of ours'}.`,
  severity: 'error',
  from: { path: beginning([at]), pathNot: beginning(longerThan(at)) },
  to: { path: '^(src|db|workers|examples|bench|test)/', pathNot: beginning([at, ...may]) },
}));

const inPackage = (name) => `node_modules/${name}/`;

const packageRules = [
  ...Object.entries(homes).map(([name, home]) => ({
    name: `package ${name}`,
    comment: `${name} is imported in ${home.join(', ')} only.`,
    severity: 'error',
    from: { path: '^(src|db|workers)/', pathNot: beginning(home) },
    to: { path: inPackage(name) },
  })),
  {
    name: 'package without a home',
    comment: 'Add the package to `homes` in .dependency-cruiser.js.',
    severity: 'error',
    from: { path: '^(src|db|workers)/', pathNot: ['^src/console/vite\\.config\\.ts$'] },
    to: { path: 'node_modules/', pathNot: Object.keys(homes).map(inPackage) },
  },
];

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    { name: 'file cycle', severity: 'error', from: {}, to: { circular: true } },
    { name: 'folder cycle', severity: 'error', scope: 'folder', from: {}, to: { circular: true } },
    {
      name: 'file of no layer',
      comment: 'Every file is in a layer of .dependency-cruiser.js.',
      severity: 'error',
      from: { path: '^(src|db|workers)/', pathNot: beginning(layers.map(({ at }) => at)) },
      to: {},
    },
    ...layerRules,
    ...packageRules,
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    // Builds are not source.
    exclude: { path: '^dist/|/vite[.]config[.]ts$' },
    moduleSystems: ['es6'],
  },
};
