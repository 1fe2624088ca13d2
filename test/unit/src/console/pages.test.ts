import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { pagePaths } from '../../../../src/console/paths.ts';
import { packageRoot } from '../../../../src/package-root.ts';

/** Module of the browser, loaded without its types. */
interface ConsolePages {
  readonly pages: readonly { readonly path: string }[];
  readonly navItems: readonly { readonly path: string }[];
}

const address = pathToFileURL(join(packageRoot, 'src/console/pages.ts')).href;
const { pages, navItems } = (await import(address)) as ConsolePages;
const shown = pages.map(({ path }) => path);

test('the server serves exactly the paths of the pages', () => {
  expect(shown.toSorted()).toEqual(pagePaths.toSorted());
  expect(new Set(shown).size).toBe(shown.length);
});

test('navigation links to existing pages', () => {
  expect(shown).toEqual(expect.arrayContaining(navItems.map(({ path }) => path)));
});

test('no route shadows a later one', () => {
  const hidden = shown.filter((path, i) => shown.slice(0, i).some((before) => toPattern(before).test(path)));
  expect(hidden).toEqual([]);
});

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`);
}
