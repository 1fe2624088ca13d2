import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../../../src/package-root.ts';
import { requiredSettings } from '../../../../src/sources/definition/source-definition.ts';
import { liveSources, sourceIds } from '../../../../src/sources/registry.ts';

test('every source has a unique id of one lower-case word', () => {
  expect(new Set(sourceIds).size).toBe(sourceIds.length);
  expect(sourceIds.filter((id) => !/^[a-z][a-z0-9]*$/.test(id))).toEqual([]);
});

describe.each(liveSources)('source $id', (source) => {
  const { id, settings, baseUrl } = source;

  test('is defined in a folder with its name', () => {
    expect(existsSync(join(packageRoot, 'src/sources', id, 'definition.ts'))).toBe(true);
  });

  test('is disabled without its required settings, and all its settings have its prefix', () => {
    expect(requiredSettings(settings).length).toBeGreaterThan(0);
    const prefix = `NIGHTSHIFT_${id.toUpperCase()}_`;
    expect(Object.values(settings).filter(({ name }) => !name.startsWith(prefix))).toEqual([]);
  });

  test('has a setting for its base URL', () => {
    expect(Object.values(settings).some(({ name }) => baseUrl.place.endsWith(name))).toBe(true);
  });

  test('has recorded reply shapes or another check of its replies', () => {
    expect((source.recordedShapes ?? []).length > 0).toBe(source.checkedBy === undefined);
  });
});

/** Sources with one call per company: the others are batched, and not a `LiveAdSource`. */
const oneByOne = liveSources.filter(({ companiesPerCall = 1 }) => companiesPerCall === 1);

test.each(oneByOne)('source $id runs the contract tests of live sources', ({ id }) => {
  const contractTest = join(packageRoot, 'test/integration/sources', `${id}.test.ts`);
  expect(existsSync(contractTest)).toBe(true);
  expect(readFileSync(contractTest, 'utf8')).toMatch(/\bliveAdSourceContract\(/);
});
