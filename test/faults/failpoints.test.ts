import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, onTestFinished, test } from 'vitest';
import { failpoints, type Failpoint } from '../../src/core/failpoint.ts';
import { eachBackend, openOnPostgres } from '../support/queue/backends.ts';
import { useCrashingNightshift } from '../support/crash/crashing-nightshift.ts';
import { companiesOf, listCompanies, listFile, type ListedRow } from '../support/faults/listed-companies.ts';
import { askedIn, expectedAnswer } from '../support/faults/batch-audit.ts';
import { readNightshift, runNightshift, type Environment } from '../support/cli/nightshift-process.ts';
import { casesOn } from '../support/faults/random-runs.ts';
import { takeSeed } from '../support/seed.ts';
import { openSourceStandIn, type SourceStandIn } from '../support/stand-in/source-stand-in.ts';
import { listFindings } from '../support/db/findings.ts';

const command = ['enrich', 'list.csv', '-o', 'out.csv', '--source', 'upstream'];
/** Failpoints after which the report has its final name. */
const reportIsThere: readonly Failpoint[] = ['export:renamed', 'export:manifest-renamed'];

const crashing = useCrashingNightshift();

eachBackend(({ kind, open }) => {
  test.each(casesOn(kind, failpoints.enrichment))(
    'a command killed at %s completes on the next run, once',
    async (point) => {
      const source = await openSourceStandIn({ idempotent: true });
      onTestFinished(() => source.close());
      const { database, environment: servers } = await open();
      const environment = { ...servers, ...settingsFor(source) };
      const folder = mkdtempSync(join(tmpdir(), 'nightshift-crash-'));
      const rows = listCompanies(60, takeSeed());
      writeFileSync(join(folder, 'list.csv'), listFile(rows));

      const crashed = await crashing.run(command, { environment, folder, point });
      expect(crashed.signal, crashed.stderr).toBe('SIGKILL');
      expect(existsSync(join(folder, 'out.csv'))).toBe(reportIsThere.includes(point));

      const done = await readNightshift(command, environment, { folder });
      expectWhole({ done, rows, source, out: join(folder, 'out.csv') });
      expect(await listFindings(database)).toEqual([]);
    },
  );
});

/** Companies that a crash leaves in doubt: until the answer is recorded, the charge is unknown. */
const inDoubtAfter = [
  { point: 'work:call-recorded', inDoubt: 1 },
  { point: 'work:answered', inDoubt: 1 },
  { point: 'work:answer-recorded', inDoubt: 0 },
] as const;
/**
 * Without concurrency, so that no other call is running when the process is killed, and with a lease that a slow machine does not lose during
 * a call: that is in doubt, too.
 */
const oneByOne = {
  NIGHTSHIFT_UPSTREAM_IDEMPOTENT: 'false',
  NIGHTSHIFT_CONCURRENCY: '1',
  NIGHTSHIFT_LEASE_SECONDS: '5',
};

describe('source that charges repeats', () => {
  test.each(inDoubtAfter)(
    'gets no call twice after a kill at $point, with $inDoubt lookups in doubt',
    async (crash) => {
      const { point, inDoubt } = crash;
      const source = await openSourceStandIn({ idempotent: false });
      onTestFinished(() => source.close());
      const { environment: servers } = await openOnPostgres();
      const environment = { ...servers, ...settingsFor(source), ...oneByOne };
      const folder = mkdtempSync(join(tmpdir(), 'nightshift-crash-'));
      const rows = listCompanies(60, takeSeed());
      writeFileSync(join(folder, 'list.csv'), listFile(rows));

      const crashed = await crashing.run(command, { environment, folder, point });
      expect(crashed.signal, crashed.stderr).toBe('SIGKILL');
      // Exits with 1 if a company failed.
      const { stdout } = await runNightshift([...command, '--json'], environment, { folder });
      const done = JSON.parse(stdout) as { readonly lookups: { readonly failed: number } };

      const asked = source.log.map(askedIn);
      expect(new Set(asked).size).toBe(asked.length);
      expect(done.lookups.failed).toBe(inDoubt);
      if (inDoubt === 0) expectWhole({ done, rows, source, out: join(folder, 'out.csv') });
    },
  );
});

function settingsFor(source: SourceStandIn): Environment {
  return {
    NIGHTSHIFT_UPSTREAM_URL: source.url,
    NIGHTSHIFT_UPSTREAM_KEY: source.key,
    NIGHTSHIFT_UPSTREAM_IDEMPOTENT: 'true',
    NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: '200',
    NIGHTSHIFT_UPSTREAM_BURST: '50',
    NIGHTSHIFT_LEASE_SECONDS: '1',
  };
}

interface RunResult {
  readonly done: unknown;
  readonly rows: readonly ListedRow[];
  readonly source: SourceStandIn;
  readonly out: string;
}

/** The reference is the source's own count, and the submitted file. */
function expectWhole({ done, rows, source, out }: RunResult): void {
  const companies = companiesOf(rows);
  const bought = source.log.filter(({ effect }) => effect).map(askedIn);
  expect(bought.sort()).toEqual([...companies].sort());
  const finds = companies.filter((company) => expectedAnswer(company).outcome === 'found').length;
  expect(done).toMatchObject({
    state: 'finished',
    lookups: { total: companies.length, found: finds, none: companies.length - finds, open: 0 },
    credits: { charged: (2 * finds) / 10 },
  });
  const exported: readonly Record<string, string>[] = parse(readFileSync(out), { columns: true, bom: true });
  expect(exported.map(({ row }) => row)).toEqual(rows.map(({ row }) => row));
  exported.forEach(({ ads_outcome: outcome }, i) => {
    const asked = rows[i]?.asked ?? null;
    expect(outcome).toBe(asked === null ? 'rejected' : expectedAnswer(asked).outcome);
  });
}
