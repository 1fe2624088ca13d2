import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { packageRoot } from '../../../src/package-root.ts';
import { useTestCli } from '../../support/cli/test-cli.ts';
import { ownEnvironment } from '../../support/cli/nightshift-process.ts';
import { waitMsMax } from '../../support/wait-bound.ts';

const cli = useTestCli();

/** Project with the package installed, as by `npm install nightshift`. */
function installPackage(): string {
  const folder = mkdtempSync(join(tmpdir(), 'nightshift-npx-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'node_modules', '.bin'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{}');
  symlinkSync(packageRoot, join(folder, 'node_modules', 'nightshift'));
  symlinkSync('../nightshift/src/cli/nightshift.js', join(folder, 'node_modules', '.bin', 'nightshift'));
  return folder;
}

test('SIGTERM to `npx nightshift up` stops the server and frees its port', async () => {
  const running = spawn('npx', ['--no-install', 'nightshift', 'up'], {
    cwd: installPackage(),
    env: { ...ownEnvironment(), ...cli().environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void running.kill('SIGKILL'));
  let reported = '';
  running.stderr.setEncoding('utf8').on('data', (text: string) => (reported += text));
  await vi.waitUntil(() => reported.includes('Press Ctrl-C to stop'), { timeout: waitMsMax });
  const [, url = ''] = /Console +(\S+)/.exec(reported) ?? [];
  expect((await fetch(`${url}/livez`)).status).toBe(200);

  const ended = once(running, 'exit');
  running.kill('SIGTERM');
  await ended;
  await vi.waitUntil(
    () =>
      fetch(`${url}/livez`).then(
        () => false,
        () => true,
      ),
    { timeout: waitMsMax },
  );
});
