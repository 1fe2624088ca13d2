import { describe, expect, test } from 'vitest';
import { normaliseName } from '../../../../../src/core/companies/company-name.ts';
import { legalForms } from '../../../../../src/core/companies/legal-forms.ts';

describe('the table of legal forms', () => {
  test.each(legalForms.filter((form) => form.position !== 'leading'))(
    'a name ends before $spellings ($name)',
    ({ spellings }) => {
      for (const spelling of spellings) {
        expect(normaliseName(`Example Brand ${spelling}`)).toBe('example brand');
        expect(normaliseName(`Example Brand, ${spelling.toUpperCase()}`)).toBe('example brand');
      }
    },
  );

  test.each(legalForms.filter((form) => form.position !== 'trailing'))(
    'a name begins after $spellings ($name)',
    ({ spellings }) => {
      for (const spelling of spellings)
        expect(normaliseName(`${spelling} Example Brand`)).toBe('example brand');
    },
  );

  test.each(legalForms)('no letter of a name is taken for $spellings inside it ($name)', ({ spellings }) => {
    for (const spelling of spellings) {
      expect(normaliseName(`Example ${spelling} Brand`)).toMatch(/^example .+ brand$/);
    }
  });

  test('every form has spellings, countries and a full name, and stands once', () => {
    const lines = legalForms.map((form) => form.spellings.join('|'));
    expect(new Set(lines).size).toBe(lines.length);
    for (const form of legalForms) {
      expect(form.spellings.every((spelling) => spelling.trim() === spelling && spelling !== '')).toBe(true);
      expect(form.countries.every((country) => /^(?:[A-Z]{2}|\*)$/.test(country))).toBe(true);
      expect(form.name).not.toBe('');
    }
  });

  test('at least 150 forms are known', () => {
    expect(legalForms.length).toBeGreaterThanOrEqual(150);
  });
});
