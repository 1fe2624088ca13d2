import { describe, expect, test } from 'vitest';
import { parseSourceFile, readSourceFiles, type SourceFile } from '../support/ci/project-source.ts';

/** A part of the project. `may` names, as the beginning of a path, what it may import besides itself. */
interface Layer {
  /** The beginning of the paths of its files. Of several that fit a file the longest counts. */
  readonly at: string;
  readonly may: readonly string[];
}

/** Who may import whom: arrows point down only. A reason stands where a line allows more than its neighbours. */
const layers: readonly Layer[] = [
  { at: 'src/core/', may: [] },
  // The settings, what they say of the sources, and how an environment is read.
  {
    at: 'src/config/',
    may: ['src/core/errors.ts', 'src/core/sources/source-call.ts', 'src/core/purge/purge-kinds.ts'],
  },
  { at: 'src/log.ts', may: ['src/core/errors.ts', 'src/core/logged-error.ts'] },
  { at: 'src/closers.ts', may: ['src/core/errors.ts'] },
  // Where the package lies on disk: everything that ships files beside its code needs it, and it needs nothing.
  { at: 'src/package-root.ts', may: [] },
  { at: 'src/adapters/', may: ['src/core/'] },
  // Each source fetches, checks, translates and stops. A snapshot comes in files, which are read as those of companies are.
  { at: 'src/sources/', may: ['src/core/', 'src/adapters/http/', 'src/csv/'] },
  { at: 'src/csv/', may: ['src/core/'] },
  { at: 'src/queue/', may: ['src/core/'] },
  { at: 'db/', may: ['src/core/'] },
  // A workbook is built in a thread of its own, whose code lies in `dist`.
  { at: 'src/reporter/', may: ['src/core/', 'src/package-root.ts'] },
  // What a superuser withholds and which limits a login has is said once, whether the launcher does it or `migrate`.
  {
    at: 'src/postgres-server/',
    may: [
      'src/config/',
      'src/closers.ts',
      'src/core/errors.ts',
      'db/logins/revoke-functions.ts',
      'db/logins/service-logins.ts',
    ],
  },
  { at: 'src/producer/', may: ['src/core/', 'src/csv/', 'src/queue/'] },
  { at: 'src/dispatcher/', may: ['src/core/', 'src/queue/'] },
  // The parts of the composition root that know the adapters of sources by name: those that are called, those that know regions, and all.
  {
    at: 'src/app/live-sources.ts',
    may: ['src/core/', 'src/package-root.ts', 'src/config/', 'src/adapters/', 'src/sources/'],
  },
  { at: 'src/app/source-regions.ts', may: ['src/core/', 'src/config/', 'src/adapters/', 'src/sources/'] },
  {
    at: 'src/app/sources.ts',
    may: [
      'src/core/',
      'src/config/',
      'src/app/live-sources.ts',
      'src/app/source-regions.ts',
      'src/adapters/',
      'src/sources/',
    ],
  },
  // The same for mail: lists, DNS and mail servers.
  {
    at: 'src/app/emails.ts',
    may: ['src/core/', 'src/config/', 'src/package-root.ts', 'src/adapters/', 'src/sources/'],
  },
  // And for notices: webhooks, Slack and mail.
  { at: 'src/app/events.ts', may: ['src/core/', 'src/config/', 'src/adapters/', 'src/sources/'] },
  // And for signing in through somebody else.
  { at: 'src/app/sign-in.ts', may: ['src/core/', 'src/config/', 'src/adapters/', 'src/sources/'] },
  // The part of it that puts schedules and their scans together.
  {
    at: 'src/app/scans.ts',
    may: [
      'src/core/',
      'src/closers.ts',
      'src/log.ts',
      'src/app/sources.ts',
      'src/queue/',
      'db/',
      'src/producer/',
      'src/csv/',
      'src/dispatcher/',
    ],
  },
  // The part of it that finds the servers, checks the schema and opens the connections.
  {
    at: 'src/app/servers.ts',
    may: [
      'src/core/errors.ts',
      'src/core/async/once.ts',
      'src/config/',
      'src/log.ts',
      'src/closers.ts',
      'src/package-root.ts',
      'src/postgres-server/',
      'src/queue/',
      'db/',
    ],
  },
  // The part of it that loads late what most processes never use.
  {
    at: 'src/app/lazy.ts',
    may: [
      'src/core/',
      'src/app/servers.ts',
      'src/config/',
      'src/log.ts',
      'src/closers.ts',
      'src/app/live-sources.ts',
      'src/app/emails.ts',
      'src/app/events.ts',
      'src/app/sign-in.ts',
      'src/adapters/',
      'src/sources/',
      'db/',
    ],
  },
  {
    at: 'src/app/app.ts',
    may: [
      'src/core/',
      'src/app/servers.ts',
      'src/app/lazy.ts',
      'src/config/',
      'src/log.ts',
      'src/closers.ts',
      'src/package-root.ts',
      'src/app/live-sources.ts',
      'src/app/sources.ts',
      'src/app/scans.ts',
      'src/queue/',
      'db/',
      'src/reporter/',
      'src/postgres-server/',
      'src/producer/',
      'src/csv/',
      'src/dispatcher/',
    ],
  },
  // `doctor` looks at the servers past the app, which opens only when all is well.
  {
    at: 'src/doctor/',
    may: [
      'src/queue/redis-info.ts',
      'src/core/',
      'src/config/',
      'src/closers.ts',
      'src/package-root.ts',
      'src/app/live-sources.ts',
      'src/app/sources.ts',
      'src/app/emails.ts',
      'src/app/events.ts',
      'src/postgres-server/',
      'db/',
    ],
  },
  // The web app knows the API and nothing else of ours: its types come from the document.
  // How fast a batch goes is measured in a page as in a terminal, and what a workbook holds is known there before one is asked for.
  {
    at: 'src/console/',
    may: [
      'examples/typescript-client/schema.ts',
      'src/core/batches/measure-rate.ts',
      'src/core/reports/workbook-lines.ts',
    ],
  },
  { at: 'workers/', may: ['src/app/app.ts', 'src/queue/', 'src/core/', 'src/log.ts'] },
  // Lists come in and reports go out over HTTP as they do on the command line; the console lies in `dist`.
  {
    at: 'src/api/',
    may: [
      'src/app/app.ts',
      'src/core/',
      'src/log.ts',
      'src/producer/',
      'src/csv/',
      'src/reporter/',
      'src/package-root.ts',
      'src/console/paths.ts',
    ],
  },
  {
    at: 'src/cli/',
    may: [
      'src/app/app.ts',
      // `validate --syntax-only` needs no database, and so no app.
      'src/app/emails.ts',
      'src/doctor/',
      'src/api/',
      'workers/',
      'src/producer/',
      'src/csv/',
      'src/postgres-server/',
      'db/migrate.ts',
      'db/logins/service-logins.ts',
      'src/config/',
      'src/log.ts',
      'src/core/',
      // What a process opens it closes: commands and the process itself.
      'src/closers.ts',
      'src/package-root.ts',
      // `export` and `enrich` write reports, `snapshot load` reads exports: ways in like `load`, which reads lists.
      'src/reporter/',
      'src/sources/snapshot/import.ts',
      // `sources` says which sources there are, and how their replies were recorded.
      'src/app/sources.ts',
      'src/sources/recorded-shapes.ts',
      'src/sources/compare-recorded.ts',
      // `lists` shows and refreshes files, which needs no server.
      'src/adapters/mail/',
      // `sql` hands a person's own query to the reader's connection, past all stores.
      'db/queries/run-query.ts',
    ],
  },
];

/** Where a package may be imported. One that is missing here is at home nowhere. */
const homes: Readonly<Record<string, readonly string[]>> = {
  bullmq: ['src/queue/', 'src/app/app.ts', 'src/app/servers.ts', 'workers/'],
  ioredis: ['src/queue/', 'src/app/servers.ts', 'src/app/app.ts', 'workers/'],
  pg: ['db/', 'src/postgres-server/'],
  'drizzle-orm': ['db/', 'src/postgres-server/'],
  'pg-copy-streams': ['db/stores/'],
  'csv-parse': ['src/csv/', 'src/producer/columns/read-columns.ts', 'src/sources/snapshot/import.ts'],
  // Guesses the delimiter and nothing else.
  papaparse: ['src/csv/'],
  'p-limit': ['src/app/app.ts', 'src/app/lazy.ts', 'src/api/', 'src/queue/tick-queue.ts'],
  hono: ['src/api/'],
  // What operators look at queues with, and its page.
  '@bull-board/api': ['src/api/queue-board/'],
  '@hono/node-server': ['src/api/'],
  '@hono/zod-openapi': ['src/api/'],
  '@fastify/busboy': ['src/api/upload/'],
  // Every outgoing HTTP call goes through one client.
  undici: ['src/adapters/http/'],
  'rate-limiter-flexible': ['src/api/http/request-limits.ts'],
  'prom-client': ['src/api/http/metrics.ts'],
  pino: ['src/log.ts'],
  // The public suffix list: what the registrable domain of a company is.
  tldts: ['src/core/companies/domain.ts'],
  // The fields of a cron pattern, and what it says in words.
  'cron-parser': ['src/core/schedules/cron.ts'],
  cronstrue: ['src/core/schedules/describe-cron.ts'],
  // Internationalised domain names: Node's own function lets through what no registry gives out.
  tr46: ['src/core/emails/syntax/idna.ts'],
  // Reads IP addresses: which of them are public.
  'ipaddr.js': [
    'src/api/http/request-address.ts',
    'src/core/public-address.ts',
    'src/core/emails/domains/reverse-name.ts',
  ],
  // How soon a password is guessed.
  '@zxcvbn-ts/core': ['src/api/v1/accounts/password-strength.ts'],
  '@zxcvbn-ts/language-common': ['src/api/v1/accounts/password-strength.ts'],
  // Signs what webhooks are sent.
  standardwebhooks: ['src/adapters/webhooks/'],
  nodemailer: ['src/adapters/webhooks/'],
  // OpenID Connect.
  'openid-client': ['src/adapters/oidc/'],
  // Untrusted input is parsed at the edge: environment, upstream bodies, HTTP bodies.
  zod: ['src/config/', 'src/adapters/', 'src/sources/', 'src/api/'],
  // The forms of a report that are bytes.
  'hyparquet-writer': ['src/reporter/formats/'],
  'write-excel-file': ['src/reporter/formats/'],
  commander: ['src/cli/'],
  'cli-table3': ['src/cli/'],
  // In the browser.
  preact: ['src/console/'],
  'preact-iso': ['src/console/'],
  '@preact/signals': ['src/console/'],
  'openapi-fetch': ['src/console/api/'],
  uplot: ['src/console/components/'],
};

/** Where names in snake_case belong: they are the names of somebody else's fields, or leave the system as they are. */
const snakeHomes: readonly string[] = [
  // Bodies of the API, as the document has them.
  'src/console/',
  'src/api/v1/',
  'src/api/upload/',
  'src/api/http/problem-schema.ts',
  // The fields of a list and the kinds of its cells, as the API and `--map` name them.
  'src/core/columns/',
  // Outcomes, as they are stored and shown.
  'src/core/batches/batch.ts',
  // The stable codes of errors, and bodies as they are read.
  'src/api/http/problem.ts',
  // The names of the operations.
  // The stable codes of what a verdict rests on.
  'src/core/emails/verdict/reasons.ts',
  'src/core/emails/verdict/verdict-labels.ts',
  'src/core/emails/probing/mailbox-lifetime.ts',
  'src/core/emails/probing/probe-readiness.ts',
  // Wire forms of ad sources, and shape B, which two of them speak.
  'src/sources/shape-b.ts',
  'src/sources/serpapi/wire.ts',
  'src/sources/serpapi/errors.ts',
  'src/sources/adyntel/wire.ts',
  // The upstream's wire form stands in two files, the snapshot's columns in one of their own.
  'src/sources/upstream/wire.ts',
  'src/sources/upstream/wire-ad.ts',
  // DataForSEO's replies, and the tasks it takes.
  'src/sources/dataforseo/envelope.ts',
  'src/sources/dataforseo/task.ts',
  'src/sources/dataforseo/wire.ts',
  // The names of a source map, as an operator writes it.
  'src/sources/mapped/',
  'src/sources/snapshot/wire.ts',
  'src/sources/snapshot/columns.ts',
  'src/sources/bigquery/window.ts',
  // Google's key files and tokens, and the parameters of the query.
  'src/sources/bigquery/wire.ts',
  'src/sources/bigquery/query.ts',
  // The parameters and claims of OpenID Connect.
  'src/adapters/oidc/open-id-provider.ts',
  // What notices tell, as it was written down.
  'src/adapters/webhooks/wire.ts',
  // Rows as SQL answers them and parameters as it takes them, besides the schema.
  'db/',
  // The stable codes of errors, and the fields of `--json`.
  'src/cli/exit-codes.ts',
  'src/cli/commands/batches/batch-view.ts',
  'src/cli/commands/batches/check.ts',
  'src/cli/commands/emails/validate.ts',
  'src/cli/commands/credits/prices.ts',
  'src/cli/commands/sources/search.ts',
  'src/cli/commands/schedules/schedule-edit.ts',
  // The names of the fields of a list, and the options of csv-parse.
  'src/producer/',
  'src/csv/',
  'src/reporter/export/manifest.ts',
  // How Parquet describes a column.
  'src/reporter/formats/parquet.ts',
  'src/reporter/formats/parquet-columns.ts',
  // Settings, roles and connection options of Postgres.
  'src/postgres-server/',
];

const files = readSourceFiles(['src', 'workers', 'db']);

test('there is something to judge', () => {
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap((file) => file.imports).length).toBeGreaterThan(300);
});

test('every import points down, as the table of layers has it', () => {
  expect(files.flatMap(forbiddenImports)).toEqual([]);
});

test('no import makes a cycle, types included', () => {
  expect(findCycle(files)).toEqual([]);
});

test('every package is imported at home only', () => {
  expect(files.flatMap(strayPackages)).toEqual([]);
});

test('arguments, environment and exit of the process are known to a main.ts only', () => {
  expect(files.flatMap(strayProcessUses)).toEqual([]);
});

test('nobody calls over HTTP past the one client, which imports its fetch', () => {
  const stray = files
    // In the browser the one client is the browser's own, and everything goes through this file.
    .filter(({ path }) => path !== 'src/console/api/send.ts')
    .flatMap(({ path, httpUses }) => httpUses.map((name) => `${path} uses ${name}`));
  expect(stray).toEqual([]);
});

test('nothing is exported as default, and nothing is of type any', () => {
  expect(files.filter((file) => file.hasDefaultExport || file.hasAny).map((file) => file.path)).toEqual([]);
});

test('names in snake_case stand where somebody else chose them', () => {
  const stray = files.filter((file) => file.snakeNames.length > 0 && !isWithin(file.path, snakeHomes));
  expect(stray.map((file) => `${file.path}: ${file.snakeNames.join(', ')}`)).toEqual([]);
});

test('the tables name nothing that is not there', () => {
  const imports = files.flatMap((file) => file.imports);
  const unusedLayers = layers.filter(({ at }) => !files.some((file) => layerOf(file.path)?.at === at));
  const unusedHomes = Object.keys(homes).filter(
    (name) => !files.some((file) => file.packages.includes(name)),
  );
  const unusedSnakeHomes = snakeHomes.filter((home) => !files.some((file) => file.path.startsWith(home)));
  expect([...unusedLayers.map(({ at }) => at), ...unusedHomes, ...unusedSnakeHomes]).toEqual([]);
  expect(
    layers.flatMap(({ may }) => may).filter((at) => !imports.some((path) => path.startsWith(at))),
  ).toEqual([]);
});

describe('the judge names what breaks a rule', () => {
  test.each([
    [
      'src/core/companies/company.ts',
      "import { log } from '../../log.ts';",
      'src/core/companies/company.ts imports src/log.ts',
    ],
    ['src/core/a.ts', "export type { X } from '../queue/x.ts';", 'src/core/a.ts imports src/queue/x.ts'],
    [
      'src/queue/q.ts',
      "const { x } = await import('../../db/client.ts');",
      'src/queue/q.ts imports db/client.ts',
    ],
    [
      'db/client.ts',
      "import type { X } from '../src/config/config.ts';",
      'db/client.ts imports src/config/config.ts',
    ],
    ['src/stray.ts', "import './core/errors.ts';", 'src/stray.ts belongs to no layer'],
  ])('an import upwards in %s: %s', (path, text, finding) => {
    expect(forbiddenImports(parseSourceFile(path, text))).toEqual([finding]);
  });

  test.each([
    ['src/core/a.ts', "import pg from 'pg';", 'src/core/a.ts imports the package pg'],
    ['src/cli/a.ts', "import { Pool } from 'left-pad/sub';", 'src/cli/a.ts imports the package left-pad'],
  ])('a stray package in %s', (path, text, finding) => {
    expect(strayPackages(parseSourceFile(path, text))).toEqual([finding]);
  });

  test.each([
    'process.env.HOME',
    "process['exit'](1)",
    'const { argv } = process',
    "import { env } from 'node:process'",
  ])('the process known outside a main.ts: %s', (text) => {
    expect(strayProcessUses(parseSourceFile('src/core/a.ts', text))).toHaveLength(1);
    expect(strayProcessUses(parseSourceFile('src/cli/main.ts', text))).toEqual([]);
  });

  test.each([
    'await fetch(url);',
    'globalThis.fetch(url);',
    'const { fetch: ask } = globalThis;',
    'run({ fetch });',
    "import { get } from 'node:http';",
    "import { request as ask } from 'https';",
    "import http from 'node:http';",
    "import * as http2 from 'node:http2';",
    "const { get } = await import('node:https');",
  ])('a call over HTTP past the client: %s', (text) => {
    expect(parseSourceFile('src/core/a.ts', text).httpUses).toHaveLength(1);
  });

  test.each([
    "import { fetch } from 'undici'; await fetch(url);",
    'const fetch = createFetch(); serve({ fetch });',
    'app.fetch(request);',
    'interface App { fetch(): void; }',
    "import { createServer, type Server } from 'node:http';",
    "import type { request } from 'node:http';",
  ])('no call over HTTP in %s', (text) => {
    expect(parseSourceFile('src/core/a.ts', text).httpUses).toEqual([]);
  });

  test.each([
    'const x = y as any;',
    'export default 1;',
    'export { a as default };',
    'export default function f() {}',
  ])('an escape from the rules of types and exports: %s', (text) => {
    const { hasAny, hasDefaultExport } = parseSourceFile('src/core/a.ts', text);
    expect(hasAny || hasDefaultExport).toBe(true);
  });

  test('a cycle through three files, of which one imports a type only', () => {
    const cycle = [
      parseSourceFile('src/core/a.ts', "import './b.ts';"),
      parseSourceFile('src/core/b.ts', "import type { C } from './c.ts';"),
      parseSourceFile('src/core/c.ts', "export * from './a.ts';"),
    ];
    expect(findCycle(cycle)).toEqual(['src/core/a.ts', 'src/core/b.ts', 'src/core/c.ts', 'src/core/a.ts']);
  });
});

function forbiddenImports({ path, imports }: SourceFile): readonly string[] {
  const layer = layerOf(path);
  if (layer === undefined) return [`${path} belongs to no layer`];
  return imports
    .filter((imported) => !mayImport(layer, imported))
    .map((imported) => `${path} imports ${imported}`);
}

/** A file of a folder may import the whole folder, unless a line of its own stands for the file. */
function mayImport({ at, may }: Layer, imported: string): boolean {
  const own = at.endsWith('/') ? at : `${at.slice(0, at.lastIndexOf('/'))}/`;
  const isOwn = own !== 'src/' && imported.startsWith(own);
  return isOwn || isWithin(imported, may);
}

function layerOf(path: string): Layer | undefined {
  return layers.filter(({ at }) => path.startsWith(at)).sort((a, b) => b.at.length - a.at.length)[0];
}

function strayPackages({ path, packages }: SourceFile): readonly string[] {
  return packages
    .filter((name) => !isWithin(path, homes[name] ?? []))
    .map((name) => `${path} imports the package ${name}`);
}

function strayProcessUses({ path, processUses }: SourceFile): readonly string[] {
  if (/(^|\/)main\.ts$/.test(path)) return [];
  return processUses
    .filter((name) => ['env', 'argv', 'exit', 'exitCode', '[…]'].includes(name))
    .map((name) => `${path} uses process.${name}`);
}

function isWithin(path: string, places: readonly string[]): boolean {
  return places.some((place) => path.startsWith(place));
}

/** The files of one cycle, the first repeated at the end; empty when there is none. */
function findCycle(all: readonly SourceFile[]): readonly string[] {
  const importsOf = new Map(all.map((file) => [file.path, file.imports]));
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]): readonly string[] => {
    if (way.includes(path)) return [...way.slice(way.indexOf(path)), path];
    if (done.has(path)) return [];
    for (const next of importsOf.get(path) ?? []) {
      const cycle = visit(next, [...way, path]);
      if (cycle.length > 0) return cycle;
    }
    done.add(path);
    return [];
  };
  for (const { path } of all) {
    const cycle = visit(path, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}
