import { describe, expect, test } from 'vitest';
import { findColumns } from '../../../../../src/producer/columns/columns.ts';
import type { Columns, ColumnsQuestion } from '../../../../../src/producer/columns/columns.ts';
import { describeUnused } from '../../../../../src/producer/columns/column-labels.ts';

function columns(header: string, options: Partial<ColumnsQuestion> = {}): Columns {
  return findColumns({
    fileName: 'list.csv',
    lineNo: 1,
    first: header.split(','),
    columnsMax: 200,
    ...options,
  });
}

test.each([
  ['domain', 0, null, null],
  ['Company Name,WEBSITE', 1, 0, null],
  [' account_name , company-website,E-Mail', 1, 0, 2],
  ['id,CompanyName,Work Email,homepage', 3, 1, 2],
  ['Organisation,notes', null, 0, null],
  ['email address', null, null, 0],
])('columns of %j are found by alias', (header, company_domain, company_name, email) => {
  expect(columns(header).fields).toEqual({ company_domain, company_name, email });
});

test('the most specific of several column names for a field is used in any position', () => {
  expect(columns('url,domain,website').fields.company_domain).toBe(1);
  expect(columns('name,company').fields.company_name).toBe(1);
});

test('two columns that match a field equally well are rejected with the mapping option', () => {
  expect(() => columns('Company Name,company_name')).toThrow(
    /list\.csv, line 1: .*"Company Name" and "company_name" both look like company_name.*--map company_name=COLUMN/,
  );
});

test('the column mapping takes precedence over aliases', () => {
  expect(
    columns('domain,url,Security', { map: { company_domain: 'URL', company_name: 'security' } }).fields,
  ).toEqual({ company_domain: 1, company_name: 2, email: null });
});

test('a mapped column is not used for another field by its alias', () => {
  const { fields } = columns('name,company', { map: { company_domain: 'company' } });
  expect(fields).toMatchObject({ company_domain: 1, company_name: 0 });
});

test('a mapping accepts similar names and names that look like data', () => {
  expect(
    columns('Company Name,company_name', { map: { company_name: 'company_name' } }).fields.company_name,
  ).toBe(1);
  expect(columns('crunchbase.com,x', { map: { company_name: 'x' } }).fields.company_name).toBe(1);
});

test.each([
  [
    { company: 'domain' },
    '--map: unknown field "company". Known fields: company_domain, company_name, email.',
  ],
  [{ company_name: 'Nmae' }, 'unknown column "Nmae". Columns of the file: "domain", "name"'],
  [{ company_name: '2' }, 'unknown column "2"'],
  [{ company_name: 'name', email: 'name' }, 'uses the column "name" for two fields'],
])('mapping %j is rejected', (map, message) => {
  expect(() => columns('domain,name', { map })).toThrow(message);
});

test('an unknown field is an error of the option, not of the file', () => {
  expect(() => columns('domain,name', { map: { note: 'name' } })).toThrow(
    /^--map: unknown field "note"\. Known fields: company_domain, company_name, email\.$/,
  );
});

test('without a header, columns are mapped by number', () => {
  const { header, fields } = columns('Acme,acme.com', { noHeader: true, map: { company_domain: '2' } });
  expect(header).toEqual(['column_1', 'column_2']);
  expect(fields.company_domain).toBe(1);
  expect(() => columns('Acme', { noHeader: true, map: { company_domain: '0' } })).toThrow(
    'unknown column "0"',
  );
});

test('given names replace the header or a missing header', () => {
  const given = columns('Acme,acme.com', { noHeader: true, columns: ['company', 'domain'] });
  expect(given.fields).toMatchObject({ company_domain: 1, company_name: 0 });
  expect(columns('a,a', { columns: ['company', 'other'] }).header).toEqual(['company', 'other']);
  expect(() => columns('a,b,c', { columns: ['company', 'domain'] })).toThrow(
    'names 2 columns, but this line has 3',
  );
});

test.each([
  ['domain,name,domain', 'Columns 1 and 3 are both named "domain"'],
  ['domain,name, name ', 'Columns 2 and 3 are both named "name"'],
  ['domain,name,', 'Column 3 has no name'],
])('header %j gets the missing names, or is rejected if the file must be well-formed', (header, message) => {
  const strict = { lineNo: 3, strict: true };
  expect(() => columns(header, strict)).toThrow(`list.csv, line 3: ${message}`);
  expect(() => columns(header, strict)).toThrow(/--columns name,domain,….*--no-header/);
  expect(new Set(columns(header).header).size).toBe(3);
});

test('columns without a name of their own are numbered', () => {
  expect(columns('domain,Create Date,,Create Date,column_3,Create Date_2').header).toEqual([
    'domain',
    'Create Date',
    'column_3',
    'Create Date_3',
    'column_3_2',
    'Create Date_2',
  ]);
});

test('@first maps the first column, whatever its name is', () => {
  expect(columns('x,y', { map: { company_name: '@first' } }).fields.company_name).toBe(0);
  expect(columns('x,@first', { map: { company_name: '@first' } }).fields.company_name).toBe(1);
});

test.each(['acme.com,Acme', 'Acme,https://www.acme.com/about', 'Brand,brand.com', 'jo@acme.com'])(
  'a first line of data (%s) is not lost as a header',
  (first) => {
    expect(() => columns(first)).toThrow(
      /The file seems to have no header: .* --no-header --columns .*--map/,
    );
  },
);

test('a numbering column named S.No is not data', () => {
  expect(columns('S.No,Company').fields.company_name).toBe(1);
});

test('a file without a usable column is rejected with its columns', () => {
  expect(() => columns('foo,bar')).toThrow(/list\.csv, line 1: .*"foo", "bar".*--map company_name=COLUMN/);
  expect(() => columns('Acme', { noHeader: true })).toThrow('--map company_name=1');
});

test('names of built-in properties are ordinary column names', () => {
  const { header, fields } = columns('__proto__,constructor,company,toString');
  expect(header).toEqual(['__proto__', 'constructor', 'company', 'toString']);
  expect(fields).toEqual({ company_domain: null, company_name: 2, email: null });
});

test('too many columns are rejected', () => {
  expect(() => columns('company,b,c', { columnsMax: 2 })).toThrow(
    'The file has 3 columns, but at most 2 are allowed',
  );
});

test('a field with an empty mapping has no column, regardless of column names', () => {
  expect(columns('domain,company,email', { map: { company_domain: '', email: ' ' } }).fields).toEqual({
    company_domain: null,
    company_name: 1,
    email: null,
  });
  expect(
    columns('domain,domain_name', { map: { company_domain: '', company_name: 'domain' } }),
  ).toMatchObject({ fields: { company_domain: null, company_name: 0 }, operations: ['ads_search'] });
  expect(() => columns('domain', { map: { company_domain: '' } })).toThrow(
    /No column for a company or an e-mail address was found/,
  );
});

describe('file with ambiguous columns', () => {
  const emails = ['a@acme.com', 'b@beta.com', 'c@gamma.com'];
  const rowsOf = (...cells: readonly (readonly string[])[]) =>
    emails.map((_, i) => cells.map((column) => column[i] ?? ''));

  test('is rejected with an option for each possible column and for no column', () => {
    const rows = rowsOf(['Anker', 'Boje', 'Kran'], ['a@web.de', 'b@gmx.de', 'c@web.de']);
    expect(() => columns('Kunde,E-Mail', { rows })).toThrow(
      /^list\.csv, line 1: No column is certain to be company_name, .*"Kunde" looks like text \(Anker, Boje, …\): --map company_name=Kunde.* --map company_name=$/,
    );
    expect(columns('Kunde,E-Mail', { rows, map: { company_name: '' } }).operations).toEqual([
      'email_validation',
    ]);
    expect(columns('Kunde,E-Mail', { rows, operations: ['email_validation'] }).fields.email).toBe(1);
  });

  test('is read with the most likely column if guesses are allowed', () => {
    const rows = rowsOf(['Anker', 'Boje', 'Kran'], ['a@web.de', 'b@gmx.de', 'c@web.de']);
    const { fields, because } = columns('name,email', { rows, onDoubt: 'guess', operations: ['ads_search'] });
    expect([fields.company_name, because.company_name]).toEqual([0, 'name']);
    expect(() => columns('name,email', { rows, operations: ['ads_search'] })).toThrow(
      /No column is certain to be/,
    );
  });

  test('is rejected if several columns contain web addresses and none has a matching name', () => {
    const rows = rowsOf(['acme.com', 'beta.com', 'gamma.com'], ['acme.de', 'beta.de', 'gamma.de'], emails);
    expect(() => columns('Link A,Link B,E-Mail', { rows })).toThrow(
      /"Link A" looks like web addresses \(acme\.com, beta\.com, …\): --map 'company_domain=Link A'; "Link B"/,
    );
  });

  test('is accepted if its columns are known, and unused columns are reported', () => {
    const rows = rowsOf(
      ['Anker', 'Boje', 'Kran'],
      ['www.anker.de', 'boje.fr', 'kran.pl'],
      ['Berlin', 'Köln', 'Lyon'],
      emails,
    );
    const { fields, because, unused, proposals } = columns('Firma,Auftritt,Ort,E-Mail', { rows });
    expect(fields).toEqual({ company_domain: null, company_name: 0, email: 3 });
    expect(because).toEqual({ company_domain: null, company_name: 'name', email: 'name' });
    expect(proposals).toEqual([{ field: 'company_domain', column: 'Auftritt' }]);
    expect(unused.map(describeUnused)).toEqual([
      'Auftritt: looks like web addresses (www.anker.de, boje.fr, …); to use it: --map company_domain=Auftritt',
      'Ort: text (Berlin, Köln, …)',
    ]);
    expect(columns('Firma,Auftritt,Ort,E-Mail', { rows, onDoubt: 'guess' })).toMatchObject({
      fields: { company_domain: 1 },
      because: { company_domain: 'values' },
      proposals: [],
    });
    expect(() => columns('x,Auftritt,Ort,y', { rows })).toThrow(
      /"Auftritt" looks like web addresses .*--map company_domain=Auftritt/,
    );
  });

  test('a column whose values contradict its name is reported, and used only with a mapping', () => {
    const rows = rowsOf(['+49 30 123456', '+49 30 123457', '+49 30 123458'], emails);
    expect(columns('Website,E-Mail', { rows }).unused.map(describeUnused)).toEqual([
      'Website: named like company_domain, but contains phone numbers (+49 30 123456, +49 30 123457, …)',
    ]);
    expect(() => columns('Website', { rows })).toThrow(
      /"Website" is named like company_domain but contains phone/,
    );
    expect(columns('Website', { rows, map: { company_domain: 'Website' } }).fields.company_domain).toBe(0);
  });
});
