import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { landingPaths, safeStem } from '../../../../../src/core/destinations/landing-paths.ts';
import { memoryLanding } from '../../../../support/destinations/memory-landings.ts';

describe('paths of a landing', () => {
  test.each([
    ['companies.csv', 'companies'],
    ['lists/March 2026.xlsx', 'March_2026'],
    ['Größe & Maß.csv.gz', 'Größe_Maß'],
    ['C:\\Users\\me\\list.csv', 'list'],
    ['../../etc/passwd', 'passwd'],
    ['..', 'batch'],
    ['...', 'batch'],
    ['.hidden', 'hidden'],
    ['a..b/../..', 'batch'],
    ['a/../\u0000evil\n', 'evil'],
    ['CON\u202Egpj.exe', 'CON_gpj'],
    ['%2e%2e%2fetc', '2e_2e_2fetc'],
    ['', 'batch'],
    ['会社.csv', '会社'],
    ['x'.repeat(300), 'x'.repeat(100)],
    ['ü'.repeat(300), 'ü'.repeat(50)],
  ])('name %j becomes %j', (name, stem) => {
    expect(safeStem(name)).toBe(stem);
  });

  test.each(['flat', 'partitioned'] as const)('stay below the root in the layout %s', (layout) => {
    for (const fileName of ['../../x', '/etc/passwd', '..\\..\\x', '~/x', '.', 'a/b', '\u2025/x']) {
      const { landing } = memoryLanding('csv');
      const { partPath, manifestPath } = landingPaths(
        { ...landing, batch: { ...landing.batch, fileName } },
        'csv',
        { layout, gzip: true },
      );
      for (const path of [partPath(1), manifestPath]) {
        expect(posix.normalize(path)).toBe(path);
        expect(path).not.toMatch(/^[./]|\\|(^|\/)\.|\p{Cc}/u);
      }
      expect(partPath(1).endsWith('.csv.gz')).toBe(true);
    }
  });

  test('of two batches of one file differ', () => {
    const { landing } = memoryLanding('csv');
    const pathOf = (publicId: string) =>
      landingPaths({ ...landing, batch: { ...landing.batch, publicId } }, 'csv', {
        layout: 'flat',
        gzip: false,
      }).partPath(1);
    expect(pathOf('bat_1')).not.toBe(pathOf('bat_2'));
  });
});
