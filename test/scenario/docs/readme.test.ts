import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../../src/package-root.ts';
import { callNightshift } from '../../support/cli/nightshift-in-process.ts';
import { spawnNightshift, type Environment } from '../../support/cli/nightshift-process.ts';
import { asksAboutScans } from '../../support/db/scan-queries.ts';
import { codeBlocksOf, userDocuments } from '../../support/docs/markdown.ts';
import { plainCommands } from '../../support/docs/plain-commands.ts';
import { openMailServer } from '../../support/events/mail-server.ts';

const bin = join(packageRoot, 'src', 'cli', 'nightshift.js');

const blocks = userDocuments().flatMap((file) => codeBlocksOf(file));

/**
 * Blocks for a shell. The gate runs `npm ci` and `npm test`, on a clean checkout. `integration/db/compose.test.ts` runs the
 * block for Docker Compose without Docker. Tests with a stand-in run `lists refresh`, which needs the network.
 */
const commands = blocks
  .filter(({ language, text }) => language === 'sh' && !/npm test|docker compose/.test(text))
  .map((block) => ({ ...block, text: block.text.replaceAll('npm ci && ', '') }));

/** A row of the table of removed ads. */
const removedAd = {
  advertiser_disclosed_name: 'Nike, Inc.',
  creative_page_url:
    'https://adstransparency.google.com/advertiser/AR00000000000000000001/creative/CR00000000000000000001',
  disapproval: [{ removal_reason: 'POLICY_VIOLATION', violation_category: 'Trademarks' }],
};

describe('the README and the guides', () => {
  let folder: string;
  /** Settings of a new user: the data is in the data folder of the user. */
  let environment: Environment;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'nightshift-readme-'));
    environment = { NIGHTSHIFT_HOME: '', XDG_DATA_HOME: '', HOME: folder };
    // As root, Postgres runs as another user: without access to this folder, its data would be in another one.
    chmodSync(folder, 0o755);
    symlinkSync(join(packageRoot, 'examples'), join(folder, 'examples'));
    const ads = readFileSync(join(packageRoot, 'examples', 'sample-snapshot.ndjson'), 'utf8').split('\n');
    writeExport('creative_stats-000.json.gz', ads.slice(0, 20));
    writeExport('removed_creative_stats-000.json.gz', [JSON.stringify(removedAd)]);
  });

  afterAll(() => {
    run('npx nightshift stop --force');
    rmSync(folder, { recursive: true, force: true });
  });

  function writeExport(name: string, lines: readonly string[]): void {
    writeFileSync(join(folder, name), gzipSync(lines.join('\n')));
  }

  /** Serves the sample on a free port while `use` runs, as the README starts it in another terminal. */
  async function whileUp(use: (url: string) => void | Promise<void>, more: Environment = {}): Promise<void> {
    const PATH = process.env['PATH'] ?? '';
    const settings = { ...environment, NIGHTSHIFT_SOURCES: 'sample', PORT: '0', PATH, ...more };
    const server = spawnNightshift(['up'], settings, { folder });
    try {
      await server.waitForOutput('Press Ctrl-C to stop');
      await use(/Console +(\S+)/.exec(server.stderr())?.[1] ?? '');
    } finally {
      await server.stop();
    }
  }

  /** Runs a block as a user would paste it, in a folder without configuration. */
  function run(script: string): { readonly status: number | null; readonly output: string } {
    const shell = `set -e\nnpx() { shift; "${process.execPath}" "${bin}" "$@"; }\n`;
    writeFileSync(join(folder, 'block.sh'), shell + script);
    const { PATH } = process.env;
    const result = spawnSync('bash', ['-c', 'bash block.sh 2>&1'], {
      cwd: folder,
      env: { PATH, ...environment },
      encoding: 'utf8',
      timeout: 60_000,
    });
    return { status: result.status, output: result.stdout };
  }

  test('has the blocks that the tests below run', () => {
    expect(commands.length).toBeGreaterThanOrEqual(5);
    expect(blocks.filter((block) => block.language === 'sql').length).toBeGreaterThanOrEqual(3);
  });

  test('shows the real output of its first command', () => {
    const shown = blocks[1];
    expect(shown?.language).toBe('text');
    const { status, output } = run(commands[0]?.text ?? '');
    expect(status, output).toBe(0);
    expect(linesOf(output)).toEqual(expect.arrayContaining(linesOf(shown?.text ?? '')));
  });

  const hasCurl = spawnSync('curl', ['--version']).status === 0;
  const ofApi = commands.filter(({ text }) => text.includes('curl')).map(({ text }) => text);
  test.skipIf(!hasCurl)('blocks with curl run against a server', async () => {
    await whileUp((url) => {
      const outputs = ofApi.map((text) => run(text.replaceAll('http://127.0.0.1:3000', url)));
      for (const { status, output } of outputs) {
        expect(status, output).toBe(0);
        expect(output).toContain('"message":"Ads found."');
      }
      expect(outputs.map(({ output }) => output).join('')).toContain('"companies":55');
    });
    expect(readFileSync(join(folder, 'events.txt'), 'utf8')).toContain('event: end');
    expect(readFileSync(join(folder, 'ads.csv'), 'utf8')).toContain('advertiser_id');
  });

  const withMail = commands.find(({ file, text }) => file === 'README.md' && text.includes('--email'));
  test('the schedule of the README sends an e-mail about its scan', async () => {
    const server = await openMailServer();
    const { status, output } = run(withMail?.text.replace(/smtps:\S+/, server.url) ?? 'exit 1');
    expect(status, output).toBe(0);
    const sender = 'nightshift@example.com';
    await whileUp(
      async () => {
        const args = ['schedule', 'run', 'every-night'];
        const { exitCode, stderr } = await callNightshift(args, { folder, environment, input: '' });
        expect(exitCode, stderr).toBe(0);
        await expect.poll(() => server.mails.length).toBe(1);
      },
      { NIGHTSHIFT_SMTP_URL: server.url, NIGHTSHIFT_MAIL_FROM: sender },
    );
    expect(server.mails[0]).toMatchObject({ from: sender, to: ['jane@example.com'] });
    expect(server.mails[0]?.source).toContain('every-night');
  });

  const others = commands
    .slice(1)
    .filter((block) => !/curl|lists refresh --companies/.test(block.text) && block !== withMail);
  test.each(others)('$file runs: $text', async ({ text }) => {
    const plain = plainCommands(text);
    if (plain === null) {
      const { status, output } = run(text);
      expect(status, output).toBe(0);
      return;
    }
    for (const args of plain) {
      const { exitCode, stdout, stderr } = await callNightshift(args, { folder, environment, input: '' });
      // The exit code of `check` reports findings in the sample file, and not a failure of the block.
      if (args[0] === 'check') expect([0, 1]).toContain(exitCode);
      else expect(exitCode, stdout + stderr).toBe(0);
    }
  });

  // readme-changes.test.ts runs the queries about schedules, after a schedule has run.
  test.each(blocks.filter(({ language, text }) => language === 'sql' && !asksAboutScans(text)))(
    '$file answers: $text',
    async ({ text }) => {
      const args = ['sql', '--format', 'csv', '--', text];
      const { exitCode, stdout, stderr } = await callNightshift(args, { folder, environment, input: '' });
      expect(exitCode, stderr).toBe(0);
      const isSample = !text.includes('days_shown is not null');
      expect(stdout.trim().split('\n').length, stdout).toBeGreaterThan(isSample ? 1 : 0);
    },
  );
});

/** Lines that are the same in every run. */
function linesOf(output: string): string[] {
  return output
    .replace(/bat_[0-9a-f]{32}/g, 'bat_…')
    .replace(/Postgres \d+(\.\d+)?/g, 'Postgres N')
    .replace(/postgres-\d+/g, 'postgres-N')
    .replace(/^(Changes +).*/m, '$1')
    .replace(/(Preparing a private .* in|Output +).*\/.*/g, '$1')
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
}
