import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestCli, type TestCli } from '../../support/cli/test-cli.ts';
import { codeIn } from '../../support/cli/error-code.ts';
import { chooseHome } from '../../../src/config/home.ts';
import { runNightshift } from '../../support/cli/nightshift-process.ts';

/** Commands for existing data, with arguments of the right form. */
const reading: readonly (readonly string[])[] = [
  ['status'],
  ['watch', 'bat_1'],
  ['export', 'bat_1'],
  ['report', 'bat_1', '-o', 'report.html'],
  ['report-links'],
  ['resume', 'bat_1'],
  ['sql', 'select 1'],
  ['changes'],
  ['schedule'],
  ['schedule', 'run', 'nightly'],
  ['inbox'],
  ['companies'],
  ['sources'],
  ['credits'],
  ['prices'],
  ['accounts'],
  ['keys'],
  ['users'],
  ['audit'],
  ['webhook'],
  ['destination'],
  ['opt-outs'],
  ['erase', 'jane@example.com'],
  ['purge', '--older-than', '365d'],
  ['verify'],
];

describe('user with an empty data folder', () => {
  let cli: TestCli;
  /** The data folder of this user is in the folder of the test CLI. */
  let user: Readonly<Record<string, string>>;
  let home: string;

  beforeAll(() => {
    cli = openTestCli({}, { inProcess: true });
    const own = join(cli.folder, 'jane');
    user = { NIGHTSHIFT_HOME: '', XDG_DATA_HOME: '', LOCALAPPDATA: own, HOME: own };
    home = chooseHome({ environment: user, folder: cli.folder });
    mkdirSync(own);
  });
  afterAll(async () => {
    await cli.run(['stop', '--force'], { environment: user });
    await cli.close();
  });

  test.each(reading.map((args) => ({ args })))('`nightshift $args` creates no database', async ({ args }) => {
    const { exitCode, stdout, stderr } = await cli.run([...args, '--json'], { environment: user });
    expect([exitCode, codeIn(stdout)]).toEqual([2, 'not_configured']);
    expect(stderr).toContain(`There is no database in ${home}.`);
    expect(stderr).toMatch(/nightshift demo` creates one with sample data, `.*nightshift up` an empty one/);
    expect(readdirSync(join(cli.folder, 'jane'))).toEqual([]);
  });

  test('a command that creates data creates it in the data folder, and every working folder has the same database', async () => {
    mkdirSync(join(cli.folder, 'elsewhere'));
    const grant = ['credits', 'grant', '5', '--reason', 'test', '--json'];
    const granted = await runNightshift(grant, user, { folder: join(cli.folder, 'elsewhere') });
    expect(granted.exitCode, granted.stderr).toBe(0);
    expect(existsSync(join(home, 'postgres.json'))).toBe(true);
    expect(existsSync(join(cli.folder, 'elsewhere', '.nightshift'))).toBe(false);
    expect(await cli.ask(['credits'], { environment: user })).toMatchObject({ balance: 10_005 });
  });

  test('a .nightshift above the working folder is another home', async () => {
    mkdirSync(join(cli.folder, 'project', '.nightshift'), { recursive: true });
    mkdirSync(join(cli.folder, 'project', 'lists'));
    const { exitCode, stderr } = await runNightshift(['credits'], user, {
      folder: join(cli.folder, 'project', 'lists'),
    });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`There is no database in ${join(cli.folder, 'project', '.nightshift')}.`);
  });

  test('config shows the folder', async () => {
    const { settings } = (await cli.ask(['config'], { environment: user })) as {
      readonly settings: readonly object[];
    };
    expect(settings).toContainEqual(
      expect.objectContaining({ name: 'NIGHTSHIFT_HOME', value: home, origin: 'default' }),
    );
  });
});
