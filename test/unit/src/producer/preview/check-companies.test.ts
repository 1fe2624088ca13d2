import { expect, test } from 'vitest';
import { checkCompanies } from '../../../../../src/producer/preview/check-companies.ts';
import type { CompanyCheck } from '../../../../../src/producer/preview/check-companies.ts';
import { readCompanies } from '../../../../../src/producer/rows/read-companies.ts';
import { contractPricesMicro } from '../../../../support/stand-in/contract-prices.ts';
import { streamOf } from '../../../../support/csv/company-files.ts';

async function check(content: string): Promise<CompanyCheck> {
  const file = await readCompanies(streamOf(content), { fileName: 'list.csv' });
  return checkCompanies(file, contractPricesMicro);
}

test('every row adds a company, is a duplicate, or is rejected with line and reason', async () => {
  const summary = await check(
    [
      'company,website',
      'Nike,https://www.nike.com/de',
      'Nike Inc,NIKE.com',
      '"Ac\nme",',
      'Beta,beta.com,extra',
      ',',
      'Gamma,not a domain',
      'Gamma,',
    ].join('\n'),
  );
  expect(summary.rows).toEqual({ total: 6, rejected: 1, withWarnings: 1, duplicates: 2 });
  expect(summary.companies).toBe(3);
  expect(summary.rejected.map((row) => [row.rowNo, row.lineNo])).toEqual([[4, 6]]);
  expect(summary.rejected[0]?.text).toBe('too many fields: 3 fields instead of 2');
  expect(summary.warnings).toMatchObject([{ rowNo: 5, lineNo: 8 }]);
  expect(summary.form.fields).toEqual({ company_domain: 1, company_name: 0, email: null });
});

test('the cost is between zero and the price of all distinct companies', async () => {
  const summary = await check('domain\na.com\nb.com\na.com\nc.com\n');
  expect(summary.costMicro).toEqual({ floor: 0n, ceiling: 600_000n });
});

test('all rejected rows are counted by reason, and the first 100 are listed', async () => {
  const bad = Array.from({ length: 150 }, (_, index) => `x${index}.nosuchending,1\n`).join('');
  const summary = await check(`domain,x\n${bad}a.com,b,c\n`);
  expect(summary.rows).toMatchObject({ total: 151, rejected: 151 });
  expect(summary.rejected).toHaveLength(100);
  expect(summary.rejected[0]?.text).toContain('.nosuchending');
  expect(summary.rejectedByReason.map(({ rows }) => rows)).toEqual([150, 1]);
  expect(summary.rejectedByReason[1]?.text).toBe('too many fields');
});

test('reasons that differ only in the cells of the row are counted together', async () => {
  const summary = await check('domain\na.qqqa\na.qqqb\na.qqqc\n');
  expect(summary.rejectedByReason).toHaveLength(1);
  expect(summary.rejectedByReason[0]).toMatchObject({ rows: 3 });
});

test('a page on a shared host is rejected without a name, and accepted with a warning otherwise', async () => {
  const pages = ['facebook.com/acme,', 'https://www.instagram.com/acme/,', 'linkedin.com/company/acme,Acme'];
  const summary = await check(`website,company\n${pages.join('\n')}\nfacebook.com,\n`);
  expect(summary).toMatchObject({
    rows: { total: 4, rejected: 2, withWarnings: 1, duplicates: 0 },
    rejectedByReason: [{ text: 'a page on …, which many share', rows: 2 }],
    warnings: [{ text: 'a page on "linkedin.com", which many share; searched by the name' }],
    companies: 2,
  });
});

test('a file that ends within a quote is read, with a warning', async () => {
  expect(await check('name,x\na,1\n"b,2\n')).toMatchObject({
    rows: { total: 2, rejected: 0, withWarnings: 1 },
    warnings: [{ lineNo: 3, text: 'misplaced quotation marks were read as text' }],
  });
});

test('the preview shows the result and the parsed values of the first 20 rows', async () => {
  const { preview } = await check(
    [
      'company,website,email',
      'Nike,https://www.nike.com/de,',
      'Nike Inc,NIKE.com,',
      '-,NULL,n/a',
      'Gamma,bad domain,A@B.example',
    ]
      .concat(Array.from({ length: 30 }, (_, i) => `Company ${i},,`))
      .join('\n'),
  );
  expect(preview).toHaveLength(20);
  expect(preview.slice(0, 4)).toEqual([
    {
      rowNo: 1,
      lineNo: 2,
      cells: ['Nike', 'https://www.nike.com/de', ''],
      becomes: 'taken',
      companyDomain: 'nike.com',
      companyName: 'Nike',
      email: null,
      reason: null,
      warning: null,
      firstLineNo: null,
      brings: ['ads_search'],
    },
    expect.objectContaining({ becomes: 'duplicate', lineNo: 3, firstLineNo: 2, brings: [] }),
    expect.objectContaining({
      becomes: 'rejected',
      reason: 'no company domain and no company name; no e-mail address',
      companyDomain: null,
    }),
    expect.objectContaining({
      becomes: 'taken',
      companyDomain: null,
      companyName: 'Gamma',
      email: 'A@B.example',
      warning: expect.stringContaining('searched by the name') as string,
      brings: ['ads_search', 'email_validation'],
    }),
  ]);
});

test('a row with a known company and a new address is accepted, with the first line of the company', async () => {
  const { preview, rows, repeated } = await check(
    'website,email\nnike.com,a@nike.com\nnike.com,b@nike.com\nnike.com,A@nike.com\n',
  );
  expect(preview.map(({ becomes, firstLineNo, brings }) => [becomes, firstLineNo, brings])).toEqual([
    ['taken', null, ['ads_search', 'email_validation']],
    ['taken', 2, ['email_validation']],
    ['taken', 2, ['email_validation']],
  ]);
  expect(rows.duplicates).toBe(0);
  expect(repeated).toEqual([{ text: 'nike.com', operation: 'ads_search', rows: 3, firstLineNo: 2 }]);
});

test('the 20 most repeated companies are listed with their counts, in descending order', async () => {
  const names = Array.from({ length: 30 }, (_, i) => Array<string>(i + 1).fill(`c${i}.com`)).flat();
  const { repeated } = await check(`website\n${names.join('\n')}\n`);
  expect(repeated).toHaveLength(20);
  expect(repeated[0]).toEqual({ text: 'c29.com', operation: 'ads_search', rows: 30, firstLineNo: 437 });
  expect(repeated.map(({ rows }) => rows)).toEqual(Array.from({ length: 20 }, (_, i) => 30 - i));
});

test('with a limit, only the first rows cost credits, and the whole file is still checked', async () => {
  const list = 'website\nnike.com\nnike.com\n,\npuma.com\nasics.com\n';
  const file = () => readCompanies(streamOf(list), { fileName: 'list.csv' });
  const limited = await checkCompanies(await file(), contractPricesMicro, 3);
  expect(limited).toMatchObject({ companies: 3, costMicro: { ceiling: 200_000n } });
  expect(limited.rows).toMatchObject({ total: 5, rejected: 1, duplicates: 1 });
  expect(limited.withinLimit).toEqual({ rows: 3, lookups: { ads_search: 1, email_validation: 0 } });
  const wide = await checkCompanies(await file(), contractPricesMicro, 100);
  expect(wide.withinLimit).toEqual({ rows: 5, lookups: { ads_search: 3, email_validation: 0 } });
});
