import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { useTestApi } from '../../support/api/test-api.ts';
import { callNightshift } from '../../support/cli/nightshift-in-process.ts';
import { readCommittedDocument } from '../../support/openapi/write-document.ts';

const api = useTestApi();
const folder = mkdtempSync(join(tmpdir(), 'nightshift-one-json-'));
/** A different file for each name: the same file is the same batch. */
const companies = (name: string) => `company,domain,note\nNike,nike.com,${name}\nIKEA,ikea.com,\n,,\n`;

interface Batch {
  readonly id: string;
  readonly state: string;
}

/** Runs a command with `--json` and parses its document. */
async function run<T extends object>(...args: readonly string[]): Promise<T> {
  const environment = {
    DATABASE_URL: api().database.url,
    NIGHTSHIFT_HOME: folder,
    NIGHTSHIFT_DNS_SERVERS: api().dns.server,
  };
  const options = { folder, environment, input: '' };
  const { exitCode, stdout, stderr } = await callNightshift([...args, '--json'], options);
  expect(exitCode, stderr).toBe(0);
  return JSON.parse(stdout) as T;
}

async function read(path: string): Promise<unknown> {
  const answer = await api().call('GET', path, { key: await api().createKey() });
  expect(answer.status).toBe(200);
  return answer.json();
}

const ajv = new Ajv2020({ strict: false });
// Under NodeNext the default export has the type of the whole module.
(addFormats as unknown as (to: Ajv2020) => void)(ajv);
ajv.addSchema(readCommittedDocument() as object, 'document');

/** Validates a document against a schema of the API without allowing additional fields. */
function expectSchema(name: string, value: object): void {
  const validate = ajv.compile({
    $ref: `document#/components/schemas/${name}`,
    unevaluatedProperties: false,
  });
  expect(validate(value), ajv.errorsText(validate.errors)).toBe(true);
}

function load(name: string, ...options: readonly string[]): Promise<Batch> {
  writeFileSync(join(folder, `${name}.csv`), companies(name));
  return run('load', `${name}.csv`, '--source', 'sample', ...options);
}

describe('JSON of a batch in CLI and API', () => {
  const cases: readonly (readonly [state: string, make: () => Promise<Batch>])[] = [
    ['running', () => load('running')],
    ['running', () => load('bounded', '--limit', '1', '--max-credits', '0.4')],
    ['paused', async () => run('pause', (await load('paused')).id)],
    ['cancelled', async () => run('cancel', (await load('cancelled')).id)],
    ['running', async () => run('resume', (await run<Batch>('pause', (await load('resumed')).id)).id)],
    ['finished', () => enrich('finished', companies('finished'))],
    ['finished', () => enrich('addresses', 'email\njane@example.com\nno address\n')],
  ];

  function enrich(name: string, content: string): Promise<Batch> {
    writeFileSync(join(folder, `${name}.csv`), content);
    return run('enrich', `${name}.csv`, '--source', 'sample', '-o', `${name}-out.csv`);
  }

  test.each(cases)('`status --json` of a %s batch equals `GET /v1/batches/{id}`', async (state, make) => {
    const { id } = await make();
    const shown = await run<Batch>('status', id);
    expect(shown.state).toBe(state);
    expect(shown).toEqual(await read(`/v1/batches/${id}`));
    expectSchema('Batch', shown);
  });

  test('`status --json` equals `GET /v1/batches`', async () => {
    const page = await run('status');
    expect(page).toEqual(await read('/v1/batches'));
    expectSchema('BatchList', page);
  });

  test('load, pause, resume, cancel and enrich print the batch with their own fields added', async () => {
    const { new: isNew, ...loaded } = (await load('steered')) as Batch & { new: boolean };
    expect(isNew).toBe(true);
    expectSchema('Batch', loaded);
    for (const command of ['pause', 'resume', 'cancel']) expectSchema('Batch', await run(command, loaded.id));
    const { output, ...enriched } = (await enrich('finished', companies('finished'))) as Batch & {
      output: string;
    };
    expect(output).toBe('finished-out.csv');
    expectSchema('Batch', enriched);
  });

  test('`retry` and `reparse` print the schema of the retry of the API', async () => {
    const { id } = await enrich('finished', companies('finished'));
    for (const command of ['retry', 'reparse']) expectSchema('RetriedBatch', await run(command, id));
  });
});
