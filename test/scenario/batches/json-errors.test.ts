import { Ajv2020 } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../../src/package-root.ts';
import { useTestCli } from '../../support/cli/test-cli.ts';

const cli = useTestCli({ inProcess: true });

interface ErrorDocument {
  readonly errors: readonly { readonly title: string; readonly code: string; readonly status: number }[];
}

/** Validates a document as a `Problem` of docs/openapi.json. */
function validateProblem(document: unknown): void {
  const api = JSON.parse(readFileSync(join(packageRoot, 'docs/openapi.json'), 'utf8')) as {
    readonly components: { readonly schemas: Readonly<Record<string, object>> };
  };
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  expect(ajv.validate(api.components.schemas['Problem'] ?? {}, document), ajv.errorsText()).toBe(true);
}

const unreachable = { DATABASE_URL: 'postgres://nightshift@127.0.0.1:1/none' };

describe('an error with --json', () => {
  test.each([
    [['search', '--name', ''], {}, 2, 'validation_error', 'No company to search'],
    [['search', '--domain', 'nike.com', '--source', 'nothing'], {}, 2, 'not_configured', 'nothing'],
    [
      ['search', '--domain', 'nike.com', '--source', 'serpapi'],
      {},
      2,
      'not_configured',
      'NIGHTSHIFT_SERPAPI_KEY',
    ],
    [
      ['search', '--domain', 'nike.com', '--no-such-option'],
      {},
      2,
      'validation_error',
      "unknown option '--no-such-option'",
    ],
    [['status', 'bat_nothing'], {}, 2, 'not_found', 'bat_nothing'],
    [['check', 'missing.csv'], {}, 2, 'validation_error', 'missing.csv'],
    [['enrich', 'missing.csv', '--source', 'sample'], {}, 2, 'validation_error', 'missing.csv'],
    [['sql', 'select nothing'], {}, 2, 'validation_error', 'nothing'],
    [['status'], unreachable, 5, 'service_unavailable', 'DATABASE_URL'],
    [['prices', 'source', 'nothing', '1'], {}, 2, 'validation_error', 'Unknown billable source'],
    [['status'], { NIGHTSHIFT_CONCURRENCY: 'many' }, 2, 'not_configured', 'NIGHTSHIFT_CONCURRENCY'],
  ] as const)(
    'of %j is one document in the form of the API',
    async (args, environment, exitCode, code, text) => {
      const ended = await cli().run([...args, '--json'], { environment });
      const plain = await cli().run([...args], { environment });
      expect(ended.exitCode, ended.stderr).toBe(exitCode);
      expect(plain.exitCode).toBe(exitCode);
      expect(plain.stdout).toBe('');
      expect(ended.stderr).toBe(plain.stderr);
      const document = JSON.parse(ended.stdout) as ErrorDocument;
      validateProblem(document);
      expect(document.errors).toMatchObject([{ code }]);
      expect(document.errors[0]?.title).toContain(text);
    },
  );

  test('after a result leaves one document on stdout', async () => {
    cli().write('one.csv', 'name,domain\nNike,nike.com\n');
    const folder = await cli().run([
      'enrich',
      'one.csv',
      '--source',
      'sample',
      '-o',
      'missing/x.csv',
      '--json',
    ]);
    expect(folder.exitCode).toBe(2);
    expect(JSON.parse(folder.stdout)).toMatchObject({ errors: [{ code: 'validation_error' }] });
    const found = await cli().run(['enrich', 'one.csv', '--source', 'sample', '-o', '-', '--json']);
    expect(found.exitCode, found.stderr).toBe(0);
    expect(JSON.parse(found.stdout)).toHaveLength(1);
  });
});
