import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { packageRoot } from '../../../../../src/package-root.ts';

interface Item {
  readonly name: string;
  readonly query: string;
}

/** Module of the browser, loaded without its types. */
interface StoreModule {
  readonly createNamedStore: (
    key: string,
    isItem: (value: object) => boolean,
  ) => {
    readonly read: () => readonly Item[];
    readonly save: (item: Item) => readonly Item[];
    readonly remove: (name: string) => readonly Item[];
    readonly rename: (name: string, to: string) => readonly Item[];
  };
  readonly hasTexts: (value: object, names: readonly string[]) => boolean;
}

const file = join(packageRoot, 'src/console/components/named-store.ts');
const { createNamedStore, hasTexts } = (await import(pathToFileURL(file).href)) as StoreModule;
const store = createNamedStore('queries', (value) => hasTexts(value, ['name', 'query']));
const item = (name: string, query = `select '${name}'`): Item => ({ name, query });

describe('items under names', () => {
  let stored: Map<string, string>;

  beforeEach(() => {
    stored = new Map();
    // Node has no storage; the test of the page uses that of a browser.
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
    });
  });
  afterEach(() => vi.unstubAllGlobals());

  test('are saved by name, in place of earlier ones, and removed', () => {
    store.save(item('b'));
    store.save(item('a'));
    expect(store.save(item('b', 'select 2'))).toEqual([item('a'), item('b', 'select 2')]);
    expect(store.read()).toEqual([item('a'), item('b', 'select 2')]);
    expect(store.remove('a')).toEqual([item('b', 'select 2')]);
    expect(store.remove('unknown')).toHaveLength(1);
  });

  test('are renamed, in place of an earlier one with the new name', () => {
    store.save(item('a'));
    store.save(item('b'));
    expect(store.rename('a', 'b')).toEqual([item('b', item('a').query)]);
    expect(store.rename('b', 'c')).toEqual([item('c', item('a').query)]);
    expect(store.rename('unknown', 'd')).toHaveLength(1);
  });

  test('have a limit', () => {
    for (let i = 0; i < 60; i += 1) store.save(item(`query ${i}`));
    expect(store.read()).toHaveLength(50);
    expect(store.save(item('newest')).map(({ name }) => name)).toContain('newest');
  });

  test.each(['no JSON', '{}', 'null', '7', '[null, 7, {"name": "x"}, {"name": 1, "query": "y"}]'])(
    'of another program are ignored: %s',
    (text) => {
      stored.set('queries', text);
      expect(store.read()).toEqual([]);
      expect(store.save(item('a'))).toEqual([item('a')]);
    },
  );
});
