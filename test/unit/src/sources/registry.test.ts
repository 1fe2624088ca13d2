import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../../../src/package-root.ts';
import { requiredSettings } from '../../../../src/sources/definition/source-definition.ts';
import { liveSources, sourceIds } from '../../../../src/sources/registry.ts';

test('every source has an id of its own, one word that names settings too', () => {
  expect(new Set(sourceIds).size).toBe(sourceIds.length);
  expect(sourceIds.filter((id) => !/^[a-z][a-z0-9]*$/.test(id))).toEqual([]);
});

describe.each(liveSources)('the source $id', (source) => {
  const { id, settings, baseUrl } = source;

  test('is declared in a folder of its name', () => {
    expect(existsSync(join(packageRoot, 'src/sources', id, 'definition.ts'))).toBe(true);
  });

  test('is off until a setting turns it on, and has no setting under the name of another', () => {
    expect(requiredSettings(settings).length).toBeGreaterThan(0);
    const prefix = `NIGHTSHIFT_${id.toUpperCase()}_`;
    expect(Object.values(settings).filter(({ name }) => !name.startsWith(prefix))).toEqual([]);
  });

  test('names a setting that changes its base URL', () => {
    expect(Object.values(settings).some(({ name }) => baseUrl.place.endsWith(name))).toBe(true);
  });

  test('has replies that are checked by their recorded shape, or says by what else', () => {
    expect((source.recordedShapes ?? []).length > 0).toBe(source.checkedBy === undefined);
  });
});

/** Sources that answer one company with a call: the others are batched, and no `LiveAdSource`. */
const oneByOne = liveSources.filter(({ companiesPerCall = 1 }) => companiesPerCall === 1);

test.each(oneByOne)('the source $id runs the contract of live sources', ({ id }) => {
  const contractTest = join(packageRoot, 'test/integration/sources', `${id}.test.ts`);
  expect(existsSync(contractTest)).toBe(true);
  expect(readFileSync(contractTest, 'utf8')).toMatch(/\bliveAdSourceContract\(/);
});
