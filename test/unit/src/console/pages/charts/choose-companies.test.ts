import { expect, test } from 'vitest';
import {
  chooseCompanies,
  formatChoice,
} from '../../../../../../src/console/pages/charts/choose-companies.ts';

const names = ['a.com', 'b.com', 'Smith, Sons & 100%', 'd.com', 'e.com', 'f.com'];
const usual = names.slice(0, 5);

test('without a choice the first five companies are drawn', () => {
  expect(chooseCompanies('', names)).toEqual(usual);
  expect(chooseCompanies('gone.com', names)).toEqual(usual);
  expect(formatChoice(usual, names)).toBe('');
});

test('choice in the URL returns its companies, in their order', () => {
  for (const chosen of [['f.com'], ['a.com', 'Smith, Sons & 100%'], names])
    expect(chooseCompanies(formatChoice(chosen, names), names)).toEqual(chosen);
  expect(formatChoice(['f.com', 'a.com'], names)).toBe('a.com,f.com');
});
