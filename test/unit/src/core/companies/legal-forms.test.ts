import { describe, expect, test } from 'vitest';
import { normaliseName } from '../../../../../src/core/companies/company-name.ts';
import { legalForms } from '../../../../../src/core/companies/legal-forms.ts';

describe('table of legal forms', () => {
  test.each(legalForms.filter((form) => form.position !== 'leading'))(
    'strips $spellings from the end of a name ($name)',
    ({ spellings }) => {
      for (const spelling of spellings) {
        expect(normaliseName(`Example Brand ${spelling}`)).toBe('example brand');
        expect(normaliseName(`Example Brand, ${spelling.toUpperCase()}`)).toBe('example brand');
      }
    },
  );

  test.each(legalForms.filter((form) => form.position !== 'trailing'))(
    'strips $spellings from the start of a name ($name)',
    ({ spellings }) => {
      for (const spelling of spellings)
        expect(normaliseName(`${spelling} Example Brand`)).toBe('example brand');
    },
  );

  test.each(legalForms)('keeps $spellings inside of a name ($name)', ({ spellings }) => {
    for (const spelling of spellings) {
      expect(normaliseName(`Example ${spelling} Brand`)).toMatch(/^example .+ brand$/);
    }
  });

  test('has each form once, with spellings, countries and a full name', () => {
    const lines = legalForms.map((form) => form.spellings.join('|'));
    expect(new Set(lines).size).toBe(lines.length);
    for (const form of legalForms) {
      expect(form.spellings.every((spelling) => spelling.trim() === spelling && spelling !== '')).toBe(true);
      expect(form.countries.every((country) => /^(?:[A-Z]{2}|\*)$/.test(country))).toBe(true);
      expect(form.name).not.toBe('');
    }
  });

  test('has at least 150 forms', () => {
    expect(legalForms.length).toBeGreaterThanOrEqual(150);
  });
});
