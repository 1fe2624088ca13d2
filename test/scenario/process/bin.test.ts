import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { packageRoot } from '../../../src/package-root.ts';
import { ownEnvironment } from '../../support/cli/nightshift-process.ts';
import { waitMsMax } from '../../support/wait-bound.ts';

const bin = join('src', 'cli', 'nightshift.js');
const configs = [join('src', 'vite.config.ts'), join('src', 'console', 'vite.config.ts')];

/** Bin in a clone with only a small program and an empty page. */
describe('bin of a clone', () => {
  let clone: string;

  beforeEach(() => {
    clone = mkdtempSync(join(tmpdir(), 'nightshift-clone-'));
    for (const folder of ['src/cli', 'src/console', 'src/reporter/formats', 'workers', 'db'])
      mkdirSync(join(clone, folder), { recursive: true });
    for (const file of [bin, ...configs]) cpSync(join(packageRoot, file), join(clone, file));
    writePage('main.ts');
    writeFileSync(join(clone, 'src', 'console', 'main.ts'), '');
    writeFileSync(join(clone, 'src', 'reporter', 'formats', 'xlsx-thread.ts'), '');
    symlinkSync(join(packageRoot, 'node_modules'), join(clone, 'node_modules'));
    writeFileSync(join(clone, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(clone, 'tsconfig.json'), '{}');
    writeProgram('one');
  });

  afterEach(() => rmSync(clone, { recursive: true, force: true }));

  function writeProgram(word: string): void {
    writeFileSync(
      join(clone, 'src', 'cli', 'main.ts'),
      `console.log('${word}' as string, ...process.argv.slice(2));\n`,
    );
  }

  function writePage(script: string): void {
    writeFileSync(
      join(clone, 'src', 'console', 'index.html'),
      `<!doctype html>\n<script type="module" src="./${script}"></script>\n`,
    );
  }

  async function run(...args: readonly string[]) {
    const child = spawn(process.execPath, [join(clone, bin), ...args], {
      cwd: tmpdir(),
      env: ownEnvironment(),
    });
    const ended = once(child, 'exit') as Promise<[number]>;
    const [stdout, stderr, [exitCode]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { exitCode, stdout, stderr };
  }

  test('builds once with a message on stderr, runs from any folder, and rebuilds after a change', async () => {
    expect(await run('a', 'b')).toEqual({
      exitCode: 0,
      stdout: 'one a b\n',
      stderr: expect.stringContaining('Building nightshift') as unknown,
    });
    expect(existsSync(join(clone, 'dist', 'console', 'index.html'))).toBe(true);
    expect(await run()).toEqual({ exitCode: 0, stdout: 'one\n', stderr: '' });
    writeProgram('two');
    const later = new Date(Date.now() + 2000);
    utimesSync(join(clone, 'src', 'cli', 'main.ts'), later, later);
    expect((await run()).stdout).toBe('two\n');
  });

  test('builds once for two concurrent first runs, and both succeed', async () => {
    const both = await Promise.all([run(), run()]);
    expect(both.map(({ exitCode, stdout }) => [exitCode, stdout])).toEqual([
      [0, 'one\n'],
      [0, 'one\n'],
    ]);
    expect(both.filter(({ stderr }) => stderr.includes('Building'))).toHaveLength(1);
  });

  test('rebuilds after a killed build', async () => {
    const gone = spawnSync(process.execPath, ['-e', '']).pid;
    mkdirSync(join(clone, 'dist.lock'));
    writeFileSync(join(clone, 'dist.lock', 'pid'), String(gone));
    expect((await run()).stdout).toBe('one\n');
  });

  test("exits with 2 and Vite's message if the build fails, without leaving a lock", async () => {
    writeFileSync(join(clone, 'src', 'cli', 'main.ts'), "import './gone.ts';\n");
    for (let time = 0; time < 2; time += 1) {
      const { exitCode, stdout, stderr } = await run('--json');
      expect([exitCode, stdout]).toEqual([2, '']);
      expect(stderr).toContain('gone.ts');
    }
  });

  test("exits with 2 and Vite's message if the console does not build", async () => {
    writePage('gone.ts');
    for (let time = 0; time < 2; time += 1) {
      const { exitCode, stdout, stderr } = await run('--json');
      expect([exitCode, stdout]).toEqual([2, '']);
      expect(stderr).toContain('gone.ts');
    }
  });
});

describe('npx nightshift', () => {
  test('works in the checkout', () => {
    const { status, stdout, stderr } = spawnSync('npx', ['--no', '--', 'nightshift', '--help'], {
      cwd: packageRoot,
      env: ownEnvironment(),
      encoding: 'utf8',
      timeout: waitMsMax,
    });
    expect(status, stderr).toBe(0);
    expect(stdout).toContain('Usage: nightshift');
  });
});
