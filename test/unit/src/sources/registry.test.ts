import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../../../src/package-root.ts';
import { requiredSettings } from '../../../../src/sources/definition/source-definition.ts';
import { liveSources, sourceIds, sources } from '../../../../src/sources/registry.ts';

test('every source has a unique id of one lower-case word', () => {
  expect(new Set(sourceIds).size).toBe(sourceIds.length);
  expect(sourceIds.filter((id) => !/^[a-z][a-z0-9]*$/.test(id))).toEqual([]);
});

const definitions = readdirSync(join(packageRoot, 'src/sources')).filter((folder) =>
  existsSync(join(packageRoot, 'src/sources', folder, 'definition.ts')),
);

test.each(definitions)('every source that the folder %s declares is registered', async (folder) => {
  const path = join(packageRoot, 'src/sources', folder, 'definition.ts');
  const declared = Object.entries((await import(path)) as Readonly<Record<string, unknown>>);
  expect(declared, `src/sources/${folder}/definition.ts exports no source`).not.toEqual([]);
  const forgotten = declared.filter(([, source]) => !sources.some((each) => each === source));
  expect(
    forgotten.map(([name]) => name),
    'add it to src/sources/registry.ts',
  ).toEqual([]);
});

describe.each(liveSources)('source $id', (source) => {
  const { id, settings, baseUrl } = source;

  test('is defined in a folder with its name', () => {
    expectFile(`src/sources/${id}/definition.ts`);
  });

  test('is disabled without its required settings, and all its settings have its prefix', () => {
    expect(requiredSettings(settings), 'make a setting required').not.toEqual([]);
    const prefix = `NIGHTSHIFT_${id.toUpperCase()}_`;
    const strange = Object.values(settings).filter(({ name }) => !name.startsWith(prefix));
    expect(strange, `begin these names with ${prefix}`).toEqual([]);
  });

  test('has a setting for its base URL', () => {
    const names = Object.values(settings).map(({ name }) => name);
    const isDeclared = names.some((name) => baseUrl.place.endsWith(name));
    expect(isDeclared, `end baseUrl.place with one of ${names.join(', ')}`).toBe(true);
  });

  test('has recorded reply shapes or another check of its replies', () => {
    const { recordedShapes = [], checkedBy } = source;
    const remedy = 'declare recordedShapes or checkedBy, not both';
    expect(recordedShapes.length > 0, remedy).toBe(checkedBy === undefined);
  });
});

/** Sources with one call per company: the others are batched, and not a `LiveAdSource`. */
const oneByOne = liveSources.filter(({ companiesPerCall = 1 }) => companiesPerCall === 1);

test.each(oneByOne)('source $id runs the contract tests of live sources', ({ id }) => {
  const path = `test/integration/sources/${id}.test.ts`;
  expectFile(path);
  const text = readFileSync(join(packageRoot, path), 'utf8');
  expect(/\bliveAdSourceContract\(/.test(text), `${path} does not call liveAdSourceContract`).toBe(true);
});

function expectFile(path: string): void {
  expect(existsSync(join(packageRoot, path)), `missing: ${path}`).toBe(true);
}
