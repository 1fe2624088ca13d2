import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { migrate } from '../../../db/migrate.ts';
import { callNightshift } from '../cli/nightshift-in-process.ts';
import type { Environment } from '../cli/nightshift-process.ts';
import type { Homes } from '../db/private-postgres-folders.ts';
import { startPrimary, type PostgresNode } from '../db/replicated-postgres.ts';
import { asLogin, inDatabase, schemaFolder, withClient } from '../db/test-postgres.ts';

/** A primary with one loaded batch, for standbys that the test starts. */
export interface ReplicatedRecord {
  readonly primary: PostgresNode;
  /** Settings that lead to the primary, without a reader. */
  readonly environment: Environment;
  readonly batchId: string;
}

/** URL of the record on one of its servers. */
export function recordAt({ url }: PostgresNode): string {
  return inDatabase(url, 'record');
}

/** Starts the primary in one of the homes, and loads a batch of this many rows. The caller kills it. */
export async function openReplicatedRecord(homes: Homes, rowCount: number): Promise<ReplicatedRecord> {
  const primary = await startPrimary(await homes.make());
  const record = recordAt(primary);
  await withClient(primary.url, (client) => client.query('CREATE DATABASE record'));
  await migrate(record, schemaFolder);
  await withClient(primary.url, (client) =>
    client.query("CREATE ROLE asking LOGIN PASSWORD 'asking' IN ROLE nightshift_account"),
  );
  const environment = {
    DATABASE_URL: record,
    NIGHTSHIFT_ACCOUNT_READER_URL: asLogin(record, 'asking', 'asking'),
    NIGHTSHIFT_SOURCES: 'sample',
  };
  const file = join(mkdtempSync(join(tmpdir(), 'nightshift-readers-')), 'list.csv');
  const rows = Array.from({ length: rowCount }, (_, i) => `Company ${i},company-${i}.example`);
  writeFileSync(file, ['name,domain', ...rows].join('\n'));
  const surroundings = { folder: dirname(file), environment, input: '' };
  const { stdout } = await callNightshift(['load', file, '--json'], surroundings);
  return { primary, environment, batchId: (JSON.parse(stdout) as { readonly id: string }).id };
}
