import { expect, test } from 'vitest';
import { useTestCli } from '../../support/cli/test-cli.ts';

const cli = useTestCli({ inProcess: true });

const nike = 'AR00000000000000000001';
const agency = 'AR00000000000000000002';

/** Output of `companies list`, without the moments. */
async function list(...args: readonly string[]) {
  const listed = (await cli().ask(['companies', 'list', ...args])) as Record<string, unknown>[];
  return listed.map(({ company, by, advertiser_id: id, role, note }) => [company, by, id, role, note]);
}

test('a company is mapped, listed and removed, by domain or name', async () => {
  expect(
    await cli().ask(['companies', 'map', 'https://www.Nike.com/de', nike, '--note', ' asked  them']),
  ).toEqual({
    company: 'nike.com',
    by: 'domain',
    role: 'allow',
    mapped: 1,
    added: 1,
    warnings: [],
  });
  await cli().ask(['companies', 'map', 'nike.com', agency, nike, '--role', 'agency']);
  await cli().ask(['companies', 'map', 'Nike, Inc.', nike, '--role', 'deny']);
  expect(await list()).toEqual([
    ['nike.com', 'domain', `google:${nike}`, 'agency', 'asked them'],
    ['nike.com', 'domain', `google:${agency}`, 'agency', null],
    ['nike', 'name', `google:${nike}`, 'deny', null],
  ]);
  expect(await list('NIKE')).toEqual([['nike', 'name', `google:${nike}`, 'deny', null]]);
  const { stdout } = await cli().run(['companies', 'list', 'nike.com']);
  expect(stdout).toMatch(/nike\.com +│ domain +│ google:AR0+1 +│ agency +│ asked them/);
  expect(await cli().ask(['companies', 'remove', 'nike.com', agency, 'AR9'])).toEqual({
    company: 'nike.com',
    by: 'domain',
    removed: 1,
    unknown: 1,
  });
  expect(await cli().ask(['companies', 'remove', 'nike.com'])).toMatchObject({ removed: 1, unknown: 0 });
  await cli().ask(['companies', 'remove', 'Nike']);
  expect(await list()).toEqual([]);
  for (const [args, says] of [
    [['nike.com'], 'nike.com is not mapped to any advertiser by its domain. Nothing was removed.'],
    [['Nike', nike], `nike is not mapped to google:${nike} by its name. Nothing was removed.`],
  ] as const) {
    const { exitCode, stdout } = await cli().run(['companies', 'remove', ...args]);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining(says)]);
  }
});

test('an id of another platform is mapped with its prefix, and rejected with the remedy without it', async () => {
  await cli().ask(['companies', 'map', 'peer.com', 'meta:4711', `google:${nike}`]);
  expect(await list('peer.com')).toEqual([
    ['peer.com', 'domain', `google:${nike}`, 'allow', null],
    ['peer.com', 'domain', 'meta:4711', 'allow', null],
  ]);
  for (const args of [
    ['map', 'peer.com', '4711'],
    ['remove', 'peer.com', '4711'],
  ]) {
    const { exitCode, stderr } = await cli().run(['companies', ...args]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('"4711" has no platform')]);
    expect(stderr).toContain('write the platform before it, such as meta:123');
  }
  expect(await cli().ask(['companies', 'remove', 'peer.com', nike])).toMatchObject({ removed: 1 });
});

test('a suspicious id is mapped with a warning, and an invalid id maps nothing', async () => {
  const mistyped = await cli().run(['companies', 'map', 'apex.com', 'ar00000000000000000001']);
  expect(mistyped).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(/looks mistyped/) as string });
  const bad = await cli().run(['companies', 'map', 'summit.com', nike, 'AR 1', '']);
  expect(bad.exitCode).toBe(2);
  expect(bad.stderr).toMatch(/Nothing was mapped: .*blanks in it .*20 digits.*; .*empty/);
  expect(await list('summit.com')).toEqual([]);
  expect((await cli().run(['companies', 'map', 'summit.com', nike, '--role', 'boss'])).exitCode).toBe(2);
  expect((await cli().run(['companies', 'map', 'summit.com', nike, '--note', '\u001b[2J'])).exitCode).toBe(2);
});

test('invalid companies are rejected, and a word with a dot that is not a domain is treated as a name', async () => {
  for (const text of ['facebook.com/acme', '-', '!!!', 'nike.con/de']) {
    const { exitCode, stderr } = await cli().run(['companies', 'list', '--', text]);
    expect(exitCode, text).toBe(2);
    expect(stderr).toContain('Invalid company');
  }
  const { stderr } = await cli().run(['companies', 'list', 'nike.con']);
  expect(stderr).toContain('Treated as a name, because it is not a domain: unknown ending ".con".');
});

test('a mapping belongs to one account', async () => {
  await cli().ask(['accounts', 'add', 'other']);
  await cli().ask(['companies', 'map', 'own.com', nike, '--account', 'other']);
  expect(await list('own.com')).toEqual([]);
  expect(await cli().ask(['companies', '--account', 'other'])).toHaveLength(1);
  expect(await cli().ask(['companies'])).toEqual(await cli().ask(['companies', 'list']));
  expect(await list('own.com', '--account', 'other')).toHaveLength(1);
  expect(await cli().ask(['companies', 'remove', 'own.com'])).toMatchObject({ removed: 0 });
  expect((await cli().run(['companies', 'list', '--account', 'nobody'])).exitCode).toBe(2);
});

test('a mapping changes whose ads a search finds', async () => {
  const search = ['search', '--domain', 'nike.com', '--source', 'sample'];
  const before = (await cli().ask(search)) as { ads: { advertiser_id: string }[] };
  const ids = [...new Set(before.ads.map((ad) => ad.advertiser_id))];
  expect(ids.length).toBeGreaterThan(0);
  await cli().ask(['companies', 'map', 'nike.com', ...ids, '--role', 'deny']);
  expect(await cli().ask(search)).toMatchObject({ ads: [], match: 'no_match' });
  await cli().ask(['companies', 'remove', 'nike.com']);
  expect(await cli().ask(search)).toMatchObject({ ads_count: before.ads.length });
});

test('an import maps the valid lines of a file, and lists the invalid ones with remedies', async () => {
  const lines = [
    'Company;Website;Advertiser ID;Role;Note',
    `Acme GmbH;;${nike};;`,
    `;https://acme.de/;${nike};ALLOW;Zürich`,
    `Acme;facebook.com/acme;${agency};agency;`,
    '',
    `;localhost;${nike};;`,
    `Bolt;;AR 1;boss;`,
    `Bolt;;${nike}`,
    `Acme;;${nike};deny;`,
  ];
  cli().write('mapping.csv', Buffer.from(lines.join('\r\n'), 'latin1'));
  const { exitCode, stdout } = await cli().run(['companies', 'import', 'mapping.csv']);
  expect(exitCode).toBe(1);
  expect(stdout.split('\n')).toEqual([
    '4 of 7 lines mapped, 3 of them new.',
    'Rejected (fix these lines and import the file again):',
    "  mapping.csv, line 6: not a domain: no dot in it (write the company's domain, or its name)",
    "  mapping.csv, line 7: not an advertiser id: blanks in it (Google's are AR and 20 digits; for another platform, write the platform before it, such as meta:123. " +
      "The address of the advertiser's page in Google's Ads Transparency Center or Meta's Ad Library is accepted, too); " +
      'unknown role (known roles: allow, agency, deny)',
    '  mapping.csv, line 8: too few fields: 3 fields instead of 5, missing "Role", "Note" (fix the line)',
    'Mapped with warnings:',
    '  mapping.csv, line 4: a page on "facebook.com", which many share; searched by the name',
    '  mapping.csv, line 9: line 2 has the same advertiser as allow; this line takes precedence',
    '',
  ]);
  expect(await list('Acme')).toEqual([
    ['acme', 'name', `google:${nike}`, 'deny', null],
    ['acme', 'name', `google:${agency}`, 'agency', null],
  ]);
  expect(await list('acme.de')).toEqual([['acme.de', 'domain', `google:${nike}`, 'allow', 'Zürich']]);
  const again = await cli().ask(['companies', 'import', 'mapping.csv'], { exitCode: 1 });
  expect(again).toMatchObject({
    rows: 7,
    mapped: 4,
    added: 0,
    refused: [{ line_no: 6 }, { line_no: 7 }, { line_no: 8 }],
  });
});

test('an import from standard input without errors exits with 0', async () => {
  const input = `domain\tadvertiser_id\nclean.com\t${nike}\n`;
  const result = await cli().ask(['companies', 'import', '-'], { input });
  expect(result).toEqual({ rows: 1, mapped: 1, added: 1, refused: [], warnings: [] });
});

test('columns of an import are mapped by options, and only known fields', async () => {
  cli().write('own.csv', `Brand,By,As,Why,E\nPeak,${nike},agency,asked,x\n`);
  const map = ['--map', 'company_name=Brand', 'advertiser_id=By', 'role=As', 'note=Why'];
  expect(await cli().ask(['companies', 'import', 'own.csv', ...map])).toMatchObject({ mapped: 1 });
  expect(await list('Peak')).toEqual([['peak', 'name', `google:${nike}`, 'agency', 'asked']]);
  const { exitCode, stderr } = await cli().run(['companies', 'import', 'own.csv', '--map', 'email=E']);
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringContaining(
      '--map: unknown field "email". Known fields: company_domain, company_name, advertiser_id, role, note.',
    ),
  ]);
  expect(stderr).not.toContain('own.csv');
});

test('an import maps nothing if a line cannot be read', async () => {
  cli().write('broken.csv', `domain,advertiser_id\nwhole.com,${nike}\ncut.com,"${nike}\n`);
  const { exitCode, stdout, stderr } = await cli().run(['companies', 'import', 'broken.csv', '--strict']);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(
    /broken\.csv, line 3: The record is not well-formed: a misplaced quotation mark, or one that is never closed/,
  );
  expect(await list('whole.com')).toEqual([]);
});

test.each([
  ['domain,id\nnike.com,AR1\n', /No column advertiser_id\..*--map advertiser_id=COLUMN/],
  [
    'advertiser_name,advertiser_id\nNike,AR1\n',
    /No column company_domain or company_name\..*--map company_domain=COLUMN/,
  ],
  ['advertiser_id,role\nAR1,allow\n', /company_domain/],
  ['', /empty/],
])('a file without required columns is rejected: %j', async (content, message) => {
  cli().write('columns.csv', content);
  const { exitCode, stderr } = await cli().run(['companies', 'import', 'columns.csv']);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(message);
});
