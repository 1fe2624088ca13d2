import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { examplesFolder } from '../../src/package-root.ts';
import { useTestCli } from '../support/cli/test-cli.ts';
import type { NightshiftProcess } from '../support/cli/nightshift-process.ts';
import { ctrlC, openTerminal, type TerminalRun } from '../support/pty/terminal.ts';
import { openSourceStandIn, type SourceStandIn } from '../support/stand-in/source-stand-in.ts';
import { waitMsMax } from '../support/wait-bound.ts';

const cli = useTestCli();
let server: NightshiftProcess;
let source: SourceStandIn;

/** Expected state of a terminal after any command. */
const inOrder = { tooWide: [], modesLost: [], isCursorVisible: true };

beforeAll(async () => {
  source = await openSourceStandIn({ idempotent: false, latencyMs: { min: 100, max: 300 } });
  server = cli().start(['up'], { environment: settings() });
  await server.waitForOutput('Press Ctrl-C to stop');
});
afterAll(async () => {
  await server.stop();
  await source.close();
});

function settings() {
  return { NIGHTSHIFT_UPSTREAM_URL: source.url, NIGHTSHIFT_UPSTREAM_KEY: source.key };
}

function open(args: readonly string[], columns: number): TerminalRun {
  const { folder, environment } = cli();
  return openTerminal(args, { folder, environment: { ...environment, ...settings() }, columns });
}

function listOf(count: number, name: string): string {
  return `domain\n${Array.from({ length: count }, (_, i) => `${name}-${i}.com\n`).join('')}`;
}

describe.each([80, 120])('beside `up`, in a terminal of %i columns', (columns) => {
  test('every command with progress ends with its result', async () => {
    const file = `list-${columns}.csv`;
    cli().write(file, listOf(10, `list-${columns}`));
    const enriched = await open(['enrich', file, '-o', `out-${columns}.csv`], columns).ended();
    expect(enriched).toMatchObject({ exitCode: 0, ...inOrder });
    expect(enriched.text).toMatch(/Enriching.*: \d+ of 10 companies/);
    // One line of progress stays for each step.
    expect(enriched.lines.filter((line) => line.startsWith('Enriching'))).toEqual([
      'Enriching: 10 of 10 companies, finished',
    ]);
    const [, batch = ''] = /Loading: (bat_\w+)/.exec(enriched.text) ?? [];
    const others = [
      ['load', file],
      ['watch', batch],
      ['export', batch, '-o', `export-${columns}.xlsx`],
      ['snapshot', 'load', join(examplesFolder, 'sample-snapshot.ndjson')],
      ['demo'],
    ];
    for (const args of others)
      expect(await open(args, columns).ended(), args.join(' ')).toMatchObject({ exitCode: 0, ...inOrder });
  });

  test('Ctrl-C ends only the command: the server finishes the batch, with one call per company', async () => {
    const file = `shared-${columns}.csv`;
    cli().write(file, listOf(40, `shared-${columns}`));
    const asked = source.log.length;
    const run = open(['enrich', file, '-o', `shared-${columns}-out.csv`], columns);
    await vi.waitFor(() => expect(source.log.length).toBeGreaterThan(asked + 5), { timeout: waitMsMax });
    run.press(ctrlC);
    const ended = await run.ended();
    expect(ended).toMatchObject({ exitCode: 130, ...inOrder });
    const [, batch = ''] = /Loading: (bat_\w+)/.exec(ended.text) ?? [];
    expect(await open(['watch', batch], columns).ended()).toMatchObject({ exitCode: 0, ...inOrder });
    expect(source.log).toHaveLength(asked + 40);
  });
});

test('after all commands, nothing is lost or in doubt', async () => {
  expect((await cli().runApart(['verify'])).exitCode).toBe(0);
});
