import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { packageRoot } from '../../../../../src/package-root.ts';

const address = pathToFileURL(join(packageRoot, 'src/console/pages/results/new-ad.ts')).href;
const { isNew } = (await import(address)) as {
  readonly isNew: (ad: { start?: string | null; observed_at: string }) => boolean;
};

test.each([
  ['2026-03-10', true],
  ['2026-03-03', true],
  ['2026-03-02', false],
  ['2026-03-11', false],
  [null, false],
])('an ad that first ran on %s and was found on 10 March is new: %s', (start, expected) => {
  expect(isNew({ start, observed_at: '2026-03-10T02:00:00Z' })).toBe(expected);
});
