import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sampleSnapshot, sampleSnapshotDay } from '../../../examples/sample-snapshot.ts';
import { sampleLabel, sampleRows } from '../../../src/core/sample/sample-ads.ts';
import type { SnapshotRow } from '../../../src/core/sources/snapshot-store.ts';
import { parseSnapshotRow } from '../../../src/sources/snapshot/wire.ts';
import { compactName, normaliseName } from '../../../src/core/companies/company-name.ts';
import { parseCompany, registrableLabel } from '../../../src/core/companies/company.ts';

const file = readFileSync(new URL('../../../examples/sample-snapshot.ndjson', import.meta.url), 'utf8');
const lines = file.trimEnd().split('\n');
const rows = lines.map((line) => parseSnapshotRow(JSON.parse(line)));
const list = readFileSync(new URL('../../../examples/companies.csv', import.meta.url), 'utf8');
const companies = list
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => /^("[^"]*"|[^,]*),([^,]*),/.exec(line) ?? [])
  .map(([, name, domain]) => parseCompany({ name: name?.replaceAll('"', ''), domain }));

test('the generator output is byte-identical to the committed file', () => {
  expect(sampleSnapshot() === file).toBe(true);
});

test('the file has the rows of the sample of its day, without their texts', () => {
  const sorted = <T extends Pick<SnapshotRow, 'creativeId'>>(all: readonly T[]) =>
    all.toSorted((one, other) => (one.creativeId < other.creativeId ? -1 : 1));
  const distinct = new Map(rows.map((row) => [row.creativeId, row]));
  // Equality ignores a field that is undefined.
  const generated = sampleRows(sampleSnapshotDay).map((row) => ({ ...row, content: undefined }));
  expect(sorted([...distinct.values()])).toEqual(sorted(generated));
});

test('every row of the sample is labelled as generated', () => {
  expect(lines.filter((line) => !line.includes(`"ad_funded_by":"${sampleLabel}"`))).toEqual([]);
});

test('the sample is small and has duplicate rows like real exports', () => {
  expect(file.length).toBeLessThan(1_500_000);
  expect(new Set(lines).size).toBeLessThan(lines.length);
  expect(new Set(lines).size).toBeGreaterThan(1_200);
  expect(new Set(rows.map((row) => row.creativeId)).size).toBe(new Set(lines).size);
});

test('the sample covers the irregularities of real exports', () => {
  const has = (text: string): boolean => file.includes(text);
  expect(has('\\u0026') && !has('&')).toBe(true);
  expect(has('"region_code":"EEA"') && has('"times_shown_lower_bound":"')).toBe(true);
  expect(
    has('"surface_serving_stats":{"surface_serving_stats":[') && has('"audience_selection_approach_info"'),
  ).toBe(true);
  expect(
    rows.some((row) => row.legalName === null) && rows.some((row) => row.creativeId.startsWith('CR0')),
  ).toBe(true);
  expect(rows.every((row) => row.start !== null && row.lastSeen !== null && row.start <= row.lastSeen)).toBe(
    true,
  );
});

test('the example CSV has 60 rows: two invalid rows, three duplicate companies and an internationalized domain', () => {
  const keys = companies.flatMap((each) => (each.kind === 'company' ? [each.company.key] : []));
  expect(companies).toHaveLength(60);
  expect(keys).toHaveLength(58);
  expect(new Set(keys).size).toBe(55);
  expect(keys.filter((key) => key === 'd:nike.com')).toHaveLength(2);
  expect(keys.some((key) => key.startsWith('d:xn--'))).toBe(true);
  expect(companies.filter((each) => each.kind === 'company' && each.warning !== null)).toEqual([]);
  expect(list.startsWith('company,') && !list.includes('\r')).toBe(true);
});

test('most companies of the example CSV match an advertiser of the sample by name or domain label, and some match none', () => {
  const names = new Set(rows.map((row) => normaliseName(row.advertiserName ?? '')));
  const labels = new Set(rows.map((row) => compactName(row.advertiserName ?? '')));
  const matched = companies.map((each) => {
    if (each.kind === 'rejected') return 'rejected';
    const { name, domain } = each.company;
    if (name !== null && names.has(normaliseName(name))) return 'name';
    return domain !== null && labels.has(compactName(registrableLabel(domain))) ? 'label' : 'none';
  });
  const count = (kind: string): number => matched.filter((each) => each === kind).length;
  expect(count('name')).toBeGreaterThan(30);
  expect(count('label')).toBeGreaterThanOrEqual(5);
  expect(count('none')).toBeGreaterThanOrEqual(5);
});
