import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { eachBackend } from '../support/queue/backends.ts';
import { companiesOf, listCompanies, listFile } from '../support/faults/listed-companies.ts';
import {
  askedIn,
  expectBalancedAccounts,
  exportEveryRow,
  firstRows,
  expectedAnswer,
} from '../support/faults/batch-audit.ts';
import { readNightshift } from '../support/cli/nightshift-process.ts';
import { openBatchRun, temporaryFolder } from '../support/faults/loaded-batch.ts';
import { takeSeed } from '../support/seed.ts';
import { spawnSourceStandIn } from '../support/stand-in/spawn-source-stand-in.ts';
import { createEmptyDatabase } from '../support/db/database.ts';
import { withClient } from '../support/db/test-postgres.ts';
import { faultWaitMsMax } from '../support/wait-bound.ts';

const processes = 4;

test('four concurrent migrations of an empty database create the same schema as one', async () => {
  const [together, alone] = [await createEmptyDatabase(), await createEmptyDatabase()];
  const migrate = (url: string) => readNightshift(['migrate'], { DATABASE_URL: url });
  const reports = await Promise.all(Array.from({ length: processes }, () => migrate(together)));
  await migrate(alone);
  const counts = reports.map((report) => (report as { applied: readonly string[] }).applied.length);
  const { total } = reports[0] as { total: number };
  expect(counts.sort((a, b) => b - a)).toEqual([total, 0, 0, 0]);
  const schema = await readSchema(together);
  expect(schema.length).toBeGreaterThan(200);
  expect(schema).toEqual(await readSchema(alone));
});

eachBackend(({ open }) => {
  test('two processes that enrich the same file share one batch and charge each company once', async () => {
    const source = await spawnSourceStandIn({
      logFile: join(temporaryFolder(), 'calls.ndjson'),
      latencyMs: { min: 5, max: 100 },
    });
    onTestFinished(source.close);
    const rows = listCompanies(900, takeSeed());
    const opened = await open();
    const settings = {
      NIGHTSHIFT_UPSTREAM_URL: source.url,
      NIGHTSHIFT_UPSTREAM_KEY: source.key,
      NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: '200',
    };
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'companies.csv'), listFile(rows));
    const enrich = async (output: string) => {
      const args = ['enrich', join(folder, 'companies.csv'), '-o', join(folder, output)];
      const environment = { ...opened.environment, ...settings };
      const options = { timeoutMs: faultWaitMsMax };
      return (await readNightshift(args, environment, options)) as {
        readonly id: string;
        readonly state: string;
      };
    };
    const [one, two] = await Promise.all([enrich('one.csv'), enrich('two.csv')]);

    expect(one.state).toBe('finished');
    expect(two).toEqual({ ...one, output: join(folder, 'two.csv') });
    expect(readFileSync(join(folder, 'one.csv')).equals(readFileSync(join(folder, 'two.csv')))).toBe(true);

    // Loading the same file again finds the batch of the two commands.
    const run = await openBatchRun(opened, { source, rows, settings });
    expect(run.batch).toBe(one.id);
    const companies = companiesOf(rows);
    expect(source.readLog().map(askedIn).sort()).toEqual([...companies].sort());
    const answers = firstRows(run, await exportEveryRow(run));
    for (const [company, { ads_outcome }] of answers)
      expect(ads_outcome).toBe(expectedAnswer(company).outcome);
    await expectBalancedAccounts(run, companies.filter((company) => expectedAnswer(company).ads > 0).length);
  });
});

/** Everything that migrations create, one line each: columns, constraints, indexes, functions, triggers, views, rights, the journal. */
async function readSchema(url: string): Promise<readonly string[]> {
  const ours = "IN (SELECT oid FROM pg_namespace WHERE nspname IN ('nightshift', 'reports', 'bullmq'))";
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ line: string }>(`
      SELECT concat_ws(' ', 'column', attrelid::regclass, attnum, attname, format_type(atttypid, atttypmod), attnotnull,
          pg_get_expr(d.adbin, d.adrelid)) AS line
        FROM pg_attribute a LEFT JOIN pg_attrdef d ON (d.adrelid, d.adnum) = (a.attrelid, a.attnum)
        WHERE attnum > 0 AND attrelid IN (SELECT oid FROM pg_class WHERE relnamespace ${ours})
      UNION ALL SELECT concat_ws(' ', relkind, oid::regclass, relacl, relowner::regrole, pg_get_viewdef(oid))
        FROM pg_class WHERE relnamespace ${ours} AND relkind <> 'i'
      UNION ALL SELECT pg_get_indexdef(oid) FROM pg_class WHERE relnamespace ${ours} AND relkind = 'i'
      UNION ALL SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid))
        FROM pg_constraint WHERE connamespace ${ours}
      UNION ALL SELECT concat_ws(' ', pg_get_functiondef(oid), proacl, proowner::regrole) FROM pg_proc WHERE pronamespace ${ours}
      UNION ALL SELECT concat_ws(' ', pg_get_triggerdef(t.oid), tgenabled)
        FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid WHERE relnamespace ${ours} AND NOT tgisinternal
      UNION ALL SELECT concat_ws(' ', nspname, nspacl, nspowner::regrole) FROM pg_namespace WHERE oid ${ours}
      UNION ALL SELECT concat_ws(' ', 'migration', id, hash) FROM nightshift.migrations
      ORDER BY line`);
    return rows.map(({ line }) => line);
  });
}
