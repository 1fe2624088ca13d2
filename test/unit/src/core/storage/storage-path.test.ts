import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertFolderAllowed } from '../../../../../src/core/storage/assert-folder-allowed.ts';
import {
  assertStoragePath,
  comparePaths,
  isListedPath,
} from '../../../../../src/core/storage/storage-path.ts';

test.each([
  ['/data/lists', ['/data/lists']],
  ['/data/lists/in', ['/srv', '/data/lists']],
  ['/anything', ['/']],
])('folder %s is allowed by %j', (path, folders) => {
  expect(() => assertFolderAllowed(path, folders)).not.toThrow();
});

test.each([
  ['/data/lists', [], 'The operator lists the folders'],
  ['/data/lists-other', ['/data/lists'], 'Use a folder below /data/lists'],
  ['/data', ['/data/lists'], 'Use a folder below /data/lists'],
  ['/etc', ['/srv', '/data'], 'Use a folder below /srv or /data'],
])('folder %s is not allowed by %j', (path, folders, message) => {
  expect(() => assertFolderAllowed(path, folders)).toThrow(message);
});

test('path that is accepted leads to a place below every root', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '.', '/', '\\', '\0', 'é', ' ') }), (path) => {
      try {
        assertStoragePath(path);
      } catch {
        expect(isListedPath(path)).toBe(false);
        return;
      }
      const { pathname } = new URL(encodeURI(path), 'http://host/root/');
      expect(pathname.startsWith('/root/') && pathname !== '/root/').toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test('paths are in the order of their bytes', () => {
  const paths = ['Z', 'a', 'a.csv', 'a/b', 'é', '\uffee', '🙂'];
  expect([...paths].reverse().sort(comparePaths)).toEqual(paths);
});

test.each(['.a', 'a/.b/c', '~$a.xlsx', 'a.csv.part', 'a.TMP', 'a.crdownload', 'a.csv~', 'in/x.filepart'])(
  'file %s is not listed',
  (path) => expect(isListedPath(path)).toBe(false),
);

test.each(['a', 'a.b/c', 'a~b', 'part.csv', 'tmp/a.csv', 'a$.csv'])('file %s is listed', (path) =>
  expect(isListedPath(path)).toBe(true),
);
