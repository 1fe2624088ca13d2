import { describe, expect, test } from 'vitest';
import { platformId } from '../../src/core/companies/platform-id.ts';
import { useTestCli } from '../support/cli/test-cli.ts';
import { ctrlC, openTerminal } from '../support/pty/terminal.ts';
import { insertCandidates, makeCandidate } from '../support/companies/candidates.ts';
import { advertiserId } from '../support/sources/creatives.ts';

const cli = useTestCli({ sample: false });

function open(columns: number, company: string, ...args: readonly string[]) {
  const { folder, environment } = cli();
  return openTerminal(['companies', 'review', '--company', company, ...args], {
    folder,
    environment,
    columns,
  });
}

async function rolesOf(company: string) {
  const listed = (await cli().ask(['companies', 'list', company])) as readonly Record<string, unknown>[];
  return listed.map(({ advertiser_id: id, role, note }) => [
    Number(platformId(String(id)).slice(2)),
    role,
    note,
  ]);
}

const whole = { modesLost: [], isCursorVisible: true };

describe.each([40, 80])('in a terminal of %i columns', (columns) => {
  const company = `nike-${columns}.com`;

  test('each advertiser is asked for, and each decision is stored with its evidence', async () => {
    const of = (n: number) => makeCandidate(n, { companyKey: `d:${company}` });
    await insertCandidates(cli().environment, of(1), of(2), of(3), of(4), of(5));
    const run = open(columns, company);
    await run.says(`1 of 5: ${company}`);
    await run.says(advertiserId(1));
    await run.says('[q]uit');
    run.press('x\r');
    await run.says(/the company or a part of it/);
    run.press('a\r');
    await run.says('2 of 5');
    run.press('G\r');
    await run.says('3 of 5');
    run.press('deny\r');
    await run.says('4 of 5');
    run.press('s\r');
    await run.says('5 of 5');
    run.press('q\r');
    const ended = await run.ended();
    expect(ended).toMatchObject({ exitCode: 0, ...whole });
    // A link is not broken.
    const shown = ended.text.split(/[\r\n]+/).filter((line) => !line.includes('https:'));
    expect(shown.filter((line) => line.length > columns)).toEqual([]);
    const text = ended.text.replaceAll(/\s+/g, ' ');
    expect(text).toContain(
      '1 accepted, 1 agency, 1 denied, 1 skipped. Decisions are stored. 2 advertisers left.',
    );
    expect(text).toContain(`nightshift search --domain ${company}`);
    expect(text).toContain(
      "the company's name, or the distinguishing part of it, is in the advertiser's name;",
    );
    expect(await rolesOf(company)).toEqual([
      [1, 'allow', 'Reviewed: Nike Media 1, 79% own (name_within, adds_generic_word)'],
      [2, 'agency', expect.any(String)],
      [3, 'deny', expect.any(String)],
    ]);
  });

  test('Ctrl-C keeps what was decided', async () => {
    const stopped = `stopped-${columns}.com`;
    const of = (n: number) => makeCandidate(n, { companyKey: `d:${stopped}` });
    await insertCandidates(cli().environment, of(1), of(2));
    const run = open(columns, stopped);
    await run.says('1 of 2');
    run.press('a\r');
    await run.says('2 of 2');
    run.press(ctrlC);
    const ended = await run.ended();
    expect(ended).toMatchObject({ exitCode: 130, ...whole });
    expect(ended.text.replaceAll(/\s+/g, ' ')).toContain('Stopped. 1 accepted. Decisions are stored.');
    expect(await rolesOf(stopped)).toMatchObject([[1, 'allow', expect.any(String)]]);
  });
});

test('the end of the input ends the review, and a name cannot control the terminal', async () => {
  const hostile = makeCandidate(1, { companyKey: 'd:hostile.com', name: 'Nike\u001b[2J\u202eMedia' });
  await insertCandidates(cli().environment, hostile);
  const run = open(80, 'hostile.com');
  await run.says('1 of 1');
  run.press('\x04');
  const ended = await run.ended();
  expect(ended).toMatchObject({ exitCode: 0, controls: [], ...whole });
  expect(ended.text).toContain('Nothing was decided. 1 advertiser left.');
});

test('--limit bounds the review', async () => {
  const of = (n: number) => makeCandidate(n, { companyKey: 'd:bounded.com' });
  await insertCandidates(cli().environment, of(1), of(2), of(3));
  const run = open(80, 'bounded.com', '--limit', '1');
  await run.says('1 of 1');
  run.press('d\r');
  expect((await run.ended()).text).toContain('1 denied. Decisions are stored. 2 advertisers left.');
});
