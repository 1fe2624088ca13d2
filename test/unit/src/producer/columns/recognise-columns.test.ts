import { describe, expect, test } from 'vitest';
import { headerPhrases } from '../../../../../src/producer/columns/header-names.ts';
import { headerKey } from '../../../../../src/producer/columns/header-words.ts';
import { recogniseColumns, sampleRows } from '../../../../../src/producer/columns/recognise-columns.ts';
import { labelledLists, sampleOf, type LabelledList } from '../../../../support/csv/labelled-headers.ts';

function found({ columns }: Pick<LabelledList, 'columns'>) {
  const { fields } = recogniseColumns(sampleOf(columns));
  const nameOf = (field: keyof typeof fields) =>
    fields[field].doubt === null ? (fields[field].column?.name ?? null) : 'doubt';
  return { domain: nameOf('company_domain'), name: nameOf('company_name'), email: nameOf('email') };
}

describe('columns of labelled lists', () => {
  test.each(labelledLists)('$columns', ({ columns, domain = null, name = null, email = null }) => {
    expect(found({ columns })).toEqual({ domain, name, email });
  });

  test.each(labelledLists.filter(({ valuesDecide }) => valuesDecide !== true))(
    '$columns, by their names alone',
    ({ columns, domain = null, name = null, email = null }) => {
      const { header } = sampleOf(columns);
      const { fields } = recogniseColumns({ header, rows: [] });
      const names = [fields.company_domain, fields.company_name, fields.email].map(
        ({ column }) => column?.name ?? null,
      );
      expect(names).toEqual([domain, name, email]);
    },
  );
});

describe('names of columns', () => {
  test('no phrase stands for two fields', () => {
    const fieldsOf = new Map<string, Set<string>>();
    for (const { text, field } of headerPhrases) {
      const key = headerKey(text);
      fieldsOf.set(key, (fieldsOf.get(key) ?? new Set()).add(field));
    }
    expect([...fieldsOf].filter(([, fields]) => fields.size > 1)).toEqual([]);
  });

  test.each([
    'Company Owner',
    'Company City',
    'Company LinkedIn URL',
    'Company Phone',
    'Company ID',
    'Company Name for Emails',
    'Organization Name URL',
    'Account Owner',
    'Parent Account',
    'Firma Ort',
    'Firmensitz',
    'Ansprechpartner',
    'Email Opt Out',
    'E-Mail gesendet am',
    'Email Status',
    'Website Traffic',
    'Website Title',
    'Logo URL',
    'Site Manager',
    'Entreprise adaptée',
    'Nombre de empleados',
    'Domain Authority',
    'Person - Name',
    'First Name',
    'Industry',
    'Contact Name',
  ])('"%s" names no field', (name) => {
    const { fields } = recogniseColumns({ header: [name], rows: [] });
    expect(Object.values(fields).map(({ column }) => column)).toEqual([null, null, null]);
  });
});

describe('values', () => {
  test('rows beyond the sample are not looked at', () => {
    const rows = Array.from({ length: 10_000 }, (_, i) => {
      const row: string[] = [];
      Object.defineProperty(row, 0, {
        get: () => {
          expect(i).toBeLessThan(sampleRows);
          return `c${i}.com`;
        },
      });
      return row;
    });
    const { fields } = recogniseColumns({ header: ['portal'], rows });
    expect(fields.company_domain).toMatchObject({ column: { name: 'portal' }, because: 'values' });
  });

  test('of two columns that are called alike the one that holds addresses is taken', () => {
    const header = ['E-Mail', 'Email'];
    const rows = [
      ['', 'a@acme.com'],
      ['', 'b@beta.com'],
      ['', 'c@gamma.com'],
    ];
    expect(recogniseColumns({ header, rows }).fields.email.column?.index).toBe(1);
  });

  test('a column that is settled, or reserved for something else, is not taken for a field', () => {
    const sample = sampleOf('Portal:web; Firma:company; note:web');
    const { fields } = recogniseColumns(sample, { company_name: null }, new Set([2]));
    expect(fields.company_domain.column?.name).toBe('Portal');
    expect(fields.company_name.column).toBeNull();
  });

  test('addresses that are all wrong stay addresses, where nothing else is in the list', () => {
    const rows = [['acme.nosuchending'], ['beta'], ['gamma.nosuch'], ['delta']];
    expect(recogniseColumns({ header: ['domain'], rows }).fields.company_domain.because).toBe('name');
  });
});
