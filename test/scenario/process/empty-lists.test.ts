import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { useTestCli } from '../../support/cli/test-cli.ts';

const cli = useTestCli({ inProcess: true });

/** A list, and the start of what it prints without entries. */
type EmptyList = readonly [args: readonly string[], start: string, nextStep: RegExp];

const listsOfAccount: readonly EmptyList[] = [
  [['status'], 'No batches yet.', /nightshift enrich FILE$/],
  [['status', '--tag', 'none'], 'No batch matches.', /nightshift status$/],
  [['schedule'], 'No schedules yet.', /nightshift schedule add NAME/],
  [['changes'], 'No schedules yet.', /nightshift schedule add NAME/],
  [['inbox'], 'No inboxes yet.', /nightshift inbox add NAME/],
  [['destination'], 'No destinations yet.', /nightshift destination add NAME/],
  [['webhook'], 'No webhooks yet.', /nightshift webhook add NAME/],
  [['keys'], 'No API keys yet.', /nightshift keys create --name NAME$/],
  [['users'], 'No users yet.', /nightshift users add LOGIN$/],
  [['companies'], 'No companies are mapped yet.', /nightshift companies map COMPANY ADVERTISER$/],
  [['companies', 'list', 'nike.com'], 'No advertisers are mapped to nike.com yet.', /companies map COMPANY/],
  [['opt-outs'], 'No opt-outs yet.', /nightshift opt-outs add DOMAIN$/],
  [['audit'], 'No billable calls yet.', /nightshift prices$/],
];

const listsOfOne: readonly EmptyList[] = [
  [['schedule', 'scans', 'rivals'], 'No scans yet.', /nightshift schedule run rivals$/],
  [['changes'], 'No changes', /add --all\.$/],
  [['inbox', 'files', 'our lists'], 'No files yet.', /nightshift inbox look 'our lists'$/],
  [['inbox', 'files', 'our lists', '--state', 'failed'], 'No file matches.', /inbox files 'our lists'$/],
  [['destination', 'landings', 'lake'], 'No landings yet.', /nightshift destination replay lake$/],
  [
    ['destination', 'landings', 'lake', '--state', 'dead'],
    'No landing matches.',
    /destination landings lake$/,
  ],
  [['webhook', 'deliveries', 'crm'], 'No deliveries yet.', /nightshift webhook test crm$/],
  [['webhook', 'deliveries', 'crm', '--state', 'dead'], 'No delivery matches.', /webhook deliveries crm$/],
];

async function expectNextStep(args: readonly string[], start: string, nextStep: RegExp): Promise<void> {
  const { exitCode, stdout, stderr } = await cli().run(args);
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout.startsWith(start), stdout).toBe(true);
  expect(stdout.trimEnd()).toMatch(nextStep);
  expect(stdout.trimEnd().split('\n')).toHaveLength(1);
}

describe('an empty list names the next step in one line', () => {
  test.each(listsOfAccount)('%j', expectNextStep);

  describe('of one', () => {
    beforeAll(async () => {
      cli().write('rivals.csv', 'company\nNike\n');
      mkdirSync(join(cli().folder, 'incoming'));
      mkdirSync(join(cli().folder, 'lake'));
      const ask = (...args: string[]) => cli().ask(args);
      const schedule = ['schedule', 'add', 'rivals', '--companies', 'rivals.csv', '--source', 'sample'];
      await ask(...schedule, '--cron', '0 2 1 1 *');
      await ask('inbox', 'add', 'our lists', join(cli().folder, 'incoming'), '--source', 'sample');
      await ask('destination', 'add', 'lake', join(cli().folder, 'lake'));
      await ask('webhook', 'add', 'crm', '--url', 'https://example.com/hooks');
    });

    test.each(listsOfOne)('%j', expectNextStep);
  });
});

test('help shows what a command requires in its first line, and with the option', async () => {
  const { stdout } = await cli().run(['credits', 'grant', '--help']);
  expect(stdout).toMatch(/^Usage: nightshift credits grant <amount> --reason <text> \[options\]\n/);
  expect(stdout).toMatch(/--reason <text> .*\(required\)/s);
});
