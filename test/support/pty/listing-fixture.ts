import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, vi } from 'vitest';
import { waitMsMax } from '../wait-bound.ts';
import type { NightshiftProcess } from '../cli/nightshift-process.ts';
import { useTestCli, type TestCli } from '../cli/test-cli.ts';

/** Ids of what the listings show. */
export interface Listed {
  /** Batch of a file. */
  readonly batch: string;
  /** Batch of a scan. */
  readonly started: string;
}

/** File with a long name, a rejected row, and companies with and without ads. */
export const listedFile = `companies of ${'every region '.repeat(4)}and quarter.csv`;

/** Port on which nothing listens. */
const nowhere = 'http://127.0.0.1:9';

/** Opens a test CLI whose account has one of everything that is listed, with long names, and a server beside it. */
export function useListings(): { readonly cli: () => TestCli; readonly listed: () => Listed } {
  const cli = useTestCli({ settings: { NIGHTSHIFT_ALLOWED_HOSTS: '127.0.0.1' } });
  let listed: Listed = { batch: '', started: '' };
  let server: NightshiftProcess | undefined;

  beforeAll(async () => {
    const ask = (...args: string[]) => cli().ask(args);
    cli().write(listedFile, 'company,website\nNike,nike.com\nNobody,no-ads.example\nn/a,\n');
    await addReceivers(cli(), ask);
    server = cli().start(['up']);
    await server.waitForOutput('Press Ctrl-C to stop');
    const { id: batch } = (await ask('enrich', listedFile, '--source', 'sample', '-o', 'o.csv')) as {
      id: string;
    };
    const rivals = [
      '--companies',
      listedFile,
      '--source',
      'sample',
      '--tz',
      'America/Argentina/Buenos_Aires',
    ];
    await ask('schedule', 'add', 'rivals of every region', ...rivals, '--cron', '0 2 * * 1-5');
    const { batch: started } = (await ask('schedule', 'run', 'rivals of every region')) as { batch: string };
    await server.waitForOutput('Scan of rivals of every region finished');
    listed = { batch, started };
    await ask('accounts', 'add', 'sales of the whole western region');
    await ask('keys', 'create', '--name', 'reports of the whole western region');
    await ask('users', 'add', 'somebody.with.a.long.name@sales.example.com');
    await ask(
      'companies',
      'map',
      'nike.com',
      'AR16735076323512287233',
      '--note',
      'checked with the customer',
    );
    await ask('opt-outs', 'add', 'example.com', 'jane@example.org');
    await vi.waitUntil(() => hasSettled(ask), { timeout: waitMsMax, interval: 200 });
  });
  afterAll(async () => {
    await server?.stop();
  });
  return { cli, listed: () => listed };
}

/** True once all batches have finished and landed. */
async function hasSettled(ask: (...args: string[]) => Promise<unknown>): Promise<boolean> {
  const { batches } = (await ask('status')) as { batches: readonly { state: string }[] };
  const landings = (await ask('destination', 'landings', 'lake of every region')) as { state: string }[];
  return (
    batches.every(({ state }) => state === 'finished') && landings.every(({ state }) => state !== 'pending')
  );
}

/** Adds a webhook, a destination, and an inbox with a file that is loaded and one that is rejected. */
async function addReceivers(cli: TestCli, ask: (...args: string[]) => Promise<unknown>): Promise<void> {
  await ask('webhook', 'add', 'customer-relations', '--url', `${nowhere}/${'hooks/'.repeat(12)}in`);
  const form = ['--shape', 'rows,ads', '--format', 'csv'];
  await ask('destination', 'add', 'lake of every region', cli.folder, ...form);
  mkdirSync(join(cli.folder, 'incoming'));
  cli.write('incoming/companies of the whole western region.csv', 'company\nPuma\n');
  cli.write('incoming/colours-of-the-whole-western-region.csv', 'colour,size\nblue,1\n');
  const incoming = join(cli.folder, 'incoming');
  await ask('inbox', 'add', 'lists of every region', incoming, '--settle', '0', '--source', 'sample');
  await ask('inbox', 'look', 'lists of every region');
}
