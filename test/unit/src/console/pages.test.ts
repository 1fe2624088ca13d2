import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { pagePaths } from '../../../../src/console/paths.ts';
import { packageRoot } from '../../../../src/package-root.ts';

/** The browser's half, whose types are those of a browser. */
interface ConsolePages {
  readonly pages: readonly { readonly path: string }[];
  readonly places: readonly { readonly path: string }[];
}

const address = pathToFileURL(join(packageRoot, 'src/console/pages.ts')).href;
const { pages, places } = (await import(address)) as ConsolePages;
const shown = pages.map(({ path }) => path);

test('the server answers for the pages that there are, and for no others', () => {
  expect(shown.toSorted()).toEqual(pagePaths.toSorted());
  expect(new Set(shown).size).toBe(shown.length);
});

test('the navigation leads to pages', () => {
  expect(shown).toEqual(expect.arrayContaining(places.map(({ path }) => path)));
});

test('no page stands in for one that comes after it', () => {
  const hidden = shown.filter((path, i) => shown.slice(0, i).some((before) => toPattern(before).test(path)));
  expect(hidden).toEqual([]);
});

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`);
}
