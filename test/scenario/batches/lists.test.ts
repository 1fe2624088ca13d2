import { createServer } from 'node:http';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { listenOnLoopback } from '../../support/stand-in/loopback.ts';
import { readNightshift, runNightshift } from '../../support/cli/nightshift-process.ts';

interface ShownList {
  readonly name: string;
  readonly entries: number;
  readonly added: number;
  readonly removed: number;
  readonly date: string;
  readonly licence: string;
  readonly file: string;
}

describe('nightshift lists', () => {
  let home: string;
  const environment = () => ({ NIGHTSHIFT_HOME: home, NIGHTSHIFT_ALLOWED_HOSTS: '127.0.0.1' });

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'nightshift-lists-'));
  });

  afterEach(() => rmSync(home, { recursive: true, force: true }));

  async function shown(name: string): Promise<ShownList | undefined> {
    const { lists } = (await readNightshift(['lists'], environment())) as { lists: readonly ShownList[] };
    return lists.find((list) => list.name === name);
  }

  /** Starts a server that returns a list. */
  async function serve(text: string): Promise<string> {
    const server = await listenOnLoopback(createServer((_request, response) => void response.end(text)));
    onTestFinished(server.close);
    return server.url;
  }

  test('shows each list with its size, date and licence, without starting a server', async () => {
    const { exitCode, stdout } = await runNightshift(['lists'], environment());
    expect(exitCode).toBe(0);
    for (const name of ['disposable', 'free', 'mx-providers', 'privacy-relays', 'providers', 'role'])
      expect(stdout).toContain(name);
    expect(stdout).toContain('CC0-1.0');
    expect(await shown('disposable')).toMatchObject({ added: 0, removed: 0, licence: 'CC0-1.0' });
  });

  test('shows corrections of the operator, and invalid ones', async () => {
    mkdirSync(join(home, 'lists'));
    writeFileSync(join(home, 'lists', 'free.txt'), 'mail.example\n-gmail.com\n');
    expect(await shown('free')).toMatchObject({ added: 1, removed: 1 });
    writeFileSync(join(home, 'lists', 'free.txt'), 'Mail at Example\n');
    const { exitCode, stderr } = await runNightshift(['lists'], environment());
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('free.txt, line 1: a line must hold')]);
  });

  test('refresh installs a list for the next process', async () => {
    const domains = Array.from({ length: 9_000 }, (_each, index) => `throw-${index}.com`);
    const url = await serve(domains.join('\n'));
    const refreshed = await readNightshift(['lists', 'refresh', '--from', url], environment());
    expect(refreshed).toMatchObject({ entries: 9_000, added: 9_000 });
    expect(await shown('disposable')).toMatchObject({
      entries: 9_000,
      file: join(home, 'lists', 'refreshed', 'disposable.txt'),
    });
  });

  test('refresh rejects an implausible list with exit code 1, and an invalid URL with 2', async () => {
    const url = await serve('gmail.com\n');
    const refused = await runNightshift(['lists', 'refresh', '--from', url], environment());
    expect([refused.exitCode, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain('Nothing was changed.');
    const misused = await runNightshift(['lists', 'refresh', '--from', 'http://example.com/'], environment());
    expect([misused.exitCode, misused.stderr]).toEqual([2, expect.stringContaining('https://')]);
  });
});
