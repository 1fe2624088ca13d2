import { beforeAll, expect, test } from 'vitest';
import { exampleQueries } from '../../../src/console/pages/sql/example-queries.ts';
import { useTestApi } from '../../support/api/test-api.ts';
import { uploadBatch, waitForState } from '../../support/api/uploaded-batch.ts';

const api = useTestApi({ workers: true });
let key = '';

beforeAll(async () => {
  key = await api().createKey();
  const file = ['website,email', 'nike.com,bob@acme', 'nobody-one.com,', ',', 'airbnb.com,x@localhost'].join(
    '\n',
  );
  await waitForState(api(), key, await uploadBatch(api(), key, file), 'finished');
});

/** Examples whose answer needs more than a batch: ads of the last days, or scans. */
const withoutRows: readonly string[] = [
  'Which ads began in the last seven days?',
  'How many ads ran on each day?',
];

test('the console has at least six example queries, each with a question of its own', () => {
  expect(exampleQueries.length).toBeGreaterThanOrEqual(6);
  expect(new Set(exampleQueries.map(({ question }) => question)).size).toBe(exampleQueries.length);
  for (const { question } of exampleQueries) expect(question).toMatch(/\?$/);
});

test.each(exampleQueries)('example query runs: $question', async ({ question, query }) => {
  const answer = await api().call('POST', '/v1/sql', { key, json: { query } });
  expect(answer.status, answer.text).toBe(200);
  const { rows } = answer.json() as { readonly rows: readonly unknown[] };
  if (!withoutRows.includes(question)) expect(rows.length).toBeGreaterThan(0);
});
