import { existsSync } from 'node:fs';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withWorkFolder } from '../../../src/backup/work-folder.ts';

test('what a killed process left on its way to the archive is removed, that of others stays', async () => {
  // No process has such an id.
  const left = join(tmpdir(), 'nightshift-backup.tmp-2000000000-0123abcd');
  const running = join(tmpdir(), `nightshift-backup.tmp-${process.ppid}-0123abcd`);
  for (const folder of [left, running]) {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'part'), 'passwords');
  }
  const used = await withWorkFolder(async (folder) => {
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect([existsSync(left), existsSync(running)]).toEqual([false, true]);
    return folder;
  });
  expect(existsSync(used)).toBe(false);
});
