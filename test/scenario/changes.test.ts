import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { openDesk, type Desk } from '../support/desk.ts';
import { adOf, foundAds, openScanDesk, scanDay } from '../support/evaluation-desk.ts';

let desk: Desk;
let database: Awaited<ReturnType<typeof createTestDatabase>>;

beforeAll(async () => {
  database = await createTestDatabase();
  desk = openDesk({ DATABASE_URL: database.url }, { inProcess: true });
  const scans = await openScanDesk(database);
  const schedule = await scans.addSchedule('rivals', ['acme.com', 'globex.com'], { missesToEnd: 1 });
  await scans.addSchedule('idle', ['acme.com']);
  await scans.play(schedule, 0, { 'acme.com': foundAds(['a', 'b']), 'globex.com': foundAds(['g']) });
  await scans.play(schedule, 1, {
    'acme.com': foundAds([adOf('a', { format: 'Image' }), adOf('n', { start: scanDay(1) })]),
    'globex.com': foundAds(['g', adOf('late', { start: scanDay(-90) })]),
  });
  await scans.evaluate();
});
afterAll(async () => {
  await desk.close();
  await database.close();
});

test('people get a table for each company, with what each change rests on, and how many there are', async () => {
  const { stdout, exitCode } = await desk.run(['changes', 'rivals']);
  expect(exitCode).toBe(0);
  const lines = stdout.split('\n');
  expect(lines[0]).toBe('acme.com');
  expect(stdout).not.toContain('globex.com');
  for (const [ad, why] of [
    ['changed │ a', 'looks different'],
    ['ended   │ b', `last seen ${scanDay(0)}; 1 complete scans without it`],
    ['new     │ n', `runs since ${scanDay(1)}`],
  ] as const)
    expect(lines.find((line) => line.includes(ad))).toContain(why);
  expect(stdout).toMatch(/\n1 new, 1 ended, 1 changed\n$/);
});

test('--all tells what is no news, too, and why', async () => {
  const { stdout } = await desk.run(['changes', 'rivals', '--all', '--company', 'globex.com']);
  expect(stdout).toContain('there at the first scan');
  expect(stdout).toContain(`runs since ${scanDay(-90)}; earlier scans missed it`);
  expect(stdout).toMatch(/\n2 baseline\n$/);
});

test('--json has the same, and says whether there is more', async () => {
  expect(await desk.ask(['changes', '--kind', 'new', 'ended', '--limit', '1'])).toMatchObject({
    changes: [
      { kind: 'ended', ad: { creative_id: 'b', format: 'Text' }, ran_to: scanDay(0), schedule: 'rivals' },
    ],
    has_more: true,
  });
  expect(await desk.ask(['changes', '--kind', 'new', '--since', '1d'])).toMatchObject({
    changes: [{ kind: 'new', before: null }],
    has_more: false,
  });
});

test('a schedule or company without changes has none, and nobody’s schedule is refused', async () => {
  expect((await desk.run(['changes', 'idle'])).stdout).toBe('Nothing changed.\n');
  expect(await desk.ask(['changes', '--company', 'never-asked.com'])).toEqual({
    changes: [],
    has_more: false,
  });
  const { exitCode, stderr } = await desk.run(['changes', 'nobody']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('There is no schedule nobody.');
});

test.each([
  [['changes', '--since', 'yesterday'], '--since yesterday: write minutes, hours or days'],
  [['changes', '--limit', '0'], '--limit 0: write a number from 1 to 100000.'],
  [['changes', '--kind', 'gone'], 'Allowed choices are baseline, new, reactivated, ended, changed'],
])('%j is refused, with what to write instead', async (args, said) => {
  const { exitCode, stderr } = await desk.run(args);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(said);
});
