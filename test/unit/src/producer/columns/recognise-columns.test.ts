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
  test.each(labelledLists)(
    'are recognised: $columns',
    ({ columns, domain = null, name = null, email = null }) => {
      expect(found({ columns })).toEqual({ domain, name, email });
    },
  );

  test.each(labelledLists.filter(({ valuesDecide }) => valuesDecide !== true))(
    'are recognised by their names only: $columns',
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

describe('column names', () => {
  test('have no phrase for two fields', () => {
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
  ])('match no field: "%s"', (name) => {
    const { fields } = recogniseColumns({ header: [name], rows: [] });
    expect(Object.values(fields).map(({ column }) => column)).toEqual([null, null, null]);
  });
});

describe('cell values', () => {
  test('are not read beyond the sample', () => {
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
    expect(fields.company_domain).toMatchObject({ others: [{ name: 'portal' }], doubt: 'proposed' });
  });

  test('select the column with addresses among two with equivalent names', () => {
    const header = ['E-Mail', 'Email'];
    const rows = [
      ['', 'a@acme.com'],
      ['', 'b@beta.com'],
      ['', 'c@gamma.com'],
    ];
    expect(recogniseColumns({ header, rows }).fields.email.column?.index).toBe(1);
  });

  test('are ignored in mapped or reserved columns', () => {
    const sample = sampleOf('Portal:web; Firma:company; note:web');
    const { fields } = recogniseColumns(sample, { company_name: null }, new Set([2]));
    expect(fields.company_domain.others.map(({ name }) => name)).toEqual(['Portal']);
    expect(fields.company_name.column).toBeNull();
  });

  test('are accepted for a named column even if all addresses are invalid', () => {
    const rows = [['acme.nosuchending'], ['beta'], ['gamma.nosuch'], ['delta']];
    expect(recogniseColumns({ header: ['domain'], rows }).fields.company_domain.because).toBe('name');
  });
});
