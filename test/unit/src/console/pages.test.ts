import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test, vi } from 'vitest';
import { movedPaths, pagePaths } from '../../../../src/console/paths.ts';
import { packageRoot } from '../../../../src/package-root.ts';

/** Module of the browser, loaded without its types. */
interface ConsolePages {
  readonly pages: readonly { readonly path: string }[];
}

/** Module of the browser, loaded without its types. */
interface ConsolePlaces {
  readonly places: readonly {
    readonly name: string;
    readonly items: readonly { readonly path: string; readonly isOutside?: boolean }[];
  }[];
  readonly placeAt: (path: string) => { readonly name: string } | undefined;
}

// The modules of the pages ask the browser at once.
vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined }));
vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined });
vi.stubGlobal('document', { documentElement: { dataset: {} } });

const { pages } = (await importConsole('pages.ts')) as ConsolePages;
const { places, placeAt } = (await importConsole('places.ts')) as ConsolePlaces;
const shown = pages.map(({ path }) => path);

test('the server serves exactly the paths of the pages', () => {
  expect(shown.toSorted()).toEqual(pagePaths.toSorted());
  expect(new Set(shown).size).toBe(shown.length);
});

test('navigation links to existing pages', () => {
  const items = places.flatMap((place) => place.items).filter(({ isOutside }) => isOutside !== true);
  expect(shown).toEqual(expect.arrayContaining(items.map(({ path }) => path)));
});

test('every page but the start and the sign-in is at one of the five places', () => {
  expect(places).toHaveLength(5);
  const homeless = shown.filter((path) => placeAt(path) === undefined);
  expect(homeless).toEqual(['/', '/sign-in', '/sign-in/password']);
});

test('moved addresses lead to pages, and hide none', () => {
  expect(shown).toEqual(expect.arrayContaining(movedPaths.map(([, to]) => to)));
  for (const [from] of movedPaths) expect(shown).not.toContain(from);
});

test('no route shadows a later one', () => {
  const hidden = shown.filter((path, i) => shown.slice(0, i).some((before) => toPattern(before).test(path)));
  expect(hidden).toEqual([]);
});

function importConsole(file: string): Promise<unknown> {
  return import(pathToFileURL(join(packageRoot, 'src/console', file)).href);
}

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`);
}
