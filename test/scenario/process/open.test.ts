import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { openFakeBrowser } from '../../support/cli/fake-browser.ts';
import type { Environment } from '../../support/cli/nightshift-process.ts';
import { useTestCli } from '../../support/cli/test-cli.ts';
import { waitMsMax } from '../../support/wait-bound.ts';

describe.skipIf(process.platform !== 'linux')('up --open', () => {
  const cli = useTestCli({});
  const start = (environment: Environment) =>
    cli().start(['up', '--open'], { environment: { PORT: '0', ...environment } });

  test('opens the console in the browser', async () => {
    const { environment, opened } = openFakeBrowser(0);
    const running = start(environment);
    await vi.waitUntil(() => existsSync(opened), { timeout: waitMsMax, interval: 50 });
    const url = readFileSync(opened, 'utf8');
    await running.waitForOutput(`Console   ${url}\nSign in   in your browser\n`);
    expect((await running.stop()).exitCode).toBe(0);
  });

  test('prints the way to sign in where no browser opens', async () => {
    const { environment } = openFakeBrowser(3);
    const running = start(environment);
    await running.waitForOutput('No browser could be opened.');
    expect(running.stderr()).toContain('Sign in   with a password');
    expect((await running.stop()).exitCode).toBe(0);
  });
});
