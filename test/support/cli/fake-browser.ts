import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from './nightshift-process.ts';

/** A program `xdg-open` in place of the user's browser, for Linux. */
export interface FakeBrowser {
  /** Variables with which a command finds it. */
  readonly environment: Environment;
  /** File that has the opened address. */
  readonly opened: string;
}

/** Creates a program `xdg-open` that writes the address into a file, and exits with the code. */
export function openFakeBrowser(exitCode: number): FakeBrowser {
  const folder = mkdtempSync(join(tmpdir(), 'nightshift-open-'));
  const opened = join(folder, 'opened');
  const program = join(folder, 'xdg-open');
  writeFileSync(program, `#!/bin/sh\nprintf %s "$1" >'${opened}'\nexit ${exitCode}\n`);
  chmodSync(program, 0o755);
  return { environment: { PATH: `${folder}:${process.env['PATH'] ?? ''}` }, opened };
}
