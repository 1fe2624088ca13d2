import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { failpoints } from '../../../../src/core/failpoint.ts';

const root = join(import.meta.dirname, '../../../..');

function filesOf(folders: readonly string[], ending: string): readonly string[] {
  return folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        join(root, folder, name),
      ),
    )
    .filter((path) => path.endsWith(ending));
}

const all = Object.values(failpoints).flat();

test('every failpoint occurs exactly once in the source code, on its own line, and no other exists', () => {
  const text = filesOf(['src', 'db', 'workers'], '.ts')
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
  const placed = [...text.matchAll(/^ *failpoint\('([a-z:-]+)'\);$/gm)].map(([, name]) => name);
  expect(placed.sort()).toEqual([...all].sort());
  expect(text.match(/failpoint\(/g)).toHaveLength(all.length + 1);
});

test('the build contains no failpoint', () => {
  const built = filesOf(['dist'], '.js').filter((path) => /failpoint/i.test(readFileSync(path, 'utf8')));
  expect(built).toEqual([]);
});
