import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampleRows } from '../../../src/core/sample/sample-ads.ts';
import { addDays } from '../../../src/core/time/day.ts';
import { openFakeBrowser } from '../../support/cli/fake-browser.ts';
import { codeIn } from '../../support/cli/error-code.ts';
import { openTestCli, type TestCli } from '../../support/cli/test-cli.ts';
import type { EndedProcess } from '../../support/cli/nightshift-process.ts';

/** File of the demo: 60 rows, two of them invalid, three with a repeated company. */
const demoCounts = { rows: { total: 60, rejected: 2 }, lookups: { total: 55, failed: 0, open: 0 } };

interface FoundChange {
  readonly kind: string;
  readonly ad: { readonly creative_id: string; readonly headline: string };
}

/** Kind of change of an ad from the sample of the day before to that of the day. */
function kindInSample(creativeId: string, today: string): string {
  const find = (day: string) => sampleRows(day).find((row) => `google:${row.creativeId}` === creativeId);
  const [before, now] = [find(addDays(today, -1)), find(today)];
  if (before === undefined) return 'new';
  return isDeepStrictEqual(before.content, now?.content) ? 'ended' : 'changed';
}

describe('first run without configuration', () => {
  let cli: TestCli;
  let first: EndedProcess;
  let sql: string;

  beforeAll(() => {
    cli = openTestCli({}, { inProcess: true });
    // As root, Postgres runs as another user: without access to this folder, its data would be in another one.
    chmodSync(cli.folder, 0o755);
  });

  afterAll(async () => {
    await cli.run(['stop', '--force']);
    await cli.close();
  });

  test('demo shows outcomes, credits, a query with its result, and next steps', async () => {
    const startedAt = performance.now();
    first = await cli.start(['demo']).ended;
    expect(first.exitCode, first.stderr).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(180_000);
    expect(first.stdout).toMatch(/Companies +55: \d+ found, \d+ without ads, \d+ not identified, 0 failed/);
    expect(first.stdout).toMatch(/Credits +[\d.]+ charged \(at most 11\)/);
    expect(first.stdout).toContain('generated data, not real ads');
    expect(first.stdout).toMatch(/nightshift sql "select [^"]+"\n┌.*\n│ company_key/);
    expect(first.stdout).toContain('Next steps');
    expect(first.stdout).toContain('npx nightshift changes demo');
    expect(first.stdout).toContain('npx nightshift verify');
    expect(first.stderr).toContain('Preparing a private Postgres');
  });

  test('demo shows what changed since yesterday, as the changes of a paused schedule', async () => {
    expect(first.stdout).toMatch(/^Changes {4}(?:\d+ (?:new|changed|ended)(?:, )?)+$/m);
    const { changes } = (await cli.ask(['changes', 'demo'])) as { changes: readonly FoundChange[] };
    expect(changes.length).toBeGreaterThan(0);
    expect(first.stdout).toContain(changes[0]?.ad.headline);
    const today = new Date().toISOString().slice(0, 10);
    for (const { kind, ad } of changes) expect(kind).toBe(kindInSample(ad.creative_id, today));
    expect(await cli.ask(['schedule', 'list'])).toMatchObject({
      schedules: [{ name: 'demo', state: 'paused', companies: 55, sources: ['sample'] }],
    });
  });

  test('verify passes afterwards', async () => {
    const { exitCode, stdout } = await cli.runApart(['verify']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('All applicable invariants hold.');
    expect((await cli.runApart(['verify'])).stdout).toContain(
      'Proved by an earlier run, and not read again without --full: 1: ',
    );
    const { invariants } = (await cli.ask(['verify', '--full'])) as {
      invariants: readonly { number: number; status: string; checked: number }[];
    };
    expect(invariants.map(({ number }) => number)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
    ]);
    expect(
      invariants.filter(({ status, checked }) => status === 'holds' && checked > 0).length,
    ).toBeGreaterThan(7);
  });

  test('a second demo charges nothing, and --json prints the same as one document', async () => {
    const before = await cli.ask(['credits']);
    const demo = (await cli.ask(['demo'])) as {
      id: string;
      sql: string;
      answer: readonly object[];
      changes: readonly object[];
    };
    expect(demo).toMatchObject({ ...demoCounts, state: 'finished' });
    expect(first.stdout).toContain(demo.id);
    expect(demo.answer).toHaveLength(5);
    expect(demo.changes.length).toBeGreaterThan(0);
    expect(await cli.ask(['credits'])).toEqual(before);
    ({ sql } = demo);
    expect(await cli.ask(['sql', sql])).toEqual(demo.answer);
  });

  test('the query of the demo can be pasted', async () => {
    const { stdout } = await cli.run(['sql', sql]);
    expect(stdout).toContain('5 rows');
    expect(first.stdout).toContain(stdout.split('\n')[3]);
  });

  test('other files need the sample to be named as a source', async () => {
    cli.write('list.csv', 'company\nNike\n');
    expect((await cli.run(['enrich', 'list.csv'])).exitCode).toBe(2);
  });

  test('up names the command for a one-time sign-in link until the operator has a password; no link is logged, and there is no default password', async () => {
    if (process.platform === 'linux') {
      const { environment, opened } = openFakeBrowser(0);
      const first = cli.start(['up', '--open'], { environment });
      await first.waitForOutput('Sign in   in your browser');
      const link = readFileSync(opened, 'utf8');
      expect(link).toMatch(/\/sign-in#[\w-]{43}$/);
      expect(first.stderr()).not.toContain('#');
      await first.stop();
    }
    const running = cli.start(['up']);
    await running.waitForOutput('Press Ctrl-C to stop');
    expect(running.stderr()).toMatch(
      /^Console {3}(http:\S+)\nSign in {3}npx nightshift users link operator\nAPI docs {2}\1\/docs\nSources {3}none; .+\nPress Ctrl-C to stop$/m,
    );
    expect(running.stderr()).not.toContain('#');
    const address = new URL(/Console +(\S+)/.exec(running.stderr())?.[1] ?? '');
    const made = (await cli.ask(['users', 'link', 'operator'])) as { readonly link: string };
    const post = (path: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
      fetch(`${address.origin}${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Origin: address.origin, ...headers },
        body: JSON.stringify(body),
      });
    const link = new URL(made.link).hash.slice(1);
    const answer = await post('/v1/session', { link });
    expect(await answer.json()).toMatchObject({
      user: { login: 'operator', role: 'operator', has_password: false },
    });
    expect((await post('/v1/session', { link })).status).toBe(401);
    expect(await (await fetch(`${address.origin}/`)).text()).toContain('<title>Nightshift</title>');
    const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
    const password = 'correct horse battery';
    expect((await post('/v1/session/password', { password }, { Cookie: cookie })).status).toBe(204);
    await running.stop();
    const again = cli.start(['up']);
    await again.waitForOutput('Press Ctrl-C to stop');
    expect(again.stderr()).toContain('Sign in   with a password');
    await again.stop();
    expect(await cli.ask(['users'])).toMatchObject([{ login: 'operator', password: true }]);
  });

  test('all data is in one folder', () => {
    expect(existsSync(join(cli.folder, '.nightshift', 'demo.csv'))).toBe(true);
  });

  test('stop fails while other sessions are connected, and --force stops anyway', async () => {
    const working = cli.start(['work']);
    await working.waitForOutput('Workers are running.');
    const refused = await cli.runApart(['stop', '--json']);
    expect([refused.exitCode, codeIn(refused.stdout)]).toEqual([2, 'conflict']);
    expect(refused.stderr).toContain('--force');
    await working.stop();
    expect(await cli.ask(['stop'])).toEqual({ stopped: true, unshipped: null });
    expect(await cli.ask(['stop'])).toEqual({ stopped: false, unshipped: null });
  });

  test('data survives a stop of the server', async () => {
    const { batches } = (await cli.ask(['status'])) as { batches: readonly object[] };
    // The batch, and its two scans.
    expect(batches).toHaveLength(3);
    const working = cli.start(['work']);
    await working.waitForOutput('Workers are running.');
    expect(await cli.ask(['stop', '--force'])).toEqual({ stopped: true, unshipped: null });
    await working.kill();
  });
});

describe('two concurrent first runs', () => {
  let cli: TestCli;
  beforeAll(() => {
    cli = openTestCli({});
    chmodSync(cli.folder, 0o755);
  });
  afterAll(async () => {
    await cli.run(['stop', '--force']);
    await cli.close();
  });

  test('both succeed on one server, and share one batch that is charged once', async () => {
    const both = (await Promise.all([cli.ask(['demo']), cli.ask(['demo'])])) as readonly {
      id: string;
      credits: { charged: number };
    }[];
    expect(both[0]?.id).toBe(both[1]?.id);
    const { balance } = (await cli.ask(['credits'])) as { balance: number };
    const { batches } = (await cli.ask(['status'])) as {
      batches: readonly { credits: { charged: number } }[];
    };
    expect(10_000 - balance).toBeCloseTo(
      batches.reduce((sum, { credits }) => sum + credits.charged, 0),
      6,
    );
    expect(batches.length).toBeLessThanOrEqual(3);
  });
});
