import { expect, test } from 'vitest';
import { sheetExport } from '../../../../../src/adapters/storage/sheet-link.ts';

const id = '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms';
const sheet = `https://docs.google.com/spreadsheets/d/${id}`;

test.each([
  [`${sheet}/edit#gid=123`, `${sheet}/export?format=csv&gid=123`],
  [`${sheet}/edit?gid=7#gid=123`, `${sheet}/export?format=csv&gid=123`],
  [`${sheet}/edit?usp=sharing`, `${sheet}/export?format=csv`],
  [`${sheet}/view?usp=sharing&gid=5`, `${sheet}/export?format=csv&gid=5`],
  [`https://docs.google.com/spreadsheets/u/1/d/${id}/edit#gid=0`, `${sheet}/export?format=csv&gid=0`],
  [sheet, `${sheet}/export?format=csv`],
])('link %s is read as its export', (link, address) => {
  expect(sheetExport(new URL(link))?.href).toBe(address);
});

test.each([
  `${sheet}/export?format=csv&gid=1`,
  'https://docs.google.com/spreadsheets/d/e/2PACX-1vQ/pub?output=csv',
  `https://docs.google.com/document/d/${id}/edit`,
  `https://docs.google.com.evil.example/spreadsheets/d/${id}/edit`,
  `https://example.com/spreadsheets/d/${id}/edit#gid=1`,
])('address %s is read as it is', (address) => {
  expect(sheetExport(new URL(address))).toBeNull();
});
