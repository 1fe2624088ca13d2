import { realpathSync, mkdtempSync, writeFileSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDnsServer, type DnsServer } from '../support/dns-smtp/dns-server.ts';
import { createHomes } from '../support/db/private-postgres-folders.ts';
import { openTerminal, type EndedTerminal } from '../support/pty/terminal.ts';
import { toolExports } from '../support/csv/tool-exports.ts';

/** Homes of a new user, with nothing configured except the DNS server: tests do not use the internet. */
const homes = createHomes();
let folder: string;
let dns: DnsServer;
let environment: Readonly<Record<string, string>>;

beforeAll(async () => {
  dns = await startDnsServer({
    'example.com': { MX: [[10, 'mx.example.com']] },
    'mx.example.com': { A: ['93.184.216.34'] },
  });
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'nightshift-newcomer-')));
  const home = await homes.make();
  environment = { NIGHTSHIFT_HOME: home, HOME: folder, NIGHTSHIFT_DNS_SERVERS: dns.server, PORT: '0' };
  for (const { file, content } of toolExports) writeFileSync(join(folder, file), content);
});
afterAll(async () => {
  await homes.clear();
  await dns.close();
});

function run(args: readonly string[]): Promise<EndedTerminal> {
  return openTerminal(args, { folder, environment, columns: 80 }).ended();
}

const inOrder = { exitCode: 0, tooWide: [], modesLost: [], isCursorVisible: true };
const oneLine = ({ lines }: EndedTerminal) => lines.join(' ').replace(/\s+/g, ' ');

test('a command that only reads names the commands that create a database', async () => {
  const ended = await run(['status']);
  expect(ended).toMatchObject({ ...inOrder, exitCode: 2 });
  expect(oneLine(ended)).toContain('There is no database in');
  expect(oneLine(ended)).toContain('nightshift demo` creates one with sample data');
});

test('first hour: every file is recognised, enriched once, and charged once', async () => {
  expect(await run(['demo'])).toMatchObject(inOrder);
  for (const { tool, file, columns, companies } of toolExports) {
    const checked = await run(['check', file]);
    expect(checked, tool).toMatchObject(inOrder);
    for (const [field, column] of Object.entries(columns))
      expect(oneLine(checked), tool).toContain(`${field} from "${column}"`);
    expect(oneLine(checked), tool).toContain(`Companies ${companies}`);

    const enrich = ['enrich', file, '--source', 'sample', '-o', `done-${file}`];
    const done = await run(enrich);
    expect(done, tool).toMatchObject(inOrder);
    // A note says that the ads are generated.
    expect(oneLine(done), tool).toMatch(/sample|generated/i);
    const before = readFileSync(join(folder, `done-${file}`), 'utf8');
    const left = await readBalance();

    // The second run is the same batch.
    expect(await run(enrich), tool).toMatchObject(inOrder);
    expect(readFileSync(join(folder, `done-${file}`), 'utf8'), tool).toBe(before);
    expect(await readBalance(), tool).toBe(left);
  }
  expect(await run(['verify'])).toMatchObject(inOrder);
  expect(await run(['stop'])).toMatchObject(inOrder);
}, 180_000);

async function readBalance(): Promise<number> {
  const { text } = await run(['credits', '--json']);
  return (JSON.parse(text.slice(text.indexOf('{'))) as { readonly balance: number }).balance;
}
