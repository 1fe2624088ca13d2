import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import {
  parseSourceFile,
  readSourceFiles,
  trackedFiles,
  type SourceFile,
} from '../support/ci/project-source.ts';

// .dependency-cruiser.js checks layers, cycles and the homes of packages; eslint.config.js checks the length of files and
// functions.

/** Files with names in snake_case: fields of other systems, or names that leave the system unchanged. */
const snakeHomes: readonly string[] = [
  // Bodies of the API, as in the document.
  'src/console/',
  'src/api/v1/',
  'src/api/upload/check-batch.ts',
  'src/api/upload/check-schema.ts',
  'src/api/upload/estimate-schema.ts',
  'src/api/upload/preview-row-schema.ts',
  'src/api/upload/read-upload.ts',
  'src/api/upload/schema.ts',
  'src/api/http/problem-schema.ts',
  // Details of ads, in the API and between installations.
  'src/core/ads/ad-details-json.ts',
  // Manifests, as they land.
  'src/core/destinations/landing-manifest.ts',
  // Outcomes, as they are stored and returned.
  'src/core/batches/batch.ts',
  // Events and origins of batches, and causes of waits, as they are stored and returned.
  'src/core/batches/activity-log.ts',
  'src/core/batches/batch-labels.ts',
  'src/core/batches/batch-origin.ts',
  'src/core/work/wait-cause.ts',
  'src/doctor/checks/evaluate-wait.ts',
  // Stable codes of errors, and received bodies.
  'src/api/http/problem.ts',
  // Kinds of data in a purge.
  'src/config/retention.ts',
  // Stable codes of the reasons of a verdict.
  'src/core/emails/reasons.ts',
  'src/core/emails/verdict/verdict-labels.ts',
  'src/core/emails/probing/mailbox-lifetime.ts',
  'src/core/emails/probing/probe-readiness.ts',
  // Stable words of the reasons of an evaluation.
  'src/core/companies/match/reasons.ts',
  // Stable words of partial answers.
  'src/core/ads/partial-messages.ts',
  // Wire formats of ad sources.
  'src/sources/',
  // Parameters and claims of OpenID Connect.
  'src/adapters/oidc/open-id-provider.ts',
  // Stored payloads of events.
  'src/adapters/webhooks/wire.ts',
  // Rows and parameters of SQL, besides the schema.
  'db/',
  // Stable codes of errors, and the fields of `--json`.
  'src/cli/context/exit-codes.ts',
  'src/cli/run-program.ts',
  'src/cli/commands/batches/batch-view.ts',
  'src/cli/commands/batches/check.ts',
  'src/cli/commands/emails/validate.ts',
  'src/cli/commands/credits/prices.ts',
  'src/cli/commands/sources/search.ts',
  'src/cli/commands/schedules/schedule-edit.ts',
  // Fields of a file and kinds of its cells, as in the API and `--map`, and the options of csv-parse.
  'src/producer/',
  'src/csv/',
  'src/reporter/export/manifest.ts',
  // Columns of the exports of lists, as in the API.
  'src/reporter/export/changes-csv.ts',
  'src/reporter/export/emails-report.ts',
  // Counts of a batch by the status of their addresses, as in the API.
  'src/reporter/documents/model/front-sentences.ts',
  // Parquet's description of a column.
  'src/reporter/formats/parquet.ts',
  'src/reporter/formats/parquet-columns.ts',
  'src/tables/parquet/',
  // Settings, roles and connection options of Postgres.
  'src/adapters/postgres/',
  // Extensions of SFTP, as the library names them.
  'src/adapters/storage/sftp-files.ts',
  'src/postgres-server/',
];

const files = readSourceFiles(['src', 'workers', 'db']);
const filesPerFolderMax = 25;

test('the product has source files', () => {
  expect(files.length).toBeGreaterThan(100);
});

test(`folders of src, workers, db and test hold at most ${filesPerFolderMax} files`, () => {
  const counts = new Map<string, number>();
  for (const path of trackedFiles('src', 'workers', 'db', 'test'))
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  const full = [...counts].filter(
    ([folder, count]) => count > filesPerFolderMax && !folder.startsWith('db/migrations'),
  );
  expect(full).toEqual([]);
});

/** Openings without information: a doc comment begins with a verb or a noun phrase. */
const vagueOpening = /\/\*\*[\s*]*(What|How|Whether|Where|Who|Whom|Whose|Whoever|Of|Those|Which)\b/g;

test('doc comments of the product do not open with a question word', () => {
  const vague = files.flatMap(({ path, text }) =>
    [...text.matchAll(vagueOpening)].map(({ index }) => `${path}:${text.slice(0, index).split('\n').length}`),
  );
  expect(vague).toEqual([]);
});

test('tests put the clock back that they replace: files share a process', () => {
  const left = trackedFiles('test')
    .filter((path) => path.endsWith('.ts') && path !== 'test/unit/conventions.test.ts')
    .filter((path) => {
      const text = readFileSync(join(packageRoot, path), 'utf8');
      return text.includes('vi.useFakeTimers(') && !text.includes('vi.useRealTimers(');
    });
  expect(left).toEqual([]);
});

test('only main.ts files use arguments, environment and exit of the process', () => {
  expect(files.flatMap(strayProcessUses)).toEqual([]);
});

test('only the HTTP client sends requests to other servers', () => {
  const stray = files
    // The browser has its own HTTP client: all requests of pages go through one file, and the stream of events is in another.
    .filter(
      ({ path }) => !['src/console/api/send.ts', 'src/console/api/live/account-events.ts'].includes(path),
    )
    .flatMap(({ path, httpUses }) => httpUses.map((name) => `${path} uses ${name}`));
  expect(stray).toEqual([]);
});

test('no file has a default export or the type any', () => {
  expect(files.filter((file) => file.hasDefaultExport || file.hasAny).map((file) => file.path)).toEqual([]);
});

test('snake_case names occur only where a wire format or SQL defines them', () => {
  const stray = files.filter((file) => file.snakeNames.length > 0 && !isWithin(file.path, snakeHomes));
  expect(stray.map((file) => `${file.path}: ${file.snakeNames.join(', ')}`)).toEqual([]);
});

test('every snake_case exception is in use', () => {
  const unused = snakeHomes.filter((home) => !files.some((file) => file.path.startsWith(home)));
  expect(unused).toEqual([]);
});

describe('source file parser', () => {
  test.each([
    'process.env.HOME',
    "process['exit'](1)",
    'const { argv } = process',
    "import { env } from 'node:process'",
  ])('finds a use of the process outside a main.ts: %s', (text) => {
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
  ])('finds a request that bypasses the HTTP client: %s', (text) => {
    expect(parseSourceFile('src/core/a.ts', text).httpUses).toHaveLength(1);
  });

  test.each([
    "import { fetch } from 'undici'; await fetch(url);",
    'const fetch = createFetch(); serve({ fetch });',
    'app.fetch(request);',
    'interface App { fetch(): void; }',
    "import { createServer, type Server } from 'node:http';",
    "import type { request } from 'node:http';",
  ])('finds no HTTP request in %s', (text) => {
    expect(parseSourceFile('src/core/a.ts', text).httpUses).toEqual([]);
  });

  test.each([
    'const x = y as any;',
    'export default 1;',
    'export { a as default };',
    'export default function f() {}',
  ])('finds a default export or the type any: %s', (text) => {
    const { hasAny, hasDefaultExport } = parseSourceFile('src/core/a.ts', text);
    expect(hasAny || hasDefaultExport).toBe(true);
  });
});

function strayProcessUses({ path, processUses }: SourceFile): readonly string[] {
  if (/(^|\/)main\.ts$/.test(path)) return [];
  return processUses
    .filter((name) => ['env', 'argv', 'exit', 'exitCode', '[…]'].includes(name))
    .map((name) => `${path} uses process.${name}`);
}

function isWithin(path: string, places: readonly string[]): boolean {
  return places.some((place) => path.startsWith(place));
}
